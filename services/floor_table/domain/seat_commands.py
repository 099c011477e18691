"""Commands about seats and chips: sit down, leave, sit out and in, top up, preferences (TBL)."""

from floor_table.domain.draft import Draft
from floor_table.domain.inputs import CommandIn
from floor_table.domain.outcome import FloorRefusal
from floor_table.domain.refusals import invalid, not_a_whole_chip, wrong_state
from floor_table.domain.seat_changes import (
    RESERVATION_MS,
    Why,
    leave,
    release_seat,
    reserve_top_up,
)
from floor_table.domain.seats import Seat
from floor_table.domain.state import TableState
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.table.v1 import table_pb2

_NAME_LENGTH = 32
_GONE = errors_pb2.ERROR_CODE_RESERVATION_GONE


def sit_down(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Reserve a seat until the wallet has answered (TBL-2)."""
    state, wanted = draft.state, given.command.sit_down
    if state.closing:
        return FloorRefusal(errors_pb2.ERROR_CODE_TABLE_CLOSED, "the table is closing")
    if state.seat_of(given.sender) is not None:
        reason = "a player has one seat at a table"
        return FloorRefusal(errors_pb2.ERROR_CODE_ALREADY_SEATED, reason)
    if not given.has_seal_key:
        reason = "without a sealing key no cards can be dealt to you"
        return FloorRefusal(errors_pb2.ERROR_CODE_SEAL_KEY_MISSING, reason)
    refusal = _bad_name(wanted.display_name) or _bad_buy_in(state, given)
    if refusal is not None:
        return refusal
    number = _free_seat(state, wanted.seat)
    if isinstance(number, FloorRefusal):
        return number
    draft.emit(
        TableEvent(
            seat_reserved=pb.SeatReserved(
                seat=number,
                player_id=given.sender,
                buy_in_minor=wanted.buy_in_minor,
                reservation_id=f"{state.table_id}/buyin/{state.table_seq}",
                expires_at_ms=draft.now_ms + RESERVATION_MS,
                display_name=wanted.display_name,
                post_to_enter=wanted.post_to_enter,
            )
        )
    )
    return None


def _bad_name(name: str) -> FloorRefusal | None:
    if not 1 <= len(name) <= _NAME_LENGTH or not name.isprintable() or name.strip() != name:
        reason = f"a name has 1 to {_NAME_LENGTH} printable characters, without spaces at its ends"
        return invalid(reason, "sit_down.display_name")
    return None


def _bad_buy_in(state: TableState, given: CommandIn) -> FloorRefusal | None:
    """Judge a buy-in by the table's limits and by what the player left with (TBL-2)."""
    rules, field = state.rules, "sit_down.buy_in_minor"
    buy_in = given.command.sit_down.buy_in_minor
    left_with = _left_with(state, given.sender)
    most = max(rules.most_buy_in, left_with)
    if not rules.least_buy_in <= buy_in <= most:
        reason = f"a buy-in is {rules.least_buy_in} to {most}, not {buy_in}"
        return FloorRefusal(errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE, reason, field)
    if buy_in < left_with:
        reason = f"you left with {left_with} and come back with at least that"
        return FloorRefusal(errors_pb2.ERROR_CODE_RAT_HOLE, reason, field)
    if buy_in % rules.chip:
        return not_a_whole_chip(buy_in, rules.chip, field)
    return None


def _left_with(state: TableState, player_id: str) -> int:
    """Return what a player left with inside the rat-hole window, or 0."""
    since = state.at_ms - state.rules.rat_hole_ms

    for gone in state.departed:
        if gone.player_id == player_id and gone.at_ms > since:
            return gone.left_with * state.rules.price_minor
    return 0


def _free_seat(state: TableState, wanted: int) -> int | FloorRefusal:
    if wanted:
        if wanted > state.rules.seats:
            reason = f"there is no seat {wanted}: the table has {state.rules.seats}"
            return FloorRefusal(errors_pb2.ERROR_CODE_UNKNOWN_SEAT, reason, "sit_down.seat")
        if wanted in state.seats:
            reason = f"seat {wanted} is taken or reserved"
            return FloorRefusal(errors_pb2.ERROR_CODE_SEAT_TAKEN, reason, "sit_down.seat")
        return wanted
    for number in range(1, state.rules.seats + 1):
        if number not in state.seats:
            return number
    return FloorRefusal(errors_pb2.ERROR_CODE_SEAT_TAKEN, "no seat is free", "sit_down.seat")


def seated(state: TableState, player_id: str) -> Seat | FloorRefusal:
    """Return the seat of a player, once the wallet has said yes."""
    seat = state.seat_of(player_id)
    if seat is None:
        return FloorRefusal(errors_pb2.ERROR_CODE_NOT_SEATED, "you do not sit at this table")
    if seat.pending:
        reason = "the seat is pending until the wallet has answered"
        return FloorRefusal(errors_pb2.ERROR_CODE_SEAT_PENDING, reason)
    return seat


def leave_table(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Leave now, or when the hand is over (TBL-4) or the next game is chosen (MIX-3).

    A reserved seat is given up at once.
    """
    state = draft.state
    seat = state.seat_of(given.sender)
    if seat is None:
        return FloorRefusal(errors_pb2.ERROR_CODE_NOT_SEATED, "you do not sit at this table")
    if seat.buy_in is not None:
        release_seat(draft, seat, seat.buy_in, Why(_GONE, "given up"))
    elif seat.leaving:
        return wrong_state("you leave when the hand is over")
    elif state.bound(seat.seat) or state.choosing:
        draft.emit(TableEvent(leave_requested=pb.LeaveRequested(seat=seat.seat)))
    else:
        leave(draft, seat, pb.LEAVE_REASON_ASKED)
    return None


def sit_out(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Sit out from the next hand on; a hand that the seat is in is played to its end."""
    state = draft.state
    seat = seated(state, given.sender)
    if isinstance(seat, FloorRefusal):
        return seat
    if seat.sitting_out:
        return wrong_state("you sit out already")
    at_once = not state.bound(seat.seat)
    event = pb.SatOut(seat=seat.seat, reason=pb.SIT_OUT_REASON_ASKED, at_once=at_once)
    draft.emit(TableEvent(sat_out=event))
    return None


def sit_in(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Come back, or choose again how to enter (TBL-15, TBL-16)."""
    seat = seated(draft.state, given.sender)
    if isinstance(seat, FloorRefusal):
        return seat
    post = given.command.sit_in.post_to_enter
    if not seat.sitting_out and (seat.post == post or not seat.entering):
        return wrong_state("you are in already")
    if seat.sitting_out:
        draft.emit(TableEvent(sat_in=pb.SatIn(seat=seat.seat)))
    if seat.post != post:
        draft.emit(TableEvent(entry_chosen=pb.EntryChosen(seat=seat.seat, post=post)))
    return None


def top_up(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Ask for more chips; they arrive between hands (TBL-3)."""
    state, amount = draft.state, given.command.top_up.amount_minor
    seat = seated(state, given.sender)
    if isinstance(seat, FloorRefusal):
        return seat
    field = "top_up.amount_minor"
    if seat.leaving or state.closing:
        return wrong_state("no chips are added to a stack that is about to leave")
    if seat.top_up is not None:
        return wrong_state("a top-up is under way")
    if amount <= 0:
        return invalid("a top-up is above zero", field)
    if amount % state.rules.chip:
        return not_a_whole_chip(amount, state.rules.chip, field)
    behind = state.behind(seat) * state.rules.price_minor
    if behind + amount > state.rules.most_buy_in:
        room = max(0, state.rules.most_buy_in - behind)
        reason = f"a stack of {behind} can be topped up by {room} at most"
        return FloorRefusal(errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE, reason, field)
    reserve_top_up(draft, seat, amount)
    return None


def preferences(draft: Draft, given: CommandIn) -> FloorRefusal | None:
    """Change a player's own settings."""
    state, wanted = draft.state, given.command.preferences
    seat = seated(state, given.sender)
    if isinstance(seat, FloorRefusal):
        return seat
    amount, field = wanted.auto_top_up_minor, "preferences.auto_top_up_minor"
    if not 0 <= amount <= state.rules.most_buy_in:
        reason = f"an automatic top-up is to {state.rules.most_buy_in} at most, 0 is off"
        return invalid(reason, field)
    if amount % state.rules.chip:
        return not_a_whole_chip(amount, state.rules.chip, field)
    draft.emit(
        TableEvent(
            preferences_changed=pb.PreferencesChanged(
                seat=seat.seat, always_show=wanted.always_show, auto_top_up_minor=amount
            )
        )
    )
    return None


def command_kind(command: table_pb2.TableCommand) -> str:
    """Return the name of a command's field, "" when none is set."""
    return command.WhichOneof("command") or ""
