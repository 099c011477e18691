"""A table's log as it is stored: one message, one step."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.tablelog.streams import table_subject


def read_step(table_id: str, subject: str, data: bytes) -> step_pb2.Step | None:
    """Return a stored message as a step of this table; None for anything else.

    A step is believed because it lies on its table's subject, not because it names the table.
    """
    if subject != table_subject(table_id):
        return None
    try:
        step = step_pb2.Step.FromString(data)
    except DecodeError:
        return None
    return step if step.table_id == table_id else None
