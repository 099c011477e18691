"""What comes from around the table: the wallet, keys, connections, owners, operations, time."""

from floor_table.domain.draft import Draft
from floor_table.domain.game_choice import choose_again
from floor_table.domain.hand_flow import go_on, restart_clock
from floor_table.domain.inputs import (
    ConnectionIn,
    OperateIn,
    Operation,
    ReservationIn,
    SeatKeyIn,
    SettlementIn,
    TookOverIn,
)
from floor_table.domain.outcome import FloorRefusal
from floor_table.domain.placement_clocks import follow_connection
from floor_table.domain.readiness import ask_again, readiness_ends_ms
from floor_table.domain.refusals import invalid, unexpected, wrong_state
from floor_table.domain.seat_changes import (
    EXPIRED,
    Why,
    close_if_idle,
    commit_top_up,
    release_seat,
    release_top_up,
    too_late_to_commit,
)
from floor_table.domain.seats import Reservation, Seat
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.games import Void
from pokerfloor.tablelog import to_amount

_FINGERPRINT_BYTES = 32
_REASON_LENGTH = 256


def reservation_answered(draft: Draft, given: ReservationIn) -> FloorRefusal | None:
    """Take in the wallet's answer for a seat or a top-up (TBL-2, TBL-3)."""
    for seat in draft.state.by_number():
        if seat.buy_in is not None and seat.buy_in.reservation_id == given.reservation_id:
            _seat_answered(draft, seat, seat.buy_in, given)
            return None
        top_up = seat.top_up
        if top_up is not None and top_up.reservation_id == given.reservation_id:
            if top_up.held:
                return unexpected("the wallet has said so before")
            _top_up_answered(draft, seat, top_up, given)
            return None
    return unexpected(f"reservation {given.reservation_id!r} is not waited for")


def _seat_answered(draft: Draft, seat: Seat, held: Reservation, given: ReservationIn) -> None:
    state = draft.state
    if not given.held:
        release_seat(draft, seat, held, Why(given.code, given.reason))
        return
    if too_late_to_commit(held, draft.now_ms):
        release_seat(draft, seat, held, EXPIRED)
        return
    draft.emit(
        TableEvent(
            seat_taken=pb.SeatTaken(
                seat=seat.seat,
                player_id=seat.player_id,
                display_name=seat.display_name,
                stack=to_amount(held.amount_minor // state.rules.price_minor, state.rules.kind),
                reservation_id=held.reservation_id,
                buy_in_minor=held.amount_minor,
            )
        )
    )
    if seat.post:
        draft.emit(TableEvent(entry_chosen=pb.EntryChosen(seat=seat.seat, post=True)))


def _top_up_answered(draft: Draft, seat: Seat, held: Reservation, given: ReservationIn) -> None:
    state = draft.state
    if given.held and state.bound(seat.seat):
        held_back = pb.TopUpHeld(seat=seat.seat, reservation_id=held.reservation_id)
        draft.emit(TableEvent(top_up_held=held_back))
        return
    if given.held:
        commit_top_up(draft, seat, held)
        return
    release_top_up(draft, seat, held, Why(given.code, given.reason))
    if seat.auto_top_up_minor:  # else the wallet would be asked again after every hand
        draft.emit(
            TableEvent(
                preferences_changed=pb.PreferencesChanged(
                    seat=seat.seat, always_show=seat.always_show, auto_top_up_minor=0
                )
            )
        )


def key_bound(draft: Draft, given: SeatKeyIn) -> FloorRefusal | None:
    """Note that a key of the seat's player is registered with the shuffler."""
    seat = draft.state.seats.get(given.seat)
    if seat is None or seat.pending:
        return unexpected(f"nobody sits at seat {given.seat}")
    if len(given.fingerprint) != _FINGERPRINT_BYTES:
        return invalid(f"a fingerprint of {len(given.fingerprint)} bytes", "fingerprint")
    bound = pb.SeatKeyBound(seat=given.seat, fingerprint=given.fingerprint, reason=given.reason)
    draft.emit(TableEvent(seat_key_bound=bound))
    return None


def connection_changed(draft: Draft, given: ConnectionIn) -> FloorRefusal | None:
    """Note that a seat's player is there or gone; seat and clock are kept (CLK-3, OFC-41)."""
    seat = draft.state.seats.get(given.seat)
    if seat is None or seat.pending or seat.connected == given.connected:
        return wrong_state("the connection has not changed")
    changed = pb.ConnectionChanged(seat=given.seat, connected=given.connected)
    draft.emit(TableEvent(connection_changed=changed))
    follow_connection(draft, given.seat)
    return None


def took_over(draft: Draft, given: TookOverIn) -> FloorRefusal | None:
    """Begin a new epoch; whoever is to act gets the base time again (CLK-5)."""
    epoch = draft.state.owner_epoch + 1
    changed = pb.OwnerChanged(owner_epoch=epoch, instance=given.instance)
    draft.emit(TableEvent(owner_changed=changed))
    restart_clock(draft)
    ask_again(draft)
    choose_again(draft)
    return None


def house_delayed(draft: Draft) -> FloorRefusal | None:
    """Give the time back that the house took from whoever is to act (CLK-5)."""
    asked = readiness_ends_ms(draft.state) is not None or draft.state.mix.seat
    if not draft.state.clocks and not asked:
        return wrong_state("no clock runs")
    restart_clock(draft)
    ask_again(draft)
    choose_again(draft)
    return None


def settlement_changed(draft: Draft, given: SettlementIn) -> FloorRefusal | None:
    """Pause while too many hands are not settled, and go on when they are."""
    if given.paused == draft.state.unsettled:
        return wrong_state("nothing changes")
    if given.paused:
        draft.emit(TableEvent(table_paused=pb.TablePaused(cause=pb.PAUSE_CAUSE_UNSETTLED_HANDS)))
    else:
        draft.emit(TableEvent(table_resumed=pb.TableResumed()))
    return None


def operate(draft: Draft, given: OperateIn) -> FloorRefusal | None:
    """Pause, resume or close the table, or void its hand."""
    if len(given.reason) > _REASON_LENGTH:
        return invalid(f"a reason has at most {_REASON_LENGTH} characters", "reason")
    if given.kind is Operation.VOID:
        return _void(draft, given)
    if draft.state.closing:
        return FloorRefusal(errors_pb2.ERROR_CODE_TABLE_CLOSED, "the table is closing or closed")
    if given.kind is Operation.CLOSE:
        draft.emit(TableEvent(table_closing=pb.TableClosing(closed_by=given.sender)))
        close_if_idle(draft)
    elif given.kind is Operation.PAUSE:
        if draft.state.paused:
            return wrong_state("the table is paused")
        paused = pb.TablePaused(
            cause=pb.PAUSE_CAUSE_ASKED, reason=given.reason, paused_by=given.sender
        )
        draft.emit(TableEvent(table_paused=paused))
    else:
        if not draft.state.paused:
            return wrong_state("the table is not paused")
        draft.emit(TableEvent(table_resumed=pb.TableResumed(resumed_by=given.sender)))
    return None


def _void(draft: Draft, given: OperateIn) -> FloorRefusal | None:
    """Put every chip of the hand back to where it was when it began (DLR-8)."""
    state = draft.state
    if given.hand_no < 1 or given.hand_no > state.hands:
        reason = f"there is no hand {given.hand_no}"
        return FloorRefusal(errors_pb2.ERROR_CODE_UNKNOWN_HAND, reason, "hand_no")
    if given.hand_no != state.hand_no:
        reason = f"hand {given.hand_no} is over; its pots are paid"
        return FloorRefusal(errors_pb2.ERROR_CODE_HAND_OVER, reason, "hand_no")
    if not given.reason:
        return invalid("a hand is voided for a reason", "reason")
    if state.record is not None and not state.record.root:
        return wrong_state("the deck is being made; a hand is voided once it is committed")
    before = state.last
    refused = draft.play(Void(given.reason))
    assert refused is None, "a hand in play that cannot be voided"
    go_on(draft, before)
    return None
