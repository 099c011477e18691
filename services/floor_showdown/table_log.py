"""The table log as the showdown service reads it: the steps of one hand, up to its showdown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from google.protobuf.message import DecodeError

from floor_showdown.metrics import LOG_SECONDS
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.log.v1 import step_pb2
from pokerfloor.servicekit import FloorError, FloorNats, LogTruncated, LogUnavailable, StoredMessage
from pokerfloor.tablelog import TABLE_LOG, table_subject

# More steps than any hand can have; the shuffler reads as many and no more.
_MOST_STEPS: Final = 50_000


class TableLog:
    """Reads what is stored: a step is believed because it lies there, not because it is named."""

    def __init__(self, nats: FloorNats) -> None:
        self._nats = nats

    async def hand(
        self, opened: cards_pb2.StepRef, cause: cards_pb2.StepRef, budget_s: float
    ) -> list[step_pb2.Step]:
        """Return the table's steps from `opened` to `cause`, but for those of the table alone.

        Both ends are of the same table, and stand first and last. Raises FloorError
        CAUSE_NOT_FOUND unless exactly these two steps of this table are stored there, without a
        gap between them; UNAVAILABLE when the log does not answer within `budget_s`.
        """
        if not 0 <= cause.table_seq - opened.table_seq < _MOST_STEPS:
            raise _not_found(f"the cause is not among the next {_MOST_STEPS} steps", "cause")
        began_s = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(budget_s):
                return await self._read(opened, cause)
        except LogTruncated as error:
            raise _not_found("the log ends before this step", "opened") from error
        except (LogUnavailable, TimeoutError) as error:
            reason = "the log does not answer; try again"
            raise FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, reason) from error
        finally:
            LOG_SECONDS.observe(asyncio.get_running_loop().time() - began_s)

    async def _read(
        self, opened: cards_pb2.StepRef, cause: cards_pb2.StepRef
    ) -> list[step_pb2.Step]:
        steps: list[step_pb2.Step] = []
        due = opened.table_seq
        async with aclosing(self._from(opened)) as messages:
            async for stored in messages:
                step = step_in(stored, opened.table_id)
                if step is None or step.table_seq != due:
                    break
                for name, end in (("opened", opened), ("cause", cause)):
                    if due == end.table_seq and stored.seq != end.stream_seq:
                        raise _not_found(f"step {due} is not stored at {end.stream_seq}", name)
                if due in (opened.table_seq, cause.table_seq) or _is_of_a_hand(step):
                    steps.append(step)
                if due == cause.table_seq:
                    return steps
                due += 1
        field = "cause" if steps else "opened"
        raise _not_found(f"step {due} of table {opened.table_id} is not stored there", field)

    def _from(self, opened: cards_pb2.StepRef) -> AsyncGenerator[StoredMessage]:
        subject = table_subject(opened.table_id)
        return self._nats.read_from(TABLE_LOG.name, subject, opened.stream_seq)


def step_in(stored: StoredMessage, table_id: str) -> step_pb2.Step | None:
    """Return a stored message as a step of this table; None for anything else."""
    try:
        step = step_pb2.Step.FromString(stored.data)
    except DecodeError:
        return None
    return step if step.table_id == table_id else None


def _is_of_a_hand(step: step_pb2.Step) -> bool:
    """Tell whether folding a hand would look at the step; players can make the others many."""
    return any(event.WhichOneof("event") in ("hand_opened", "hand") for event in step.events)


def _not_found(reason: str, field: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND, reason, field)
