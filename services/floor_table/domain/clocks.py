"""The time of a turn: base time, time bank, connections and what is done without an answer.

(CLK-1 to CLK-5; in OFC and Scoop OFC-40 to OFC-42 and SCP-6)
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from floor_table.domain.any_hand import AnyInput, open_placements, open_turn, without_answer
from floor_table.domain.inputs import Clock, CommandIn, ConnectionIn
from floor_table.domain.parts import Seat, TurnClock
from floor_table.domain.refusal import of_hand, too_late, wrong_state
from floor_table.domain.step import (
    HOUSE_DELAY_MS,
    ClockTable,
    EventTable,
    InputTable,
    StepBuilder,
)
from floor_table.domain.table import Table
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.games import Refusal as HandRefusal
from pokerfloor.games.placement import PlacementHand, PlacementTimeUp
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import LogError

# --- what follows from a step


def follow_turns(step: StepBuilder) -> None:
    """Let the clock of a new turn run; set the layouts of those who are away (OFC-41)."""
    table, hand = step.table, step.table.playing
    if isinstance(hand, PlacementHand):
        _follow_placements(step)
        return
    turn = open_turn(hand)
    known = table.clock.turn_no if table.clock is not None else 0
    # While the deck is shuffled nobody is asked, and no clock runs (CLK-5).
    if turn is not None and turn.turn_no != known and not table.shuffling:
        _set_clock(step, turn.seat, turn.turn_no, table.rules.base_ms)


def _follow_placements(step: StepBuilder) -> None:
    table = step.table
    while away := [
        turn for turn in open_placements(table.playing) if turn.seat in table.placing.set_by_time
    ]:
        step.must_play(PlacementTimeUp(away[0].seat, away[0].turn_no))
    for turn in open_placements(table.playing):
        clock = table.clock_of(turn.seat)
        if clock is None or clock.turn_no != turn.turn_no:
            left_ms = table.placing.left_ms(turn.seat, table.rules.base_ms)
            _start_turn(step, turn.seat, turn.turn_no, left_ms)


def refill_banks(step: StepBuilder) -> None:
    """Refill the time banks of the seats that have played enough hands (CLK-1)."""
    if not step.hand_counts:
        return
    table, rules = step.table, step.table.rules
    for number, _ in table.last.dealt:
        seat = table.seats[number]
        if seat.bank_hands % rules.bank_refill_hands == 0 and seat.bank_ms < rules.bank_cap_ms:
            bank_ms = min(seat.bank_ms + rules.bank_refill_ms, rules.bank_cap_ms)
            step.emit(pb.TimeBankChanged(seat=number, bank_ms=bank_ms))


# --- clocks of turns


def restart_clocks(step: StepBuilder) -> None:
    """Give every seat that is to act the base time again (CLK-5)."""
    for clock in step.table.clocks:
        _start_turn(step, clock.seat, clock.turn_no, step.table.rules.base_ms)


def _start_turn(step: StepBuilder, seat: int, turn_no: int, base_ms: int) -> None:
    """Give a seat so much base time for a turn; in OFC one that is away has its bank alone."""
    table = step.table
    away = table.rules.base_for_hand and not table.seats[seat].connected
    clock = _set_clock(step, seat, turn_no, 0 if away else base_ms)
    if away and clock.bank_ms:
        step.emit(pb.TimeBankStarted(seat=seat, turn_no=turn_no, deadline_ms=clock.ends_ms))


def _set_clock(step: StepBuilder, seat: int, turn_no: int, base_ms: int) -> TurnClock:
    deadline_ms, bank_ms = step.now_ms + base_ms, step.table.seats[seat].bank_ms
    step.emit(pb.ClockSet(seat=seat, turn_no=turn_no, deadline_ms=deadline_ms, bank_ms=bank_ms))
    return TurnClock(seat, turn_no, deadline_ms, bank_ms)


def take_time(step: StepBuilder, seat: Seat, clock: TurnClock, arrived_at_ms: int) -> None:
    """Take what a decision took: from the base time of the hand (OFC-40), then from the bank."""
    used_ms = arrived_at_ms - clock.deadline_ms
    if used_ms > 0:
        step.emit(pb.TimeBankChanged(seat=seat.seat, bank_ms=seat.bank_ms - used_ms))
    # Of a player who is away no base time runs; what was left when the connection went is noted.
    if seat.connected:
        _note_base_left(step, seat.seat, max(0, -used_ms))


def _note_base_left(step: StepBuilder, seat: int, left_ms: int) -> None:
    """Note what a seat has left of its base time, where that is one for all turns of a hand."""
    rules = step.table.rules
    if rules.base_for_hand and left_ms != step.table.placing.left_ms(seat, rules.base_ms):
        step.emit(pb.BaseTimeLeft(seat=seat, left_ms=left_ms))


class InTime(NamedTuple):
    """What a seat did in its turn, executed and in time, and the clock of that turn."""

    executed: Sequence[HandEvent]
    clock: TurnClock


def execute_in_time(
    step: StepBuilder, given: CommandIn, seat: int, played: AnyInput, fields: Mapping[str, str]
) -> InTime | Refusal:
    """Let the hand execute what a seat does in its turn, if it came in time (CLK-4).

    `fields` names the command's fields by the hand's; see `StepBuilder.execute`.
    """
    executed = step.execute(played)
    if isinstance(executed, HandRefusal):
        return of_hand(executed, fields)
    clock = step.table.clock_of(seat)
    assert clock is not None, "a turn without a clock"
    return too_late(given.arrived_at_ms, clock.ends_ms) or InTime(executed, clock)


# --- connections


def change_connection(step: StepBuilder, given: ConnectionIn) -> Refusal | None:
    """Note that a seat's player is there or gone; seat and clock are kept (CLK-3).

    In OFC the bank runs at once when the player in turn is gone, and stops on the return (OFC-41).
    """
    table, number = step.table, given.seat
    seat = table.seats.get(number)
    if seat is None or seat.pending or seat.connected == given.connected:
        return wrong_state("the connection has not changed")
    step.emit(pb.ConnectionChanged(seat=number, connected=given.connected))
    clock = table.clock_of(number)
    if clock is None or not table.rules.base_for_hand:
        return None
    if not given.connected:
        left_ms = max(0, clock.deadline_ms - step.now_ms)
        _note_base_left(step, number, left_ms)
        if left_ms:
            _start_turn(step, number, clock.turn_no, 0)
        return None
    left_ms = table.placing.left_ms(number, table.rules.base_ms)
    if left_ms and step.now_ms <= clock.ends_ms:
        used_ms = step.now_ms - clock.deadline_ms
        if used_ms > 0:
            step.emit(pb.TimeBankChanged(seat=number, bank_ms=seat.bank_ms - used_ms))
        _start_turn(step, number, clock.turn_no, left_ms)
    return None


INPUTS: Final[InputTable] = {ConnectionIn: change_connection}

# --- time


def timers(table: Table) -> Iterator[tuple[int, Clock]]:
    """Yield when the clocks of turns run out."""
    return map(_timer, table.clocks)


def _timer(clock: TurnClock) -> tuple[int, Clock]:
    # An action that arrives at the deadline itself is in time, so the clock is up one later.
    if clock.bank_running or not clock.bank_ms:
        return clock.ends_ms + 1, Clock.BANK if clock.bank_running else Clock.BASE
    return clock.deadline_ms + 1, Clock.BASE


def _base_up(step: StepBuilder) -> None:
    _turn_up(step, Clock.BASE)


def _bank_up(step: StepBuilder) -> None:
    _turn_up(step, Clock.BANK)


def _turn_up(step: StepBuilder, which: Clock) -> None:
    clock = min(step.table.clocks, key=_timer, default=None)
    if clock is None:
        return
    up_ms, first = _timer(clock)
    if first is not which or step.now_ms < up_ms:
        return
    if step.now_ms > up_ms + HOUSE_DELAY_MS:
        restart_clocks(step)
    elif which is Clock.BASE and clock.bank_ms:
        step.emit(
            pb.TimeBankStarted(seat=clock.seat, turn_no=clock.turn_no, deadline_ms=clock.ends_ms)
        )
    else:
        _act_for(step, clock)


def _act_for(step: StepBuilder, clock: TurnClock) -> None:
    """Do what is done without an answer; the player sits out from the next hand on (CLK-2)."""
    table = step.table
    given = _done_for(table, clock)
    seat = table.seats[clock.seat]
    if clock.bank_ms:
        step.emit(pb.TimeBankChanged(seat=clock.seat, bank_ms=0))
    step.emit(pb.TimeRanOut(seat=clock.seat, turn_no=clock.turn_no))
    away = table.rules.base_for_hand and not seat.connected  # OFC-41
    if not seat.sitting_out and (away or table.rules.slow_sits_out):
        reason = pb.SIT_OUT_REASON_DISCONNECTED if away else pb.SIT_OUT_REASON_TIME_RAN_OUT
        step.emit(pb.SatOut(seat=clock.seat, reason=reason))
    if not away:
        _note_base_left(step, clock.seat, 0)
    step.must_play(given)


def _done_for(table: Table, clock: TurnClock) -> AnyInput:
    """Return what is done for the seat of a clock that has run out."""
    hand = table.playing
    if isinstance(hand, PlacementHand):
        seats = [one.seat for one in open_placements(hand) if one.turn_no == clock.turn_no]
        assert seats == [clock.seat], "the clock of another turn"
        return PlacementTimeUp(clock.seat, clock.turn_no)
    turn = open_turn(hand)
    assert turn is not None, "a clock without a turn"
    assert (turn.seat, turn.turn_no) == (clock.seat, clock.turn_no), "the clock of another turn"
    return without_answer(turn)


CLOCKS: Final[ClockTable] = {Clock.BASE: _base_up, Clock.BANK: _bank_up}

# --- events


def _clock_set(table: Table, event: pb.ClockSet) -> None:
    table.start_clock(TurnClock(event.seat, event.turn_no, event.deadline_ms, event.bank_ms))


def _time_bank_started(table: Table, event: pb.TimeBankStarted) -> None:
    clock = table.clock_of(event.seat)
    if clock is None or (clock.turn_no, clock.ends_ms) != (event.turn_no, event.deadline_ms):
        raise LogError("a time bank for another turn", "time_bank_started")
    table.start_clock(clock._replace(bank_running=True))


def _time_bank_changed(table: Table, event: pb.TimeBankChanged) -> None:
    table.seats[event.seat] = table.seat_at(event.seat)._replace(bank_ms=event.bank_ms)


def _base_time_left(table: Table, event: pb.BaseTimeLeft) -> None:
    """Note what a seat has left of its base time for the rest of the hand (OFC-40)."""
    if not table.in_hand(event.seat):
        raise LogError(f"seat {event.seat} is not in the hand", "base_time_left.seat")
    table.placing = table.placing.with_left(event.seat, event.left_ms)


def _time_ran_out(table: Table, event: pb.TimeRanOut) -> None:
    """Note that a seat is away whose time has run out: its whole hand is set for it (OFC-41)."""
    seat = table.seat_at(event.seat)
    if table.rules.base_for_hand and not seat.connected:
        set_by_time = {*table.placing.set_by_time, event.seat}
        table.placing = table.placing._replace(set_by_time=tuple(sorted(set_by_time)))


def _connection_changed(table: Table, event: pb.ConnectionChanged) -> None:
    table.seats[event.seat] = table.seat_at(event.seat)._replace(connected=event.connected)


EVENTS: Final[EventTable] = {
    "base_time_left": _base_time_left,
    "clock_set": _clock_set,
    "connection_changed": _connection_changed,
    "time_bank_changed": _time_bank_changed,
    "time_bank_started": _time_bank_started,
    "time_ran_out": _time_ran_out,
}
