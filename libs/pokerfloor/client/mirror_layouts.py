"""The fold of what happens only in OFC and Scoop into a mirror of the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pokerfloor.api.events.v1 import hand_events_pb2 as events
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.client.mirror_state import HandMirror, HandSeatMirror
from pokerfloor.games.placement import LayoutRow
from pokerfloor.tablelog import read_placements


def layout_of_view(seat: HandSeatMirror, view: view_pb2.HandSeatView) -> None:
    """Take a seat's layout from a snapshot, as far as it is shown."""
    seat.laid = rows_of(view.placements)
    seat.tentative = rows_of(view.tentative)
    seat.streets = view.streets_confirmed


def rows_of(placements: Iterable[events.SlotPlacement]) -> dict[int, LayoutRow]:
    """Give the rows by slot; what is given up lies in none."""
    return {slot: row for slot, row in read_placements(placements) if row is not LayoutRow.DISCARD}


def fold_layout_event(hand: HandMirror, event: events.HandEvent) -> None:
    """Take one event in, if it is one of a layout."""
    name = event.WhichOneof("event")
    fold = _FOLDS.get(name or "")
    if fold is not None and name is not None:
        fold(hand, getattr(event, name))


def _moved(hand: HandMirror, event: events.PlacementMoved) -> None:
    tentative = hand.seats[event.seat].tentative
    if event.placement.row == events.LAYOUT_ROW_UNSPECIFIED:
        tentative.pop(event.placement.slot, None)
    else:
        tentative |= rows_of([event.placement])


def _confirmed(hand: HandMirror, event: events.PlacementConfirmed) -> None:
    seat = hand.seats[event.seat]
    seat.tentative = {}
    seat.laid |= rows_of(event.placements)
    seat.streets += 1
    hand.turns.pop(event.seat, None)
    if hand.turn_seat == event.seat:
        hand.turn_seat, hand.deadline_ms = 0, 0


def _laid(hand: HandMirror, event: events.HiddenPlacement | events.LayoutRevealed) -> None:
    hand.seats[event.seat].laid |= rows_of(event.placements)


def _scored(hand: HandMirror, event: events.PointsScored) -> None:
    for pair in event.pairs:
        for seat, paid in ((pair.seat_a, pair.paid_points), (pair.seat_b, -pair.paid_points)):
            hand.won[seat] = hand.won.get(seat, 0) + paid
    hand.fouled = {layout.seat for layout in event.layouts if layout.fouled}


def _fantasyland(hand: HandMirror, event: events.FantasylandEarned) -> None:
    hand.fantasyland_earned[event.seat] = event.cards


_FOLDS: dict[str, Callable[[HandMirror, Any], None]] = {
    "placement_moved": _moved,
    "placement_confirmed": _confirmed,
    "hidden_placement": _laid,
    "layout_revealed": _laid,
    "points_scored": _scored,
    "fantasyland_earned": _fantasyland,
}
