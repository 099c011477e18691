"""The table log as the shuffler reads it.

A cause is believed because it is stored, not because it is named.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final, NamedTuple, cast

from google.protobuf.message import DecodeError

from floor_shuffler.deck import Cause
from floor_shuffler.metrics import LOG_READS
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.servicekit import FloorError, FloorNats, StoredMessage
from pokerfloor.tablelog import TABLE_LOG, table_subject

# More steps than any hand, and than any pause between two hands, can have.
_MAX_STEPS: Final = 50_000


class StoredStep(NamedTuple):
    """A step and where it is stored."""

    step: step_pb2.Step
    cause: Cause


class TableLog:
    """Reads steps by their number in the stream."""

    def __init__(self, nats: FloorNats) -> None:
        self._nats = nats

    async def cause(self, table_id: str, ref: cards_pb2.StepRef) -> StoredStep:
        """Give the step that a request names as its cause.

        Raises FloorError CAUSE_NOT_FOUND unless exactly this step of this table is stored there,
        and LogUnavailable.
        """
        if ref.table_id != table_id:
            raise _not_found("the cause is a step of another table")
        stored = await self._nats.message_at(TABLE_LOG.name, ref.stream_seq)
        step = None if stored is None else _step_in(stored, table_id)
        if step is None or step.table_seq != ref.table_seq:
            raise _not_found(
                f"step {ref.table_seq} of table {table_id} is not stored at {ref.stream_seq}"
            )
        return StoredStep(step, Cause(ref.table_seq, ref.stream_seq))

    async def last_epoch(self, table_id: str) -> int:
        """Give the epoch of the table's last step, 0 for a table without. Raises LogUnavailable."""
        stored = await self._nats.last_message(TABLE_LOG.name, table_subject(table_id))
        step = None if stored is None else _step_in(stored, table_id)
        return 0 if step is None else step.owner_epoch

    async def steps(
        self, table_id: str, first_stream_seq: int, last_stream_seq: int | None
    ) -> AsyncGenerator[StoredStep]:
        """Give the table's steps in order, both ends included; up to the last one for None.

        Raises FloorError CAUSE_NOT_FOUND for more than 50,000, and LogUnavailable.
        """
        LOG_READS.inc()
        subject = table_subject(table_id)
        count = 0
        reader = self._nats.read_from(TABLE_LOG.name, subject, first_stream_seq)
        async with aclosing(cast("AsyncGenerator[StoredMessage]", reader)) as messages:
            async for stored in messages:
                if last_stream_seq is not None and stored.seq > last_stream_seq:
                    return
                step = _step_in(stored, table_id)
                if step is None:
                    raise _not_found(f"message {stored.seq} of the log is no step of this table")
                yield StoredStep(step, Cause(step.table_seq, stored.seq))
                count += 1
                if count == _MAX_STEPS:
                    raise _not_found(f"the cause is more than {_MAX_STEPS} steps away")


def _step_in(stored: StoredMessage, table_id: str) -> step_pb2.Step | None:
    if stored.subject != table_subject(table_id):
        return None
    try:
        step = step_pb2.Step.FromString(stored.data)
    except DecodeError:
        return None
    return step if step.table_id == table_id else None


def _not_found(reason: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND, reason, "cause")
