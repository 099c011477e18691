"""Does what is due, for as long as it takes: each due once at a time, with deadline and back-off.

What is due follows from the table alone, so nothing here has to be kept: after a crash the table
says the same again, and every call is idempotent.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import Final

import grpc

from floor_table.calls import Calls
from floor_table.domain import (
    CloseDeckEffect,
    DealEffect,
    DeckEffect,
    EquityEffect,
    Refusal,
    ReserveEffect,
    RevealEffect,
    ScoringEffect,
    SeatKeyEffect,
    ShowdownEffect,
    TableInput,
    VoidReservationEffect,
)
from floor_table.metrics import EFFECTS, EFFECTS_RETRIED
from floor_table.presence import (
    AnyDue,
    ProgressEffect,
    RegisterEffect,
    ResealEffect,
    ReturnedKeyEffect,
)
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.servicekit import Backoff, FloorError, error_of, get_logger

_MOST_RUNNING: Final = 64
_MOST_REMEMBERED: Final = 512
_FIRST_MS: Final = 50
# A service that was away is found again this soon.
_MOST_MS: Final = 1_000
# What was refused for good reason is asked again, but seldom: the state of the other may change.
_REFUSED_MS: Final = 10_000

# Codes that say nothing about the request itself.
_PASSING: Final = frozenset(
    (
        errors_pb2.ERROR_CODE_UNAVAILABLE,
        errors_pb2.ERROR_CODE_OVERLOADED,
        errors_pb2.ERROR_CODE_RATE_LIMITED,
        errors_pb2.ERROR_CODE_INTERNAL,
        errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND,
        errors_pb2.ERROR_CODE_GENERATOR_FAILED,
        errors_pb2.ERROR_CODE_TABLE_NOT_REGISTERED,
    )
)
# Codes that say that the caller, not the request, is at fault: nothing is decided by them.
_OF_CALLER: Final = frozenset(
    (
        errors_pb2.ERROR_CODE_TOKEN_MISSING,
        errors_pb2.ERROR_CODE_TOKEN_INVALID,
        errors_pb2.ERROR_CODE_TOKEN_EXPIRED,
        errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED,
        errors_pb2.ERROR_CODE_STALE_EPOCH,
    )
)
# Kinds without an answer in the log, or that are given up: done once in a process's life.
_ONCE: Final = (
    VoidReservationEffect,
    CloseDeckEffect,
    DealEffect,
    EquityEffect,
    RegisterEffect,
    ProgressEffect,
)
# Kinds that a final refusal ends as well: what was to be given up or ended is gone already.
_ENDED_BY_REFUSAL: Final = (VoidReservationEffect, CloseDeckEffect)
# Kinds that nobody waits for any more when they are due no longer; the others finish.
_CANCELLED: Final = (
    ReserveEffect,
    SeatKeyEffect,
    ReturnedKeyEffect,
    DeckEffect,
    DealEffect,
    ResealEffect,
    RevealEffect,
    ShowdownEffect,
    ScoringEffect,
)

_log = get_logger("table.effects")


class Effects:
    """The effects of one table.

    `tell` gives the table an answer and returns its refusal or None; `on_done` is called when an
    effect has ended, since another may have become due.
    """

    def __init__(
        self,
        calls: Calls,
        *,
        tell: Callable[[TableInput], Awaitable[Refusal | None]],
        on_done: Callable[[], None],
    ) -> None:
        self._calls = calls
        self._tell = tell
        self._on_done = on_done
        self._running: dict[Hashable, tuple[AnyDue, asyncio.Task[None]]] = {}
        self._done: OrderedDict[Hashable, None] = OrderedDict()
        self._stopped = False

    def reconcile(self, dues: Iterable[AnyDue]) -> None:
        """Begin what is due and not begun; let go of what is due no longer."""
        if self._stopped:
            return
        wanted = {key_of(due): due for due in dues}
        for key, (due, task) in self._running.items():
            if key not in wanted and isinstance(due, _CANCELLED):
                task.cancel()
        for key in wanted.keys() & self._done.keys():
            self._done.move_to_end(key)  # what is still due is not forgotten
        for key, due in wanted.items():
            if len(self._running) >= _MOST_RUNNING:
                return
            if key not in self._running and key not in self._done:
                task = asyncio.create_task(self._work(key, due), name=f"effect {key}")
                self._running[key] = (due, task)
                # Not in the task itself: one that is cancelled before it begins runs no line.
                task.add_done_callback(lambda _, key=key: self._ended(key))  # type: ignore[misc]  # bound in the loop

    def is_done(self, due: AnyDue) -> bool:
        """Tell whether a due of a kind that is done once has been done."""
        return key_of(due) in self._done

    async def stop(self) -> None:
        """Let go of everything."""
        self._stopped = True
        tasks = [task for _, task in self._running.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _work(self, key: Hashable, due: AnyDue) -> None:
        kind = type(due).__name__
        backoff = Backoff(_FIRST_MS, _MOST_MS)
        refused = Backoff(_MOST_MS, _REFUSED_MS)
        while (error := await self._attempt(due)) is not None:
            if isinstance(due, EquityEffect):  # nothing depends on it
                _log.info("effect is given up", kind=kind, due=str(key), reason=str(error))
                break
            EFFECTS_RETRIED.labels(kind).inc()
            passing = error.code in _PASSING
            report = _log.info if passing else _log.warning
            report("effect is made again", kind=kind, due=str(key), reason=str(error))
            await (backoff if passing else refused).sleep()
        EFFECTS.labels(kind).inc()
        if isinstance(due, _ONCE):
            self._remember(key)

    def _ended(self, key: Hashable) -> None:
        del self._running[key]
        if not self._stopped:
            self._on_done()

    async def _attempt(self, due: AnyDue) -> FloorError | None:
        """Do it once; gives why it has to be done again, None when it is done."""
        try:
            given = await self._calls.do(due)
        except (grpc.RpcError, FloorError) as failure:
            error = failure if isinstance(failure, FloorError) else error_of(failure)
            if error.code == errors_pb2.ERROR_CODE_TABLE_NOT_REGISTERED:
                return await self._register(error)
            if error.code in _PASSING or error.code in _OF_CALLER:
                return error
            if isinstance(due, _ENDED_BY_REFUSAL):
                _log.warning("effect is refused", kind=type(due).__name__, reason=str(error))
                return None
            given = self._calls.refused(due, error)
            if given is None:
                return error
        except Exception as failure:  # noqa: BLE001 - a fault here must not end what is due
            _log.error("effect failed", kind=type(due).__name__, exc_info=failure)
            return FloorError(errors_pb2.ERROR_CODE_INTERNAL, "the effect failed")
        if given is None:
            return None
        refusal = await self._tell(given)
        return None if refusal is None else FloorError(refusal.code, refusal.reason, refusal.field)

    async def _register(self, error: FloorError) -> FloorError:
        try:
            await self._calls.register()
        except grpc.RpcError as failure:
            return error_of(failure)
        return error

    def _remember(self, key: Hashable) -> None:
        self._done[key] = None
        while len(self._done) > _MOST_REMEMBERED:
            self._done.popitem(last=False)


def key_of(due: AnyDue) -> Hashable:  # noqa: C901  # one line a kind
    """Give what makes two dues the same."""
    kind = type(due).__name__
    match due:
        case ReserveEffect() | VoidReservationEffect():
            return kind, due.reservation_id
        case SeatKeyEffect():
            return kind, due.seat, due.cause_seq
        case ReturnedKeyEffect():
            return kind, due.seat, due.fingerprint
        case ResealEffect():
            return kind, due.seat, due.deck_no
        case DeckEffect():
            return kind, due.deck_no, due.generation
        case CloseDeckEffect():
            return kind, due.deck_no
        case DealEffect() | RevealEffect():
            return kind, due.deck_no, due.cause_seq
        case ScoringEffect():
            return kind, due.hand_no
        case ShowdownEffect() | EquityEffect():
            return kind, due.cause_seq
        case ProgressEffect():
            return kind, due.round
        case _:
            return kind
