"""Action strings: `actor verb [args] [# commentary]`.

Verbs with an underscore are ours, for what the format has no word for; they stand only in hands of
games that it has no code for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from pokerfloor.cards import Card, CardError, parse_cards
from pokerfloor.phh.errors import PhhError

ACTION_AMOUNT: Final = re.compile(r"^\s*p\d+ cbr (\d+(?:\.\d+)?)\s*(?:#|$)")


class Verb(StrEnum):
    """What an action string says was done."""

    DEAL_OWN = "dh"
    DEAL_BOARD = "db"
    BRING_IN = "pb"
    RAISE_TO = "cbr"
    CALL = "cc"
    FOLD = "f"
    DISCARD = "sd"
    SHOW = "sm"
    SWAP = "_swap"  # hole cards by slot: "p2 _swap 1 2" (SWP-1)
    UP = "_up"  # the next card comes face up (MAT-3)
    DOWN = "_down"  # it comes face down, and the earlier down card is shown
    SPLIT = "_split"  # whether to split: "p1 _split yes" (MAT-6)
    MOVE = "_move"  # a card laid in a row, not for good: "p1 _move 3=top"; "3=hand" is back (OFC-3)
    PLACE = "_place"  # the cards of a street for good: "p1 _place 1=top 2=discard" (OFC-4)


@dataclass(frozen=True, slots=True)
class Action:
    """One action. `number` counts from 1 in the file's array, and `text` is the string itself.

    `player` is the position from 1, 0 for the dealer. `amount` is a total in 1/scale units.
    `cards` are None for a show of the cards as dealt, and empty for a muck. `words` are the
    arguments of a verb of ours.
    """

    number: int
    text: str
    player: int
    verb: Verb
    amount: int = 0
    cards: tuple[Card, ...] | None = ()
    words: tuple[str, ...] = ()


_MOST_WORDS: Final = 20
_OWN: Final = "_"


def parse_action(text: object, number: int, players: int, scale: int) -> Action | None:
    """Return the action of a string, None for an empty one, or raise PhhError naming it."""
    where = f"action {number} {text!r}"
    if not isinstance(text, str):
        raise PhhError("a string is wanted", where)
    words = text.split("#", 1)[0].split()
    if not words:
        return None
    if len(words) < 2:
        raise PhhError("an actor and a verb are wanted", where)
    actor, verb_text, args = words[0], words[1], words[2:]
    try:
        verb = Verb(verb_text)
    except ValueError:
        raise PhhError(f"{verb_text!r} is no verb", where) from None
    if verb in (Verb.DEAL_OWN, Verb.DEAL_BOARD):
        if actor != "d":
            raise PhhError("only the dealer deals", where)
        return _deal(text, number, players, verb, args, where)
    player = _player(actor, players, where)
    if verb is Verb.RAISE_TO:
        _want(args, 1, where)
        return Action(number, text, player, verb, amount=_amount(args[0], scale, where))
    if verb in (Verb.SHOW, Verb.DISCARD):
        return Action(number, text, player, verb, cards=_shown(args, where))
    return Action(number, text, player, verb, words=_words(verb, args, where))


def _deal(text: str, number: int, players: int, verb: Verb, args: list[str], where: str) -> Action:
    if verb is Verb.DEAL_BOARD:
        _want(args, 1, where)
        return Action(number, text, 0, verb, cards=_cards(args[0], where))
    _want(args, 2, where)
    player = _player(args[0], players, where)
    return Action(number, text, player, verb, cards=_cards(args[1], where))


def _words(verb: Verb, args: list[str], where: str) -> tuple[str, ...]:
    if not verb.startswith(_OWN):
        _want(args, 0, where)
    elif len(args) > _MOST_WORDS:
        raise PhhError(f"at most {_MOST_WORDS} arguments, not {len(args)}", where)
    return tuple(args)


def _shown(args: list[str], where: str) -> tuple[Card, ...] | None:
    if not args:
        return ()
    _want(args, 1, where)
    return None if args[0] == "-" else _cards(args[0], where)


def _player(actor: str, players: int, where: str) -> int:
    if re.fullmatch(r"p[1-9]\d?", actor) is None or int(actor[1:]) > players:
        raise PhhError(f"{actor!r} is none of p1 to p{players}", where)
    return int(actor[1:])


def _cards(text: str, where: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except CardError as error:
        raise PhhError(str(error), where) from error


def _amount(text: str, scale: int, where: str) -> int:
    if re.fullmatch(r"\d+(\.\d+)?", text) is None:
        raise PhhError(f"{text!r} is no amount", where)
    scaled = Decimal(text) * scale
    if scaled != scaled.to_integral_value():
        raise PhhError(f"{text} is no whole number of 1/{scale}", where)
    return int(scaled)


def _want(args: list[str], count: int, where: str) -> None:
    if len(args) != count:
        raise PhhError(f"{count} arguments are wanted, not {len(args)}", where)
