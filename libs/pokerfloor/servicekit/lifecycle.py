"""The life of a service's process, from settings to exit code."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Never, TypeVar

import uvloop

from pokerfloor.rpc import (
    CannotStart,
    Stop,
    why_assertions_are_off,
)
from pokerfloor.servicekit.logs import configure_logging, get_logger
from pokerfloor.servicekit.nats_types import LogUnavailable
from pokerfloor.servicekit.settings import ServiceSettings, load_settings

S = TypeVar("S", bound=ServiceSettings)

# Time for `finally` blocks after the budget is spent.
_FORCED_LEAVE_S = 1.0

_log = get_logger("servicekit.life")


def run(name: str, settings_class: type[S], main: Callable[[S, Stop], Awaitable[None]]) -> Never:
    """Run a service and exit the process.

    Exit codes: 0 stopped as asked; 1 cannot start, crashed or not drained in time; 2 bad settings.
    A Python that drops assertions is refused before anything else.
    """
    reason = why_assertions_are_off()
    if reason:
        line = {"event": "cannot_start", "level": "error", "service": name, "reason": reason}
        print(json.dumps(line), flush=True)  # noqa: T201  logs are set up from the settings
        raise SystemExit(1)
    settings = load_settings(settings_class)
    configure_logging(name, settings.instance, settings.log_level)
    code = uvloop.run(supervise(settings, main))
    sys.stdout.flush()
    raise SystemExit(code)


async def supervise(settings: S, main: Callable[[S, Stop], Awaitable[None]]) -> int:
    """Run `main` under signals and the drain budget; gives the exit code."""
    stop = Stop(settings.drain_budget_ms)
    forced = asyncio.Event()
    _listen_to_signals(stop, forced)
    work = asyncio.ensure_future(main(settings, stop))
    watch = asyncio.create_task(_end_of_patience(stop, forced))
    try:
        await asyncio.wait({work, watch}, return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            _log.error("forced_stop", reason=watch.result())
            work.cancel()
            await asyncio.wait({work}, timeout=_FORCED_LEAVE_S)
            return 1
        return _exit_code(work, stop)
    finally:
        watch.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watch


def _exit_code(work: asyncio.Future[None], stop: Stop) -> int:
    failure = None if work.cancelled() else work.exception()
    if work.cancelled():
        _log.error("crashed", reason="the service cancelled itself")
        return 1
    if failure is None:
        _log.info("stopped", reason=stop.reason or "nothing left to do")
        return 1 if stop.cut_short else 0
    starting = not stop.started and isinstance(failure, OSError | LogUnavailable)
    if starting or isinstance(failure, CannotStart):
        _log.error("cannot_start", reason=str(failure))
        return 1
    _log.error("crashed", reason=str(failure) or type(failure).__name__, exc_info=failure)
    return 1


def _listen_to_signals(stop: Stop, forced: asyncio.Event) -> None:
    def heard(name: str) -> None:
        if stop.is_set():
            forced.set()
        else:
            stop.request(name)

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, heard, number.name)


async def _end_of_patience(stop: Stop, forced: asyncio.Event) -> str:
    await stop.wait()
    try:
        async with asyncio.timeout(stop.remaining_ms() / 1000):
            await forced.wait()
    except TimeoutError:
        return "the drain budget is spent"
    return "a second signal"
