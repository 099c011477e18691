"""An alarm by the wall clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

# How far the wall clock may run ahead of or behind the loop's before an alarm looks again.
_LONGEST_SLEEP_S: Final = 60.0


@dataclass(slots=True)
class Alarm:
    """Calls `ring` once, when the wall clock (`clock`, ms since 1970) has reached the time set.

    Setting another time moves it; it never rings early, though the wall clock may be moved.
    """

    clock: Callable[[], int]
    ring: Callable[[], None]
    _at_ms: int | None = None
    _handle: asyncio.TimerHandle | None = None

    def set(self, at_ms: int | None) -> None:
        """Ring at this time, or not at all."""
        if at_ms == self._at_ms:
            return
        self.cancel()
        if at_ms is not None:
            self._at_ms = at_ms
            self._sleep()

    def cancel(self) -> None:
        """Do not ring."""
        self._at_ms = None
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _sleep(self) -> None:
        assert self._at_ms is not None, "an alarm that sleeps has a time"
        left_s = max(0.0, (self._at_ms - self.clock()) / 1000)
        loop = asyncio.get_running_loop()
        self._handle = loop.call_later(min(left_s, _LONGEST_SLEEP_S), self._awake)

    def _awake(self) -> None:
        self._handle = None
        if self._at_ms is None:
            return
        if self.clock() < self._at_ms:
            self._sleep()
            return
        self._at_ms = None
        self.ring()
