from __future__ import annotations

import pytest

from floor_table.runtime.wire import snapshot_update, step_update
from pokerfloor.api.table.v1 import table_pb2


@pytest.mark.parametrize("events", [0, 1, 200])
def test_an_update_of_a_step_is_what_protobuf_makes_of_it(events: int) -> None:
    step = table_pb2.StepView(view_no=300, at_ms=1_700_000_000_123, hand_no=7)
    for seat in range(events):
        step.events.add().sat_in.seat = seat + 1
    whole = table_pb2.TableUpdate(server_time_ms=1_700_000_000_999, step=step)
    data = step_update(step.SerializeToString(deterministic=True), 1_700_000_000_999)
    assert data == whole.SerializeToString(deterministic=True)


def test_an_update_of_a_snapshot_is_what_protobuf_makes_of_it() -> None:
    snapshot = table_pb2.Snapshot(view_no=1)
    snapshot.table.table_id = "t" * 300
    whole = table_pb2.TableUpdate(server_time_ms=1, snapshot=snapshot)
    assert snapshot_update(snapshot.SerializeToString(), 1) == whole.SerializeToString()
