"""What follows at the table when its hand has moved on: clocks, and what a hand's end brings."""

from libs.floorapi.floor.events.v1 import table_events_pb2 as pb
from libs.floorapi.floor.events.v1.table_events_pb2 import TableEvent
from libs.games import WaitAction
from services.table.domain.draft import Draft
from services.table.domain.seat_changes import (
    auto_top_ups,
    close_if_idle,
    commit_top_up,
    leave,
)
from services.table.domain.seating import LastHand, passed


def go_on(draft: Draft, before: LastHand) -> None:
    """Set the clock of a new turn; or, when the hand is over, do what waited for that.

    `before` is the last hand before this one, for the blinds that have passed.
    """
    state = draft.state
    hand = state.playing
    if hand is None:
        _after_hand(draft, before)
        return
    wait = hand.waits_for()
    told = state.clock.turn_no if state.clock is not None else 0
    if isinstance(wait, WaitAction) and wait.turn_no != told:
        set_clock(draft, wait.seat, wait.turn_no)


def set_clock(draft: Draft, seat: int, turn_no: int) -> None:
    """Give a seat the whole base time for a turn from now on (CLK-1, CLK-5)."""
    state = draft.state
    draft.emit(
        TableEvent(
            clock_set=pb.ClockSet(
                seat=seat,
                turn_no=turn_no,
                deadline_ms=draft.now_ms + state.rules.base_ms,
                bank_ms=state.seats[seat].bank_ms,
            )
        )
    )


def restart_clock(draft: Draft) -> None:
    """Give the seat to act the base time again, if there is one (CLK-5)."""
    clock = draft.state.clock
    if clock is not None:
        set_clock(draft, clock.seat, clock.turn_no)


def _after_hand(draft: Draft, before: LastHand) -> None:
    state = draft.state
    if state.last != before:  # not so when the hand was voided: nothing has passed then
        _count_misses(draft, before)
        _refill_banks(draft)
    for seat in state.by_number():
        if seat.leaving:
            leave(draft, seat, "asked")
        elif seat.sitting_out and seat.big_missed >= state.rules.misses_allowed:
            leave(draft, seat, "missed_blinds")
        elif seat.top_up is not None and seat.top_up.held:
            commit_top_up(draft, seat, seat.top_up)
    if not state.closing:
        auto_top_ups(draft)
    close_if_idle(draft)


def _count_misses(draft: Draft, before: LastHand) -> None:
    """Count the blinds that passed seats that were absent when the hand was opened (TBL-17)."""
    state = draft.state
    now = state.last
    for seat in state.by_number():
        if not seat.absent:
            continue
        big = passed(before.big, now.big, seat.seat)
        small = passed(before.small, now.small, seat.seat)
        if big or (small and not seat.small_missed):
            draft.emit(
                TableEvent(
                    blind_missed=pb.BlindMissed(
                        seat=seat.seat,
                        big_blinds_missed=seat.big_missed + big,
                        small_blind_missed=seat.small_missed or small,
                    )
                )
            )


def _refill_banks(draft: Draft) -> None:
    """Refill the time banks of the seats that have played enough hands (CLK-1)."""
    state, rules = draft.state, draft.state.rules
    for number, _ in state.last.dealt:
        seat = state.seats[number]
        if seat.bank_hands % rules.bank_refill_hands == 0 and seat.bank_ms < rules.bank_cap_ms:
            bank_ms = min(seat.bank_ms + rules.bank_refill_ms, rules.bank_cap_ms)
            draft.emit(
                TableEvent(time_bank_changed=pb.TimeBankChanged(seat=number, bank_ms=bank_ms))
            )
