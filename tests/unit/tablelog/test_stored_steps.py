from __future__ import annotations

from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.tablelog import read_step, table_subject


def test_a_step_is_read_where_it_lies() -> None:
    step = step_pb2.Step(table_id="main-1", table_seq=7)
    data = step.SerializeToString()
    assert read_step("main-1", table_subject("main-1"), data) == step
    assert read_step("main-1", table_subject("main-2"), data) is None, "another table's subject"
    assert read_step("main-2", table_subject("main-2"), data) is None, "it names another table"
    assert read_step("main-1", table_subject("main-1"), b"\xff no step") is None
