"""What a placement hand waits for, as values; there are no callbacks."""

from typing import NamedTuple, TypeAlias

from pokerfloor.cards import Card
from pokerfloor.games.placement.layouts import LayoutRow, Room, SlotRow
from pokerfloor.games.placement.rows import PlacementGame
from pokerfloor.games.places import Place
from pokerfloor.games.setup import SeatStack
from pokerfloor.games.waits import Over, WaitBegin, WaitCards


class PlacementTurn(NamedTuple):
    """A seat that has cards to set, and what it may do.

    `places` are the cards to set, in the order received; `to_place` of them are placed and the
    others discarded. `room` is the room left in the rows, from the top. `up`: the cards and moves
    are public, and `tentative` is where the cards are now. `hidden`: others learn nothing of the
    layout before all have confirmed.
    """

    seat: int
    turn_no: int
    street_no: int
    places: tuple[Place, ...]
    to_place: int
    room: tuple[Room, ...]
    up: bool
    hidden: bool
    tentative: tuple[SlotRow, ...]


class WaitPlacements(NamedTuple):
    """Wait for placements: of one seat in open play, else of all that have not confirmed."""

    turns: tuple[PlacementTurn, ...]

    def turn_of(self, seat: int) -> PlacementTurn | None:
        """Return a seat's turn, or None."""
        return next((turn for turn in self.turns if turn.seat == seat), None)


class FinishedLayout(NamedTuple):
    """A finished layout with its faces: rows from the top as (row, cards), each card by place.

    `fantasyland_cards` is the number of cards in Fantasyland, 0 outside it.
    """

    seat: int
    rows: tuple[tuple[LayoutRow, tuple[tuple[Place, Card], ...]], ...]
    fantasyland_cards: int

    def faces(self, row: LayoutRow) -> tuple[Card, ...]:
        """Return the faces of a row."""
        return next(tuple([card for _, card in cards]) for name, cards in self.rows if name is row)


class ScoringRequest(NamedTuple):
    """The request to score a hand; all faces are public.

    `layouts` and `stacks` (in points) are in the order of seats from the left of the button, which
    comes last. `board` is empty in games without one.
    """

    hand_no: int
    game: PlacementGame
    button: int
    stacks: tuple[SeatStack, ...]
    layouts: tuple[FinishedLayout, ...]
    board: tuple[Card, ...]


class WaitScoring(NamedTuple):
    """Wait for the score."""

    request: ScoringRequest


PlacementWait: TypeAlias = WaitBegin | WaitCards | WaitPlacements | WaitScoring | Over
