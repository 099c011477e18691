"""Money that the wallet holds for a seat: buy-ins and top-ups (TBL-2, TBL-3)."""

from collections.abc import Iterator
from typing import Final

from floor_table.domain.inputs import Clock, CommandIn, ReservationIn
from floor_table.domain.parts import Reservation, Seat
from floor_table.domain.refusal import invalid, not_a_whole_chip, unexpected, wrong_state
from floor_table.domain.seats import (
    EXPIRED,
    RESERVATION_MS,
    leave,
    release_seat,
    release_top_up,
)
from floor_table.domain.step import (
    ClockTable,
    CommandTable,
    EventTable,
    InputTable,
    StepBuilder,
)
from floor_table.domain.table import Table
from floor_table.domain.validate import seated
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import LogError, from_amount, to_amount

# A top-up asked for in a hand arrives when the hand ends, however long that takes (TBL-3).
TOP_UP_IN_HAND_MS: Final = 600_000
# A reservation is not committed in its last moments, so that the wallet may void it when it ends.
_COMMIT_MARGIN_MS: Final = 2_000
# How long a seat without chips is kept (our rule: see README).
_NO_CHIPS_MS: Final = 120_000

# --- commands


def top_up(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Ask for more chips; they arrive between hands (TBL-3)."""
    table, amount = step.table, given.command.top_up.amount_minor
    seat = seated(table, given.sender)
    if isinstance(seat, Refusal):
        return seat
    field = "top_up.amount_minor"
    if seat.leaving or table.closing:
        return wrong_state("no chips are added to a stack that is about to leave")
    if seat.top_up is not None:
        return wrong_state("a top-up is under way")
    if amount <= 0:
        return invalid("a top-up is above zero", field)
    if amount % table.rules.chip:
        return not_a_whole_chip(amount, table.rules.chip, field)
    behind = table.behind(seat) * table.rules.price_minor
    if behind + amount > table.rules.most_buy_in:
        room = max(0, table.rules.most_buy_in - behind)
        reason = f"a stack of {behind} can be topped up by {room} at most"
        return Refusal(errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE, reason, field)
    _reserve_top_up(step, seat, amount)
    return None


def _reserve_top_up(step: StepBuilder, seat: Seat, amount_minor: int) -> None:
    table = step.table
    lasts_ms = TOP_UP_IN_HAND_MS if table.bound(seat.seat) else RESERVATION_MS
    step.emit(
        pb.TopUpReserved(
            seat=seat.seat,
            amount_minor=amount_minor,
            reservation_id=f"{table.table_id}/topup/{table.table_seq}/{seat.seat}",
            expires_at_ms=step.now_ms + lasts_ms,
            player_id=seat.player_id,
        )
    )


COMMANDS: Final[CommandTable] = {"top_up": top_up}

# --- inputs


def reservation_answered(step: StepBuilder, given: ReservationIn) -> Refusal | None:
    """Take the wallet's answer for a seat or a top-up."""
    for seat in step.table.by_number():
        if seat.buy_in is not None and seat.buy_in.reservation_id == given.reservation_id:
            _seat_answered(step, seat, seat.buy_in, given)
            return None
        top_up = seat.top_up
        if top_up is not None and top_up.reservation_id == given.reservation_id:
            if top_up.held:
                return unexpected("the wallet has said so before")
            _top_up_answered(step, seat, top_up, given)
            return None
    return unexpected(f"reservation {given.reservation_id!r} is not waited for")


def _seat_answered(step: StepBuilder, seat: Seat, held: Reservation, given: ReservationIn) -> None:
    rules = step.table.rules
    if not given.held:
        release_seat(step, seat, held, Refusal(given.code, given.reason))
        return
    if _too_late_to_commit(held, step.now_ms):
        release_seat(step, seat, held, EXPIRED)
        return
    step.emit(
        pb.SeatTaken(
            seat=seat.seat,
            player_id=seat.player_id,
            display_name=seat.display_name,
            stack=to_amount(held.amount_minor // rules.price_minor, rules.kind),
            reservation_id=held.reservation_id,
            buy_in_minor=held.amount_minor,
        )
    )
    if seat.post:
        step.emit(pb.EntryChosen(seat=seat.seat, post=True))


def _top_up_answered(
    step: StepBuilder, seat: Seat, held: Reservation, given: ReservationIn
) -> None:
    if not given.held:
        release_top_up(step, seat, held, Refusal(given.code, given.reason))
        if seat.auto_top_up_minor:  # else the wallet would be asked again after every hand
            step.emit(
                pb.PreferencesChanged(
                    seat=seat.seat, always_show=seat.always_show, auto_top_up_minor=0
                )
            )
    elif step.table.bound(seat.seat):
        step.emit(pb.TopUpHeld(seat=seat.seat, reservation_id=held.reservation_id))
    else:
        _commit_top_up(step, seat, held)


def _commit_top_up(step: StepBuilder, seat: Seat, held: Reservation) -> None:
    """Add chips that the wallet holds, between hands; or give them up when they come too late."""
    rules = step.table.rules
    stack = seat.stack + held.amount_minor // rules.price_minor
    worth = stack * rules.price_minor
    if _too_late_to_commit(held, step.now_ms):
        release_top_up(step, seat, held, EXPIRED)
    elif worth > rules.most_buy_in:
        reason = f"the stack would be {worth}, above the maximum of {rules.most_buy_in}"
        why = Refusal(errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE, reason)
        release_top_up(step, seat, held, why)
    else:
        step.emit(
            pb.ChipsAdded(
                seat=seat.seat,
                amount_minor=held.amount_minor,
                reservation_id=held.reservation_id,
                stack=to_amount(stack, rules.kind),
                player_id=seat.player_id,
            )
        )


def _too_late_to_commit(held: Reservation, now_ms: int) -> bool:
    return now_ms > held.expires_at_ms - _COMMIT_MARGIN_MS


INPUTS: Final[InputTable] = {ReservationIn: reservation_answered}

# --- what follows from a step


def do_what_waited(step: StepBuilder) -> None:
    """Let players go and add chips that waited for the end of a hand, a match or a choice.

    (TBL-3, TBL-4, OFC-6, MIX-3)
    """
    table, ended = step.table, step.hand_ended
    if not ended and (table.choosing or not step.before.choosing):
        return
    for seat in table.by_number():
        if table.bound(seat.seat):  # the match goes on
            continue
        if seat.leaving:
            leave(step, seat, pb.LEAVE_REASON_ASKED)
        elif ended and seat.sitting_out and seat.big_missed >= table.rules.misses_allowed:
            leave(step, seat, pb.LEAVE_REASON_MISSED_BLINDS)
        elif ended and seat.top_up is not None and seat.top_up.held:
            _commit_top_up(step, seat, seat.top_up)
    if ended and not table.closing:
        _auto_top_ups(step)


def _auto_top_ups(step: StepBuilder) -> None:
    """Top up every seat below the amount its player has named (TBL-3)."""
    table = step.table
    for seat in table.by_number():
        short = seat.auto_top_up_minor - seat.stack * table.rules.price_minor
        away = seat.pending or seat.leaving or seat.sitting_out or table.bound(seat.seat)
        if short > 0 and not away and seat.top_up is None:
            _reserve_top_up(step, seat, short)


# --- time


def timers(table: Table) -> Iterator[tuple[int, Clock]]:
    """Yield when reservations end, and seats without chips."""
    for seat in table.seats.values():
        for held in seat.unanswered():
            yield held.expires_at_ms - _COMMIT_MARGIN_MS + 1, Clock.RESERVATION
        if _has_no_chips(table, seat):
            yield seat.no_chips_at_ms + _NO_CHIPS_MS, Clock.NO_CHIPS


def _has_no_chips(table: Table, seat: Seat) -> bool:
    held = table.bound(seat.seat) or table.choosing
    return bool(seat.no_chips_at_ms) and seat.top_up is None and not held


def _reservations_up(step: StepBuilder) -> None:
    for seat in step.table.by_number():
        for held in seat.unanswered():
            if not _too_late_to_commit(held, step.now_ms):
                continue
            if held is seat.buy_in:
                release_seat(step, seat, held, EXPIRED)
            else:
                release_top_up(step, seat, held, EXPIRED)


def _no_chips_up(step: StepBuilder) -> None:
    for seat in step.table.by_number():
        over = step.now_ms >= seat.no_chips_at_ms + _NO_CHIPS_MS
        if over and _has_no_chips(step.table, seat):
            leave(step, seat, pb.LEAVE_REASON_NO_CHIPS)


CLOCKS: Final[ClockTable] = {
    Clock.RESERVATION: _reservations_up,
    Clock.NO_CHIPS: _no_chips_up,
}

# --- events


def _seat_taken(table: Table, event: pb.SeatTaken) -> None:
    pending = table.seat_at(event.seat)
    if pending.buy_in is None or pending.buy_in.reservation_id != event.reservation_id:
        raise LogError("a seat taken without its reservation", "seat_taken.reservation_id")
    stack = from_amount(event.stack, table.rules.kind, "seat_taken.stack")
    bank_ms, bank_hands = table.rules.bank_ms, 0
    for gone in table.departed:
        if gone.player_id == event.player_id:  # the time bank is the player's at this table (CLK-1)
            bank_ms, bank_hands = gone.bank_ms, gone.bank_hands
    table.seats[event.seat] = Seat(
        event.seat,
        event.player_id,
        event.display_name,
        stack=stack,
        taken_seq=table.table_seq,
        bank_ms=bank_ms,
        bank_hands=bank_hands,
    )
    table.chips_in += stack


def _seat_released(table: Table, event: pb.SeatReleased) -> None:
    pending = table.seat_at(event.seat)
    if pending.buy_in is None or pending.buy_in.reservation_id != event.reservation_id:
        raise LogError("a seat released that was not reserved", "seat_released.reservation_id")
    del table.seats[event.seat]
    table.note_void(event.reservation_id, event.error.reason)


def _top_up_reserved(table: Table, event: pb.TopUpReserved) -> None:
    seat = table.seat_at(event.seat)
    if seat.top_up is not None:
        raise LogError("two top-ups at a time", "top_up_reserved")
    held = Reservation(event.reservation_id, event.amount_minor, event.expires_at_ms)
    table.seats[event.seat] = seat._replace(top_up=held)


def _top_up_held(table: Table, event: pb.TopUpHeld) -> None:
    seat, held = _with_top_up(table, event.seat, event.reservation_id, "top_up_held")
    if not table.bound(event.seat):
        raise LogError("a top-up held back outside of a hand", "top_up_held")
    table.seats[event.seat] = seat._replace(top_up=held._replace(held=True))


def _chips_added(table: Table, event: pb.ChipsAdded) -> None:
    seat, _ = _with_top_up(table, event.seat, event.reservation_id, "chips_added")
    if table.bound(event.seat):
        raise LogError("chips added in a hand", "chips_added")
    added = event.amount_minor // table.rules.price_minor
    stack = seat.stack + added
    table.seats[event.seat] = seat._replace(top_up=None, stack=stack, no_chips_at_ms=0)
    table.chips_in += added


def _top_up_released(table: Table, event: pb.TopUpReleased) -> None:
    seat, _ = _with_top_up(table, event.seat, event.reservation_id, "top_up_released")
    table.seats[event.seat] = seat._replace(top_up=None)
    table.note_void(event.reservation_id, event.error.reason)


def _with_top_up(
    table: Table, number: int, reservation_id: str, event: str
) -> tuple[Seat, Reservation]:
    """Return the seat and its top-up that an event is about. Raises LogError for another."""
    seat = table.seat_at(number)
    if seat.top_up is None or seat.top_up.reservation_id != reservation_id:
        raise LogError("a top-up that the seat has not asked for", f"{event}.reservation_id")
    return seat, seat.top_up


EVENTS: Final[EventTable] = {
    "chips_added": _chips_added,
    "seat_released": _seat_released,
    "seat_taken": _seat_taken,
    "top_up_held": _top_up_held,
    "top_up_released": _top_up_released,
    "top_up_reserved": _top_up_reserved,
}
