"""The embedded store: SQLite in a file, one writer with group commit, readers beside it."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from floor_wallet.domain import (
    AccountKey,
    Book,
    Reservation,
    SettledHand,
    TableState,
)
from floor_wallet.store.interface import (
    AccountPage,
    Balance,
    BookAudit,
    ChipsInPlay,
    EntryPage,
    LineFilter,
    OutboxEvent,
    RakeLine,
    Statement,
    StoreUnavailable,
    Summary,
    TableAudit,
    TrialBalance,
)
from floor_wallet.store.sqlite import finance, reader
from floor_wallet.store.sqlite.connection import FileLock, migrate, open_reader, open_writer
from floor_wallet.store.sqlite.writer import Writer

T = TypeVar("T")

_QUICK_READERS = 2


class SqliteStore:
    """Implements LedgerStore; `open` is the way to get one."""

    def __init__(self, path: Path, lock: FileLock, writer: Writer) -> None:
        self._path = path
        self._lock = lock
        self._writer = writer
        self._quick = ThreadPoolExecutor(_QUICK_READERS, "ledger-reader")
        # Questions that walk the whole book wait for each other, and nobody waits for them.
        self._long = ThreadPoolExecutor(1, "ledger-long")
        # Recomputing all of it takes longer still: metrics and trial balances go on beside it.
        self._recount = ThreadPoolExecutor(1, "ledger-recount")
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._readable = True

    @classmethod
    async def open(
        cls, path: Path, *, ledger_id: str, max_waiting: int = 4096, max_group: int = 256
    ) -> SqliteStore:
        """Open or make the ledger in a file; a new one gets `ledger_id`. Raises CannotStart.

        At most `max_waiting` units of work wait, at most `max_group` are committed together.
        """
        lock = FileLock(path.with_name(path.name + ".lock"))
        try:
            connection = await asyncio.to_thread(open_writer, path)
            await asyncio.to_thread(migrate, connection, ledger_id)
        except BaseException:
            lock.release()
            raise
        writer = Writer(connection, max_waiting=max_waiting, max_group=max_group)
        return cls(path, lock, writer)

    @property
    def healthy(self) -> bool:
        """Whether the last thing asked of the database was done."""
        return self._writer.healthy and self._readable

    async def execute(self, work: Callable[[Book], T]) -> T:
        """Run rules on the book as one unit. See LedgerStore.execute."""
        return await self._writer.execute(work)

    async def close(self) -> None:
        """Finish what waits and close."""
        await asyncio.to_thread(self._quick.shutdown)
        await asyncio.to_thread(self._long.shutdown)
        for connection in self._connections:
            connection.interrupt()  # nobody waits for a recount any more
        await asyncio.to_thread(self._recount.shutdown)
        for connection in self._connections:
            connection.close()
        # Last, because the last connection moves the write-ahead log into the file.
        await self._writer.close()
        self._lock.release()

    async def balance(self, player_id: str, currency: str) -> Balance | None:
        """Give a player's balances and holds."""
        return await self._ask(reader.balance(player_id, currency))

    async def statement(
        self, account: AccountKey, after_version: int, limit: int, only: LineFilter
    ) -> Statement | None:
        """Give a page of an account's lines."""
        return await self._ask(reader.statement(account, after_version, limit, only))

    async def trial_balance(self, currency: str, at_ms: int | None = None) -> TrialBalance | None:
        """Add up every account of a currency and every entry."""
        return await self._ask(finance.trial_balance(currency, at_ms), self._long)

    async def table(self, table_id: str) -> TableState | None:
        """Give a table."""
        return await self._ask(reader.table(table_id))

    async def table_audit(self, table_id: str) -> TableAudit | None:
        """Give what the book holds of a table."""
        return await self._ask(reader.table_audit(table_id), self._long)

    async def hands(self, table_id: str, from_hand_no: int, count: int) -> tuple[SettledHand, ...]:
        """Give a table's settled hands in order."""
        return await self._ask(reader.hands(table_id, from_hand_no, count))

    async def stopped_tables(self) -> tuple[TableState, ...]:
        """Give the tables whose settlement is stopped."""
        return await self._ask(reader.stopped_tables)

    async def followed_to(self) -> int:
        """Give the number in the stream of the last step read."""
        return await self._ask(reader.followed_to)

    async def overdue(
        self, before_ms: int, limit: int, after: Reservation | None = None
    ) -> tuple[Reservation, ...]:
        """Give a page of the reservations still held that expired before a time."""
        return await self._ask(reader.overdue(before_ms, limit, after))

    async def summary(self) -> Summary:
        """Give what the metrics show."""
        return await self._ask(reader.summary, self._long)

    async def outbox(self, limit: int) -> tuple[OutboxEvent, ...]:
        """Give the oldest facts that are not published yet."""
        return await self._ask(reader.outbox(limit))

    async def last_event_id(self) -> str:
        """Give the id of the newest fact there ever was."""
        return await self._ask(reader.last_event_id)

    async def published(self, outbox_nos: Sequence[int]) -> None:
        """Take facts out of the outbox."""
        numbers = list(outbox_nos)
        await self._writer.execute(lambda book: book.delete_events(numbers))

    async def rake(self, from_ms: int, to_ms: int, currency: str = "") -> tuple[RakeLine, ...]:
        """Add up rake and fees by room, game and currency."""
        return await self._ask(finance.rake(from_ms, to_ms, currency), self._long)

    async def chips_in_play(self, currency: str = "") -> ChipsInPlay:
        """Give the tables' money at one instant."""
        return await self._ask(finance.chips_in_play(currency), self._long)

    async def currencies(self) -> tuple[tuple[str, int], ...]:
        """Give every currency with its decimal digits."""
        return await self._ask(finance.currencies)

    async def entries(self, after_entry_no: int, limit: int) -> EntryPage:
        """Give entries after a number, in order."""
        return await self._ask(finance.entries(after_entry_no, limit))

    async def accounts(self, after_account_no: int, limit: int) -> AccountPage:
        """Give accounts after a number, in the order they were opened."""
        return await self._ask(finance.accounts(after_account_no, limit))

    async def audit_book(self) -> BookAudit:
        """Recompute the whole book at one instant."""
        return await self._ask(finance.audit_book, self._recount)

    async def _ask(self, question: reader.Question[T], pool: ThreadPoolExecutor | None = None) -> T:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(pool or self._quick, self._answer, question)
        except (sqlite3.Error, RuntimeError) as error:  # RuntimeError: the pool is shut down
            self._readable = False
            raise StoreUnavailable(f"the ledger cannot be read: {error}") from error
        self._readable = True
        return found

    def _answer(self, question: reader.Question[T]) -> T:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = open_reader(self._path)
            self._local.connection = connection
            self._connections.append(connection)
        return reader.answer(connection, question)
