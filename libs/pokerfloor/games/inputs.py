"""What a hand can be told. Each input may be refused, and then changes nothing."""

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from pokerfloor.cards import Card
from pokerfloor.games.places import Place
from pokerfloor.games.showdown import ShowdownResult


class ActKind(StrEnum):
    """What a seat in turn may do (BET-1)."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"  # input only: becomes a call, bet or raise of the whole stack


class Begin(NamedTuple):
    """Post the forced bets and deal the first cards: the first input of every hand."""


class Act(NamedTuple):
    """A seat's action in the turn `turn_no`.

    `amount_to` is the total in front of the seat on this street after a bet or raise. For a call it
    is 0 or exactly the amount that the legal set names; for all else it is 0.
    """

    seat: int
    turn_no: int
    kind: ActKind
    amount_to: int = 0


class SwapCards(NamedTuple):
    """A seat swaps the hole cards at these slots before it acts in the turn `turn_no` (SWP-1)."""

    seat: int
    turn_no: int
    slots: tuple[int, ...]


class DiscardCards(NamedTuple):
    """A seat gives up the hole cards at these slots, in the exchange; no slot is to stand pat."""

    seat: int
    turn_no: int
    slots: tuple[int, ...]


class ChooseFacing(NamedTuple):
    """A seat says whether its next card comes face down; without an answer it comes up (MAT-3)."""

    seat: int
    turn_no: int
    face_down: bool


class Reveal(NamedTuple):
    """Faces of places that are due to be revealed: all of them, or some and the rest later."""

    cards: tuple[tuple[Place, Card], ...]


class Resolved(NamedTuple):
    """The answer to a `WaitShowdown`."""

    result: ShowdownResult


class AnswerSplit(NamedTuple):
    """A seat says whether it agrees to split what nobody qualified for (MAT-6)."""

    seat: int
    agrees: bool


class SplitTimeUp(NamedTuple):
    """The time to answer is over: whoever has said nothing does not agree (MAT-6)."""


class ShowCards(NamedTuple):
    """The winner of a hand without a showdown chooses to show these hole places (SHW-3)."""

    seat: int
    places: tuple[Place, ...]


class Void(NamedTuple):
    """Every chip back to where it was when the hand began (DLR-7, DLR-8)."""

    reason: str


Input: TypeAlias = (
    Begin
    | Act
    | SwapCards
    | DiscardCards
    | ChooseFacing
    | Reveal
    | Resolved
    | AnswerSplit
    | SplitTimeUp
    | ShowCards
    | Void
)
