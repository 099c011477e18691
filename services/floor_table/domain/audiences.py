"""Who may see which event: read from the option beside each event in the protos."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from floor_table.domain.table import Table
from pokerfloor.api.common.v1 import identity_pb2
from pokerfloor.api.events.v1.hand_events_pb2 import REVEAL_REASON_SHOWDOWN, HandEvent
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.table.v1.table_pb2 import (
    VIEW_KIND_AUDITOR,
    VIEW_KIND_PLAYER,
    VIEW_KIND_TERMINAL,
    ViewKind,
)


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


def seen_by(event: TableEvent, audience: Audience) -> TableEvent | None:
    """Return an event as an audience sees it, None when it may not see it.

    Fields of the event that others may see are left out. What no option names, only auditors see.
    """
    message, name = _named(event)
    if name is None:
        return None
    field = message.DESCRIPTOR.fields_by_name[name]
    content = getattr(message, name)
    if not _may_see(_audience(field), content, audience):
        return None
    hidden = [
        part.name for part in _guarded(field) if not _may_see(_audience(part), content, audience)
    ]
    if name == "reveal_ordered" and content.reason == REVEAL_REASON_SHOWDOWN:
        # Hands at a showdown are named by places that are held: it would tell which were given up.
        hidden += ["places"] if audience.kind != VIEW_KIND_AUDITOR else []
    if not hidden:
        return event
    seen = TableEvent()
    seen.CopyFrom(event)
    message, _ = _named(seen)
    for part in hidden:
        getattr(message, name).ClearField(part)
    return seen


def _named(event: TableEvent) -> tuple[TableEvent | HandEvent, str | None]:
    """Return the message whose field the event is, and the field's name."""
    message = event.hand if event.WhichOneof("event") == "hand" else event
    return message, message.WhichOneof("event")


def _may_see(allowed: int, content: Any, audience: Audience) -> bool:
    if allowed == identity_pb2.AUDIENCE_PUBLIC or audience.kind == VIEW_KIND_AUDITOR:
        return True
    if allowed == identity_pb2.AUDIENCE_TERMINAL:
        return audience.kind == VIEW_KIND_TERMINAL
    if allowed == identity_pb2.AUDIENCE_OWNER and audience.kind == VIEW_KIND_PLAYER:
        # The player counts where the event names one: the seat may be another's by now.
        owner = getattr(content, "player_id", "")
        if owner:
            return bool(owner == audience.player_id)
        return bool(audience.seat and content.seat == audience.seat)
    return False


@cache
def _guarded(field: FieldDescriptor) -> tuple[FieldDescriptor, ...]:
    """Return the fields of an event that have an audience of their own."""
    assert field.message_type is not None, "an event is a message"
    return tuple([part for part in field.message_type.fields if _audience(part)])


def seen_by_all(event: TableEvent) -> TableEvent | None:
    """Return an event as everybody sees it, None when not everybody may."""
    return seen_by(event, Audience(VIEW_KIND_PLAYER))


@cache
def _audience(field: FieldDescriptor) -> int:
    return int(field.GetOptions().Extensions[identity_pb2.audience])
