"""One table step through the services: action in, stored with fsync, seen by all six seats.

A real floor (nats-server with `sync_interval: always`, five processes), six players in this
process. Steps that close a street are told apart: opening cards and resolving pots follow them.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from typing import Final

import uvloop

from pokerfloor.api.events.v1.hand_events_pb2 import ACTION_KIND_CALL, ACTION_KIND_CHECK
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.client import Turn
from tests.support.floor import whole_floor
from tests.support.players import Players

SEATS: Final = 6
HANDS: Final = 60
WARM_UP_HANDS: Final = 5
MEDIAN_LIMIT_MS: Final = 5.0
P99_LIMIT_MS: Final = 20.0


class _Stopwatch:
    """When each step was sent for and seen."""

    def __init__(self) -> None:
        self._seen: dict[int, list[float]] = {}
        self._closing: set[int] = set()
        self._sent: dict[int, float] = {}

    def see(self) -> Callable[[table_pb2.StepView], None]:
        def on_step(step: table_pb2.StepView) -> None:
            self._seen.setdefault(step.view_no, []).append(time.perf_counter())
            if any(event.hand.HasField("reveal_ordered") for event in step.events):
                self._closing.add(step.view_no)

        return on_step

    def sent(self, table_seq: int, at: float) -> None:
        self._sent[table_seq] = at

    def latencies_ms(self, *, closing: bool) -> list[float]:
        return [
            (max(self._seen[seq]) - at) * 1000
            for seq, at in self._sent.items()
            if len(self._seen.get(seq, [])) == SEATS and (seq in self._closing) is closing
        ]


async def measure(folder: Path) -> tuple[list[float], list[float]]:
    """Play; return the latencies in ms of steps within a street and of those that close one."""
    watch = _Stopwatch()
    async with whole_floor(folder) as floor:
        await floor.open_table("bench")
        sessions = {}
        for number in range(SEATS):
            client = await floor.player(f"p{number}")
            sessions[f"p{number}"] = await client.table("bench", on_step=watch.see())
        for session in sessions.values():
            await session.sit_down(20_000)

        async def timed(turn: Turn) -> None:
            session = next(s for s in sessions.values() if s.mirror.own_seat == turn.seat)
            legal = turn.legal
            kind = ACTION_KIND_CHECK if legal.check else ACTION_KIND_CALL
            at = time.perf_counter()
            result = await session.act(turn.hand_no, turn.turn_no, kind)
            if turn.hand_no > WARM_UP_HANDS:
                watch.sent(result.table_seq, at)

        await Players("bench", sessions).play(HANDS, timed)
        await asyncio.sleep(0.5)
    return watch.latencies_ms(closing=False), watch.latencies_ms(closing=True)


def _line(name: str, values: list[float]) -> str:
    cuts = quantiles(values, n=100)
    return (
        f"{name:24} n {len(values):5}  median {cuts[49]:6.2f} ms  p90 {cuts[89]:6.2f} ms"
        f"  p99 {cuts[98]:6.2f} ms  max {max(values):6.2f} ms"
    )


def main() -> int:
    """Print the figures; 1 when a step within a street is slower than promised."""
    with tempfile.TemporaryDirectory() as folder:
        within, closing = uvloop.run(measure(Path(folder)))
    print(_line("step within a street", within))
    print(_line("step closing a street", closing))
    cuts = quantiles(within, n=100)
    good = cuts[49] < MEDIAN_LIMIT_MS and cuts[98] < P99_LIMIT_MS
    verdict = "good" if good else "TOO SLOW"
    print(f"{verdict}: median under {MEDIAN_LIMIT_MS} ms, p99 under {P99_LIMIT_MS} ms")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
