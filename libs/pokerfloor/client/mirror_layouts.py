"""Where cards lie in OFC and Scoop, as a mirror has it."""

from __future__ import annotations

from collections.abc import Iterable

from pokerfloor.api.events.v1 import hand_events_pb2 as events
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.client.mirror_state import HandSeatMirror
from pokerfloor.games.placement import LayoutRow
from pokerfloor.tablelog import read_placements


def layout_of_view(seat: HandSeatMirror, view: view_pb2.HandSeatView) -> None:
    """Take a seat's layout from a snapshot, as far as it is shown."""
    seat.laid = rows_of(view.placements)
    seat.tentative = rows_of(view.tentative)
    seat.streets = view.streets_confirmed


def rows_of(placements: Iterable[events.SlotPlacement]) -> dict[int, LayoutRow]:
    """Return the rows by slot; what is discarded lies in none."""
    return {slot: row for slot, row in read_placements(placements) if row is not LayoutRow.DISCARD}
