"""Whether everybody is ready, before the first hand and whenever play had stopped (TBL-6)."""

from collections.abc import Iterator
from typing import Final

from floor_table.domain.inputs import Clock, CommandIn
from floor_table.domain.parts import Readiness, ReadyCheck
from floor_table.domain.refusal import too_late, wrong_state
from floor_table.domain.seats import leave
from floor_table.domain.step import (
    HOUSE_DELAY_MS,
    ClockTable,
    CommandTable,
    EventTable,
    StepBuilder,
)
from floor_table.domain.table import Table
from floor_table.domain.validate import seated
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import LogError

_READY_MS: Final = 60_000

# --- commands


def say_ready(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Say to be ready, or not any more."""
    seat = seated(step.table, given.sender)
    if isinstance(seat, Refusal):
        return seat
    check, ready = step.table.readiness.of(seat.seat), given.command.ready.ready
    if check is None:
        return wrong_state("you are not asked whether you are ready")
    if check.ready == ready:
        return wrong_state("you have said so already")
    refusal = too_late(given.arrived_at_ms, check.deadline_ms)
    if refusal is None:
        _change(step, seat.seat, check.deadline_ms, ready=ready)
    return refusal


COMMANDS: Final[CommandTable] = {"ready": say_ready}

# --- what follows from a step


def follow_readiness(step: StepBuilder) -> None:
    """Ask, ask a newcomer as well, or stop asking, by what the step has changed."""
    table = step.table
    if not table.rules.confirm_ready or table.closed:
        return
    if table.playing is not None or table.draw is not None or table.matches.match is not None:
        return
    there = [seat.seat for seat in table.by_number() if seat.ready]
    readiness = table.readiness
    if len(there) < 2 or table.paused or table.closing:
        if readiness != Readiness():
            _change(step, 0, 0)
    elif not readiness.agreed and not readiness.checks:
        _change(step, 0, step.now_ms + _READY_MS)
    elif not readiness.agreed:
        for seat in there:
            if readiness.of(seat) is None:
                _change(step, seat, step.now_ms + _READY_MS)


def _change(step: StepBuilder, seat: int, deadline_ms: int, *, ready: bool = False) -> None:
    step.emit(pb.ReadyChanged(seat=seat, ready=ready, deadline_ms=deadline_ms))


# --- time


def ask_again(step: StepBuilder) -> None:
    """Give everybody who is asked the whole time again: the house was away (CLK-5)."""
    for check in step.table.readiness.checks:
        if not check.ready:
            _change(step, check.seat, step.now_ms + _READY_MS)


def timers(table: Table) -> Iterator[tuple[int, Clock]]:
    """Yield when seats that are not ready are freed."""
    for check in table.readiness.checks:
        if not check.ready:
            yield check.deadline_ms + 1, Clock.READY


def _time_up(step: StepBuilder) -> None:
    """Free the seats that were not ready in time; their chips go back."""
    up_ms, _ = min(timers(step.table), default=(step.now_ms, None))
    if step.now_ms > up_ms + HOUSE_DELAY_MS:
        ask_again(step)
        return
    for check in step.table.readiness.checks:
        if not check.ready and step.now_ms > check.deadline_ms:
            leave(step, step.table.seats[check.seat], pb.LEAVE_REASON_NOT_READY)


CLOCKS: Final[ClockTable] = {Clock.READY: _time_up}

# --- events


def _ready_changed(table: Table, event: pb.ReadyChanged) -> None:
    """Ask everybody who is ready to play, note what one seat is asked or says, or ask nobody."""
    if not table.rules.confirm_ready:
        raise LogError("nobody is asked at this table", "ready_changed")
    if event.seat:
        table.seat_at(event.seat)
        check = ReadyCheck(event.seat, event.deadline_ms, event.ready)
        table.readiness = table.readiness.with_check(check)
    elif event.deadline_ms:
        checks = [ReadyCheck(one.seat, event.deadline_ms) for one in table.by_number() if one.ready]
        table.readiness = Readiness(checks=tuple(checks))
    else:
        table.readiness = Readiness()


EVENTS: Final[EventTable] = {"ready_changed": _ready_changed}

# --- views


def readiness_view(table: Table) -> list[view_pb2.SeatReadiness]:
    """Return who is asked, and who has said yes."""
    return [
        view_pb2.SeatReadiness(seat=one.seat, ready=one.ready, deadline_ms=one.deadline_ms)
        for one in table.readiness.checks
    ]
