"""The last steps of one table, and each as everybody who looks at it sees it.

A view is made and encoded once for each audience, when the first stream of that audience asks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from floor_table.domain import Audience, Table, snapshot, step_view
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.table.v1 import table_pb2

# Events after which another player has a seat.
_SEATING = frozenset(("seat_reserved", "seat_taken", "seat_left", "seat_released"))

_PLAYER = table_pb2.VIEW_KIND_PLAYER


@dataclass(slots=True)
class _Stored:
    """A step, the seats of all who had one before or after it, and its encoded views."""

    step: step_pb2.Step
    seats: Mapping[str, int]
    views: dict[Audience, bytes] = field(default_factory=dict)


class ViewRing:
    """The views of the last `size` steps, and the snapshot of now."""

    def __init__(self, table: Table, size: int) -> None:
        self._table = table
        self._stored: deque[_Stored] = deque(maxlen=size)
        self._seats = _seats_of(table)
        self._snapshots: dict[Audience, bytes] = {}

    @property
    def last_view_no(self) -> int:
        """The newest view's number, 0 for none."""
        return self._table.table_seq

    @property
    def first_view_no(self) -> int:
        """The number of the oldest view kept here; one above the newest when none is."""
        return self._table.table_seq - len(self._stored) + 1

    def push(self, step: step_pb2.Step, after: Table) -> None:
        """Add a stored step and the table after it."""
        before = self._seats
        seats = before
        if any(event.WhichOneof("event") in _SEATING for event in step.events):
            self._seats = _seats_of(after)
            seats = {**self._seats, **before}
        stored = _Stored(step, seats)
        self._stored.append(stored)
        self._table = after
        self._snapshots.clear()
        # "Your turn" needs the table as it is after this very step, so these views are made now.
        for seat in asked_seats(step):
            player_id = after.player_at(seat)
            if player_id:
                audience = Audience(_PLAYER, seat, player_id)
                stored.views[audience] = _encoded(step_view(step, after, audience))

    def view(self, view_no: int, kind: int, player_id: str) -> bytes:
        """Return a step as a `TableUpdate` in bytes, without a time; `view_no` is one kept here."""
        stored = self._stored[view_no - self.first_view_no]
        audience = _audience(kind, player_id, stored.seats)
        data = stored.views.get(audience)
        if data is None:
            data = stored.views[audience] = _encoded(step_view(stored.step, None, audience))
        return data

    def snapshot(self, kind: int, player_id: str) -> bytes:
        """Return the `TableUpdate` with the snapshot of now in bytes, without a time."""
        audience = _audience(kind, player_id, self._seats)
        data = self._snapshots.get(audience)
        if data is None:
            update = table_pb2.TableUpdate(snapshot=snapshot(self._table, audience))
            data = self._snapshots[audience] = update.SerializeToString(deterministic=True)
        return data

    def since(self, table_seq: int) -> list[step_pb2.Step]:
        """Return the steps kept here that come after this number."""
        return [stored.step for stored in self._stored if stored.step.table_seq > table_seq]


def _encoded(view: table_pb2.StepView) -> bytes:
    return table_pb2.TableUpdate(step=view).SerializeToString(deterministic=True)


def _audience(kind: int, player_id: str, seats: Mapping[str, int]) -> Audience:
    """Return who looks. A player without a seat sees what spectators see: the same view."""
    view = table_pb2.ViewKind.ValueType(kind)
    if view != _PLAYER:
        return Audience(view)
    seat = seats.get(player_id, 0)
    return Audience(view, seat, player_id) if seat else Audience(view)


def _seats_of(table: Table) -> Mapping[str, int]:
    if not table.exists:
        return {}
    numbers = range(1, table.settings.seats + 1)
    return {player: seat for seat in numbers if (player := table.player_at(seat))}


def asked_seats(step: step_pb2.Step) -> set[int]:
    """Return the seats that this step asks for something: whose turn or clock it began, or left."""
    seats: set[int] = set()
    for event in step.events:
        if event.WhichOneof("event") == "clock_set":
            seats.add(event.clock_set.seat)
        elif event.WhichOneof("event") == "game_choice_opened":
            seats.add(event.game_choice_opened.seat)
        match event.hand.WhichOneof("event"):
            case "turn_began":
                seats.add(event.hand.turn_began.seat)
            case "cards_swapped":  # the turn goes on, with other cards and no further swap
                seats.add(event.hand.cards_swapped.seat)
            case "split_proposed":
                seats.update(event.hand.split_proposed.seats)
            case _:
                pass
    return seats
