"""Runs effects, for as long as each takes: once at a time, with deadline and back-off.

Effects follow from the table alone, so nothing here has to be kept: after a crash the table says
the same again, and every call is idempotent.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

import grpc

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
from floor_table.runtime.calls import Calls
from floor_table.runtime.metrics import EFFECTS, EFFECTS_RETRIED
from floor_table.runtime.presence import (
    AnyEffect,
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

_log = get_logger("table.effects")


class Kind(NamedTuple):
    """How effects of one kind are run.

    name: in metrics and logs
    key: the fields that tell two of a kind apart
    once: done once in a process's life, since no answer in the log says that it is done
    stopped: nobody waits for it any more when the table has it no longer; else it is finished
    ended_by_refusal: a final refusal ends it: what was to be given up or ended is gone already
    optional: given up when it fails: nothing depends on it
    """

    name: str
    key: tuple[str, ...] = ()
    once: bool = False
    stopped: bool = False
    ended_by_refusal: bool = False
    optional: bool = False


_KINDS: Final[Mapping[type[AnyEffect], Kind]] = {
    ReserveEffect: Kind("reserve", ("reservation_id",), stopped=True),
    VoidReservationEffect: Kind(
        "void_reservation", ("reservation_id",), once=True, ended_by_refusal=True
    ),
    SeatKeyEffect: Kind("seat_key", ("seat", "cause_seq"), stopped=True),
    ReturnedKeyEffect: Kind("returned_key", ("seat", "fingerprint"), stopped=True),
    DeckEffect: Kind("deck", ("deck_no", "generation"), stopped=True),
    DealEffect: Kind("deal", ("deck_no", "cause_seq"), once=True, stopped=True),
    ResealEffect: Kind("reseal", ("seat", "deck_no"), stopped=True),
    RevealEffect: Kind("reveal", ("deck_no", "cause_seq"), stopped=True),
    ShowdownEffect: Kind("showdown", ("cause_seq",), stopped=True),
    EquityEffect: Kind("equity", ("cause_seq",), once=True, optional=True),
    ScoringEffect: Kind("scoring", ("hand_no",), stopped=True),
    CloseDeckEffect: Kind("close_deck", ("deck_no",), once=True, ended_by_refusal=True),
    RegisterEffect: Kind("register", once=True),
    ProgressEffect: Kind("progress", ("round",), once=True),
}

#: What makes two effects the same.
Key: TypeAlias = tuple[Hashable, ...]


def _key_of(effect: AnyEffect) -> Key:
    kind = _KINDS[type(effect)]
    return (kind.name, *[getattr(effect, name) for name in kind.key])


class EffectRunner:
    """The effects of one table.

    `report` gives the table an answer and returns its refusal or None; `on_done` is called when an
    effect has ended, since another may have come up.
    """

    def __init__(
        self,
        calls: Calls,
        *,
        report: Callable[[TableInput], Awaitable[Refusal | None]],
        on_done: Callable[[], None],
    ) -> None:
        self._calls = calls
        self._report = report
        self._on_done = on_done
        self._running: dict[Key, tuple[AnyEffect, asyncio.Task[None]]] = {}
        self._done: OrderedDict[Key, None] = OrderedDict()
        self._stopped = False

    def reconcile(self, effects: Iterable[AnyEffect]) -> None:
        """Begin what has not begun; stop what the table has no longer."""
        if self._stopped:
            return
        wanted = {_key_of(effect): effect for effect in effects}
        for key, (effect, task) in self._running.items():
            if key not in wanted and _KINDS[type(effect)].stopped:
                task.cancel()
        for key in wanted.keys() & self._done.keys():
            self._done.move_to_end(key)  # what the table still has is not forgotten
        for key, effect in wanted.items():
            if len(self._running) >= _MOST_RUNNING:
                return
            if key not in self._running and key not in self._done:
                task = asyncio.create_task(self._work(key, effect), name=f"effect {key}")
                self._running[key] = (effect, task)
                # Not in the task itself: one that is cancelled before it begins runs no line.
                task.add_done_callback(lambda _, key=key: self._ended(key))  # type: ignore[misc]  # bound in the loop

    def is_done(self, effect: AnyEffect) -> bool:
        """Tell whether an effect of a kind that is done once has been done."""
        return _key_of(effect) in self._done

    async def stop(self) -> None:
        """Let go of everything."""
        self._stopped = True
        tasks = [task for _, task in self._running.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _work(self, key: Key, effect: AnyEffect) -> None:
        kind = _KINDS[type(effect)]
        backoff = Backoff(_FIRST_MS, _MOST_MS)
        refused = Backoff(_MOST_MS, _REFUSED_MS)
        while (error := await self._attempt(effect)) is not None:
            if kind.optional:
                _log.info("effect_given_up", effect=str(key), reason=str(error))
                break
            EFFECTS_RETRIED.labels(kind.name).inc()
            passing = error.code in _PASSING
            report = _log.info if passing else _log.warning
            report("effect_retry", effect=str(key), reason=str(error))
            await (backoff if passing else refused).sleep()
        EFFECTS.labels(kind.name).inc()
        if kind.once:
            self._remember(key)

    def _ended(self, key: Key) -> None:
        del self._running[key]
        if not self._stopped:
            self._on_done()

    async def _attempt(self, effect: AnyEffect) -> FloorError | None:
        """Do it once; gives why it has to be done again, None when it is done."""
        try:
            given = await self._calls.do(effect)
        except (grpc.RpcError, FloorError) as failure:
            error = failure if isinstance(failure, FloorError) else error_of(failure)
            if error.code == errors_pb2.ERROR_CODE_TABLE_NOT_REGISTERED:
                return await self._register(error)
            if error.code in _PASSING or error.code in _OF_CALLER:
                return error
            if _KINDS[type(effect)].ended_by_refusal:
                _log.warning("effect_refused", effect=str(_key_of(effect)), reason=str(error))
                return None
            given = self._calls.refused(effect, error)
            if given is None:
                return error
        except Exception as failure:  # noqa: BLE001 - a fault here must not end the effect
            _log.error("effect_failed", effect=str(_key_of(effect)), exc_info=failure)
            return FloorError(errors_pb2.ERROR_CODE_INTERNAL, "the effect failed")
        if given is None:
            return None
        refusal = await self._report(given)
        return None if refusal is None else FloorError(refusal.code, refusal.reason, refusal.field)

    async def _register(self, error: FloorError) -> FloorError:
        try:
            await self._calls.register()
        except grpc.RpcError as failure:
            return error_of(failure)
        return error

    def _remember(self, key: Key) -> None:
        self._done[key] = None
        while len(self._done) > _MOST_REMEMBERED:
            self._done.popitem(last=False)
