"""The ledger on PostgreSQL: one writer with group commit, a small pool of readers beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

import asyncpg

from floor_wallet.domain import AccountKey, Book, Reservation, SettledHand, TableState
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
from floor_wallet.store.postgres import finance, reader
from floor_wallet.store.postgres.connection import (
    CONNECT_TIMEOUT_S,
    DATABASE_ERRORS,
    Address,
    cannot_open,
    check_server,
    client_timeout_s,
    server_settings,
)
from floor_wallet.store.postgres.schema import check_version, migrate
from floor_wallet.store.postgres.writer import Writer
from pokerfloor.servicekit import Backoff

T = TypeVar("T")

#: A question that walks the whole book may take this long for a statement.
_LONG_TIMEOUT_MS: Final = 600_000
_CLOSE_TIMEOUT_S: Final = 5.0
_AGAIN_FIRST_MS: Final = 50
_AGAIN_MAX_MS: Final = 2_000


class PostgresStore:
    """Implements LedgerStore; `open` is the way to get one."""

    def __init__(
        self, writer: Writer, quick: asyncpg.Pool, long: asyncpg.Pool, quick_timeout_s: float
    ) -> None:
        self._writer = writer
        self._quick = quick
        self._quick_timeout_s = quick_timeout_s
        # Questions that walk the whole book wait for each other, and nobody waits for them.
        self._long = long
        self._readable = True
        self._mending: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        owner_url: str = "",
        ledger_id: str,
        statement_timeout_ms: int = 5_000,
        readers: int = 4,
        max_waiting: int = 4096,
        max_group: int = 256,
    ) -> PostgresStore:
        """Open the ledger in a database, as the service's own role. Raises CannotStart.

        With `owner_url`, the schema is made or brought up to date first by its owner; a new book
        gets `ledger_id`. At most `max_waiting` units of work wait, at most `max_group` are
        committed together, and `readers` questions are asked at a time.
        """
        address = Address.of(url, "FLOOR_LEDGER_URL")
        if owner_url:
            owner = Address.of(owner_url, "FLOOR_LEDGER_OWNER_URL")
            await migrate(owner, address.user, ledger_id)
        writer = Writer(
            address,
            statement_timeout_ms=statement_timeout_ms,
            max_waiting=max_waiting,
            max_group=max_group,
        )
        connection = await writer.open()
        try:
            await check_version(connection)
            await check_server(connection)
            quick = await _pool(address, readers, statement_timeout_ms)
            long = await _pool(address, 1, _LONG_TIMEOUT_MS)
            return cls(writer, quick, long, statement_timeout_ms / 1000)
        except DATABASE_ERRORS as error:
            await writer.close()
            raise cannot_open(error) from error
        except BaseException:
            await writer.close()
            raise

    @property
    def healthy(self) -> bool:
        """Whether the last thing asked of the database was done."""
        return self._writer.healthy and self._readable

    async def execute(self, work: Callable[[Book], T]) -> T:
        """Run rules on the book as one unit. See LedgerStore.execute."""
        return await self._writer.execute(work)

    async def close(self) -> None:
        """Finish what waits and close."""
        if self._mending is not None:
            self._mending.cancel()
        await self._writer.close()
        for pool in (self._quick, self._long):
            try:
                await asyncio.wait_for(pool.close(), _CLOSE_TIMEOUT_S)
            except DATABASE_ERRORS:
                pool.terminate()

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
        return await self._ask(reader.summary)

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
        return await self._ask(finance.audit_book, self._long)

    async def _ask(self, question: reader.Question[T], pool: asyncpg.Pool | None = None) -> T:
        chosen = pool or self._quick
        wait_s = self._quick_timeout_s if pool is None else _LONG_TIMEOUT_MS / 1000
        try:
            async with chosen.acquire(timeout=wait_s) as connection:
                # A pool's connection is one for all that questions do with it.
                found = await reader.answer(cast("asyncpg.Connection", connection), question)
        except DATABASE_ERRORS as error:
            self._readable = False
            if self._mending is None or self._mending.done():
                self._mending = asyncio.create_task(self._mend(), name="ledger-reader")
            reason = str(error) or type(error).__name__
            raise StoreUnavailable(f"the ledger cannot be read: {reason}") from error
        self._readable = True
        return found

    async def _mend(self) -> None:
        """Ask again until there is an answer, so that the store is healthy without traffic."""
        backoff = Backoff(_AGAIN_FIRST_MS, _AGAIN_MAX_MS)
        while not self._readable and not self._quick.is_closing():
            await backoff.sleep()
            try:
                await self.followed_to()
            except StoreUnavailable:
                continue


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
