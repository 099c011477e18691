"""The events of placement hands, in addition to those in `pokerfloor.games.events`.

No event names a hidden face. `HiddenPlacement` is for its player only, all others are public.
"""

from typing import NamedTuple, TypeAlias

from pokerfloor.games.events import (
    CardsRevealed,
    HandEnded,
    HandVoided,
    PlacesDealt,
    RevealOrdered,
    StreetBegan,
    TurnBegan,
)
from pokerfloor.games.placement.layouts import LayoutRow, SlotRow
from pokerfloor.ranking import RankedHand


class PlacementMoved(NamedTuple):
    """A public move of a card on the first street; `row` is None if it was taken back."""

    seat: int
    slot: int
    row: LayoutRow | None


class PlacementConfirmed(NamedTuple):
    """A seat has set a street for good; `by_time`: its time ran out (OFC-42, SCP-6).

    `placements` are the placed cards by slot; a card of the street that is not named is discarded.
    Empty while the layout is hidden.
    """

    seat: int
    turn_no: int
    street_no: int
    placements: tuple[SlotRow, ...]
    by_time: bool


class HiddenPlacement(NamedTuple):
    """Where a seat set every card of the street, by slot; only for the seat itself (OFC-32)."""

    seat: int
    placements: tuple[SlotRow, ...]


class LayoutRevealed(NamedTuple):
    """A hidden layout is revealed; cards that are not named are discards and stay hidden."""

    seat: int
    placements: tuple[SlotRow, ...]


class PairPoints(NamedTuple):
    """Points that seat `a` wins from seat `b`: as scored, and as paid after the cap (OFC-22)."""

    a: int
    b: int
    scored: int
    paid: int


class LayoutScore(NamedTuple):
    """The score of a layout; `rows` are its hands from the top."""

    seat: int
    fouled: bool
    rows: tuple[RankedHand, ...]
    royalty_points: int


class PointsScored(NamedTuple):
    """The points of a hand: pairs in the order of settlement, layouts in the order of seats.

    Seats go from the left of the button. Pairs are settled as (first, second), (first, third), …,
    (second, third), … (OFC-21, SCP-5).
    """

    pairs: tuple[PairPoints, ...]
    layouts: tuple[LayoutScore, ...]


class FantasylandEarned(NamedTuple):
    """A seat plays the next hand in Fantasyland: it entered (OFC-30) or `stayed` (OFC-33)."""

    seat: int
    cards: int
    stayed: bool


PlacementEvent: TypeAlias = (
    StreetBegan
    | PlacesDealt
    | TurnBegan
    | RevealOrdered
    | CardsRevealed
    | PlacementMoved
    | PlacementConfirmed
    | HiddenPlacement
    | LayoutRevealed
    | PointsScored
    | FantasylandEarned
    | HandEnded
    | HandVoided
)
