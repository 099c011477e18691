"""Layouts: the rows of a seat, and setting them for an absent player (OFC-42, SCP-6)."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from pokerfloor.games.places import Place


class LayoutRow(StrEnum):
    """A row of a layout. Scoop's first, second and third row are TOP, MIDDLE and BOTTOM."""

    TOP = "top"
    MIDDLE = "middle"
    BOTTOM = "bottom"
    DISCARD = "discard"  # not a row: the card is discarded face down


class SlotRow(NamedTuple):
    """A card of a seat, by slot, and its row."""

    slot: int
    row: LayoutRow


class Room(NamedTuple):
    """How many more cards a row takes."""

    row: LayoutRow
    cards: int


class Layout(NamedTuple):
    """The confirmed layout of a seat.

    `placed` is by slot, the order received. `discards` stay face down. `streets` counts the streets
    confirmed. `hidden`: nobody else knows yet where the cards lie.
    """

    placed: tuple[tuple[Place, LayoutRow], ...] = ()
    discards: tuple[Place, ...] = ()
    streets: int = 0
    hidden: bool = False

    def row(self, row: LayoutRow) -> tuple[Place, ...]:
        """Return the places of a row, in the order received."""
        return tuple([place for place, where in self.placed if where is row])

    def by_slot(self) -> tuple[SlotRow, ...]:
        """Return the rows of the placed cards, by slot, without discards."""
        return tuple([SlotRow(place.slot, row) for place, row in self.placed])


def room_left(
    rows: tuple[tuple[LayoutRow, int], ...], taken: Iterable[LayoutRow]
) -> tuple[Room, ...]:
    """Return the room left in rows of these sizes; negative if a row is overfilled."""
    full = list(taken)
    return tuple([Room(row, size - full.count(row)) for row, size in rows])


def set_in_order(
    places: tuple[Place, ...], to_place: int, room: tuple[Room, ...]
) -> tuple[SlotRow, ...]:
    """Set cards for a player in the order received, filling the rows of `room` one by one.

    The first `to_place` cards are placed and the others discarded (OFC-42, SCP-6). The result names
    every card, by slot.
    """
    free = [row for row, cards in room for _ in range(cards)]
    assert len(free) >= to_place, f"{to_place} cards to place, room for {len(free)}"
    laid = [SlotRow(place.slot, row) for place, row in zip(places, free[:to_place], strict=False)]
    given_up = [SlotRow(place.slot, LayoutRow.DISCARD) for place in places[to_place:]]
    return tuple(sorted([*laid, *given_up]))
