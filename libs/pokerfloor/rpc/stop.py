"""The wish to stop, and how much time is left to do it in order."""

from __future__ import annotations

import asyncio
import time
from typing import Literal, Protocol


class StopSignal(Protocol):
    """Anything that can be set once and waited for: a `Stop`, an `asyncio.Event`."""

    def is_set(self) -> bool:
        """Return whether it is time to stop."""
        ...

    async def wait(self) -> Literal[True]:
        """Wait until it is time to stop."""
        ...


class Stop:
    """Set by the first signal (or `request`); the drain budget runs from then on."""

    def __init__(self, budget_ms: int) -> None:
        assert budget_ms >= 0, "a drain budget is not negative"
        self._event = asyncio.Event()
        self._budget_ms = budget_ms
        self._deadline_s: float | None = None
        self.reason = ""
        self.started = False
        self.cut_short = False

    def is_set(self) -> bool:
        """Return whether stopping was asked for."""
        return self._event.is_set()

    async def wait(self) -> Literal[True]:
        """Wait until stopping is asked for."""
        return await self._event.wait()

    def request(self, reason: str) -> None:
        """Ask to stop. Only the first call counts."""
        if self._event.is_set():
            return
        self.reason = reason
        self._deadline_s = time.monotonic() + self._budget_ms / 1000
        self._event.set()

    def remaining_ms(self) -> int:
        """Milliseconds left of the drain budget; the whole budget before stopping was asked for."""
        if self._deadline_s is None:
            return self._budget_ms
        return max(0, int((self._deadline_s - time.monotonic()) * 1000))

    def mark_started(self) -> None:
        """Say that the service is up: what fails from now on is no start-up failure."""
        self.started = True

    def mark_cut_short(self) -> None:
        """Say that the drain was not finished: the exit code tells."""
        self.cut_short = True


async def wait_for_stop(stop: StopSignal, timeout_ms: float) -> bool:
    """Wait for `stop` for at most `timeout_ms`; tells whether it is set."""
    if stop.is_set():
        return True
    try:
        async with asyncio.timeout(timeout_ms / 1000):
            await stop.wait()
    except TimeoutError:
        return stop.is_set()
    return True
