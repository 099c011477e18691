"""The tables of this process: found in the log, taken over by lease, given up when lost."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from floor_table.domain import OpenTableIn, Refusal, Table, decide
from floor_table.runtime import metrics
from floor_table.runtime.actor import TableActor
from floor_table.runtime.context import Context
from floor_table.runtime.log import TableLog
from floor_table.runtime.recovery import recover
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.limits import TABLE_ID_RULE, is_table_id
from pokerfloor.servicekit import (
    Backoff,
    FloorError,
    FloorNats,
    Leases,
    LogUnavailable,
    WrongSequence,
    get_logger,
    new_id,
    wait_for_stop,
)
from pokerfloor.tablelog import (
    RESERVED_TABLE_IDS,
    TABLE_LOG,
    LogError,
    table_of_subject,
    table_subject,
)

LEASE_BUCKET: Final = "FLOOR_TABLE_LEASES"
# Tables that are read from the log at the same time.
_READ_AT_ONCE: Final = 4
_SWEEP_S: Final = 0.25
_LIST_TIMEOUT_MS: Final = 5_000
_LEAVE_S: Final = 1.0
_FIRST_REST_S: Final = 1.0
_LONGEST_REST_S: Final = 60.0
_QUOTED_CHARS: Final = 32

_log = get_logger("table.directory")


class Directory:
    """Who owns which table. Call `start`, then `work` until it is to stop, then `drain`."""

    def __init__(self, nats: FloorNats, leases: Leases, context: Context) -> None:
        self._nats = nats
        self._leases = leases
        self._context = context
        self._settings = context.settings
        self._writer = new_id()
        self._actors: dict[str, TableActor] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._damaged: set[str] = set()
        # Tables that failed: how long each rests before it is read again, and until when.
        self._resting: dict[str, tuple[float, float]] = {}
        self._adopting: dict[str, asyncio.Task[TableActor | None]] = {}
        self._reading = asyncio.Semaphore(_READ_AT_ONCE)
        self._stopping = asyncio.Event()
        self.ready = False

    # --- what calls ask

    async def find(self, table_id: str) -> TableActor:
        """Return the owner of a table. Raises UNKNOWN_TABLE, or UNAVAILABLE when it is not here."""
        actor = self._actors.get(table_id)
        if actor is not None and actor.table.exists:
            return actor
        if self._stopping.is_set() or not self.ready:
            raise _not_here("the service is starting or stopping")
        if table_id in self._adopting or await self._has_log(table_id):
            raise _not_here("the table is not here now, try again")
        # Quoted whole only where it can be an id; what can not may be long.
        named = table_id if is_table_id(table_id) else repr(table_id[:_QUOTED_CHARS])
        reason = f"there is no table {named}"
        raise FloorError(errors_pb2.ERROR_CODE_UNKNOWN_TABLE, reason, "table_id")

    def actors(self) -> Iterable[TableActor]:
        """Return all tables owned here, by id."""
        found = [actor for actor in self._actors.values() if actor.table.exists]
        return sorted(found, key=lambda actor: actor.table.table_id)

    async def open_table(self, table_id: str, given: OpenTableIn) -> table_pb2.CommandResult:
        """Make a table, or answer as the first time. Raises FloorError."""
        if not is_table_id(table_id):
            raise FloorError(
                errors_pb2.ERROR_CODE_INVALID_FIELD,
                TABLE_ID_RULE,
                "table_id",
            )
        if table_id in RESERVED_TABLE_IDS:
            raise FloorError(
                errors_pb2.ERROR_CODE_INVALID_FIELD,
                f"{table_id!r} is no table's id: the wallet publishes what is at no table under it",
                "table_id",
            )
        actor = self._actors.get(table_id)
        if actor is None:
            # What would be refused must leave nothing behind: no lease, no actor.
            outcome = decide(Table(table_id), given, self._context.clock())
            if isinstance(outcome, Refusal):
                raise FloorError(outcome.code, outcome.reason, outcome.field)
            actor = await self._adopted(table_id)
        return await actor.ask(given)

    def settled(self, table_id: str, hand_no: int) -> None:
        """Pass on that the wallet has settled a hand."""
        actor = self._actors.get(table_id)
        if actor is not None:
            actor.scheduler.settled(hand_no)

    def ask_progress(self) -> None:
        """Have all tables ask the wallet how far it is."""
        for actor in self._actors.values():
            actor.scheduler.ask_progress()

    # --- its life

    async def start(self) -> None:
        """Take over all tables that nobody else holds, as soon as the broker answers."""
        backoff = Backoff(100, 2_000)
        while not await self._managed(self._scan):
            await backoff.sleep()
        if self._adopting:
            await asyncio.wait(list(self._adopting.values()))
        self.ready = True
        _log.info("tables_taken_over", here=len(self._actors))

    async def work(self) -> None:
        """Keep the leases, look for tables without an owner, end streams that are stuck."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._every(self._settings.lease_ttl_ms / 3000, self._renew))
            group.create_task(self._every(self._settings.scan_ms / 1000, self._scan))
            group.create_task(self._every(_SWEEP_S, self._sweep))

    async def drain(self, budget_ms: int) -> None:
        """Finish the steps in flight, say goodbye, give the leases back."""
        self._stopping.set()
        self.ready = False
        for task in self._adopting.values():
            task.cancel()
        actors = list(self._actors.values())
        for actor in actors:
            actor.stop(table_pb2.GOODBYE_REASON_DRAINING)
        tasks = list(self._tasks.values())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=max(0.1, budget_ms / 1000 - _LEAVE_S))
            for task in late:
                task.cancel()
            if late:
                _log.warning("steps_left_in_doubt", tables=len(late))
                await asyncio.wait(late, timeout=_LEAVE_S)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LEAVE_S):
                while any(len(actor.hub) for actor in actors):  # noqa: ASYNC110 - at most a second
                    await asyncio.sleep(0.01)

    async def _has_log(self, table_id: str) -> bool:
        """Tell whether anybody has ever stored a step of a table of this id."""
        if not is_table_id(table_id):
            return False
        try:
            last = await self._nats.last_message(TABLE_LOG.name, table_subject(table_id))
        except LogUnavailable:
            return True  # there is no telling now
        return last is not None

    # --- taking over and giving up

    async def _adopted(self, table_id: str) -> TableActor:
        """Own a table that is not here. Raises UNAVAILABLE, OVERLOADED."""
        if self._stopping.is_set() or not self.ready:
            raise _not_here("the service is starting or stopping")
        if len(self._actors) + len(self._adopting) >= self._settings.max_tables:
            raise FloorError(errors_pb2.ERROR_CODE_OVERLOADED, "this instance has no more tables")
        actor = await asyncio.shield(self._adopt_soon(table_id))
        if actor is None:
            raise _not_here("another instance holds the table")
        return actor

    def _adopt_soon(self, table_id: str) -> asyncio.Task[TableActor | None]:
        task = self._adopting.get(table_id)
        if task is None:
            # In a context of its own: the table outlives the call that may have asked for it.
            task = asyncio.create_task(
                self._adopt(table_id), name=f"adopt {table_id}", context=contextvars.Context()
            )
            self._adopting[table_id] = task
            task.add_done_callback(lambda _: self._adopting.pop(table_id, None))
        return task

    async def _adopt(self, table_id: str) -> TableActor | None:
        """Take the lease, read the log, and own the table; None when that is not to be now."""
        try:
            async with self._reading:
                if await self._leases.acquire(table_id) is None:
                    return None
                log = TableLog(
                    self._nats,
                    table_id,
                    writer=self._writer,
                    timeout_ms=self._settings.append_timeout_ms,
                )
                recovered = await recover(log, self._settings.ring_steps)
        except LogUnavailable as reason:
            _log.warning("table_unreadable", table_id=table_id, reason=str(reason))
            return None
        except (LogError, AssertionError) as failure:
            # Nothing may be played on a log that is not what the rules make of it.
            _log.error("table_log_damaged", table_id=table_id, exc_info=failure)
            self._damaged.add(table_id)
            return None
        except Exception as failure:  # noqa: BLE001 - one table's trouble must not end the others
            _log.error("table_unreadable", table_id=table_id, exc_info=failure)
            self._let_rest(table_id)
            return None
        await self._context.publisher.catch_up(table_id, recovered.ring)
        actor = TableActor(recovered, log, self._context)
        self._actors[table_id] = actor
        self._tasks[table_id] = asyncio.create_task(
            self._own(table_id, actor), name=f"table {table_id}"
        )
        return actor

    async def _own(self, table_id: str, actor: TableActor) -> None:
        """Run a table until it stops; another owner or a fault of ours ends it here."""
        try:
            await actor.run()
        except WrongSequence as reason:
            metrics.OWNERS_LOST.inc()
            _log.warning("owner_changed", table_id=table_id, reason=str(reason))
        except Exception as failure:  # noqa: BLE001 - the table is read again from its log
            metrics.ACTORS_FAILED.inc()
            _log.error("table_failed", table_id=table_id, exc_info=failure)
            self._let_rest(table_id)
        finally:
            del self._actors[table_id]
            del self._tasks[table_id]
            with contextlib.suppress(LogUnavailable):
                await self._leases.release(table_id)

    async def _scan(self) -> None:
        """Try to take over every table that has a log and is not here."""
        await self._context.publisher.keep_stream()
        for table_id in await self._tables_in_log():
            room = len(self._actors) + len(self._adopting) < self._settings.max_tables
            away = table_id not in self._actors and table_id not in self._damaged
            if away and room and not self._stopping.is_set() and not self._rests(table_id):
                self._adopt_soon(table_id)

    def _let_rest(self, table_id: str) -> None:
        """Do not read a table that failed again at once, and ever later if it fails again."""
        now_s = asyncio.get_running_loop().time()
        rest_s, until_s = self._resting.get(table_id, (0.0, now_s))
        # One that has worked for long since begins again.
        rest_s = _FIRST_REST_S if now_s > until_s + _LONGEST_REST_S else rest_s * 2
        rest_s = min(max(rest_s, _FIRST_REST_S), _LONGEST_REST_S)
        self._resting[table_id] = (rest_s, now_s + rest_s)

    def _rests(self, table_id: str) -> bool:
        _, until_s = self._resting.get(table_id, (0.0, 0.0))
        return asyncio.get_running_loop().time() < until_s

    async def _tables_in_log(self) -> list[str]:
        """Ask the broker for the subjects of the log's stream (its public API, by pages)."""
        subject = f"$JS.API.STREAM.INFO.{TABLE_LOG.name}"
        found: list[str] = []
        while True:
            question = {"subjects_filter": TABLE_LOG.subjects[0], "offset": len(found)}
            reply = await self._nats.request(
                subject, json.dumps(question).encode(), timeout_ms=_LIST_TIMEOUT_MS
            )
            answer = json.loads(reply)
            page = answer.get("state", {}).get("subjects") or {}
            found += (table_of_subject(name) for name in page)
            if not page or len(found) >= int(answer.get("total", 0)):
                return found

    async def _renew(self) -> None:
        for table_id, actor in list(self._actors.items()):
            if not await self._leases.renew(table_id) and table_id in self._actors:
                metrics.OWNERS_LOST.inc()
                _log.warning("lease_lost", table_id=table_id)
                actor.stop(table_pb2.GOODBYE_REASON_OWNER_CHANGED)

    async def _sweep(self) -> None:
        now_s = asyncio.get_running_loop().time()
        for actor in self._actors.values():
            for session in actor.hub.stuck(now_s - self._settings.slow_client_ms / 1000):
                session.give_up()

    async def _every(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        while not await wait_for_stop(self._stopping, seconds * 1000):
            await self._managed(work)

    async def _managed(self, work: Callable[[], Awaitable[None]]) -> bool:
        """Do something that needs the broker; False when it does not answer now."""
        try:
            await work()
        except (LogUnavailable, FloorError) as reason:
            _log.info("broker_unavailable", reason=str(reason))
            return False
        return True


def _not_here(reason: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, reason)
