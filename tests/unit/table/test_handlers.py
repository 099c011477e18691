"""Every event, command, input and clock of the contract has its row."""

from typing import get_args

from floor_table.domain import Clock, TableInput
from floor_table.domain.handlers import CLOCKS, COMMANDS, EVENTS, INPUTS
from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.table.v1.table_pb2 import TableCommand

# Settings cannot be changed yet.
_NOT_YET = {"settings_changed"}
_OF_THE_STREAM = {"attach", "ping"}


def test_every_event_of_a_table_is_applied() -> None:
    known = {field.name for field in TableEvent.DESCRIPTOR.fields}
    assert known - EVENTS.of_table.keys() == _NOT_YET
    assert EVENTS.of_table.keys() <= known


def test_what_is_noted_of_a_hand_is_an_event_of_a_hand() -> None:
    assert EVENTS.of_hand.keys() <= {field.name for field in HandEvent.DESCRIPTOR.fields}


def test_every_command_is_answered() -> None:
    known = {field.name for field in TableCommand.DESCRIPTOR.oneofs_by_name["command"].fields}
    assert known - COMMANDS.keys() == _OF_THE_STREAM
    assert COMMANDS.keys() <= known


def test_every_input_is_answered_and_every_clock_runs_out() -> None:
    assert INPUTS.keys() == set(get_args(TableInput))
    assert CLOCKS.keys() == set(Clock)
