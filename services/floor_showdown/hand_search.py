"""Finding a hand in the table log by its number; no index is needed, since the numbers grow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from floor_showdown.metrics import LOG_SECONDS
from floor_showdown.table_log import step_in
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.log.v1 import step_pb2
from pokerfloor.servicekit import FloorError, FloorNats, LogTruncated, LogUnavailable, StoredMessage
from pokerfloor.tablelog import TABLE_LOG, table_subject

# More steps than any hand can have.
_MOST_STEPS: Final = 50_000
# What is read from here on is not worth another search.
_NEAR: Final = 512


class HandSearch:
    """Reads the steps of a hand, up to a step of it or to its newest one."""

    def __init__(self, nats: FloorNats) -> None:
        self._nats = nats

    async def steps(
        self,
        table_id: str,
        hand_no: int,
        at_table_seq: int,
        opened: cards_pb2.StepRef | None,
        budget_s: float,
    ) -> list[step_pb2.Step]:
        """Return the steps from the one that opened the hand on.

        The last one is `at_table_seq`, or the newest of the hand for 0. `opened` says where to
        begin, for who knows. Raises FloorError UNKNOWN_TABLE, UNKNOWN_HAND; CAUSE_NOT_FOUND with
        the field at fault; UNAVAILABLE when the log does not answer within `budget_s`.
        """
        began_s = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(budget_s):
                if opened is not None:
                    start = opened.stream_seq
                else:
                    start = await self._start(table_id, hand_no)
                steps = await self._read(table_id, hand_no, at_table_seq, start)
        except LogTruncated as error:
            raise _not_found("the log ends before this step", "opened") from error
        except (LogUnavailable, TimeoutError) as error:
            reason = "the log does not answer; try again"
            raise FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, reason) from error
        finally:
            LOG_SECONDS.observe(asyncio.get_running_loop().time() - began_s)
        if not steps and opened is not None:
            raise _not_found("this step does not open the hand", "opened")
        if not steps:
            reason = f"table {table_id} has no hand {hand_no}"
            raise FloorError(errors_pb2.ERROR_CODE_UNKNOWN_HAND, reason, "hand_no")
        if opened is not None and steps[0].table_seq != opened.table_seq:
            raise _not_found("another step opens the hand", "opened")
        if at_table_seq and steps[-1].table_seq != at_table_seq:
            raise _not_found("the hand has no such step", "at_table_seq")
        return steps

    async def _start(self, table_id: str, hand_no: int) -> int:
        """Return a place in the stream before the hand begins, and not far before it."""
        last = await self._nats.last_message(TABLE_LOG.name, table_subject(table_id))
        if last is None:
            reason = f"there is no table {table_id}"
            raise FloorError(errors_pb2.ERROR_CODE_UNKNOWN_TABLE, reason, "table_id")
        after, width = last.seq + 1, _NEAR
        before = max(1, after - width)
        while before > 1 and not await self._is_before(table_id, hand_no, before):
            after, width = before, width * 4
            before = max(1, before - width)
        while after - before > _NEAR:
            middle = (before + after) // 2
            if await self._is_before(table_id, hand_no, middle):
                before = middle
            else:
                after = middle
        return before

    async def _is_before(self, table_id: str, hand_no: int, seq: int) -> bool:
        """Tell whether the first step of any hand from here on is of an earlier hand."""
        async with aclosing(self._from(table_id, seq)) as messages:
            async for stored in messages:
                step = step_in(stored, table_id)
                if step is not None and step.hand_no:
                    return step.hand_no < hand_no
        return False

    async def _read(
        self, table_id: str, hand_no: int, at_table_seq: int, start: int
    ) -> list[step_pb2.Step]:
        steps: list[step_pb2.Step] = []
        async with aclosing(self._from(table_id, start)) as messages:
            async for stored in messages:
                step = step_in(stored, table_id)
                if step is None:
                    continue
                if not steps and not _opens(step, hand_no):
                    if step.hand_no > hand_no:
                        break
                    continue
                if step.hand_no != hand_no or len(steps) >= _MOST_STEPS:
                    break
                steps.append(step)
                if step.table_seq == at_table_seq:
                    break
        return steps

    def _from(self, table_id: str, seq: int) -> AsyncGenerator[StoredMessage]:
        return self._nats.read_from(TABLE_LOG.name, table_subject(table_id), seq)


def _opens(step: step_pb2.Step, hand_no: int) -> bool:
    return any(
        event.WhichOneof("event") == "hand_opened" and event.hand_opened.hand_no == hand_no
        for event in step.events
    )


def _not_found(reason: str, field: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND, reason, field)
