"""Starts what a table does by itself: hands, clocks, effects, connections.

All of it follows from the table and from who is attached, and is looked at again after each step
and each change of streams. What comes of it goes through the table's queue like anything else.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import Final

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
from floor_table.runtime.alarm import Alarm
from floor_table.runtime.calls import Calls
from floor_table.runtime.context import Context
from floor_table.runtime.effect_runner import EffectRunner
from floor_table.runtime.equity_wait import EquityWait
from floor_table.runtime.log import TableLog
from floor_table.runtime.mailbox import NO_LONGER, Answer
from floor_table.runtime.presence import connections, effects_now
from floor_table.runtime.seal_keys import SealKeys
from floor_table.runtime.settlement import Settled
from floor_table.runtime.streams import Hub
from pokerfloor.servicekit import get_logger

# Streams come back within this time after a restart.
_PATIENCE_S: Final = 3.0
# An input that was refused is not tried again at once.
_REFUSED_S: Final = 1.0

_TIMER: Final = "timer"
_NEXT_HAND: Final = "next_hand"
_SETTLEMENT: Final = "settlement"

_log = get_logger("table.scheduler")


class Scheduler:
    """Starts what one table does by itself. `push` puts an input into the table's queue."""

    def __init__(
        self,
        context: Context,
        log: TableLog,
        hub: Hub,
        keys: SealKeys,
        *,
        table: Callable[[], Table],
        push: Callable[[TableInput, Callable[[Answer], None]], None],
    ) -> None:
        self._hub = hub
        self._keys = keys
        self._table = table
        self._push = push
        self._timer = Alarm(context.clock, self._on_timer)
        self._next_hand = Alarm(context.clock, self._on_next_hand)
        self._settled = Settled(self._finished_hands(), context.settings.unsettled_limit)
        calls = Calls(context.clients, log, hub, table=table, settled=self.settled)
        self._effects = EffectRunner(calls, report=self._report, on_done=self.refresh)
        self._equity_wait = EquityWait(context.settings.equity_wait_ms, self.refresh)
        # Own inputs that wait or rest, each at most once: seats by number, the rest by name.
        self._pending: set[int | str] = set()
        self._progress_round = 0
        self._patient = True
        self._open = False
        self._context = contextvars.copy_context()
        self._refresh_waits = False

    def begin(self) -> None:
        """Begin: hands, clocks and effects run from now on."""
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
        """Look at what there is to do now, and start it."""
        table = self._table()
        if not self._open or not table.exists:
            return
        is_done = self._effects.is_done
        effects = effects_now(table, self._hub, self._keys, self._progress_round, is_done)
        self._arm(table)
        self._effects.reconcile(self._equity_wait.without_held(effects, is_done))
        if not table.closed:
            for given in connections(table, self._hub, patient=self._patient):
                self._push_once(given.seat, given)
            self._follow_settlement(table)

    def refresh_soon(self) -> None:
        """Refresh in the table's own context, not in that of the call that is handled now."""
        if not self._refresh_waits:
            self._refresh_waits = True
            asyncio.get_running_loop().call_soon(self._refresh_now, context=self._context)

    def settled(self, hand_no: int) -> None:
        """Note that the wallet has settled this hand and all before it."""
        self._settled.note(hand_no)
        self.refresh_soon()

    def ask_progress(self) -> None:
        """Ask the wallet again how far it is: settlements may have been missed."""
        self._progress_round += 1
        self.refresh_soon()

    def _refresh_now(self) -> None:
        self._refresh_waits = False
        self.refresh()

    # --- clocks

    def _arm(self, table: Table) -> None:
        """Set the alarms; one whose ring still waits in the queue stays silent."""
        timer = next_timer(table)
        self._timer.set(None if timer is None or _TIMER in self._pending else timer.at_ms)
        self._next_hand.set(None if _NEXT_HAND in self._pending else next_hand_at(table))

    def _on_timer(self) -> None:
        timer = next_timer(self._table())
        if timer is not None:
            self._push_once(_TIMER, TimeUpIn(timer.clock))

    def _on_next_hand(self) -> None:
        self._push_once(_NEXT_HAND, BeginHandIn())

    # --- connections and settlement

    def _out_of_patience(self) -> None:
        self._patient = False
        self.refresh()

    def _follow_settlement(self, table: Table) -> None:
        waits = table.unsettled
        should_wait = self._settled.should_wait(self._finished_hands(), waits=waits)
        if should_wait != waits:
            self._push_once(_SETTLEMENT, SettlementIn(should_wait))

    def _finished_hands(self) -> int:
        table = self._table()
        return table.hands - (1 if table.hand_no else 0) if table.exists else 0

    # --- inputs of the table's own

    def _push_once(self, key: int | str, given: TableInput) -> None:
        """Put an input into the queue, unless one of its kind waits already."""
        if key in self._pending or not self._open:
            return
        self._pending.add(key)

        def answered(answer: Answer) -> None:
            if not isinstance(answer, Refusal) or answer is NO_LONGER:
                self._rested(key)
                return
            # It follows from the table and is refused: this must not become a busy loop.
            _log.info("own_input_refused", input=str(given), reason=answer.reason)
            asyncio.get_running_loop().call_later(_REFUSED_S, self._rested, key)

        self._push(given, answered)

    def _rested(self, key: int | str) -> None:
        self._pending.discard(key)
        self.refresh_soon()

    async def _report(self, given: TableInput) -> Refusal | None:
        """Return the table an effect's answer; gives its refusal, None when it is stored."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._push(given, lambda answer: None if future.done() else future.set_result(answer))
        answer = await future
        return answer if isinstance(answer, Refusal) else None
