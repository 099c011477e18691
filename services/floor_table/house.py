"""What a table does by itself: clocks, next hands, connections, and all that is due outside.

It follows from the table's state and from who is attached, and is looked at anew after each step
and each change of streams. What comes of it goes through the table's queue like anything else.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import Final

from floor_table.calls import Calls
from floor_table.domain import (
    BeginHandIn,
    Refusal,
    SettlementIn,
    Table,
    TableInput,
    TimeUpIn,
    next_hand_at,
    next_timer,
)
from floor_table.effects import Effects
from floor_table.equity_wait import EquityWait
from floor_table.hub import Hub
from floor_table.log import TableLog
from floor_table.mailbox import Alarm
from floor_table.presence import connections, due_now
from floor_table.seatbook import SeatBook
from floor_table.settlement import Settled
from floor_table.surroundings import Surroundings
from floor_table.waiting import NO_LONGER, Answer
from pokerfloor.servicekit import get_logger

# Streams come back within this time after a restart.
_PATIENCE_S: Final = 3.0
# What was due and then refused is not asked again at once.
_REFUSED_S: Final = 1.0

_TIMER: Final = "timer"
_NEXT_HAND: Final = "next_hand"
_SETTLEMENT: Final = "settlement"

_log = get_logger("table.house")


class House:
    """The table's own doings. `push` puts an input into the table's queue."""

    def __init__(
        self,
        around: Surroundings,
        log: TableLog,
        hub: Hub,
        book: SeatBook,
        *,
        table: Callable[[], Table],
        push: Callable[[TableInput, Callable[[Answer], None]], None],
    ) -> None:
        self._around = around
        self._hub = hub
        self._book = book
        self._table = table
        self._push = push
        self._timer = Alarm(around.clock, self._on_timer)
        self._next_hand = Alarm(around.clock, self._on_next_hand)
        self._settled = Settled(self._finished_hands(), around.settings.unsettled_limit)
        calls = Calls(around.clients, log, hub, table=table, settled=self.settled)
        self._effects = Effects(calls, tell=self._tell, on_done=self.refresh)
        self._equity_wait = EquityWait(around.settings.equity_wait_ms, self.refresh)
        # Own inputs that wait or rest, each at most once: seats by number, the rest by name.
        self._telling: set[int | str] = set()
        self._progress_round = 0
        self._patient = True
        self._open = False
        self._context = contextvars.copy_context()
        self._refresh_waits = False

    def begin(self) -> None:
        """Begin; from now on what is due is done."""
        self._open = True
        self._context = contextvars.copy_context()
        asyncio.get_running_loop().call_later(_PATIENCE_S, self._out_of_patience)
        self.refresh()

    async def end(self) -> None:
        """Let go of everything."""
        self._open = False
        self._timer.cancel()
        self._next_hand.cancel()
        self._equity_wait.cancel()
        await self._effects.stop()

    def refresh(self) -> None:
        """Look at what is due now, and do it."""
        table = self._table()
        if not self._open or not table.exists:
            return
        due = due_now(table, self._hub, self._book, self._progress_round, self._effects.is_done)
        dues = self._equity_wait.without_held(due, self._effects.is_done)
        self._arm(table)
        self._effects.reconcile(dues)
        if not table.closed:
            self._tell_connections()
            self._look_at_settlement()

    def refresh_soon(self) -> None:
        """Refresh in the table's own context, not in that of the call that is handled now."""
        if not self._refresh_waits:
            self._refresh_waits = True
            asyncio.get_running_loop().call_soon(self._refresh_now, context=self._context)

    def settled(self, hand_no: int) -> None:
        """Take in that the wallet has settled this hand and all before it."""
        self._settled.note(hand_no)
        self.refresh_soon()

    def ask_progress(self) -> None:
        """Ask the wallet again how far it is: what was settled meanwhile was not heard of."""
        self._progress_round += 1
        self.refresh_soon()

    def _refresh_now(self) -> None:
        self._refresh_waits = False
        self.refresh()

    # --- clocks

    def _arm(self, table: Table) -> None:
        """Set the alarms; one whose ring still waits in the queue stays silent."""
        timer = next_timer(table)
        self._timer.set(None if timer is None or _TIMER in self._telling else timer.at_ms)
        self._next_hand.set(None if _NEXT_HAND in self._telling else next_hand_at(table))

    def _on_timer(self) -> None:
        timer = next_timer(self._table())
        if timer is not None:
            self._tell_once(_TIMER, TimeUpIn(timer.clock))

    def _on_next_hand(self) -> None:
        self._tell_once(_NEXT_HAND, BeginHandIn())

    # --- connections and settlement

    def _out_of_patience(self) -> None:
        self._patient = False
        self.refresh()

    def _tell_connections(self) -> None:
        for given in connections(self._hub, self._book, patient=self._patient):
            self._tell_once(given.seat, given)

    def _look_at_settlement(self) -> None:
        waits = self._book.waits_for_wallet
        should_wait = self._settled.should_wait(self._finished_hands(), waits=waits)
        if should_wait != waits:
            self._tell_once(_SETTLEMENT, SettlementIn(should_wait))

    def _finished_hands(self) -> int:
        table = self._table()
        return table.hands - (1 if table.hand_no else 0) if table.exists else 0

    # --- telling the table

    def _tell_once(self, key: int | str, given: TableInput) -> None:
        """Put an input of our own into the queue, unless one of its kind waits already."""
        if key in self._telling or not self._open:
            return
        self._telling.add(key)

        def answered(answer: Answer) -> None:
            if not isinstance(answer, Refusal) or answer is NO_LONGER:
                self._rested(key)
                return
            # It follows from the state and is refused: it must not become a busy loop.
            _log.info("own input refused", input=str(given), reason=answer.reason)
            asyncio.get_running_loop().call_later(_REFUSED_S, self._rested, key)

        self._push(given, answered)

    def _rested(self, key: int | str) -> None:
        self._telling.discard(key)
        self.refresh_soon()

    async def _tell(self, given: TableInput) -> Refusal | None:
        """Give the table an effect's answer; gives its refusal, None when it is stored."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._push(given, lambda answer: None if future.done() else future.set_result(answer))
        answer = await future
        return answer if isinstance(answer, Refusal) else None
