"""What writes to a book. What waits together is committed together: one fsync for all."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from floor_wallet.domain import Book, BookRefused, EntryKind, Reads, Refusal
from floor_wallet.metrics import ENTRIES, GROUP_SIZE
from floor_wallet.store.group_book import GroupBook
from floor_wallet.store.interface import (
    AGAIN_FIRST_MS,
    AGAIN_MAX_MS,
    UNKNOWN,
    Refused,
    StoreUnavailable,
    WriterLimits,
)
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.servicekit import Backoff, get_logger, wait_for_stop

T = TypeVar("T")

_OVERLOADED: Final = Refusal(
    errors_pb2.ERROR_CODE_OVERLOADED, "the ledger has too much to do, try again later"
)

_log = get_logger("wallet.store")


@dataclass(frozen=True, slots=True)
class Unit:
    """Rules to run on the book, what they are known to read, and where their outcome goes."""

    work: Callable[[Book], Any]
    reads: Reads
    future: asyncio.Future[Any]


@dataclass(frozen=True, slots=True)
class Committed:
    """A group that was committed: each unit's result or exception, and the kinds of its entries."""

    outcomes: Sequence[Any]
    posted: Sequence[EntryKind]


class Backend(Protocol):
    """A database as the writer uses it."""

    async def commit(self, units: Sequence[Unit]) -> Committed:
        """Run units in one transaction; each is undone by itself when it refuses or raises.

        Raises BookRefused when a constraint stands against what they wrote, StoreUnavailable.
        """
        ...

    async def probe(self) -> None:
        """Try whether a commit works. Raises StoreUnavailable."""
        ...

    async def close(self) -> None:
        """Close what writes."""
        ...


class Writer:
    """Carries out units of work on the book, in the order they come, in groups."""

    def __init__(self, backend: Backend, limits: WriterLimits) -> None:
        self._backend = backend
        self._limits = limits
        self._waiting: deque[Unit] = deque()
        self._wake = asyncio.Event()
        self._closed = False
        self._backoff = Backoff(AGAIN_FIRST_MS, AGAIN_MAX_MS)
        self._task = asyncio.create_task(self._run(), name="ledger-writer")
        self.healthy = True

    async def execute(self, work: Callable[[Book], T | Refusal], reads: Reads = UNKNOWN) -> T:
        """Carry out a unit; durable when this returns. See LedgerStore.execute."""
        if self._closed:
            raise StoreUnavailable("the ledger is closed")
        if len(self._waiting) >= self._limits.max_waiting:
            raise Refused(_OVERLOADED)
        unit = Unit(work, reads, asyncio.get_running_loop().create_future())
        self._waiting.append(unit)
        self._wake.set()
        result: T = await unit.future
        return result

    async def close(self) -> None:
        """Finish what waits, then close the backend."""
        if not self._closed:
            self._closed = True
            self._wake.set()
            await self._task
            await self._backend.close()

    def lost(self) -> None:
        """Note that the database went away, so that it is looked for without work too."""
        if not self._closed:
            self.healthy = False
            self._wake.set()

    async def _run(self) -> None:
        while self._waiting or not self._closed:
            if not self._waiting:
                self._wake.clear()
                await self._wait_for_work()
                continue
            count = min(len(self._waiting), self._limits.max_group)
            units = [self._waiting.popleft() for _ in range(count)]
            _deliver(units, await self._outcomes(units))

    async def _wait_for_work(self) -> None:
        """Wait for a unit; out of order, also find out when the database is back."""
        if self.healthy:
            await self._wake.wait()
        elif not await wait_for_stop(self._wake, self._backoff.next_ms()):
            await self._probe()

    async def _probe(self) -> None:
        try:
            await self._backend.probe()
        except StoreUnavailable:
            return
        self.healthy = True
        self._backoff.reset()
        _log.info("ledger_writable_again")

    async def _outcomes(self, units: Sequence[Unit]) -> Sequence[Any]:
        """Carry out units; whatever goes wrong, they are answered and the next ones go on."""
        if self._closed and not self.healthy:  # closing does not wait for a database that is gone
            return [StoreUnavailable("the ledger is closed") for _ in units]
        try:
            return await self._carry_out(units)
        except StoreUnavailable as unavailable:
            self.healthy = False
            _log.error("ledger_not_writable", reason=str(unavailable))
            return [unavailable for _ in units]
        except Exception as error:  # noqa: BLE001 - logged; callers must not wait for ever
            self.healthy = False
            _log.exception("ledger_writer_failed")
            return [StoreUnavailable(f"the ledger cannot be written: {error}") for _ in units]

    async def _carry_out(self, units: Sequence[Unit]) -> Sequence[Any]:
        """Commit the group; the outcome of each unit is its result or its exception.

        When the database refuses the group, each unit is carried out by itself, so that only the
        one at fault is refused. Raises StoreUnavailable.
        """
        try:
            committed = await self._backend.commit(units)
        except BookRefused as refused:
            if len(units) == 1:
                return [refused]
            # One after the other, and what was committed stays committed if the next one fails.
            return [outcome for unit in units for outcome in await self._outcomes([unit])]
        self.healthy = True
        self._backoff.reset()
        GROUP_SIZE.observe(len(units))
        for kind in committed.posted:
            ENTRIES.labels(kind.name.lower()).inc()
        return committed.outcomes


def run_units(
    units: Sequence[Unit], book: GroupBook, database_errors: tuple[type[Exception], ...]
) -> list[Any]:
    """Run units one after the other; one that raises or refuses is undone, and that is its outcome.

    Raises `database_errors`: they are no unit's own.
    """
    return [_attempt(unit, book, database_errors) for unit in units]


def _attempt(unit: Unit, book: GroupBook, database_errors: tuple[type[Exception], ...]) -> Any:
    mark = book.mark()
    try:
        outcome = unit.work(book)
    except database_errors:
        raise
    except Exception as error:  # noqa: BLE001 - the outcome is the caller's, whatever it is
        book.undo_to(mark)
        return error
    if isinstance(outcome, Refusal):
        book.undo_to(mark)
        return Refused(outcome)
    return outcome


def _deliver(units: Sequence[Unit], outcomes: Sequence[Any]) -> None:
    for unit, outcome in zip(units, outcomes, strict=True):
        if unit.future.done():
            continue  # its caller left; what was done stays done
        if isinstance(outcome, Exception):
            unit.future.set_exception(outcome)
        else:
            unit.future.set_result(outcome)
