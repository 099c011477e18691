"""What happens when the time of a clock has come (CLK-1, CLK-2, CLK-5)."""

from typing import Final

from floor_table.domain.any_hand import AnyInput
from floor_table.domain.draft import Draft
from floor_table.domain.game_choice import choice_ends_ms, choose_again, draw_instead
from floor_table.domain.hand_flow import go_on, restart_clock
from floor_table.domain.inputs import Clock
from floor_table.domain.outcome import FloorRefusal
from floor_table.domain.placement_clocks import note_left, open_placements
from floor_table.domain.readiness import ask_again, free_not_ready, readiness_ends_ms
from floor_table.domain.refusals import wrong_state
from floor_table.domain.seat_changes import (
    COMMIT_MARGIN_MS,
    EXPIRED,
    NO_CHIPS_MS,
    leave,
    release_seat,
    release_top_up,
    too_late_to_commit,
)
from floor_table.domain.seats import Seat
from floor_table.domain.state import TableState, TurnClock
from floor_table.domain.turns import open_turn, without_answer
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.games import SplitTimeUp
from pokerfloor.games.placement import PlacementHand, PlacementTimeUp

# A clock that is looked at later than this was kept waiting by the house: the player gets the base
# time again instead of being acted for (CLK-5).
HOUSE_DELAY_MS: Final = 2_000

_TOO_EARLY: Final = wrong_state("no such clock has run out")


def next_timer(state: TableState) -> tuple[int, Clock] | None:
    """Return when the next clock runs out, and which."""
    timers: list[tuple[int, Clock]] = []
    timers += [_turn_timer(clock) for clock in state.clocks]
    ready_ms = readiness_ends_ms(state)
    if ready_ms is not None:
        timers.append((ready_ms, Clock.READY))
    choice_ms = choice_ends_ms(state)
    if choice_ms is not None:
        timers.append((choice_ms, Clock.GAME))
    for seat in state.seats.values():
        timers += [
            (held.expires_at_ms - COMMIT_MARGIN_MS + 1, Clock.RESERVATION)
            for held in seat.asked_for()
        ]
        if _has_no_chips(state, seat):
            timers.append((seat.no_chips_at_ms + NO_CHIPS_MS, Clock.NO_CHIPS))
    if state.split_until_ms:
        timers.append((state.split_until_ms + 1, Clock.SPLIT))
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
    held = state.bound(seat.seat) or state.choosing
    return bool(seat.no_chips_at_ms) and not waits and not held


def time_up(draft: Draft, clock: Clock) -> FloorRefusal | None:
    """Do what a clock that has run out says."""
    if clock in (Clock.BASE, Clock.BANK):
        return _turn_time_up(draft, clock)
    if clock is Clock.RESERVATION:
        return _reservations_up(draft)
    if clock is Clock.NO_CHIPS:
        return _no_chips_up(draft)
    if clock is Clock.SPLIT:
        return _split_up(draft)
    if clock is Clock.READY:
        return _readiness_up(draft)
    if clock is Clock.GAME:
        return _choice_up(draft)
    state = draft.state
    if not state.hand_over or draft.now_ms <= state.show_until_ms or state.hand_shows:
        return _TOO_EARLY
    draft.emit(TableEvent(showing_closed=pb.ShowingClosed(hand_no=state.hands)))
    return None


def _turn_time_up(draft: Draft, which: Clock) -> FloorRefusal | None:
    clock = min(draft.state.clocks, key=_turn_timer, default=None)
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
    """Do what is done without an answer; the player sits out from the next hand on (CLK-2)."""
    state = draft.state
    played = _done_for(state, clock)
    seat = state.seats[clock.seat]
    if clock.bank_ms:
        changed = pb.TimeBankChanged(seat=clock.seat, bank_ms=0)
        draft.emit(TableEvent(time_bank_changed=changed))
    ran_out = pb.TimeRanOut(seat=clock.seat, turn_no=clock.turn_no)
    draft.emit(TableEvent(time_ran_out=ran_out))
    away = state.rules.base_for_hand and not seat.connected  # OFC-41
    if not seat.sitting_out and (away or state.rules.slow_sits_out):
        reason = pb.SIT_OUT_REASON_DISCONNECTED if away else pb.SIT_OUT_REASON_TIME_RAN_OUT
        draft.emit(TableEvent(sat_out=pb.SatOut(seat=clock.seat, reason=reason)))
    if not away:
        note_left(draft, clock.seat, 0)
    before = state.last
    refused = draft.play(played)
    assert refused is None, "what is done for a player was refused"
    go_on(draft, before)


def _done_for(state: TableState, clock: TurnClock) -> AnyInput:
    """Return what is done for the seat of a clock that has run out."""
    hand = state.playing
    assert hand is not None, "a clock without a hand"
    if isinstance(hand, PlacementHand):
        seats = [one.seat for one in open_placements(state) if one.turn_no == clock.turn_no]
        assert seats == [clock.seat], "the clock of another turn"
        return PlacementTimeUp(clock.seat, clock.turn_no)
    turn = open_turn(hand)
    assert turn is not None, "a clock without a turn"
    assert (turn.seat, turn.turn_no) == (clock.seat, clock.turn_no), "the clock of another turn"
    return without_answer(turn)


def _readiness_up(draft: Draft) -> FloorRefusal | None:
    ends_ms = readiness_ends_ms(draft.state)
    if ends_ms is None or draft.now_ms < ends_ms:
        return _TOO_EARLY
    if draft.now_ms > ends_ms + HOUSE_DELAY_MS:
        ask_again(draft)
    else:
        free_not_ready(draft)
    return None


def _choice_up(draft: Draft) -> FloorRefusal | None:
    ends_ms = choice_ends_ms(draft.state)
    if ends_ms is None or draft.now_ms < ends_ms:
        return _TOO_EARLY
    if draft.now_ms > ends_ms + HOUSE_DELAY_MS:
        choose_again(draft)
    else:
        draw_instead(draft)
    return None


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


def _split_up(draft: Draft) -> FloorRefusal | None:
    """Take silence for a no (MAT-6)."""
    state = draft.state
    if not state.split_until_ms or draft.now_ms <= state.split_until_ms:
        return _TOO_EARLY
    before = state.last
    refused = draft.play(SplitTimeUp())
    assert refused is None, "silence that was refused"
    go_on(draft, before)
    return None


def _no_chips_up(draft: Draft) -> FloorRefusal | None:
    state = draft.state
    for seat in state.by_number():
        if _has_no_chips(state, seat) and draft.now_ms >= seat.no_chips_at_ms + NO_CHIPS_MS:
            leave(draft, seat, pb.LEAVE_REASON_NO_CHIPS)
    return None if draft.events else _TOO_EARLY
