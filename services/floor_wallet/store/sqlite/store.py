"""The embedded store: SQLite in a file, one writer with group commit, readers beside it."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from floor_wallet.domain import AccountKey, Book, Reads, Refusal
from floor_wallet.store.answers import answer
from floor_wallet.store.entry_lines import account_key
from floor_wallet.store.interface import UNKNOWN, USUAL_LIMITS, StoreUnavailable, WriterLimits
from floor_wallet.store.questions import (
    AuditBook,
    BookAudit,
    Effort,
    LastEventId,
    Question,
    event_id,
)
from floor_wallet.store.reading import Reading
from floor_wallet.store.sqlite.backend import SqliteBackend
from floor_wallet.store.sqlite.connection import FileLock, migrate, open_reader, open_writer
from floor_wallet.store.sqlite.lookups import entries_between, last_numbers
from floor_wallet.store.verify import Standing, audit
from floor_wallet.store.writer import Writer

T = TypeVar("T")

_QUICK_READERS: Final = 2


class SqliteStore:
    """Implements LedgerStore; `open` is the way to get one."""

    def __init__(
        self, path: Path, lock: FileLock, backend: SqliteBackend, limits: WriterLimits
    ) -> None:
        self._path = path
        self._lock = lock
        self._backend = backend
        self._writer = Writer(backend, limits)
        self._readers = {
            Effort.QUICK: ThreadPoolExecutor(_QUICK_READERS, "ledger-reader"),
            Effort.LONG: ThreadPoolExecutor(1, "ledger-long"),
            Effort.AUDIT: ThreadPoolExecutor(1, "ledger-audit"),
        }
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._readable = True

    @classmethod
    async def open(
        cls, path: Path, *, ledger_id: str, limits: WriterLimits = USUAL_LIMITS
    ) -> SqliteStore:
        """Open or make the ledger in a file; a new one gets `ledger_id`. Raises CannotStart."""
        lock = FileLock(path.with_name(path.name + ".lock"))
        try:
            connection = await asyncio.to_thread(open_writer, path)
            await asyncio.to_thread(migrate, connection, ledger_id)
        except BaseException:
            lock.release()
            raise
        return cls(path, lock, SqliteBackend(connection), limits)

    @property
    def healthy(self) -> bool:
        """Whether the last thing asked of the database was done."""
        return self._writer.healthy and self._readable

    async def execute(self, work: Callable[[Book], T | Refusal], reads: Reads = UNKNOWN) -> T:
        """Run rules on the book as one unit. See LedgerStore.execute."""
        return await self._writer.execute(work, reads)

    async def ask(self, question: Question[T]) -> T:
        """Answer a question, from one snapshot. Raises StoreUnavailable."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(
                self._readers[question.effort], self._answer, question
            )
        except (sqlite3.Error, RuntimeError) as error:  # RuntimeError: the pool is shut down
            self._readable = False
            raise StoreUnavailable(f"the ledger cannot be read: {error}") from error
        self._readable = True
        return found

    async def close(self) -> None:
        """Finish what waits and close."""
        await asyncio.to_thread(self._readers[Effort.QUICK].shutdown)
        await asyncio.to_thread(self._readers[Effort.LONG].shutdown)
        for connection in self._connections:
            connection.interrupt()  # nobody waits for an audit any more
        await asyncio.to_thread(self._readers[Effort.AUDIT].shutdown)
        for connection in self._connections:
            connection.close()
        # Last, because the last connection moves the write-ahead log into the file.
        await self._writer.close()
        self._lock.release()

    def _answer(self, question: Question[T]) -> T:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = open_reader(self._path)
            self._local.connection = connection
            self._connections.append(connection)
        connection.execute("BEGIN")
        try:
            own = _OWN_ANSWERS.get(type(question))
            found: T = own(connection) if own else _read(connection, answer(question))
        finally:
            connection.execute("ROLLBACK")
        return found


def _read(connection: sqlite3.Connection, reading: Reading[T]) -> T:
    """Run a reading's statements one after the other."""
    try:
        wanted = next(reading)
        while True:
            rows = connection.execute(_numbered(wanted.sql), wanted.parameters).fetchall()
            wanted = reading.send(rows)
    except StopIteration as done:
        found: T = done.value
        return found


@cache
def _numbered(sql: str) -> str:
    """Write parameters as SQLite numbers them."""
    return sql.replace("$", "?")


def _audit_book(connection: sqlite3.Connection) -> BookAudit:
    _, last = last_numbers(connection)
    last_no = last.head.entry_no
    return audit(entries_between(connection, 0, last_no), last_no, _standings(connection))


def _standings(connection: sqlite3.Connection) -> Iterator[tuple[AccountKey, Standing]]:
    for row in connection.execute(
        "SELECT kind, owner, currency, version, balance_minor FROM accounts"
    ):
        yield account_key(row[0], row[1], row[2]), (row[3], row[4])


def _last_event_id(connection: sqlite3.Connection) -> str:
    ledger_id, last = last_numbers(connection)
    return event_id(ledger_id, last.outbox_no)


#: What is asked otherwise than of PostgreSQL.
_OWN_ANSWERS: Final[Mapping[type[Question[Any]], Callable[[sqlite3.Connection], Any]]] = {
    AuditBook: _audit_book,
    LastEventId: _last_event_id,
}
