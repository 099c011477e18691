"""A table made anew from its log."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Final

from services.table.domain import Table
from services.table.log import TableLog
from services.table.metrics import RECOVERY_SECONDS
from services.table.seatbook import SeatBook
from services.table.views import ViewRing

# Other tables get their turn after this many steps.
_AT_A_TIME: Final = 50


@dataclass(frozen=True, slots=True)
class Recovered:
    """A table as its log says, what the runtime knows of its seats, and its last views."""

    table: Table
    book: SeatBook
    ring: ViewRing


async def recover(log: TableLog, ring_steps: int) -> Recovered:
    """Read and fold a table's log; a table without one is empty.

    Raises LogUnavailable, and LogError when the log is not what the rules make of it.
    """
    began_s = time.monotonic()
    table = Table.empty(log.table_id)
    book = SeatBook()
    ring = ViewRing(table, ring_steps)
    async for step in log.stored():
        table = table.apply(step)
        book.note(step)
        ring.push(step, table)
        if step.table_seq % _AT_A_TIME == 0:
            await asyncio.sleep(0)
    RECOVERY_SECONDS.observe(time.monotonic() - began_s)
    return Recovered(table, book, ring)
