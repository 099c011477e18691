"""What follows at the table when its hand has moved on: clocks, and what a hand's end brings."""

from floor_table.domain.draft import Draft
from floor_table.domain.matches import follow_match
from floor_table.domain.placement_clocks import follow_turns, start_turn
from floor_table.domain.seat_changes import (
    auto_top_ups,
    close_if_idle,
    commit_top_up,
    leave,
)
from floor_table.domain.seating import LastHand, passed
from floor_table.domain.turns import open_turn
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.games.placement import PlacementHand
from pokerfloor.tablelog import Posting


def go_on(draft: Draft, before: LastHand) -> None:
    """Set the clock of a new turn; or, when the hand is over, do what waited for that.

    `before` is the last hand before this one, for the blinds that have passed.
    """
    state = draft.state
    hand = state.playing
    if hand is None:
        _after_hand(draft, before)
        return
    if isinstance(hand, PlacementHand):
        follow_turns(draft)
        return
    turn = open_turn(hand)
    told = state.clock.turn_no if state.clock is not None else 0
    # While the deck is shuffled nobody is asked, and no clock runs (CLK-5).
    if turn is not None and turn.turn_no != told and not state.shuffling:
        set_clock(draft, turn.seat, turn.turn_no)


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
    """Give every seat that is to act the base time again (CLK-5)."""
    for clock in draft.state.clocks:
        start_turn(draft, clock.seat, clock.turn_no, draft.state.rules.base_ms)


def _after_hand(draft: Draft, before: LastHand) -> None:
    state = draft.state
    if state.last != before:  # not so when the hand was voided: nothing has passed then
        _count_misses(draft, before)
        _refill_banks(draft)
    follow_match(draft)
    for seat in state.by_number():
        if state.bound(seat.seat):  # in a match all this waits for its end (OFC-6)
            continue
        if seat.leaving:
            leave(draft, seat, pb.LEAVE_REASON_ASKED)
        elif seat.sitting_out and seat.big_missed >= state.rules.misses_allowed:
            leave(draft, seat, pb.LEAVE_REASON_MISSED_BLINDS)
        elif seat.top_up is not None and seat.top_up.held:
            commit_top_up(draft, seat, seat.top_up)
    if not state.closing:
        auto_top_ups(draft)
    close_if_idle(draft)


def _count_misses(draft: Draft, before: LastHand) -> None:
    """Count the blinds that passed seats that were absent when the hand was opened (TBL-17)."""
    state = draft.state
    now = state.last
    blinds = state.rules.posting is Posting.BLINDS
    for seat in state.by_number():
        if not seat.absent:
            continue
        if blinds:
            big = passed(before.big, now.big, seat.seat)
        else:  # games without blinds: each time the button passes
            big = passed(before.button, now.button, seat.seat)
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
