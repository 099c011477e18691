"""What the board shows: every table in a spectator's session, the books by audits."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field

from pokerfloor.client import FloorClient, TableMirror, TableSession
from pokerfloor.operations import StaffClient
from pokerfloor.rpc import FloorError

_BOOKS_EVERY_S = 2.0
_RATE_WINDOW_S = 5.0


@dataclass(slots=True)
class WatchedTable:
    """A table that is watched. `hands_before` began before this run."""

    table_id: str
    session: TableSession
    hands_before: int
    steps_before: int
    paused: bool = False

    @property
    def mirror(self) -> TableMirror:
        """What a spectator knows of the table."""
        return self.session.mirror

    @property
    def begun(self) -> int:
        """Hands that began in this run."""
        return self.mirror.hands - self.hands_before

    @property
    def finished(self) -> int:
        """Hands finished in this run."""
        return self.begun - (1 if self.mirror.hand is not None else 0)

    @property
    def steps(self) -> int:
        """Steps of the table's log in this run."""
        return self.mirror.view_no - self.steps_before


@dataclass(slots=True)
class Watch:
    """All tables of a floor, and whether its books balance."""

    tables: list[WatchedTable] = field(default_factory=list)
    books: str = "not read yet"
    rake_minor: int = 0
    _samples: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=64))

    async def begin(self, floor: FloorClient, table_ids: list[str]) -> None:
        """Watch these tables from now on."""
        for table_id in table_ids:
            # For a whole run: a service that is down for a while does not end it.
            session = await floor.watch(table_id, give_up_after_ms=600_000)
            mirror = session.mirror
            # A hand in play now is finished in this run, and counts as one of it.
            before = mirror.hands - (1 if mirror.hand is not None else 0)
            self.tables.append(WatchedTable(table_id, session, before, mirror.view_no))

    @property
    def begun(self) -> int:
        """Hands that began in this run, at all tables together."""
        return sum(table.begun for table in self.tables)

    @property
    def finished(self) -> int:
        """Hands finished in this run, at all tables together."""
        return sum(table.finished for table in self.tables)

    def steps_a_second(self) -> float:
        """Return the rate of all tables together over the last 5 s. Each call takes a sample."""
        now, steps = time.monotonic(), sum(table.steps for table in self.tables)
        self._samples.append((now, steps))
        while len(self._samples) > 2 and now - self._samples[0][0] > _RATE_WINDOW_S:
            self._samples.popleft()
        first_s, first_steps = self._samples[0]
        return (steps - first_steps) / (now - first_s) if now > first_s else 0.0

    async def read_books(self, staff: StaffClient) -> None:
        """Read the trial balance every 2 s, until cancelled."""
        while True:
            try:
                trial = await staff.trial_balance()
                stopped = [
                    table.table_id
                    for table in self.tables
                    if (await staff.settlement(table.table_id)).stopped_reason
                ]
                self.rake_minor = sum(
                    [(await staff.table_audit(table.table_id)).rake_minor for table in self.tables]
                )
            except FloorError as error:
                self.books = f"out of reach ({error.reason[:60]})"
            else:
                if trial.total_minor or trial.unbalanced_entries:
                    self.books = f"NOT IN BALANCE by {trial.total_minor}"
                elif stopped:
                    self.books = f"STOPPED: {', '.join(stopped)}"
                else:
                    self.books = f"in balance, {trial.entry_no} entries"
            await asyncio.sleep(_BOOKS_EVERY_S)
