"""What waits to be decided by one table, and the alarms that put something there."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

# The table's own inputs are few by nature: one for each thing due, seat and alarm.
_MOST_OF_OWN = 4_096
# How far the wall clock may run ahead of or behind the loop's before an alarm looks again.
_LONGEST_SLEEP_S = 60.0


class Mailbox(Generic[T]):
    """First in, first out. What comes from outside is refused when `limit` of it wait already."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: deque[tuple[T, bool]] = deque()
        self._from_outside = 0
        self._filled = asyncio.Event()

    def offer(self, item: T) -> bool:
        """Put in what came from outside; False when the box is full."""
        if self._from_outside >= self._limit:
            return False
        self._from_outside += 1
        self._put(item, outside=True)
        return True

    def push(self, item: T) -> None:
        """Put in the table's own; there is always room for it."""
        assert len(self._waiting) - self._from_outside < _MOST_OF_OWN, "own inputs are few"
        self._put(item, outside=False)

    async def take(self) -> T:
        """Take the first, waiting for one."""
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        item, outside = self._waiting.popleft()
        self._from_outside -= outside
        return item

    def empty(self) -> list[T]:
        """Take all that waits."""
        items = [item for item, _ in self._waiting]
        self._waiting.clear()
        self._from_outside = 0
        return items

    def _put(self, item: T, *, outside: bool) -> None:
        self._waiting.append((item, outside))
        self._filled.set()


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
