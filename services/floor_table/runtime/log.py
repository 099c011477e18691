"""One table's part of the log: appended to by its one owner, read back, and found by number."""

from __future__ import annotations

import contextlib
import time
from array import array
from collections.abc import AsyncGenerator
from typing import Final

from floor_table.runtime.metrics import APPENDS_IN_DOUBT
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.servicekit import (
    Backoff,
    FloorNats,
    LogUnavailable,
    StoredMessage,
    WrongSequence,
    get_logger,
)
from pokerfloor.tablelog import TABLE_LOG, step_message_id, table_subject

# Names the process that wrote a message. The message id alone does not: two instances that take a
# table over at the same moment would give their first step the same epoch and number.
WRITER_HEADER: Final = "Floor-Writer"

# Far below the broker's own limit of 1 MiB; the largest steps hold some kilobytes.
_MAX_STEP_BYTES: Final = 512 * 1024

_log = get_logger("table.log")


class LogIndex:
    """Where a table's steps lie in the stream, and where its hands began.

    It grows with the log: 8 bytes for each step and 8 for each hand.
    """

    def __init__(self) -> None:
        self._stream_seqs = array("Q")
        self._hand_starts = array("Q")

    @property
    def last_table_seq(self) -> int:
        """The number of the last step, 0 for none."""
        return len(self._stream_seqs)

    @property
    def last_stream_seq(self) -> int:
        """The last step's number in the stream, 0 for none."""
        return self._stream_seqs[-1] if self._stream_seqs else 0

    def note(self, step: step_pb2.Step, stream_seq: int) -> None:
        """Index the next step."""
        assert step.table_seq == len(self._stream_seqs) + 1, "the table's steps have no gaps"
        assert stream_seq > self.last_stream_seq, "the stream's numbers grow"
        self._stream_seqs.append(stream_seq)
        for event in step.events:
            if event.WhichOneof("event") == "hand_began":
                assert event.hand_began.hand_no == len(self._hand_starts) + 1, "hands: no gaps"
                self._hand_starts.append(step.table_seq)

    def stream_seq(self, table_seq: int) -> int:
        """Return a step's number in the stream."""
        return self._stream_seqs[table_seq - 1]

    def hand_start(self, hand_no: int) -> int | None:
        """Return the step that opened a hand, None when there is no such hand."""
        if not 1 <= hand_no <= len(self._hand_starts):
            return None
        return self._hand_starts[hand_no - 1]


class TableLog:
    """Appends and reads. `writer` is unique for this process."""

    def __init__(self, nats: FloorNats, table_id: str, *, writer: str, timeout_ms: int) -> None:
        self.index = LogIndex()
        self.table_id = table_id
        self._nats = nats
        self._subject = table_subject(table_id)
        self._writer = writer
        self._timeout_ms = timeout_ms
        self._claimed = False

    def ref(self, table_seq: int) -> cards_pb2.StepRef:
        """Name a stored step as the cause of something."""
        return cards_pb2.StepRef(
            table_id=self.table_id,
            table_seq=table_seq,
            stream_seq=self.index.stream_seq(table_seq),
        )

    async def append(self, step: step_pb2.Step) -> float:
        """Store a step, however long it takes; gives the seconds that took.

        While the broker does not answer the very same append is made again and again. Raises
        WrongSequence when another owner has written.
        """
        data = step.SerializeToString(deterministic=True)
        assert len(data) <= _MAX_STEP_BYTES, "a step fits into one message"
        began_s = time.monotonic()
        stream_seq = await self._append(step, data)
        if not self._claimed:
            await self._claim(stream_seq)
        self.index.note(step, stream_seq)
        return time.monotonic() - began_s

    async def alive(self) -> bool:
        """Tell whether the log can be written now. Raises WrongSequence, see `append`."""
        if not self._nats.connected:
            return False
        try:
            last = await self._nats.last_message(
                TABLE_LOG.name, self._subject, timeout_ms=self._timeout_ms
            )
        except LogUnavailable:
            return False
        if (0 if last is None else last.seq) != self.index.last_stream_seq:
            raise WrongSequence(self._subject, 0 if last is None else last.seq)
        return True

    async def stored(self) -> AsyncGenerator[step_pb2.Step, None]:
        """Yield all steps stored now, from the first on, and index them. Raises LogUnavailable."""
        assert self.index.last_table_seq == 0, "a log is read once from the beginning"
        async for message in self._nats.read_from(TABLE_LOG.name, self._subject, 1):
            step = step_pb2.Step.FromString(message.data)
            assert step.table_id == self.table_id, "the step stands on its table's subject"
            self.index.note(step, message.seq)
            yield step

    async def stored_to(self) -> int:
        """Return the number of the last step stored now, 0 for none. Raises LogUnavailable."""
        last = await self._nats.last_message(TABLE_LOG.name, self._subject)
        return step_pb2.Step.FromString(last.data).table_seq if last else 0

    async def steps(self, first: int, last: int) -> AsyncGenerator[step_pb2.Step, None]:
        """Yield the steps with these numbers, both included. Raises LogUnavailable."""
        last = min(last, self.index.last_table_seq)
        if not 1 <= first <= last:
            return
        start = self.index.stream_seq(first)
        async with contextlib.aclosing(
            self._nats.read_from(TABLE_LOG.name, self._subject, start)
        ) as messages:
            async for message in messages:
                step = step_pb2.Step.FromString(message.data)
                yield step
                if step.table_seq >= last:
                    return

    async def _append(self, step: step_pb2.Step, data: bytes) -> int:
        backoff: Backoff | None = None
        try:
            while True:
                try:
                    return await self._nats.append(
                        self._subject,
                        data,
                        expected_last_seq=self.index.last_stream_seq,
                        msg_id=step_message_id(self.table_id, step.owner_epoch, step.table_seq),
                        timeout_ms=self._timeout_ms,
                        headers={WRITER_HEADER: self._writer},
                    )
                except LogUnavailable as reason:
                    if backoff is None:
                        backoff = Backoff(50, 1_000)
                        APPENDS_IN_DOUBT.inc()
                        _log.warning("append_in_doubt", seq=step.table_seq, reason=str(reason))
                    await backoff.sleep()
        finally:
            if backoff is not None:
                APPENDS_IN_DOUBT.dec()

    async def _claim(self, stream_seq: int) -> None:
        """Make sure that this process wrote its first step, and not another with the same id.

        From then on the epoch in the message id is this process's alone.
        """
        backoff = Backoff(50, 1_000)
        while True:
            try:
                message = await self._nats.message_at(TABLE_LOG.name, stream_seq)
            except LogUnavailable:
                await backoff.sleep()
                continue
            if message is None or _writer_of(message) != self._writer:
                raise WrongSequence(self._subject, stream_seq)
            self._claimed = True
            return


def _writer_of(message: StoredMessage) -> str:
    return message.headers.get(WRITER_HEADER, "")
