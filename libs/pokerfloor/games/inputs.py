"""The inputs of a hand. A refused input changes nothing."""

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from pokerfloor.cards import Card
from pokerfloor.games.places import Place
from pokerfloor.games.showdown import ShowdownResult


class ActKind(StrEnum):
    """The betting actions (BET-1)."""

    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    ALL_IN = "all_in"  # input only: becomes a call, bet or raise


class Begin(NamedTuple):
    """The first input of every hand: post the forced bets and deal the first cards."""


class Act(NamedTuple):
    """A seat's action in the turn `turn_no`.

    `amount_to` is the total in front of the seat on this street after a bet or raise. For a call it
    is 0 or exactly the `call_to` of the legal set; otherwise it is 0.
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
    """A seat discards the hole cards at these slots in a draw; no slot means standing pat."""

    seat: int
    turn_no: int
    slots: tuple[int, ...]


class ChooseFacing(NamedTuple):
    """A seat chooses whether its next card comes face down; the default is up (MAT-3)."""

    seat: int
    turn_no: int
    face_down: bool


class Reveal(NamedTuple):
    """Faces of pending places: all of them, or some now and the rest later."""

    cards: tuple[tuple[Place, Card], ...]


class Resolved(NamedTuple):
    """The answer to a `WaitShowdown`."""

    result: ShowdownResult


class AnswerSplit(NamedTuple):
    """A seat answers whether it agrees to split the pots nobody qualified for (MAT-6)."""

    seat: int
    agrees: bool


class SplitTimeUp(NamedTuple):
    """The time to answer is over; no answer means no (MAT-6)."""


class ShowCards(NamedTuple):
    """The winner of a hand without a showdown shows the cards at these hole places (SHW-3)."""

    seat: int
    places: tuple[Place, ...]


class Void(NamedTuple):
    """Void the hand: every chip returns to where it was when it began (DLR-7, DLR-8)."""

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
