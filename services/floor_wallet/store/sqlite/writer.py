"""The one thread that writes. What waits together is committed together: one fsync for all."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from floor_wallet.domain import BookRefused, Refused
from floor_wallet.metrics import ENTRIES, GROUP_SIZE
from floor_wallet.store.interface import AGAIN_FIRST_MS, AGAIN_MAX_MS, StoreUnavailable
from floor_wallet.store.sqlite.book import SqliteBook
from floor_wallet.store.sqlite.writing import write
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.servicekit import Backoff, get_logger

T = TypeVar("T")

# Changes nothing, and takes as much of the disk as any small change.
_TRY: Final = "UPDATE ledger SET followed_to = followed_to WHERE one = 1"

_log = get_logger("wallet.store")


@dataclass(frozen=True, slots=True)
class _Unit:
    work: Callable[[SqliteBook], Any]
    future: asyncio.Future[Any]


class Writer:
    """Carries out units of work on the book, in the order they come, in groups."""

    def __init__(self, connection: sqlite3.Connection, *, max_waiting: int, max_group: int) -> None:
        self._connection = connection
        self._book = SqliteBook(connection)
        self._waiting: queue.Queue[_Unit | None] = queue.Queue(max_waiting)
        self._max_group = max_group
        self._loop = asyncio.get_running_loop()
        self._closed = False
        self._backoff = Backoff(AGAIN_FIRST_MS, AGAIN_MAX_MS)
        self.healthy = True
        self._thread = threading.Thread(target=self._run, name="ledger-writer", daemon=True)
        self._thread.start()

    async def execute(self, work: Callable[[SqliteBook], T]) -> T:
        """Carry out a unit; durable when this returns. See LedgerStore.execute."""
        if self._closed:
            raise StoreUnavailable("the ledger is closed")
        unit = _Unit(work, self._loop.create_future())
        try:
            self._waiting.put_nowait(unit)
        except queue.Full:
            raise Refused(
                errors_pb2.ERROR_CODE_OVERLOADED, "the ledger has too much to do, try again later"
            ) from None
        result: T = await unit.future
        return result

    async def close(self) -> None:
        """Finish what waits, then end the thread and close the connection."""
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._waiting.put, None)
        await asyncio.to_thread(self._thread.join)
        self._connection.close()

    def _run(self) -> None:
        while True:
            group = self._next_group()
            units = [unit for unit in group if unit is not None]
            if units:
                outcomes = self._carry_out(units)
                self._loop.call_soon_threadsafe(_deliver, units, outcomes)
            if len(units) < len(group):
                return

    def _next_group(self) -> list[_Unit | None]:
        """Wait for a unit, then take what else is waiting; ends with None when it is to end."""
        group = [self._next()]
        while group[-1] is not None and len(group) < self._max_group:
            try:
                group.append(self._waiting.get_nowait())
            except queue.Empty:
                break
        return group

    def _next(self) -> _Unit | None:
        """Wait for a unit; out of order, also find out when the disk can be written again."""
        while not self.healthy:
            try:
                return self._waiting.get(timeout=self._backoff.next_ms() / 1000)
            except queue.Empty:
                self._probe()
        return self._waiting.get()

    def _probe(self) -> None:
        """Try whether a commit works again."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(_TRY)
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            self._roll_back()
            return
        self.healthy = True
        self._backoff.reset()
        _log.info("the ledger can be written again")

    def _carry_out(self, units: Sequence[_Unit]) -> list[Any]:
        """Commit the group; the outcome of each unit is its result or its exception.

        When the database refuses the group, each unit is carried out by itself, so that only the
        one at fault is refused.
        """
        try:
            outcomes = self._commit(units)
        except sqlite3.IntegrityError as error:
            if len(units) == 1:
                return [BookRefused(f"the book refused: {error}")]
            return [outcome for unit in units for outcome in self._carry_out([unit])]
        except sqlite3.Error as error:
            # The disk is full or gone, or the file is damaged: nothing of this group was done.
            self.healthy = False
            _log.error("the ledger cannot be written", reason=str(error))
            return [StoreUnavailable(f"the ledger cannot be written: {error}") for _ in units]
        self.healthy = True
        self._backoff.reset()
        GROUP_SIZE.observe(len(units))
        return outcomes

    def _commit(self, units: Sequence[_Unit]) -> list[Any]:
        """Carry out units in one transaction. Raises sqlite3.Error when nothing was done."""
        book = self._book
        kept = False
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            book.begin_group()
            outcomes = [_attempt(unit, book) for unit in units]
            if book.changed:
                write(self._connection, book)
            self._connection.execute("COMMIT")
            posted = book.posted
            book.keep(0)
            kept = True
        finally:
            if not kept:
                book.forget()
                self._roll_back()
        for kind in posted:
            ENTRIES.labels(kind.name.lower()).inc()
        return outcomes

    def _roll_back(self) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            _log.error("the ledger's transaction cannot be undone", reason=str(error))


def _attempt(unit: _Unit, book: SqliteBook) -> Any:
    """Carry out one unit by itself; what it wrote is undone when it fails."""
    mark = book.mark()
    try:
        return unit.work(book)
    except sqlite3.Error:
        raise
    except Exception as error:  # noqa: BLE001 - the outcome is the caller's, whatever it is
        book.undo_to(mark)
        return error


def _deliver(units: Sequence[_Unit], outcomes: Sequence[Any]) -> None:
    for unit, outcome in zip(units, outcomes, strict=True):
        if unit.future.done():
            continue  # its caller left; what was done stays done
        if isinstance(outcome, Exception):
            unit.future.set_exception(outcome)
        else:
            unit.future.set_result(outcome)
