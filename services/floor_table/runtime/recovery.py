"""Rebuild a table from its log."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Final

from floor_table.domain import LogReplay, Table, apply_step
from floor_table.runtime.log import TableLog
from floor_table.runtime.metrics import RECOVERY_SECONDS
from floor_table.runtime.seal_keys import SealKeys
from floor_table.runtime.view_ring import ViewRing

# Other tables get their turn after this many steps.
_AT_A_TIME: Final = 50


@dataclass(frozen=True, slots=True)
class Recovered:
    """A table as its log says, the keys bound to its seats, and its last views."""

    table: Table
    keys: SealKeys
    ring: ViewRing


async def recover(log: TableLog, ring_steps: int) -> Recovered:
    """Read a table's log and apply its steps; a table without one is empty.

    Raises LogUnavailable, and LogError when the log is not what the rules make of it.
    """
    began_s = time.monotonic()
    # Streams resume from the last steps, so only of these every moment is wanted.
    far = await log.stored_to() - ring_steps
    replay = LogReplay(log.table_id)
    keys = SealKeys()
    near: tuple[Table, ViewRing] | None = None
    async for step in log.stored():
        keys.note(step)
        if step.table_seq <= far:
            replay.apply(step)
        else:
            table, ring = near or _begin(replay, ring_steps)
            table = apply_step(table, step)
            ring.push(step, table)
            near = table, ring
        if step.table_seq % _AT_A_TIME == 0:
            await asyncio.sleep(0)
    table, ring = near or _begin(replay, ring_steps)
    RECOVERY_SECONDS.observe(time.monotonic() - began_s)
    return Recovered(table, keys, ring)


def _begin(replay: LogReplay, ring_steps: int) -> tuple[Table, ViewRing]:
    table = replay.table()
    return table, ViewRing(table, ring_steps)
