"""Who may see which event: read from the option beside each event in the protos."""

from dataclasses import dataclass
from functools import cache

from google.protobuf.descriptor import FieldDescriptor

from libs.floorapi.floor.common.v1 import identity_pb2
from libs.floorapi.floor.events.v1.table_events_pb2 import TableEvent
from libs.floorapi.floor.table.v1.table_pb2 import (
    VIEW_KIND_AUDITOR,
    VIEW_KIND_PLAYER,
    VIEW_KIND_TERMINAL,
    ViewKind,
)
from services.table.domain.table import Table


@dataclass(frozen=True, slots=True)
class Audience:
    """Who looks. A player without a seat (`seat` 0) sees what a spectator does."""

    kind: ViewKind.ValueType
    seat: int = 0
    player_id: str = ""


def audience_of(kind: ViewKind.ValueType, player_id: str, *tables: Table) -> Audience:
    """Return who looks, with the seat that the first of `tables` has for the player.

    For the view of a step give the table before it and the one after it, so that who sits down and
    who leaves sees that too. A reserved seat counts.
    """
    if kind == VIEW_KIND_PLAYER:
        for table in tables:
            seat = table.seat_of(player_id)
            if seat:
                return Audience(kind, seat, player_id)
    return Audience(kind)


def event_name(event: TableEvent) -> str:
    """Return the name of an event's field; of a hand's event, the name in the hand's list."""
    if event.WhichOneof("event") == "hand":
        return event.hand.WhichOneof("event") or ""
    return event.WhichOneof("event") or ""


def may_see(event: TableEvent, audience: Audience) -> bool:
    """Tell whether an audience may see an event; what no option names, only auditors may."""
    which = event.WhichOneof("event")
    message = event.hand if which == "hand" else event
    name = message.WhichOneof("event")
    if name is None:
        return False
    allowed = _audience(message.DESCRIPTOR.fields_by_name[name])
    if allowed == identity_pb2.AUDIENCE_PUBLIC or audience.kind == VIEW_KIND_AUDITOR:
        return True
    if allowed == identity_pb2.AUDIENCE_TERMINAL:
        return audience.kind == VIEW_KIND_TERMINAL
    if allowed == identity_pb2.AUDIENCE_OWNER and audience.kind == VIEW_KIND_PLAYER:
        content = getattr(message, name)
        # The player counts where the event names one: the seat may be another's by now.
        owner = getattr(content, "player_id", "")
        if owner:
            return bool(owner == audience.player_id)
        return bool(audience.seat and content.seat == audience.seat)
    return False


def is_public(event: TableEvent) -> bool:
    """Tell whether everybody may see an event."""
    return may_see(event, Audience(VIEW_KIND_PLAYER))


@cache
def _audience(field: FieldDescriptor) -> int:
    return int(field.GetOptions().Extensions[identity_pb2.audience])
