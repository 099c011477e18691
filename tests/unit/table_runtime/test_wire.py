"""Updates that are put together from bytes are those that protobuf would make."""

from __future__ import annotations

import pytest

from floor_table.runtime.wire import at_time
from pokerfloor.api.table.v1 import table_pb2


@pytest.mark.parametrize("events", [0, 1, 200])
def test_an_update_with_its_time_is_what_protobuf_makes_of_it(events: int) -> None:
    update = table_pb2.TableUpdate()
    update.step.view_no = 300
    for seat in range(events):
        update.step.events.add().sat_in.seat = seat + 1
    whole = table_pb2.TableUpdate(server_time_ms=1_700_000_000_999, step=update.step)
    data = at_time(update.SerializeToString(deterministic=True), 1_700_000_000_999)
    assert table_pb2.TableUpdate.FromString(data) == whole
    assert len(data) == whole.ByteSize()
