"""What floorctl prints has a row for every event, so that none is forgotten."""

from typing import get_args

from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.floorctl.hand_lines import LINES as HAND_LINES
from pokerfloor.floorctl.play_events import LINES as PLAY_LINES
from pokerfloor.games import Event


def test_every_event_of_the_contract_has_its_lines_in_play() -> None:
    kinds = [
        field.name
        for message in (HandEvent, TableEvent)
        for field in message.DESCRIPTOR.oneofs_by_name["event"].fields
        if field.name != "hand"
    ]
    assert sorted(PLAY_LINES) == sorted(kinds)


def test_every_event_of_a_betting_hand_has_its_lines_in_deal() -> None:
    assert HAND_LINES.keys() == set(get_args(Event))
