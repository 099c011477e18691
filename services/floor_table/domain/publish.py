"""What a stored step says on the public subjects."""

from floor_table.domain.audiences import event_name, seen_by_all
from pokerfloor.api.events.v1.public_event_pb2 import PublicEvent
from pokerfloor.api.history.v1.step_pb2 import Step


def public_events(step: Step) -> list[tuple[str, PublicEvent]]:
    """Return (kind, event) for each event that everybody may see, in order.

    `kind` is the last part of the subject `floor.public.<table_id>.<kind>`: the name of the event's
    field ("seat_taken", "action_taken", ...). `index` counts all events of the step.
    """
    return [
        (
            event_name(event),
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
        if (seen := seen_by_all(event)) is not None
    ]
