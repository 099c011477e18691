"""The one task that writes. What waits together is committed together: one fsync for all."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import asyncpg

from floor_wallet.domain import BookRefused, Refused
from floor_wallet.metrics import ENTRIES, GROUP_SIZE
from floor_wallet.store.book import GroupBook
from floor_wallet.store.interface import AGAIN_FIRST_MS, AGAIN_MAX_MS, StoreUnavailable
from floor_wallet.store.postgres.connection import (
    DATABASE_ERRORS,
    Address,
    cannot_open,
    commit_durably,
    connect,
)
from floor_wallet.store.postgres.loading import begin, look_up
from floor_wallet.store.postgres.writing import write
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.servicekit import Backoff, CannotStart, get_logger, wait_for_stop

T = TypeVar("T")

# Each pass finds a key that the one before did not know, so this is never reached.
_MAX_PASSES: Final = 10_000
_ROLLBACK_TIMEOUT_S: Final = 2.0
# SQLSTATE classes that are the fault of what was written: bad data, broken constraints.
_AT_FAULT: Final = ("22", "23")

_log = get_logger("wallet.store")


@dataclass(frozen=True, slots=True)
class _Unit:
    work: Callable[[GroupBook], Any]
    future: asyncio.Future[Any]


class Writer:
    """Carries out units of work on the book, in the order they come, in groups.

    The book's row is held for a group, so wallets on one database take turns.
    """

    def __init__(
        self, address: Address, *, statement_timeout_ms: int, max_waiting: int, max_group: int
    ) -> None:
        self._address = address
        self._timeout_ms = statement_timeout_ms
        self._max_waiting = max_waiting
        self._max_group = max_group
        self._book = GroupBook()
        self._waiting: deque[_Unit] = deque()
        self._wake = asyncio.Event()
        self._closed = False
        self._connection: asyncpg.Connection | None = None
        self._backoff = Backoff(AGAIN_FIRST_MS, AGAIN_MAX_MS)
        # When a connection may be tried again, by the event loop's clock.
        self._not_before_s = 0.0
        self._task: asyncio.Task[None] | None = None
        self.healthy = False

    async def open(self) -> asyncpg.Connection:
        """Connect and begin to carry out units; gives the connection. Raises CannotStart."""
        connection = await self._connect()
        self.healthy = True
        self._task = asyncio.create_task(self._run(), name="ledger-writer")
        return connection

    async def execute(self, work: Callable[[GroupBook], T]) -> T:
        """Carry out a unit; durable when this returns. See LedgerStore.execute."""
        if self._closed:
            raise StoreUnavailable("the ledger is closed")
        if len(self._waiting) >= self._max_waiting:
            raise Refused(
                errors_pb2.ERROR_CODE_OVERLOADED, "the ledger has too much to do, try again later"
            )
        unit = _Unit(work, asyncio.get_running_loop().create_future())
        self._waiting.append(unit)
        self._wake.set()
        result: T = await unit.future
        return result

    async def close(self) -> None:
        """Finish what waits, then end the task and close the connection."""
        self._closed = True
        self._wake.set()
        if self._task is not None:
            await self._task
        if self._connection is not None:
            await _close(self._connection)

    async def _run(self) -> None:
        while self._waiting or not self._closed:
            if not self._waiting:
                self._wake.clear()
                await self._wait_for_work()
                continue
            count = min(len(self._waiting), self._max_group)
            units = [self._waiting.popleft() for _ in range(count)]
            _deliver(units, await self._outcomes(units))

    async def _wait_for_work(self) -> None:
        """Wait for a unit; out of order, also find out when the database is back."""
        if self.healthy:
            await self._wake.wait()
        elif not await wait_for_stop(self._wake, self._backoff.next_ms()):
            await self._probe()

    async def _outcomes(self, units: Sequence[_Unit]) -> list[Any]:
        """Carry out units; whatever goes wrong, they are answered and the next ones go on."""
        try:
            return await self._carry_out(units)
        except Exception as error:  # noqa: BLE001 - logged; callers must not wait for ever
            _log.exception("the ledger's writer failed")
            self.healthy = False
            if self._connection is not None:
                self._connection.terminate()
            return [StoreUnavailable(f"the ledger cannot be written: {_text(error)}")] * len(units)

    async def _carry_out(self, units: Sequence[_Unit]) -> list[Any]:
        """Commit the group; the outcome of each unit is its result or its exception.

        When the database refuses the group, each unit is carried out by itself, so that only the
        one at fault is refused.
        """
        try:
            outcomes = await self._commit(units)
        except BookRefused as refused:
            if len(units) == 1:
                return [refused]
            return [outcome for unit in units for outcome in await self._carry_out([unit])]
        except StoreUnavailable as unavailable:
            self.healthy = False
            _log.error("the ledger cannot be written", reason=str(unavailable))
            return [unavailable for _ in units]
        self.healthy = True
        self._backoff.reset()
        GROUP_SIZE.observe(len(units))
        return outcomes

    async def _commit(self, units: Sequence[_Unit]) -> list[Any]:
        """Carry out units in one transaction. Raises BookRefused, StoreUnavailable."""
        book = self._book
        connection = await self._connected()
        kept = False
        try:
            await connection.execute("BEGIN")
            revision = await begin(connection, book)
            outcomes = await _settle(connection, book, units)
            posted = book.posted
            if book.changed:
                revision = await write(connection, book)
            await connection.execute("COMMIT")
            book.keep(revision)
            kept = True
        except DATABASE_ERRORS as error:
            if _is_units_fault(error):
                raise BookRefused(f"the book refused: {error}") from error
            # Also when the answer to COMMIT was lost: nobody knows then, and ids make it safe to
            # ask again.
            raise StoreUnavailable(f"the ledger cannot be written: {_text(error)}") from error
        finally:
            if not kept:
                book.forget()
                await self._roll_back(connection)
        for kind in posted:
            ENTRIES.labels(kind.name.lower()).inc()
        return outcomes

    async def _probe(self) -> None:
        """Try whether a commit works again."""
        try:
            connection = await self._connected()
            await connection.execute("UPDATE ledger SET revision = revision WHERE one = 1")
        except StoreUnavailable:
            return
        except DATABASE_ERRORS:
            await self._roll_back(self._connection)
            return
        self.healthy = True
        self._backoff.reset()
        _log.info("the ledger can be written again")

    async def _connected(self) -> asyncpg.Connection:
        """Give the connection, a new one if need be. Raises StoreUnavailable."""
        if self._connection is not None and not self._connection.is_closed():
            return self._connection
        now_s = asyncio.get_running_loop().time
        if now_s() < self._not_before_s or (self._closed and not self.healthy):
            raise StoreUnavailable("the ledger's database is away")
        try:
            return await self._connect()
        except CannotStart as error:
            self._not_before_s = now_s() + self._backoff.next_ms() / 1000
            raise StoreUnavailable(str(error)) from error

    async def _connect(self) -> asyncpg.Connection:
        self._book.forget()
        connection = await connect(
            self._address, statement_timeout_ms=self._timeout_ms, keys_only=True
        )
        try:
            await commit_durably(connection)
        except DATABASE_ERRORS as error:
            connection.terminate()
            raise cannot_open(error) from error
        connection.add_termination_listener(self._lost)
        self._connection = connection
        return connection

    def _lost(self, connection: object) -> None:
        """Take note that the connection has ended, so that it is made again without work too."""
        if connection is self._connection and not self._closed:
            self.healthy = False
            self._wake.set()

    async def _roll_back(self, connection: asyncpg.Connection | None) -> None:
        """Undo what is open; a connection that cannot is given up."""
        if connection is None or connection.is_closed():
            return
        try:
            if connection.is_in_transaction():
                await connection.execute("ROLLBACK", timeout=_ROLLBACK_TIMEOUT_S)
        except DATABASE_ERRORS:
            connection.terminate()


async def _settle(
    connection: asyncpg.Connection, book: GroupBook, units: Sequence[_Unit]
) -> list[Any]:
    """Run the units, each whole or not at all, until what they were told of the book is true."""
    for _ in range(_MAX_PASSES):
        outcomes = [_attempt(unit, book) for unit in units]
        if not await look_up(connection, book):
            return outcomes
        book.start_over()
    raise AssertionError("the rules ask for ever more")


def _attempt(unit: _Unit, book: GroupBook) -> Any:
    """Carry out one unit by itself; what it wrote is undone when it fails."""
    mark = book.mark()
    try:
        return unit.work(book)
    except Exception as error:  # noqa: BLE001 - the outcome is the caller's, whatever it is
        book.undo_to(mark)
        return error


def _is_units_fault(error: BaseException) -> bool:
    if isinstance(error, asyncpg.PostgresError):
        return str(error.sqlstate).startswith(_AT_FAULT)
    return isinstance(error, asyncpg.InterfaceError) and isinstance(error, ValueError)


def _text(error: BaseException) -> str:
    return str(error) or type(error).__name__


async def _close(connection: asyncpg.Connection) -> None:
    try:
        await connection.close(timeout=_ROLLBACK_TIMEOUT_S)
    except DATABASE_ERRORS:
        connection.terminate()


def _deliver(units: Sequence[_Unit], outcomes: Sequence[Any]) -> None:
    for unit, outcome in zip(units, outcomes, strict=True):
        if unit.future.done():
            continue  # its caller left; what was done stays done
        if isinstance(outcome, Exception):
            unit.future.set_exception(outcome)
        else:
            unit.future.set_result(outcome)
