"""Following the log of all tables, in batches, each committed with the tables' cursors."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final

from floor_wallet.domain import (
    BatchOutcome,
    BookRefused,
    LogStep,
    read_step,
    reads_of_steps,
    settle_steps,
)
from floor_wallet.metrics import HANDS, SETTLE_SECONDS, STEPS, STOPS
from floor_wallet.store import LedgerStore, Refused, StoreUnavailable
from floor_wallet.store.interface import AGAIN_FIRST_MS, AGAIN_MAX_MS
from floor_wallet.store.questions import FollowedTo, StoppedTables, TableById
from pokerfloor.servicekit import (
    Backoff,
    CannotStart,
    FloorNats,
    LogTruncated,
    LogUnavailable,
    StopSignal,
    StoredMessage,
    get_logger,
    wait_for_stop,
)
from pokerfloor.tablelog import TABLE_LOG, LogError, table_of_subject, table_subject

#: Tables that may wait to be tried again.
_MAX_RETRIES_WAITING: Final = 1024
# How soon the log is asked again when it could not be read.
_AGAIN_MS: Final = 500

_log = get_logger("wallet.follower")


class Follower:
    """Takes the stored steps of all tables into the book, once each, in the order of the stream."""

    def __init__(
        self,
        nats: FloorNats,
        store: LedgerStore,
        *,
        max_batch_steps: int,
        now_ms: Callable[[], int],
    ) -> None:
        self._nats = nats
        self._store = store
        self._max_batch = max_batch_steps
        self._now_ms = now_ms
        # Read and not committed yet; whoever reads on waits while it is full.
        self._read: deque[StoredMessage] = deque()
        self._room = asyncio.Event()
        self._retries: dict[str, None] = {}
        self._wake = asyncio.Event()
        self._ended = False
        self.ready = False
        #: Number in the stream of the last step read.
        self.followed_to = 0

    def try_again(self, table_id: str) -> None:
        """Ask for a stopped table to be tried again, because something about it has changed."""
        if len(self._retries) < _MAX_RETRIES_WAITING:
            self._retries[table_id] = None
            self._wake.set()

    async def run(self, stop: StopSignal) -> None:
        """Follow until `stop` is set. Stopped tables are tried again once at the start.

        Raises CannotStart when the broker lost steps that are in the book.
        """
        self.followed_to = await self._store.ask(FollowedTo())
        for table in await self._store.ask(StoppedTables()):
            self._retries[table.table_id] = None
        await self._try_stopped_tables(stop)
        self.ready = True
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._read_on(stop))
            while (batch := await self._next_batch()) is not None:
                await self._take(batch, stop)
                await self._try_stopped_tables(stop)

    async def _read_on(self, stop: StopSignal) -> None:
        try:
            async for message in self._nats.follow(
                TABLE_LOG.name, TABLE_LOG.subjects[0], self.followed_to + 1, stop
            ):
                self._read.append(message)
                self._wake.set()
                if len(self._read) >= 2 * self._max_batch:
                    self._room.clear()
                    await self._room.wait()
        except LogTruncated as error:
            # Going on would settle other hands under numbers that are in the book already.
            raise CannotStart(
                f"the table log ends before what the ledger has read: {error}"
            ) from error
        self._ended = True
        self._wake.set()

    async def _next_batch(self) -> list[StoredMessage] | None:
        """Wait, then take what is read: None at the end, empty when a table is to be retried."""
        await self._wake.wait()
        self._wake.clear()
        count = min(len(self._read), self._max_batch)
        batch = [self._read.popleft() for _ in range(count)]
        self._room.set()
        if self._ended and not batch:
            return None
        if self._ended or self._read:
            self._wake.set()
        return batch

    async def _try_stopped_tables(self, stop: StopSignal) -> None:
        while self._retries and not stop.is_set():
            table_id = next(iter(self._retries))
            table = await self._store.ask(TableById(table_id))
            try:
                if table is not None and table.stopped_reason:
                    await self._catch_up(table_id, table.stream_seq + 1, stop)
            except (LogUnavailable, StoreUnavailable):
                await wait_for_stop(stop, _AGAIN_MS)
                continue
            del self._retries[table_id]

    async def _catch_up(self, table_id: str, start_seq: int, stop: StopSignal) -> None:
        """Take in what a stopped table's log holds; the follower itself is past it already."""
        messages = self._nats.read_from(TABLE_LOG.name, table_subject(table_id), start_seq)
        async for batch in _in_batches(messages, self._max_batch):
            await self._take(batch, stop, retry=True)
            table = await self._store.ask(TableById(table_id))
            if table is None or table.stopped_reason:
                return  # what comes after the step that stopped it cannot be settled either

    async def _take(
        self, batch: list[StoredMessage], stop: StopSignal, *, retry: bool = False
    ) -> None:
        if not batch:
            return
        steps = [step for message in batch if (step := _step_of(message)) is not None]
        followed_to = 0 if retry else batch[-1].seq
        self._note(await self._post(steps, followed_to, stop, retry=retry), batch)
        self.followed_to = max(self.followed_to, followed_to)

    async def _post(
        self, steps: list[LogStep], followed_to: int, stop: StopSignal, *, retry: bool
    ) -> BatchOutcome:
        """Post steps with one commit; when the database refuses it, find the step at fault."""
        try:
            return await self._execute(steps, followed_to, stop, retry=retry)
        except BookRefused as refused:
            _log.error("steps_refused_by_database", steps=len(steps), reason=str(refused))
            if len(steps) == 1 and not steps[0].fault:  # stops its table
                steps = [steps[0]._replace(fault=str(refused))]
                return await self._execute(steps, followed_to, stop, retry=retry)
            if len(steps) < 2:
                raise
        parts = [await self._post([step], 0, stop, retry=retry) for step in steps]
        parts.append(await self._execute([], followed_to, stop, retry=retry))
        return BatchOutcome(
            sum(part.steps for part in parts),
            sum(part.hands for part in parts),
            tuple(stopped for part in parts for stopped in part.stopped),
        )

    async def _execute(
        self, steps: list[LogStep], followed_to: int, stop: StopSignal, *, retry: bool
    ) -> BatchOutcome:
        """Have the store take steps, as often as it needs. Raises BookRefused."""
        backoff = Backoff(AGAIN_FIRST_MS, AGAIN_MAX_MS)
        reads = reads_of_steps(steps)
        while True:
            work = partial(
                settle_steps, steps, at_ms=self._now_ms(), followed_to=followed_to, retry=retry
            )
            try:
                return await self._store.execute(work, reads)
            except (StoreUnavailable, Refused) as error:  # Refused: the writer is overloaded
                _log.warning("steps_wait_for_ledger", reason=str(error))
                if stop.is_set():
                    raise  # later steps must not be settled without these
            await backoff.sleep(stop)

    def _note(self, taken: BatchOutcome, batch: list[StoredMessage]) -> None:
        STEPS.inc(taken.steps)
        HANDS.inc(taken.hands)
        now_ms = self._now_ms()
        SETTLE_SECONDS.observe(max(0, now_ms - batch[0].at_ms) / 1000)
        for table_id, reason in taken.stopped:
            STOPS.inc()
            _log.error("settlement_stopped", table_id=table_id, reason=reason)


def _step_of(message: StoredMessage) -> LogStep | None:
    try:
        table_id = table_of_subject(message.subject)
    except LogError as error:
        # No table can have such a name, so no table's money is concerned.
        _log.error("log_message_of_no_table", seq=message.seq, reason=str(error))
        return None
    return read_step(message.data, table_id, message.seq)


async def _in_batches(
    messages: AsyncIterator[StoredMessage], size: int
) -> AsyncIterator[list[StoredMessage]]:
    batch: list[StoredMessage] = []
    async for message in messages:
        batch.append(message)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
