"""Time in OFC and Scoop: a clock for each turn that is open (OFC-40 to OFC-42, SCP-6)."""

from floor_table.domain.draft import Draft
from floor_table.domain.seats import Seat
from floor_table.domain.state import TableState, TurnClock
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.games.placement import PlacementHand, PlacementTimeUp, PlacementTurn, WaitPlacements


def open_placements(state: TableState) -> tuple[PlacementTurn, ...]:
    """Return the turns that are open, from the left of the button; none in betting games."""
    hand = state.playing
    wait = hand.waits_for() if isinstance(hand, PlacementHand) else None
    return wait.turns if isinstance(wait, WaitPlacements) else ()


def follow_turns(draft: Draft) -> None:
    """Lay out for those whose hand is laid out as a whole; let the clocks of new turns run."""
    state = draft.state
    while given_up := [
        turn for turn in open_placements(state) if turn.seat in state.laying.laid_out
    ]:
        refused = draft.play(PlacementTimeUp(given_up[0].seat, given_up[0].turn_no))
        assert refused is None, "what is done for a player was refused"
    for turn in open_placements(state):
        clock = state.clock_of(turn.seat)
        if clock is None or clock.turn_no != turn.turn_no:
            left_ms = state.laying.left_ms(turn.seat, state.rules.base_ms)
            start_turn(draft, turn.seat, turn.turn_no, left_ms)


def start_turn(draft: Draft, seat: int, turn_no: int, base_ms: int) -> None:
    """Give a seat so much base time for a turn; in OFC one that is away has its bank alone."""
    state = draft.state
    away = state.rules.base_for_hand and not state.seats[seat].connected
    deadline_ms = draft.now_ms + (0 if away else base_ms)
    bank_ms = state.seats[seat].bank_ms
    clock = pb.ClockSet(seat=seat, turn_no=turn_no, deadline_ms=deadline_ms, bank_ms=bank_ms)
    draft.emit(TableEvent(clock_set=clock))
    if away and bank_ms:
        ends_ms = deadline_ms + bank_ms
        started = pb.TimeBankStarted(seat=seat, turn_no=turn_no, deadline_ms=ends_ms)
        draft.emit(TableEvent(time_bank_started=started))


def turn_answered(draft: Draft, seat: Seat, clock: TurnClock, arrived_at_ms: int) -> None:
    """Note what a turn took: of the base time of the hand, and then of the bank (OFC-40)."""
    used_ms = arrived_at_ms - clock.deadline_ms
    if used_ms > 0:
        changed = pb.TimeBankChanged(seat=seat.seat, bank_ms=seat.bank_ms - used_ms)
        draft.emit(TableEvent(time_bank_changed=changed))
    # Of a player who is away no base time runs; what was left when the connection went is noted.
    if seat.connected:
        note_left(draft, seat.seat, max(0, -used_ms))


def note_left(draft: Draft, seat: int, left_ms: int) -> None:
    """Note what a seat has left of its base time, where that is one for all turns of a hand."""
    state = draft.state
    known_ms = state.laying.left_ms(seat, state.rules.base_ms)
    if state.rules.base_for_hand and left_ms != known_ms:
        left = pb.BaseTimeLeft(seat=seat, left_ms=left_ms)
        draft.emit(TableEvent(base_time_left=left))


def follow_connection(draft: Draft, number: int) -> None:
    """Let the bank run at once when the player in turn is gone; stop it on the return (OFC-41)."""
    state = draft.state
    clock = state.clock_of(number)
    if clock is None or not state.rules.base_for_hand:
        return
    if not state.seats[number].connected:
        left_ms = max(0, clock.deadline_ms - draft.now_ms)
        note_left(draft, number, left_ms)
        if left_ms:
            start_turn(draft, number, clock.turn_no, 0)
        return
    left_ms = state.laying.left_ms(number, state.rules.base_ms)
    if left_ms and draft.now_ms <= clock.ends_ms:
        used_ms = draft.now_ms - clock.deadline_ms
        if used_ms > 0:
            bank_ms = state.seats[number].bank_ms - used_ms
            changed = pb.TimeBankChanged(seat=number, bank_ms=bank_ms)
            draft.emit(TableEvent(time_bank_changed=changed))
        start_turn(draft, number, clock.turn_no, left_ms)
