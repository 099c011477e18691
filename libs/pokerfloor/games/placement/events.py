"""What happens in a placement hand beside what happens in any hand (`pokerfloor.games.events`).

No event names a face that is not revealed. `HiddenPlacement` is for its owner alone; all others
are for everybody.
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
    """A card of the first street moved in the open; `row` is None when it was taken back."""

    seat: int
    slot: int
    row: LayoutRow | None


class PlacementConfirmed(NamedTuple):
    """A seat has laid out a street for good; `by_time`: it was done for it (OFC-42, SCP-6).

    `placements` are where the placed cards lie, by slot; a card of the street that is not named was
    discarded. Empty while the layout is hidden.
    """

    seat: int
    turn_no: int
    street_no: int
    placements: tuple[SlotRow, ...]
    by_time: bool


class HiddenPlacement(NamedTuple):
    """Where a seat laid every card of the street, by slot; for its own eyes (OFC-32)."""

    seat: int
    placements: tuple[SlotRow, ...]


class LayoutRevealed(NamedTuple):
    """A layout that was hidden is open; what is not named was discarded and stays hidden."""

    seat: int
    placements: tuple[SlotRow, ...]


class PairPoints(NamedTuple):
    """Points of seat `a` from seat `b`: as scored, and as paid after the cut (OFC-22)."""

    a: int
    b: int
    scored: int
    paid: int


class LayoutScore(NamedTuple):
    """A layout as it was judged; `rows` are its hands from the top."""

    seat: int
    fouled: bool
    rows: tuple[RankedHand, ...]
    royalty_points: int


class PointsScored(NamedTuple):
    """The points of a hand: pairs in the order of settlement, layouts in the order of seats.

    The order of seats is from the left of the button, and a pair is settled as (first, second),
    (first, third), …, (second, third), … of them (OFC-21, SCP-5).
    """

    pairs: tuple[PairPoints, ...]
    layouts: tuple[LayoutScore, ...]


class FantasylandEarned(NamedTuple):
    """A seat plays the next hand in Fantasyland, entered (OFC-30) or `stayed` (OFC-33)."""

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
