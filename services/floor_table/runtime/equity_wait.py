"""How long the next board card waits for the equities of an all-in showdown: a moment at most.

Nobody is to act then. Without the wait the board would be dealt out before anybody could see
how the hands stand; with it, play never hangs on the equities.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from floor_table.domain import EquityEffect, RevealEffect
from floor_table.runtime.presence import AnyEffect


class EquityWait:
    """Holds reveals back while equities are counted. `on_over` is called when that has ended."""

    def __init__(self, wait_ms: int, on_over: Callable[[], None]) -> None:
        self._wait_s = wait_ms / 1000
        self._on_over = on_over
        self._waits_for: EquityEffect | None = None
        self._timer: asyncio.TimerHandle | None = None

    def without_held(
        self, effects: Sequence[AnyEffect], is_done: Callable[[AnyEffect], bool]
    ) -> Sequence[AnyEffect]:
        """Return what may be done now. `is_done` tells whether the equities were given up."""
        equity = next((one for one in effects if isinstance(one, EquityEffect)), None)
        if equity is None or is_done(equity):
            self.cancel()
            return effects
        if equity != self._waits_for:
            self.cancel()
            self._waits_for = equity
            if self._wait_s:
                self._timer = asyncio.get_running_loop().call_later(self._wait_s, self._over)
        if self._timer is None:
            return effects
        return [one for one in effects if not isinstance(one, RevealEffect)]

    def cancel(self) -> None:
        """Wait for nothing."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._waits_for = None

    def _over(self) -> None:
        self._timer = None
        self._on_over()
