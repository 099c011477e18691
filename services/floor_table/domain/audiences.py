"""Who may see which event: read from the option beside each event in the protos."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from pokerfloor.api.common.v1 import identity_pb2
from pokerfloor.api.events.v1.hand_events_pb2 import REVEAL_REASON_SHOWDOWN, HandEvent
from pokerfloor.api.events.v1.public_event_pb2 import PublicEvent
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.history.v1.step_pb2 import Step
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

    def owns(self, seat: int) -> bool:
        """Tell whether somebody looks with the eyes of a seat; auditors do with everybody's."""
        own = self.kind == VIEW_KIND_PLAYER and self.seat == seat
        return own or self.kind == VIEW_KIND_AUDITOR


def public_events(step: Step) -> list[tuple[str, PublicEvent]]:
    """Return (kind, event) for each event that everybody may see, in order.

    `kind` is the last part of the subject `floor.public.<table_id>.<kind>`: the name of the event's
    field ("seat_taken", "action_taken", ...). `index` counts all events of the step.
    """
    everybody = Audience(VIEW_KIND_PLAYER)
    return [
        (
            _named(event)[1] or "",
            PublicEvent(
                table_id=step.table_id,
                table_seq=step.table_seq,
                index=index,
                hand_no=step.hand_no,
                at_ms=step.at_ms,
                event=seen,
            ),
        )
        for index, event in enumerate(step.events)
        if (seen := seen_by(event, everybody)) is not None
    ]


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


@cache
def _audience(field: FieldDescriptor) -> int:
    return int(field.GetOptions().Extensions[identity_pb2.audience])
