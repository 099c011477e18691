"""Waiting between attempts, so that everyone who lost the same server does not return at once."""

from __future__ import annotations

import asyncio
import random

from pokerfloor.rpc.stop import StopSignal, wait_for_stop


class Backoff:
    """Delays that grow by `factor` from `first_ms` to `max_ms`, each drawn from (0, delay]."""

    def __init__(self, first_ms: int, max_ms: int, factor: float = 2.0) -> None:
        assert 0 < first_ms <= max_ms, "a back-off needs 0 < first_ms <= max_ms"
        assert factor >= 1.0, "a back-off does not shrink"
        self._first_ms = first_ms
        self._max_ms = max_ms
        self._factor = factor
        self._ceiling_ms = float(first_ms)
        # Jitter is no secret; the operating system's generator is left to the shuffler.
        self._random = random.Random()  # noqa: S311 - jitter, not a secret

    def next_ms(self) -> int:
        """Return the next delay in milliseconds, between 1 and the current ceiling."""
        ceiling = int(self._ceiling_ms)
        self._ceiling_ms = min(self._ceiling_ms * self._factor, float(self._max_ms))
        return self._random.randint(1, max(1, ceiling))

    def reset(self) -> None:
        """Begin again with the shortest delay, after a success."""
        self._ceiling_ms = float(self._first_ms)

    async def sleep(self, stop: StopSignal | None = None, at_most_ms: int | None = None) -> None:
        """Sleep for the next delay, at most `at_most_ms`, less when `stop` is set meanwhile."""
        delay_ms = self.next_ms()
        if at_most_ms is not None:
            delay_ms = min(delay_ms, max(0, at_most_ms))
        if stop is None:
            await asyncio.sleep(delay_ms / 1000)
        else:
            await wait_for_stop(stop, delay_ms)
