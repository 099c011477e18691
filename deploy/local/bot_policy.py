"""How a bot decides: its own cards, the board, the price, and a character. Lively, not good.

Pure: the random source comes in, and the same source gives the same choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from deploy.local.bot_cards import UNKNOWN_HAND, VALUE_OF_KIND, strength
from pokerfloor.cards import Card, rank_of, suit_of
from pokerfloor.client import Legal, RaiseRange
from pokerfloor.games import HOLDEM as _HOLDEM
from pokerfloor.games import GameRow
from pokerfloor.ranking import Category, category_of, high_strength

_ACE = 12


class Kind(StrEnum):
    """What a bot may choose."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice; `to` is the total in front of the seat, for bets and raises."""

    kind: Kind
    to: int = 0


@dataclass(frozen=True, slots=True)
class Character:
    """How a bot plays, each from 0 to 1.

    `loose` is how weak a hand it goes on with, `bold` how often it bets and raises with a good
    one, `bluff` how often with nothing, `wild` how often it puts everything in.
    """

    loose: float
    bold: float
    bluff: float
    wild: float

    @classmethod
    def drawn(cls, random: Random) -> Character:
        """Draw a character."""
        return cls(
            loose=random.uniform(0.25, 0.75),
            bold=random.uniform(0.25, 0.8),
            bluff=random.uniform(0.02, 0.15),
            wild=random.uniform(0.0, 0.08),
        )


@dataclass(frozen=True, slots=True)
class Situation:
    """What a bot looks at. Amounts are in the table's unit."""

    row: GameRow
    hole_cards: tuple[Card, ...]
    boards: tuple[tuple[Card, ...], ...]
    middle: tuple[Card, ...]
    pot: int
    opponents: int
    legal: Legal

    def strength(self) -> float:
        """Give how good the hand looks, from 0 to 1."""
        if self.row.id == _HOLDEM.id:
            return hand_strength(self.hole_cards, self.boards[0])
        return strength(self.row, self.hole_cards, self.boards, self.middle)


def choose(situation: Situation, character: Character, random: Random) -> Choice:
    """Choose; always something of the legal set."""
    legal = situation.legal
    looks = situation.strength()
    # A hand that beats one opponent often enough is worth less against five.
    looks **= 1 + 0.15 * max(0, situation.opponents - 1)
    feeling = looks + random.uniform(-0.1, 0.1)
    if feeling > 0.55 and random.random() < character.wild:
        return _everything(legal)
    attacks = feeling > 0.6 and random.random() < character.bold
    if attacks or random.random() < character.bluff:
        attack = _attack(legal, situation.pot, looks, random)
        if attack is not None:
            return attack
    if legal.check:
        return Choice(Kind.CHECK)
    if legal.call_by and _worth_calling(situation, feeling, character):
        return Choice(Kind.CALL)
    return Choice(Kind.FOLD)


def hand_strength(hole_cards: Sequence[Card], board: Sequence[Card]) -> float:
    """Give how good a hold'em hand looks, from 0 to 1; 0.3 while the own cards are not known."""
    if len(hole_cards) != 2:
        return UNKNOWN_HAND
    if len(board) < 3:
        return _before_the_flop(hole_cards)
    return max(_made_hand(hole_cards, board), _drawing_hand(hole_cards, board))


def _before_the_flop(hole_cards: Sequence[Card]) -> float:
    high, low = sorted((rank_of(card) for card in hole_cards), reverse=True)
    if high == low:
        return 0.55 + 0.45 * high / _ACE
    gap = high - low
    value = 0.1 + 0.4 * high / _ACE + 0.2 * low / _ACE
    if suit_of(hole_cards[0]) == suit_of(hole_cards[1]):
        value += 0.08
    return value + (0.08 if gap == 1 else 0.04 if gap == 2 else 0.0)


def _made_hand(hole_cards: Sequence[Card], board: Sequence[Card]) -> float:
    kind = category_of(high_strength((*hole_cards, *board)))
    value = VALUE_OF_KIND[kind]
    highest = max(rank_of(card) for card in board)
    if kind is Category.ONE_PAIR:
        pairs = {rank_of(card) for card in hole_cards} & {rank_of(card) for card in board}
        pocket = rank_of(hole_cards[0]) == rank_of(hole_cards[1])
        if not pairs and not pocket:
            return 0.2  # the pair lies on the board, for everyone
        paired = rank_of(hole_cards[0]) if pocket else max(pairs)
        return value + (0.2 if paired >= highest else 0.0)
    if len(board) == 5 and high_strength(board) == high_strength((*hole_cards, *board)):
        return 0.3  # the board plays
    return value + (0.08 if max(rank_of(card) for card in hole_cards) > highest else 0.0)


def _drawing_hand(hole_cards: Sequence[Card], board: Sequence[Card]) -> float:
    if len(board) == 5:
        return 0.0
    cards = (*hole_cards, *board)
    suits = [suit_of(card) for card in cards]
    if any(suits.count(suit) == 4 for suit in {suit_of(card) for card in hole_cards}):
        return 0.55
    ranks = {rank_of(card) for card in cards}
    if any({low, low + 1, low + 2, low + 3} <= ranks for low in range(_ACE - 3)):
        return 0.45
    return 0.0


def _worth_calling(situation: Situation, feeling: float, character: Character) -> bool:
    legal = situation.legal
    price = legal.call_by / (situation.pot + legal.call_by)
    asked = price * 0.75 + 0.3 * (1 - character.loose)
    if legal.call_all_in:
        asked += 0.1
    return feeling > asked


def _everything(legal: Legal) -> Choice:
    """Put in as much as is allowed."""
    if legal.bet is not None:
        return Choice(Kind.BET, legal.bet.nearest(legal.bet.max_to))
    if legal.raise_ is not None:
        return Choice(Kind.RAISE, legal.raise_.nearest(legal.raise_.max_to))
    if legal.call_all_in:
        return Choice(Kind.ALL_IN)
    return Choice(Kind.CHECK if legal.check else Kind.CALL)


def _attack(legal: Legal, pot: int, looks: float, random: Random) -> Choice | None:
    if legal.bet is not None:
        return Choice(Kind.BET, _size(legal.bet, pot, looks, random))
    if legal.raise_ is not None:
        return Choice(Kind.RAISE, _size(legal.raise_, pot, looks, random))
    return None


def _size(allowed: RaiseRange, pot: int, looks: float, random: Random) -> int:
    wish = allowed.min_to + round(pot * random.uniform(0.2, 0.5 + 0.7 * looks))
    return allowed.nearest(wish)
