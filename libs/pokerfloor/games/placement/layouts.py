"""Where a seat's cards lie: its rows, and laying out for a player who does not (OFC-42, SCP-6)."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from pokerfloor.games.places import Place


class LayoutRow(StrEnum):
    """A row of a layout. Scoop's first, second and third row are TOP, MIDDLE and BOTTOM."""

    TOP = "top"
    MIDDLE = "middle"
    BOTTOM = "bottom"
    DISCARD = "discard"  # no row: the card is given up face down


class SlotRow(NamedTuple):
    """A seat's own card, by slot, and the row it is laid in."""

    slot: int
    row: LayoutRow


class Room(NamedTuple):
    """How many cards a row still takes."""

    row: LayoutRow
    cards: int


class Layout(NamedTuple):
    """What a seat has laid out and cannot take back.

    `placed` is by slot, which is the order received; `discards` are face down for good. `streets`
    counts the streets confirmed. `hidden`: nobody else knows yet where the cards lie.
    """

    placed: tuple[tuple[Place, LayoutRow], ...] = ()
    discards: tuple[Place, ...] = ()
    streets: int = 0
    hidden: bool = False

    def row(self, row: LayoutRow) -> tuple[Place, ...]:
        """Return the places of a row, in the order received."""
        return tuple([place for place, where in self.placed if where is row])

    def by_slot(self) -> tuple[SlotRow, ...]:
        """Return where the placed cards lie, by slot; discards are not named."""
        return tuple([SlotRow(place.slot, row) for place, row in self.placed])


def room_left(
    rows: tuple[tuple[LayoutRow, int], ...], taken: Iterable[LayoutRow]
) -> tuple[Room, ...]:
    """Return what is left of rows of these sizes; below zero where a row is overfilled."""
    full = list(taken)
    return tuple([Room(row, size - full.count(row)) for row, size in rows])


def set_in_order(
    places: tuple[Place, ...], to_place: int, room: tuple[Room, ...]
) -> tuple[SlotRow, ...]:
    """Lay cards out for a player: in the order received, the rows of `room` one after another.

    The first `to_place` cards are placed and the others discarded (OFC-42, SCP-6). The answer names
    every card, by slot.
    """
    free = [row for row, cards in room for _ in range(cards)]
    assert len(free) >= to_place, f"{to_place} cards to place, room for {len(free)}"
    laid = [SlotRow(place.slot, row) for place, row in zip(places, free[:to_place], strict=False)]
    given_up = [SlotRow(place.slot, LayoutRow.DISCARD) for place in places[to_place:]]
    return tuple(sorted([*laid, *given_up]))
