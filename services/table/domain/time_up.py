"""What happens when the time of a clock has come (CLK-1, CLK-2, CLK-5)."""

from typing import Final

from libs.floorapi.floor.events.v1 import table_events_pb2 as pb
from libs.floorapi.floor.events.v1.table_events_pb2 import TableEvent
from libs.games import Act, ActKind, WaitAction
from services.table.domain.draft import Draft
from services.table.domain.hand_flow import go_on, restart_clock
from services.table.domain.inputs import Clock
from services.table.domain.outcome import FloorRefusal
from services.table.domain.refusals import wrong_state
from services.table.domain.seat_changes import (
    COMMIT_MARGIN_MS,
    EXPIRED,
    NO_CHIPS_MS,
    leave,
    release_seat,
    release_top_up,
    too_late_to_commit,
)
from services.table.domain.seats import Seat
from services.table.domain.state import TableState, TurnClock

# A clock that is looked at later than this was kept waiting by the house: the player gets the base
# time again instead of being acted for (CLK-5).
HOUSE_DELAY_MS: Final = 2_000

_TOO_EARLY: Final = wrong_state("no such clock has run out")


def next_timer(state: TableState) -> tuple[int, Clock] | None:
    """Return when the next clock runs out, and which."""
    timers: list[tuple[int, Clock]] = []
    clock = state.clock
    if clock is not None:
        timers.append(_turn_timer(clock))
    for seat in state.seats.values():
        timers += [
            (held.expires_at_ms - COMMIT_MARGIN_MS + 1, Clock.RESERVATION)
            for held in seat.asked_for()
        ]
        if _has_no_chips(state, seat):
            timers.append((seat.no_chips_at_ms + NO_CHIPS_MS, Clock.NO_CHIPS))
    if state.hand_over and not state.hand_shows:
        timers.append((state.show_until_ms + 1, Clock.SHOW))
    return min(timers) if timers else None


def _turn_timer(clock: TurnClock) -> tuple[int, Clock]:
    # An action that arrives at the deadline itself is in time, so the clock is up one later.
    if clock.bank_running or not clock.bank_ms:
        return clock.ends_ms + 1, Clock.BANK if clock.bank_running else Clock.BASE
    return clock.deadline_ms + 1, Clock.BASE


def _has_no_chips(state: TableState, seat: Seat) -> bool:
    waits = seat.top_up is not None
    return bool(seat.no_chips_at_ms) and not waits and not state.in_hand(seat.seat)


def time_up(draft: Draft, clock: Clock) -> FloorRefusal | None:
    """Do what a clock that has run out says."""
    if clock in (Clock.BASE, Clock.BANK):
        return _turn_time_up(draft, clock)
    if clock is Clock.RESERVATION:
        return _reservations_up(draft)
    if clock is Clock.NO_CHIPS:
        return _no_chips_up(draft)
    state = draft.state
    if not state.hand_over or draft.now_ms <= state.show_until_ms or state.hand_shows:
        return _TOO_EARLY
    draft.emit(TableEvent(showing_closed=pb.ShowingClosed(hand_no=state.hands)))
    return None


def _turn_time_up(draft: Draft, which: Clock) -> FloorRefusal | None:
    clock = draft.state.clock
    if clock is None or _turn_timer(clock)[1] is not which:
        return _TOO_EARLY
    due_ms, _ = _turn_timer(clock)
    if draft.now_ms < due_ms:
        return _TOO_EARLY
    if draft.now_ms > due_ms + HOUSE_DELAY_MS:
        restart_clock(draft)
    elif which is Clock.BASE and clock.bank_ms:
        started = pb.TimeBankStarted(
            seat=clock.seat, turn_no=clock.turn_no, deadline_ms=clock.ends_ms
        )
        draft.emit(TableEvent(time_bank_started=started))
    else:
        _act_for(draft, clock)
    return None


def _act_for(draft: Draft, clock: TurnClock) -> None:
    """Check if that is free, else fold; the player sits out from the next hand on (CLK-2)."""
    state = draft.state
    hand = state.playing
    assert hand is not None, "a clock without a hand"
    wait = hand.waits_for()
    assert isinstance(wait, WaitAction), "a clock without a turn"
    assert (wait.seat, wait.turn_no) == (clock.seat, clock.turn_no), "the clock of another turn"
    if clock.bank_ms:
        changed = pb.TimeBankChanged(seat=clock.seat, bank_ms=0)
        draft.emit(TableEvent(time_bank_changed=changed))
    ran_out = pb.TimeRanOut(seat=clock.seat, turn_no=clock.turn_no)
    draft.emit(TableEvent(time_ran_out=ran_out))
    if not state.seats[clock.seat].sitting_out:
        sat_out = pb.SatOut(seat=clock.seat, reason="time_ran_out")
        draft.emit(TableEvent(sat_out=sat_out))
    kind = ActKind.CHECK if wait.legal.can_check else ActKind.FOLD
    before = state.last
    refused = draft.play(Act(clock.seat, clock.turn_no, kind))
    assert refused is None, "a check or fold that was refused"
    go_on(draft, before)


def _reservations_up(draft: Draft) -> FloorRefusal | None:
    now_ms = draft.now_ms
    for seat in draft.state.by_number():
        if seat.buy_in is not None and too_late_to_commit(seat.buy_in, now_ms):
            release_seat(draft, seat, seat.buy_in, EXPIRED)
        elif (
            seat.top_up is not None
            and not seat.top_up.held
            and too_late_to_commit(seat.top_up, now_ms)
        ):
            release_top_up(draft, seat, seat.top_up, EXPIRED)
    return None if draft.events else _TOO_EARLY


def _no_chips_up(draft: Draft) -> FloorRefusal | None:
    state = draft.state
    for seat in state.by_number():
        if _has_no_chips(state, seat) and draft.now_ms >= seat.no_chips_at_ms + NO_CHIPS_MS:
            leave(draft, seat, "no_chips")
    return None if draft.events else _TOO_EARLY
