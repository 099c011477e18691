"""The one connection that writes. The book's row is held for a group, so wallets take turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import asyncpg

from floor_wallet.domain import BookRefused
from floor_wallet.store.group_book import GroupBook
from floor_wallet.store.interface import AGAIN_FIRST_MS, AGAIN_MAX_MS, StoreUnavailable
from floor_wallet.store.postgres.connection import (
    DATABASE_ERRORS,
    Address,
    cannot_open,
    commit_durably,
    connect,
)
from floor_wallet.store.postgres.lookups import PostgresLookups, begin, load_reads
from floor_wallet.store.postgres.writing import write
from floor_wallet.store.writer import Committed, Unit, run_units
from pokerfloor.servicekit import Backoff, CannotStart

_ROLLBACK_TIMEOUT_S: Final = 2.0
# SQLSTATE classes that are the fault of what was written: bad data, broken constraints.
_AT_FAULT: Final = ("22", "23")
_PROBE: Final = "UPDATE ledger SET revision = revision WHERE one = 1"


class PostgresBackend:
    """Commits groups of units to the database. Implements the writer's Backend."""

    def __init__(self, address: Address, *, statement_timeout_ms: int) -> None:
        self._address = address
        self._timeout_ms = statement_timeout_ms
        self._lookups = PostgresLookups()
        self._book = GroupBook(self._lookups)
        self._thread = ThreadPoolExecutor(1, "ledger-writer")
        self._backoff = Backoff(AGAIN_FIRST_MS, AGAIN_MAX_MS)
        # When a connection may be tried again, by the event loop's clock.
        self._not_before_s = 0.0
        self._closed = False
        self.connection: asyncpg.Connection | None = None
        #: Called when the connection ends by itself.
        self.on_lost: Callable[[], None] = lambda: None

    async def connect(self) -> asyncpg.Connection:
        """Connect, knowing nothing of the book any more. Raises CannotStart."""
        self._book.forget()
        connection = await connect(
            self._address, statement_timeout_ms=self._timeout_ms, keys_only=True
        )
        try:
            await commit_durably(connection)
        except DATABASE_ERRORS as error:
            connection.terminate()
            raise cannot_open(error) from error
        connection.add_termination_listener(self._ended)
        self.connection = connection
        self._backoff.reset()
        return connection

    async def commit(self, units: Sequence[Unit]) -> Committed:
        """Run units in one transaction. See Backend.commit."""
        connection = await self._connected()
        kept = False
        try:
            committed = await self._commit(connection, units)
            kept = True
        except DATABASE_ERRORS as error:
            if _is_units_fault(error):
                raise BookRefused(f"the book refused: {error}") from error
            # Also when the answer to COMMIT was lost: nobody knows then, and ids make it safe to
            # ask again.
            raise _unavailable(error) from error
        finally:
            if not kept:
                self._book.forget()
                await self._roll_back(connection)
        return committed

    async def probe(self) -> None:
        """Try whether a commit works. Raises StoreUnavailable."""
        connection = await self._connected()
        try:
            await connection.execute(_PROBE)
        except DATABASE_ERRORS as error:
            await self._roll_back(connection)
            raise _unavailable(error) from error

    async def close(self) -> None:
        """Close the connection."""
        self._closed = True
        self._thread.shutdown()
        if self.connection is not None:
            try:
                await self.connection.close(timeout=_ROLLBACK_TIMEOUT_S)
            except DATABASE_ERRORS:
                self.connection.terminate()

    async def _commit(self, connection: asyncpg.Connection, units: Sequence[Unit]) -> Committed:
        book = self._book
        await connection.execute("BEGIN")
        revision = await begin(connection, book)
        await load_reads(connection, book, [unit.reads for unit in units])
        self._lookups.connection = connection
        outcomes = await asyncio.get_running_loop().run_in_executor(
            self._thread, run_units, units, book, DATABASE_ERRORS
        )
        committed = Committed(outcomes, book.posted)
        if book.changed:
            revision = await write(connection, book)
        await connection.execute("COMMIT")
        book.keep(revision)
        return committed

    async def _connected(self) -> asyncpg.Connection:
        """Return the connection, a new one if need be. Raises StoreUnavailable."""
        if self.connection is not None and not self.connection.is_closed():
            return self.connection
        now_s = asyncio.get_running_loop().time
        if now_s() < self._not_before_s:
            raise StoreUnavailable("the ledger's database is away")
        try:
            return await self.connect()
        except CannotStart as error:
            self._not_before_s = now_s() + self._backoff.next_ms() / 1000
            raise StoreUnavailable(str(error)) from error

    def _ended(self, connection: object) -> None:
        if connection is self.connection and not self._closed:
            self.on_lost()

    async def _roll_back(self, connection: asyncpg.Connection) -> None:
        """Undo what is open; a connection that cannot is given up."""
        if connection.is_closed():
            return
        try:
            if connection.is_in_transaction():
                await connection.execute("ROLLBACK", timeout=_ROLLBACK_TIMEOUT_S)
        except DATABASE_ERRORS:
            connection.terminate()


def _unavailable(error: Exception) -> StoreUnavailable:
    return StoreUnavailable(f"the ledger cannot be written: {error or type(error).__name__}")


def _is_units_fault(error: BaseException) -> bool:
    if isinstance(error, asyncpg.PostgresError):
        return str(error.sqlstate).startswith(_AT_FAULT)
    return isinstance(error, asyncpg.InterfaceError) and isinstance(error, ValueError)
