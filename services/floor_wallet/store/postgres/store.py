"""The ledger on PostgreSQL: one writer with group commit, small pools of readers beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Any, Final, TypeVar, cast

import asyncpg
from asyncpg.cursor import Cursor

from floor_wallet.domain import AccountKey, Book, Reads, Refusal
from floor_wallet.store.answers import answer
from floor_wallet.store.columns import Row
from floor_wallet.store.entry_lines import ENTRY_LINES, IN_ORDER, account_key, entries_in
from floor_wallet.store.interface import (
    AGAIN_FIRST_MS,
    AGAIN_MAX_MS,
    UNKNOWN,
    USUAL_LIMITS,
    StoreUnavailable,
    WriterLimits,
)
from floor_wallet.store.postgres.backend import PostgresBackend
from floor_wallet.store.postgres.connection import (
    CONNECT_TIMEOUT_S,
    DATABASE_ERRORS,
    STATEMENT_TIMEOUT_MS,
    Address,
    cannot_open,
    check_server,
    client_timeout_s,
    server_settings,
)
from floor_wallet.store.postgres.schema import check_version, migrate
from floor_wallet.store.questions import (
    AuditBook,
    BookAudit,
    Effort,
    FollowedTo,
    LastEventId,
    Question,
    event_id,
)
from floor_wallet.store.reading import Reading
from floor_wallet.store.verify import Standing, audit
from floor_wallet.store.writer import Writer
from pokerfloor.servicekit import Backoff

T = TypeVar("T")

#: Quick questions that are asked at a time, unless the settings say otherwise.
READERS: Final = 4
#: A question that walks the whole book may take this long for a statement.
_LONG_TIMEOUT_MS: Final = 600_000
_CLOSE_TIMEOUT_S: Final = 5.0
_AUDITED_ROWS_AT_ONCE: Final = 2_000


class PostgresStore:
    """Implements LedgerStore; `open` is the way to get one."""

    def __init__(
        self,
        backend: PostgresBackend,
        pools: Mapping[Effort, asyncpg.Pool],
        quick_timeout_ms: int,
        limits: WriterLimits,
    ) -> None:
        self._backend = backend
        self._writer = Writer(backend, limits)
        backend.on_lost = self._writer.lost
        self._pools = pools
        self._quick_timeout_ms = quick_timeout_ms
        self._readable = True
        self._mending: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        owner_url: str = "",
        ledger_id: str,
        statement_timeout_ms: int = STATEMENT_TIMEOUT_MS,
        readers: int = READERS,
        limits: WriterLimits = USUAL_LIMITS,
    ) -> PostgresStore:
        """Open the ledger in a database, as the service's own role. Raises CannotStart.

        With `owner_url`, the schema is made or brought up to date first by its owner; a new book
        gets `ledger_id`. At most `readers` quick questions are asked at a time.
        """
        address = Address.of(url, "FLOOR_LEDGER_URL")
        if owner_url:
            owner = Address.of(owner_url, "FLOOR_LEDGER_OWNER_URL")
            await migrate(owner, address.user, ledger_id)
        backend = PostgresBackend(address, statement_timeout_ms=statement_timeout_ms)
        connection = await backend.connect()
        try:
            await check_version(connection)
            await check_server(connection)
            pools = {
                Effort.QUICK: await _pool(address, readers, statement_timeout_ms),
                Effort.LONG: await _pool(address, 1, _LONG_TIMEOUT_MS),
                Effort.AUDIT: await _pool(address, 1, _LONG_TIMEOUT_MS),
            }
        except DATABASE_ERRORS as error:
            await backend.close()
            raise cannot_open(error) from error
        except BaseException:
            await backend.close()
            raise
        return cls(backend, pools, statement_timeout_ms, limits)

    @property
    def healthy(self) -> bool:
        """Whether the last thing asked of the database was done."""
        return self._writer.healthy and self._readable

    async def execute(self, work: Callable[[Book], T | Refusal], reads: Reads = UNKNOWN) -> T:
        """Run rules on the book as one unit. See LedgerStore.execute."""
        return await self._writer.execute(work, reads)

    async def ask(self, question: Question[T]) -> T:
        """Answer a question, from one snapshot. Raises StoreUnavailable."""
        quick = question.effort is Effort.QUICK
        wait_ms = self._quick_timeout_ms if quick else _LONG_TIMEOUT_MS
        pool = self._pools[question.effort]
        try:
            async with pool.acquire(timeout=wait_ms / 1000) as pooled:
                # A pool's connection is one for all that questions do with it.
                found = await _answer(cast("asyncpg.Connection", pooled), question)
        except DATABASE_ERRORS as error:
            self._readable = False
            if self._mending is None or self._mending.done():
                self._mending = asyncio.create_task(self._mend(), name="ledger-reader")
            reason = str(error) or type(error).__name__
            raise StoreUnavailable(f"the ledger cannot be read: {reason}") from error
        self._readable = True
        return found

    async def close(self) -> None:
        """Finish what waits and close."""
        if self._mending is not None:
            self._mending.cancel()
        await self._writer.close()
        for pool in self._pools.values():
            try:
                await asyncio.wait_for(pool.close(), _CLOSE_TIMEOUT_S)
            except DATABASE_ERRORS:
                pool.terminate()

    async def _mend(self) -> None:
        """Ask again until there is an answer, so that the store is healthy without traffic."""
        backoff = Backoff(AGAIN_FIRST_MS, AGAIN_MAX_MS)
        while not self._readable and not self._pools[Effort.QUICK].is_closing():
            await backoff.sleep()
            try:
                await self.ask(FollowedTo())
            except StoreUnavailable:
                continue


async def _answer(connection: asyncpg.Connection, question: Question[T]) -> T:
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        own = _OWN_ANSWERS.get(type(question))
        found: T = await (own(connection) if own else _read(connection, answer(question)))
        return found


async def _read(connection: asyncpg.Connection, reading: Reading[T]) -> T:
    """Run a reading's statements one after the other."""
    try:
        wanted = next(reading)
        while True:
            wanted = reading.send(await connection.fetch(wanted.sql, *wanted.parameters))
    except StopIteration as done:
        found: T = done.value
        return found


async def _audit_book(connection: asyncpg.Connection) -> BookAudit:
    """Recompute the whole book, in a thread of its own that asks for one part after the other."""
    last_no = await connection.fetchval("SELECT coalesce(max(entry_no), 0) FROM entries")
    lines = await connection.cursor(f"{ENTRY_LINES} {IN_ORDER}")
    standings = await connection.cursor(
        "SELECT kind, owner, currency, version, balance_minor FROM accounts"
    )
    loop = asyncio.get_running_loop()
    return await asyncio.to_thread(
        lambda: audit(
            entries_in(_rows_of(lines, loop)), last_no, _standings(_rows_of(standings, loop))
        )
    )


def _rows_of(cursor: Cursor, loop: asyncio.AbstractEventLoop) -> Iterator[Row]:
    """Return a cursor's rows to a thread, while the connection belongs to the event loop."""
    while True:
        fetching = cursor.fetch(_AUDITED_ROWS_AT_ONCE)
        rows = asyncio.run_coroutine_threadsafe(fetching, loop).result()
        if not rows:
            return
        yield from rows


def _standings(rows: Iterator[Row]) -> Iterator[tuple[AccountKey, Standing]]:
    for row in rows:
        yield account_key(row[0], row[1], row[2]), (row[3], row[4])


async def _last_event_id(connection: asyncpg.Connection) -> str:
    row = await connection.fetchrow("SELECT ledger_id, last_outbox_no FROM ledger")
    assert row is not None, "the ledger has its row"
    return event_id(row[0], row[1])


#: What is asked otherwise than of SQLite.
_OWN_ANSWERS: Final[
    Mapping[type[Question[Any]], Callable[[asyncpg.Connection], Coroutine[Any, Any, Any]]]
] = {
    AuditBook: _audit_book,
    LastEventId: _last_event_id,
}


async def _pool(address: Address, size: int, statement_timeout_ms: int) -> asyncpg.Pool:
    """Make a pool that connects when it is asked, and whose sessions can only read."""
    settings = server_settings(statement_timeout_ms, keys_only=False)
    return await asyncpg.create_pool(
        address.url,
        min_size=0,
        max_size=size,
        timeout=CONNECT_TIMEOUT_S,
        command_timeout=client_timeout_s(statement_timeout_ms),
        # Plans are made for the sizes that tables have now.
        server_settings=settings
        | {"default_transaction_read_only": "on", "plan_cache_mode": "force_custom_plan"},
        reset=_leave_as_it_is,
    )


async def _leave_as_it_is(connection: Any) -> None:
    """Save the round trip of a reset: nothing outlives a question's transaction."""
