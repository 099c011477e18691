"""The one connection that writes, and the thread that it belongs to."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from floor_wallet.domain import BookRefused
from floor_wallet.store.group_book import GroupBook
from floor_wallet.store.interface import StoreUnavailable
from floor_wallet.store.sqlite.lookups import SqliteLookups, last_numbers
from floor_wallet.store.sqlite.writing import write
from floor_wallet.store.writer import Committed, Unit, run_units
from pokerfloor.servicekit import get_logger

T = TypeVar("T")

# Changes nothing, and takes as much of the disk as any small change.
_PROBE: Final = "UPDATE ledger SET followed_to = followed_to WHERE one = 1"
#: Of a book that nobody else writes: known from its first group on.
_REVISION: Final = 0

_log = get_logger("wallet.store")


class SqliteBackend:
    """Commits groups of units to the file. Implements the writer's Backend."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._book = GroupBook(SqliteLookups(connection))
        self._thread = ThreadPoolExecutor(1, "ledger-writer")

    async def commit(self, units: Sequence[Unit]) -> Committed:
        """Run units in one transaction. See Backend.commit."""
        return await self._in_thread(lambda: self._commit(units))

    async def probe(self) -> None:
        """Try whether a commit works. Raises StoreUnavailable."""
        await self._in_thread(self._probe)

    async def close(self) -> None:
        """Close the connection."""
        await self._in_thread(self.connection.close)
        self._thread.shutdown()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _commit(self, units: Sequence[Unit]) -> Committed:
        book = self._book
        kept = False
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            if book.revision is None:
                book.ledger_id, last = last_numbers(self.connection)
                book.begin(_REVISION, last)
            committed = Committed(run_units(units, book, (sqlite3.Error,)), book.posted)
            if book.changed:
                write(self.connection, book)
            self.connection.execute("COMMIT")
            book.keep(_REVISION)
            kept = True
        except sqlite3.IntegrityError as error:
            raise BookRefused(f"the book refused: {error}") from error
        except sqlite3.Error as error:  # the disk is full or gone, or the file is damaged
            raise StoreUnavailable(f"the ledger cannot be written: {error}") from error
        finally:
            if not kept:
                book.forget()
                self._roll_back()
        return committed

    def _probe(self) -> None:
        try:
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.execute(_PROBE)
            self.connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            raise StoreUnavailable(f"the ledger cannot be written: {error}") from error

    def _roll_back(self) -> None:
        try:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            _log.error("rollback_failed", reason=str(error))
