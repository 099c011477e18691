"""One table, owned here: one input after the other, each stored before anybody learns of it.

The order of things: decide, append, then act (answer, show, publish, run effects). While an append
is in doubt no other input is decided, and no clock runs out.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from floor_table.domain import (
    Audience,
    Decision,
    HouseDelayIn,
    Refusal,
    RequestIn,
    Table,
    TableInput,
    TimeUpIn,
    TookOverIn,
    answer_for,
    decide,
    next_timer,
    snapshot,
    state_code,
)
from floor_table.runtime import metrics
from floor_table.runtime.context import Context
from floor_table.runtime.log import TableLog
from floor_table.runtime.mailbox import NO_LONGER, Answer, Mailbox, Waiting, given_up, refusal_of
from floor_table.runtime.recovery import Recovered
from floor_table.runtime.scheduler import Scheduler
from floor_table.runtime.streams import Hub, Session
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.servicekit import Backoff, FloorError, Identity, bind_log, error_name, get_logger

# A step that took longer to store than this was the house's delay (CLK-5).
_HOUSE_DELAY_S: Final = 1.0

_TABLE_CLOSED: Final = table_pb2.GOODBYE_REASON_TABLE_CLOSED

_log = get_logger("table.actor")


class TableActor:
    """Owns a table from `run` on until that returns."""

    def __init__(self, recovered: Recovered, log: TableLog, context: Context) -> None:
        self.table: Table = recovered.table
        self.log = log
        self._context = context
        self._keys = recovered.keys
        self._ring = recovered.ring
        self.hub = Hub(self._ring, context.settings, clock=context.clock, on_change=self._refresh)
        self._mailbox: Mailbox[Waiting | None] = Mailbox(context.settings.queue_limit)
        self.scheduler = Scheduler(
            context, log, self.hub, self._keys, table=lambda: self.table, push=self._push
        )
        self._closing = table_pb2.GOODBYE_REASON_UNSPECIFIED
        self._shown_state = ""

    # --- what others ask of a table

    def offer(self, given: RequestIn, on_answer: Callable[[Answer], None]) -> None:
        """Accept a request; `on_answer` is called once it is stored or refused.

        Raises UNAVAILABLE when the table is being given up, OVERLOADED when too many wait.
        """
        if self._closing:
            raise given_up(self._closing)
        if not self._mailbox.offer(Waiting(given, on_answer)):
            metrics.QUEUE_FULL.inc()
            raise FloorError(
                errors_pb2.ERROR_CODE_OVERLOADED, "the table has too much to do, try again later"
            )

    async def ask(self, given: RequestIn) -> table_pb2.CommandResult:
        """Accept a request and wait for its answer. Raises FloorError."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.offer(given, lambda answer: None if future.done() else future.set_result(answer))
        answer = await future
        if isinstance(answer, Refusal):
            raise FloorError(answer.code, answer.reason, answer.field)
        return answer

    def attach(self, identity: Identity, command: table_pb2.AttachCommand) -> Session:
        """Let a stream in; see `Hub.attach`."""
        if self._closing:
            raise given_up(self._closing)
        session = self.hub.attach(identity, command)
        session.wants_cards = bool(self.table.hand_no) and identity.seal_key is not None
        if self.table.closed:
            session.end(_TABLE_CLOSED)
        return session

    def snapshot(self) -> table_pb2.Snapshot:
        """Return the table as spectators see it."""
        return snapshot(self.table, Audience(table_pb2.VIEW_KIND_SPECTATOR))

    # --- its life

    async def run(self) -> None:
        """Own the table until `stop`. Raises WrongSequence when another owner has written."""
        with bind_log(table_id=self.table.table_id):
            try:
                self._show_state()
                if self.table.exists and not self.table.closed:
                    await self._decide(Waiting(TookOverIn(self._context.settings.instance)))
                # Not before: nothing may be asked of others in the name of the owner before.
                self.scheduler.begin()
                while (waiting := await self._mailbox.take()) is not None:
                    await self._handle(waiting)
            finally:
                await self._leave()

    def stop(self, reason: table_pb2.GoodbyeReason.ValueType) -> None:
        """Stop accepting input; `run` returns once the step in flight is stored.

        `reason` is what the streams end with.
        """
        if self._closing:
            return
        self._closing = reason
        self._refuse_waiting()
        self._mailbox.push(None)

    async def _leave(self) -> None:
        self._closing = self._closing or table_pb2.GOODBYE_REASON_OWNER_CHANGED
        self._refuse_waiting()
        self.hub.end_all(self._closing)
        if self._shown_state:
            metrics.TABLES.labels(self._shown_state).dec()
        await self.scheduler.end()

    def _refuse_waiting(self) -> None:
        refusal = refusal_of(given_up(self._closing))
        for waiting in self._mailbox.empty():
            if waiting is not None:
                waiting.answer(refusal)

    # --- one input

    async def _handle(self, waiting: Waiting) -> None:
        if isinstance(waiting.given, TimeUpIn):
            await self._handle_time_up(waiting)
            return
        known = self._answered_before(waiting.given)
        if known is None:
            await self._decide(waiting)
        else:
            waiting.answer(known)

    async def _decide(self, waiting: Waiting) -> None:
        """Decide, store and act; a refusal is answered and changes nothing."""
        began_s = time.monotonic()
        try:
            outcome = decide(self.table, waiting.given, self._context.clock())
            if isinstance(outcome, Refusal):
                self._refuse(waiting, outcome)
                return
        except Exception as failure:  # noqa: BLE001 - nothing has changed: refuse this input, go on
            _log.error("cannot_decide", input=type(waiting.given).__name__, exc_info=failure)
            reason = "the table cannot decide this"
            self._refuse(waiting, Refusal(errors_pb2.ERROR_CODE_INTERNAL, reason))
            return
        metrics.PREPARE_SECONDS.observe(time.monotonic() - began_s)
        try:
            took_s = await self.log.append(outcome.step)
        except BaseException:
            waiting.answer(
                refusal_of(given_up(self._closing or table_pb2.GOODBYE_REASON_OWNER_CHANGED))
            )
            raise
        self.table = outcome.after
        self._show(outcome, waiting)
        # The streams write now; what nobody looks at comes after.
        await asyncio.sleep(0)
        self._follow_up(outcome.step)
        if took_s > _HOUSE_DELAY_S and not self._closing:
            await self._own_up_to_delay()

    def _show(self, decision: Decision, waiting: Waiting) -> None:
        """Answer a stored step's command, and let everybody see the step."""
        step = decision.step
        waiting.answer(
            table_pb2.CommandResult(
                command_id=step.command_id, table_seq=step.table_seq, seat=decision.seat
            )
        )
        self._keys.note(step)
        self._ring.push(step, self.table)
        self.hub.wake_all()
        if self.table.closed:
            self.hub.end_all(_TABLE_CLOSED)
        if step.command_id:
            metrics.ACTION_SECONDS.observe(time.monotonic() - waiting.arrived_s)

    def _follow_up(self, step: step_pb2.Step) -> None:
        """Publish a stored step, and start what follows from it."""
        metrics.count_step(step)
        self._show_state()
        self._context.publisher.publish(step)
        self.scheduler.refresh()

    def _refuse(self, waiting: Waiting, refusal: Refusal) -> None:
        if isinstance(waiting.given, RequestIn):
            metrics.REFUSALS.labels(error_name(refusal.code)).inc()
        waiting.answer(refusal)

    def _answered_before(self, given: TableInput) -> Answer | None:
        if not isinstance(given, RequestIn):
            return None
        return answer_for(self.table, given.sender, given.command_id, given.digest)

    # --- time

    async def _handle_time_up(self, waiting: Waiting) -> None:
        """Let a clock run out, unless the house could not have taken the action (CLK-5)."""
        if await self._waited_for_log():
            await self._own_up_to_delay()
        elif self._time_is_up(waiting.given):
            await self._decide(waiting)
            return
        waiting.answer(NO_LONGER)

    def _time_is_up(self, given: TableInput) -> bool:
        """Tell whether the clock that rang is still the one that runs, and over."""
        timer = next_timer(self.table)
        return (
            timer is not None
            and given == TimeUpIn(timer.clock)
            and timer.at_ms <= self._context.clock()
        )

    async def _waited_for_log(self) -> bool:
        """Wait until the log can be written; tells whether that had to be waited for."""
        if await self.log.alive():
            return False
        backoff = Backoff(50, 1_000)
        while not await self.log.alive():
            await backoff.sleep()
        return True

    async def _own_up_to_delay(self) -> None:
        metrics.HOUSE_FAULTS.inc()
        await self._decide(Waiting(HouseDelayIn()))

    # --- small things

    def _push(self, given: TableInput, on_answer: Callable[[Answer], None]) -> None:
        """Put an input of the table's own into the queue."""
        waiting = Waiting(given, on_answer)
        if self._closing:
            waiting.answer(refusal_of(given_up(self._closing)))
        else:
            self._mailbox.push(waiting)

    def _refresh(self) -> None:
        self.scheduler.refresh_soon()

    def _show_state(self) -> None:
        name = ""
        if self.table.exists:
            full = view_pb2.TableState.Name(state_code(self.table))
            name = full.removeprefix("TABLE_STATE_").lower()
        if name == self._shown_state:
            return
        if self._shown_state:
            metrics.TABLES.labels(self._shown_state).dec()
        if name:
            metrics.TABLES.labels(name).inc()
        self._shown_state = name
