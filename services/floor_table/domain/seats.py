"""Seats: sit down, leave, sit out and in, preferences, sealing keys (TBL-2, TBL-4, TBL-15)."""

from typing import Final

from floor_table.domain.audiences import Audience
from floor_table.domain.inputs import CommandIn, SeatKeyIn
from floor_table.domain.parts import Departed, Reservation, Seat
from floor_table.domain.refusal import invalid, not_a_whole_chip, unexpected, wrong_state
from floor_table.domain.step import CommandTable, EventTable, InputTable, StepBuilder
from floor_table.domain.table import Table
from floor_table.domain.validate import not_seated, seated
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.common.v1.errors_pb2 import Error
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_AUDITOR, VIEW_KIND_PLAYER
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import LogError, Posting, to_amount

#: How long the wallet has to answer for a buy-in.
RESERVATION_MS: Final = 30_000
_MOST_NAME_CHARS: Final = 32
_FINGERPRINT_BYTES: Final = 32
_MOST_DEPARTED: Final = 256
# How long a player's time bank is remembered, whatever the rat-hole window.
_REMEMBER_MS: Final = 60 * 60_000

# --- commands


def sit_down(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Reserve a seat until the wallet has answered (TBL-2)."""
    table, wanted = step.table, given.command.sit_down
    if table.closing:
        return Refusal(errors_pb2.ERROR_CODE_TABLE_CLOSED, "the table is closing")
    if table.seat_of(given.sender) is not None:
        reason = "a player has one seat at a table"
        return Refusal(errors_pb2.ERROR_CODE_ALREADY_SEATED, reason)
    if not given.has_seal_key:
        reason = "without a sealing key no cards can be dealt to you"
        return Refusal(errors_pb2.ERROR_CODE_SEAL_KEY_MISSING, reason)
    refusal = _validate_name(wanted.display_name) or _validate_buy_in(table, given)
    if refusal is not None:
        return refusal
    number = _free_seat(table, wanted.seat)
    if isinstance(number, Refusal):
        return number
    step.emit(
        pb.SeatReserved(
            seat=number,
            player_id=given.sender,
            buy_in_minor=wanted.buy_in_minor,
            reservation_id=f"{table.table_id}/buyin/{table.table_seq}",
            expires_at_ms=step.now_ms + RESERVATION_MS,
            display_name=wanted.display_name,
            post_to_enter=wanted.post_to_enter,
        )
    )
    return None


def _validate_name(name: str) -> Refusal | None:
    if 1 <= len(name) <= _MOST_NAME_CHARS and name.isprintable() and name.strip() == name:
        return None
    reason = f"a name has 1 to {_MOST_NAME_CHARS} printable characters, without spaces at its ends"
    return invalid(reason, "sit_down.display_name")


def _validate_buy_in(table: Table, given: CommandIn) -> Refusal | None:
    """Refuse a buy-in by the table's limits and by what the player left with (TBL-2)."""
    rules, field = table.rules, "sit_down.buy_in_minor"
    buy_in = given.command.sit_down.buy_in_minor
    left_with = _left_with(table, given.sender)
    most = max(rules.most_buy_in, left_with)
    if not rules.least_buy_in <= buy_in <= most:
        reason = f"a buy-in is {rules.least_buy_in} to {most}, not {buy_in}"
        return Refusal(errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE, reason, field)
    if buy_in < left_with:
        reason = f"you left with {left_with} and come back with at least that"
        return Refusal(errors_pb2.ERROR_CODE_RAT_HOLE, reason, field)
    if buy_in % rules.chip:
        return not_a_whole_chip(buy_in, rules.chip, field)
    return None


def _left_with(table: Table, player_id: str) -> int:
    """Return what a player left with inside the rat-hole window, or 0."""
    since = table.at_ms - table.rules.rat_hole_ms
    for gone in table.departed:
        if gone.player_id == player_id and gone.at_ms > since:
            return gone.left_with * table.rules.price_minor
    return 0


def _free_seat(table: Table, wanted: int) -> int | Refusal:
    if wanted:
        if wanted > table.rules.seats:
            reason = f"there is no seat {wanted}: the table has {table.rules.seats}"
            return Refusal(errors_pb2.ERROR_CODE_UNKNOWN_SEAT, reason, "sit_down.seat")
        if wanted in table.seats:
            reason = f"seat {wanted} is taken or reserved"
            return Refusal(errors_pb2.ERROR_CODE_SEAT_TAKEN, reason, "sit_down.seat")
        return wanted
    for number in range(1, table.rules.seats + 1):
        if number not in table.seats:
            return number
    return Refusal(errors_pb2.ERROR_CODE_SEAT_TAKEN, "no seat is free", "sit_down.seat")


def leave_table(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Leave now, or when the hand is over (TBL-4) or the next game is chosen (MIX-3).

    A reserved seat is given up at once.
    """
    table = step.table
    seat = table.seat_of(given.sender)
    if seat is None:
        return not_seated()
    if seat.buy_in is not None:
        release_seat(step, seat, seat.buy_in, GIVEN_UP)
    elif seat.leaving:
        return wrong_state("you leave when the hand is over")
    elif table.bound(seat.seat) or table.choosing:
        step.emit(pb.LeaveRequested(seat=seat.seat))
    else:
        leave(step, seat, pb.LEAVE_REASON_ASKED)
    return None


def sit_out(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Sit out from the next hand on; a hand that the seat is in is played to its end."""
    seat = seated(step.table, given.sender)
    if isinstance(seat, Refusal):
        return seat
    if seat.sitting_out:
        return wrong_state("you sit out already")
    at_once = not step.table.bound(seat.seat)
    step.emit(pb.SatOut(seat=seat.seat, reason=pb.SIT_OUT_REASON_ASKED, at_once=at_once))
    return None


def sit_in(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Come back, or choose again how to enter (TBL-15, TBL-16)."""
    seat = seated(step.table, given.sender)
    if isinstance(seat, Refusal):
        return seat
    post = given.command.sit_in.post_to_enter
    if not seat.sitting_out and (seat.post == post or not seat.entering):
        return wrong_state("you are in already")
    if seat.sitting_out:
        step.emit(pb.SatIn(seat=seat.seat))
    if seat.post != post:
        step.emit(pb.EntryChosen(seat=seat.seat, post=post))
    return None


def preferences(step: StepBuilder, given: CommandIn) -> Refusal | None:
    """Change a player's own settings."""
    table, wanted = step.table, given.command.preferences
    seat = seated(table, given.sender)
    if isinstance(seat, Refusal):
        return seat
    amount, field = wanted.auto_top_up_minor, "preferences.auto_top_up_minor"
    if not 0 <= amount <= table.rules.most_buy_in:
        reason = f"an automatic top-up is to {table.rules.most_buy_in} at most, 0 is off"
        return invalid(reason, field)
    if amount % table.rules.chip:
        return not_a_whole_chip(amount, table.rules.chip, field)
    step.emit(
        pb.PreferencesChanged(
            seat=seat.seat, always_show=wanted.always_show, auto_top_up_minor=amount
        )
    )
    return None


COMMANDS: Final[CommandTable] = {
    "leave": leave_table,
    "preferences": preferences,
    "sit_down": sit_down,
    "sit_in": sit_in,
    "sit_out": sit_out,
}

# --- inputs


def bind_key(step: StepBuilder, given: SeatKeyIn) -> Refusal | None:
    """Note that a key of the seat's player is registered with the shuffler."""
    seat = step.table.seats.get(given.seat)
    if seat is None or seat.pending:
        return unexpected(f"nobody sits at seat {given.seat}")
    if len(given.fingerprint) != _FINGERPRINT_BYTES:
        return invalid(f"a fingerprint of {len(given.fingerprint)} bytes", "fingerprint")
    step.emit(pb.SeatKeyBound(seat=given.seat, fingerprint=given.fingerprint, reason=given.reason))
    return None


INPUTS: Final[InputTable] = {SeatKeyIn: bind_key}

# --- what others let happen to a seat

#: Why a reservation comes to nothing.
EXPIRED: Final = Refusal(errors_pb2.ERROR_CODE_RESERVATION_GONE, "expired")
GIVEN_UP: Final = Refusal(errors_pb2.ERROR_CODE_RESERVATION_GONE, "given up")
LEFT: Final = Refusal(errors_pb2.ERROR_CODE_NOT_SEATED, "left the table")


def leave(step: StepBuilder, seat: Seat, reason: pb.LeaveReason.ValueType) -> None:
    """Let a player go with the whole stack (TBL-4). The seat must not be in a hand."""
    table = step.table
    if seat.top_up is not None:
        release_top_up(step, seat, seat.top_up, LEFT)
    step.emit(
        pb.SeatLeft(
            seat=seat.seat,
            player_id=seat.player_id,
            cash_out_minor=seat.stack * table.rules.price_minor,
            cash_out_id=f"{table.table_id}/cashout/{table.table_seq}/{seat.seat}",
            reason=reason,
        )
    )


def release_seat(step: StepBuilder, seat: Seat, held: Reservation, why: Refusal) -> None:
    """Give a reserved seat up."""
    step.emit(
        pb.SeatReleased(
            seat=seat.seat,
            player_id=seat.player_id,
            reservation_id=held.reservation_id,
            error=Error(code=why.code, reason=why.reason),
        )
    )


def release_top_up(step: StepBuilder, seat: Seat, held: Reservation, why: Refusal) -> None:
    """Give a top-up up."""
    step.emit(
        pb.TopUpReleased(
            seat=seat.seat,
            reservation_id=held.reservation_id,
            player_id=seat.player_id,
            error=Error(code=why.code, reason=why.reason),
        )
    )


# --- events


def _seat_reserved(table: Table, event: pb.SeatReserved) -> None:
    if event.seat in table.seats or not 1 <= event.seat <= table.rules.seats:
        raise LogError(f"seat {event.seat} is not free", "seat_reserved.seat")
    held = Reservation(event.reservation_id, event.buy_in_minor, event.expires_at_ms)
    table.seats[event.seat] = Seat(
        event.seat, event.player_id, event.display_name, buy_in=held, post=event.post_to_enter
    )


def _seat_left(table: Table, event: pb.SeatLeft) -> None:
    seat = table.seat_at(event.seat)
    whole_minor = seat.stack * table.rules.price_minor
    held = table.bound(event.seat) or table.choosing
    if seat.pending or held or event.cash_out_minor != whole_minor:
        raise LogError("a seat left in a hand, or not with its whole stack", "seat_left")
    del table.seats[event.seat]
    table.readiness = table.readiness.without(event.seat)
    table.bomb_votes = tuple([voted for voted in table.bomb_votes if voted != event.seat])
    table.chips_out += seat.stack
    # Whoever comes back, to the same seat even, is a newcomer (TBL-15).
    dealt = [one for one in table.last.dealt if one != (event.seat, event.player_id)]
    table.last = table.last._replace(dealt=tuple(dealt))
    oldest = table.at_ms - max(table.rules.rat_hole_ms, _REMEMBER_MS)
    kept = [
        gone for gone in table.departed if gone.at_ms > oldest and gone.player_id != event.player_id
    ]
    kept.append(Departed(seat.player_id, seat.stack, table.at_ms, seat.bank_ms, seat.bank_hands))
    table.departed = tuple(kept[-_MOST_DEPARTED:])


def _leave_requested(table: Table, event: pb.LeaveRequested) -> None:
    table.seats[event.seat] = table.seat_at(event.seat)._replace(leaving=True)


def _sat_out(table: Table, event: pb.SatOut) -> None:
    table.seats[event.seat] = table.seat_at(event.seat)._replace(sitting_out=True)
    table.readiness = table.readiness.without(event.seat)


def _sat_in(table: Table, event: pb.SatIn) -> None:
    table.seats[event.seat] = table.seat_at(event.seat)._replace(sitting_out=False)


def _entry_chosen(table: Table, event: pb.EntryChosen) -> None:
    table.seats[event.seat] = table.seat_at(event.seat)._replace(post=event.post)


def _preferences_changed(table: Table, event: pb.PreferencesChanged) -> None:
    table.seats[event.seat] = table.seat_at(event.seat)._replace(
        always_show=event.always_show, auto_top_up_minor=event.auto_top_up_minor
    )


def _seat_key_bound(table: Table, event: pb.SeatKeyBound) -> None:
    table.seats[event.seat] = table.seat_at(event.seat)._replace(key_bound=True)


EVENTS: Final[EventTable] = {
    "entry_chosen": _entry_chosen,
    "leave_requested": _leave_requested,
    "preferences_changed": _preferences_changed,
    "sat_in": _sat_in,
    "sat_out": _sat_out,
    "seat_key_bound": _seat_key_bound,
    "seat_left": _seat_left,
    "seat_reserved": _seat_reserved,
}

# --- views


def seat_view(table: Table, number: int, audience: Audience) -> view_pb2.SeatView:
    """Return a seat as an audience sees it: a reserved one as empty but for its player."""
    seat = table.seats.get(number)
    if seat is None or not _may_see(seat, audience):
        return view_pb2.SeatView(seat=number, state=view_pb2.SEAT_STATE_EMPTY)
    return view_pb2.SeatView(
        seat=number,
        state=_seat_state(table, seat),
        player_id=seat.player_id,
        display_name=seat.display_name,
        stack=to_amount(table.behind(seat), table.rules.kind),
        connected=seat.connected,
        bank_ms=seat.bank_ms,
        big_blinds_missed=seat.big_missed,
    )


def _may_see(seat: Seat, audience: Audience) -> bool:
    own = audience.kind == VIEW_KIND_PLAYER and audience.player_id == seat.player_id
    return not seat.pending or own or audience.kind == VIEW_KIND_AUDITOR


def _seat_state(table: Table, seat: Seat) -> view_pb2.SeatState.ValueType:
    if seat.pending:
        return view_pb2.SEAT_STATE_PENDING
    if seat.leaving:
        return view_pb2.SEAT_STATE_LEAVING
    in_hand = table.in_hand(seat.seat)
    if seat.sitting_out or (not seat.stack and not in_hand):
        return view_pb2.SEAT_STATE_SITTING_OUT
    if seat.entering and table.rules.posting is Posting.BLINDS and not in_hand:
        return view_pb2.SEAT_STATE_ENTERING
    return view_pb2.SEAT_STATE_PLAYING
