"""The table of hand events has a row for every event of the contract and of the engine."""

from typing import get_args

import pytest

from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.games import Event
from pokerfloor.games.placement import PlacementEvent
from pokerfloor.tablelog import HAND_EVENTS, REMARKS
from pokerfloor.tablelog.event_rows import PLAIN, HandsOf, row

CONTRACT = [field.name for field in HandEvent.DESCRIPTOR.oneofs_by_name["event"].fields]


def test_every_event_of_the_contract_has_one_row() -> None:
    rows = [one.field for one in HAND_EVENTS]
    assert sorted([*rows, *REMARKS]) == sorted(CONTRACT)


@pytest.mark.parametrize(
    ("union", "others"), [(Event, HandsOf.PLACEMENT), (PlacementEvent, HandsOf.BETTING)]
)
def test_every_event_of_the_engine_has_one_row(union: object, others: HandsOf) -> None:
    rows = [one.event for one in HAND_EVENTS if one.hands is not others]
    assert len(set(rows)) == len(rows)
    assert set(rows) == set(get_args(union))


def test_a_row_that_forgets_a_field_is_refused() -> None:
    turn_began = next(one.event for one in HAND_EVENTS if one.field == "turn_began")
    with pytest.raises(AssertionError, match="TurnBegan has fields"):
        row("turn_began", turn_began, seat=PLAIN)
    with pytest.raises(AssertionError, match="turn_began has fields"):
        row("turn_began", turn_began, seat=PLAIN, turn_no=PLAIN.named("number"))
