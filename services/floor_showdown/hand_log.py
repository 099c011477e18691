"""The table log as the showdown service reads it: the steps of one hand.

A step is believed because it lies there, not because it is named.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Final

from floor_showdown.metrics import LOG_SECONDS
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.servicekit import FloorError, FloorNats, LogTruncated, LogUnavailable
from pokerfloor.tablelog import TABLE_LOG, read_step, table_subject

# More steps than any hand can have; the shuffler reads as many and no more.
_MAX_STEPS: Final = 50_000
# What is read from here on is not worth another search.
_NEAR: Final = 512


class HandLog:
    """Reads a hand's steps. `budget_s` is how long that may take."""

    def __init__(self, nats: FloorNats) -> None:
        self._nats = nats

    async def between(
        self, began: cards_pb2.StepRef, cause: cards_pb2.StepRef, budget_s: float
    ) -> list[step_pb2.Step]:
        """Return the table's steps from `began` to `cause`, but for those of the table alone.

        Both ends are of the same table, and stand first and last. Raises FloorError
        CAUSE_NOT_FOUND unless exactly these two steps of this table are stored there, without a
        gap between them; UNAVAILABLE when the log does not answer in time.
        """
        if not 0 <= cause.table_seq - began.table_seq < _MAX_STEPS:
            raise _not_found(f"the cause is not among the next {_MAX_STEPS} steps", "cause")
        steps: list[step_pb2.Step] = []
        due = began.table_seq
        async with (
            _answering(budget_s),
            aclosing(self._read(began.table_id, began.stream_seq)) as stored,
        ):
            async for stream_seq, step in stored:
                if step is None or step.table_seq != due:
                    break
                for name, end in (("began_step", began), ("cause", cause)):
                    if due == end.table_seq and stream_seq != end.stream_seq:
                        raise _not_found(f"step {due} is not stored at {end.stream_seq}", name)
                if due in (began.table_seq, cause.table_seq) or _is_of_a_hand(step):
                    steps.append(step)
                if due == cause.table_seq:
                    return steps
                due += 1
        field = "cause" if steps else "began_step"
        raise _not_found(f"step {due} of table {began.table_id} is not stored there", field)

    async def of_hand(
        self,
        table_id: str,
        hand_no: int,
        at_table_seq: int,
        began: cards_pb2.StepRef | None,
        budget_s: float,
    ) -> list[step_pb2.Step]:
        """Return the steps of a hand from the one that began it on.

        The last one is `at_table_seq`, or the newest of the hand for 0. `began` says where to
        begin, for who knows; otherwise the log is searched. Raises FloorError UNKNOWN_TABLE,
        UNKNOWN_HAND; CAUSE_NOT_FOUND with the field at fault; UNAVAILABLE when the log does not
        answer in time.
        """
        async with _answering(budget_s):
            start = began.stream_seq if began is not None else await self._find(table_id, hand_no)
            steps = await self._read_hand(table_id, hand_no, at_table_seq, start)
        if not steps and began is not None:
            raise _not_found("this step does not begin the hand", "began_step")
        if not steps:
            reason = f"table {table_id} has no hand {hand_no}"
            raise FloorError(errors_pb2.ERROR_CODE_UNKNOWN_HAND, reason, "hand_no")
        if began is not None and steps[0].table_seq != began.table_seq:
            raise _not_found("another step begins the hand", "began_step")
        if at_table_seq and steps[-1].table_seq != at_table_seq:
            raise _not_found("the hand has no such step", "at_table_seq")
        return steps

    async def _find(self, table_id: str, hand_no: int) -> int:
        """Return a place in the stream before the hand begins, and not far before it.

        No index is needed, since the numbers of hands grow: the stream is searched by halving.
        """
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

    async def _is_before(self, table_id: str, hand_no: int, stream_seq: int) -> bool:
        """Tell whether the first step of any hand from here on is of an earlier hand."""
        async with aclosing(self._read(table_id, stream_seq)) as stored:
            async for _, step in stored:
                if step is not None and step.hand_no:
                    return step.hand_no < hand_no
        return False

    async def _read_hand(
        self, table_id: str, hand_no: int, at_table_seq: int, start: int
    ) -> list[step_pb2.Step]:
        steps: list[step_pb2.Step] = []
        async with aclosing(self._read(table_id, start)) as stored:
            async for _, step in stored:
                if step is None:
                    continue
                if not steps and not _begins(step, hand_no):
                    if step.hand_no > hand_no:
                        break
                    continue
                if step.hand_no != hand_no or len(steps) >= _MAX_STEPS:
                    break
                steps.append(step)
                if step.table_seq == at_table_seq:
                    break
        return steps

    async def _read(
        self, table_id: str, start: int
    ) -> AsyncGenerator[tuple[int, step_pb2.Step | None]]:
        """Yield stream sequence and step of what is stored for the table; None for no step."""
        reader = self._nats.read_from(TABLE_LOG.name, table_subject(table_id), start)
        async with aclosing(reader) as messages:
            async for stored in messages:
                yield stored.seq, read_step(table_id, stored.subject, stored.data)


@asynccontextmanager
async def _answering(budget_s: float) -> AsyncIterator[None]:
    """Read within the budget; what the log cannot answer becomes an error."""
    began_s = asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout(budget_s):
            yield
    except LogTruncated as error:
        raise _not_found("the log ends before this step", "began_step") from error
    except (LogUnavailable, TimeoutError) as error:
        reason = "the log does not answer; try again"
        raise FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, reason) from error
    finally:
        LOG_SECONDS.observe(asyncio.get_running_loop().time() - began_s)


def _begins(step: step_pb2.Step, hand_no: int) -> bool:
    return any(
        event.WhichOneof("event") == "hand_began" and event.hand_began.hand_no == hand_no
        for event in step.events
    )


def _is_of_a_hand(step: step_pb2.Step) -> bool:
    """Tell whether a hand is rebuilt from the step too; players can make the others many."""
    return any(event.WhichOneof("event") in ("hand_began", "hand") for event in step.events)


def _not_found(reason: str, field: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND, reason, field)
