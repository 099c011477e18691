"""How a bot bets: by its cards, the board, the price and its character. Lively, not good.

Pure: the random source comes in, and the same source gives the same choices.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from pokerfloor.bots.hand_strength import hand_strength
from pokerfloor.cards import Card
from pokerfloor.client import Legal, RaiseRange
from pokerfloor.games import GameRow


class BettingAction(StrEnum):
    """What a bot may choose."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"


@dataclass(frozen=True, slots=True)
class BettingChoice:
    """A choice; `to` is the total in front of the seat, for bets and raises."""

    action: BettingAction
    to: int = 0


@dataclass(frozen=True, slots=True)
class Character:
    """How a bot plays; each trait is from 0 to 1.

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

    @property
    def strength(self) -> float:
        """How strong the hand looks, from 0 to 1."""
        return hand_strength(self.row, self.hole_cards, self.boards, self.middle)


def choose_action(situation: Situation, character: Character, random: Random) -> BettingChoice:
    """Choose an action; always one of the legal set."""
    legal = situation.legal
    strength = situation.strength
    # A hand that beats one opponent often enough is worth less against five.
    strength **= 1 + 0.15 * max(0, situation.opponents - 1)
    confidence = strength + random.uniform(-0.1, 0.1)
    if confidence > 0.55 and random.random() < character.wild:
        return _most_allowed(legal)
    attacks = confidence > 0.6 and random.random() < character.bold
    if attacks or random.random() < character.bluff:
        attack = _attack(legal, situation.pot, strength, random)
        if attack is not None:
            return attack
    if legal.check:
        return BettingChoice(BettingAction.CHECK)
    if legal.call_by and _worth_calling(situation, confidence, character):
        return BettingChoice(BettingAction.CALL)
    return BettingChoice(BettingAction.FOLD)


def _worth_calling(situation: Situation, confidence: float, character: Character) -> bool:
    legal = situation.legal
    price = legal.call_by / (situation.pot + legal.call_by)
    needed = price * 0.75 + 0.3 * (1 - character.loose)
    if legal.call_all_in:
        needed += 0.1
    return confidence > needed


def _most_allowed(legal: Legal) -> BettingChoice:
    """Return the choice that puts in as much as the rules allow."""
    if legal.bet is not None:
        return BettingChoice(BettingAction.BET, legal.bet.nearest(legal.bet.max_to))
    if legal.raise_ is not None:
        return BettingChoice(BettingAction.RAISE, legal.raise_.nearest(legal.raise_.max_to))
    if legal.call_all_in:
        return BettingChoice(BettingAction.ALL_IN)
    return BettingChoice(BettingAction.CHECK if legal.check else BettingAction.CALL)


def _attack(legal: Legal, pot: int, strength: float, random: Random) -> BettingChoice | None:
    if legal.bet is not None:
        return BettingChoice(BettingAction.BET, _bet_size(legal.bet, pot, strength, random))
    if legal.raise_ is not None:
        return BettingChoice(BettingAction.RAISE, _bet_size(legal.raise_, pot, strength, random))
    return None


def _bet_size(allowed: RaiseRange, pot: int, strength: float, random: Random) -> int:
    wish = allowed.min_to + round(pot * random.uniform(0.2, 0.5 + 0.7 * strength))
    return allowed.nearest(wish)
