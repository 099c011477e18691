"""The mirror has a row for every event of the contract, so that none is forgotten."""

from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.client.mirror_hand_events import HAND_EVENTS
from pokerfloor.client.mirror_table import TABLE_EVENTS


def test_every_event_of_a_hand_has_a_row() -> None:
    fields = HandEvent.DESCRIPTOR.oneofs_by_name["event"].fields
    assert sorted(HAND_EVENTS) == sorted([field.name for field in fields])


def test_every_event_of_a_table_has_a_row() -> None:
    fields = TableEvent.DESCRIPTOR.oneofs_by_name["event"].fields
    assert sorted(["hand", *TABLE_EVENTS]) == sorted([field.name for field in fields])
