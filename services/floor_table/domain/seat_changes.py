"""What happens to seats by themselves: leaving, reservations that end, automatic top-ups."""

from typing import Final, NamedTuple

from floor_table.domain.carried_pot import close_carried_pot
from floor_table.domain.draft import Draft
from floor_table.domain.seats import Reservation, Seat
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.common.v1.errors_pb2 import Error
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.tablelog import to_amount

RESERVATION_MS: Final = 30_000
# A top-up asked for in a hand arrives when the hand ends, however long that takes (TBL-3).
TOP_UP_IN_HAND_MS: Final = 600_000
# A reservation is not committed in its last moments, so that the wallet may void it when it ends.
COMMIT_MARGIN_MS: Final = 2_000
# How long a seat without chips is kept (our rule: see README).
NO_CHIPS_MS: Final = 120_000


class Why(NamedTuple):
    """Why a reservation came to nothing: for programs (an ErrorCode) and for people."""

    code: errors_pb2.ErrorCode.ValueType
    reason: str


EXPIRED: Final = Why(errors_pb2.ERROR_CODE_RESERVATION_GONE, "expired")


def too_late_to_commit(held: Reservation, now_ms: int) -> bool:
    """Tell whether a reservation may not be committed any more."""
    return now_ms > held.expires_at_ms - COMMIT_MARGIN_MS


def leave(draft: Draft, seat: Seat, reason: pb.LeaveReason.ValueType) -> None:
    """Let a player go with the whole stack (TBL-4). The seat must not be in a hand."""
    state = draft.state
    if seat.top_up is not None:
        why = Why(errors_pb2.ERROR_CODE_NOT_SEATED, "left the table")
        release_top_up(draft, seat, seat.top_up, why)
    draft.emit(
        TableEvent(
            seat_left=pb.SeatLeft(
                seat=seat.seat,
                player_id=seat.player_id,
                cash_out_minor=seat.stack * state.rules.price_minor,
                cash_out_id=f"{state.table_id}/cashout/{state.table_seq}/{seat.seat}",
                reason=reason,
            )
        )
    )


def release_seat(draft: Draft, seat: Seat, held: Reservation, why: Why) -> None:
    """Give a reserved seat up."""
    draft.emit(
        TableEvent(
            seat_released=pb.SeatReleased(
                seat=seat.seat,
                player_id=seat.player_id,
                reservation_id=held.reservation_id,
                error=Error(code=why.code, reason=why.reason),
            )
        )
    )


def release_top_up(draft: Draft, seat: Seat, held: Reservation, why: Why) -> None:
    """Give a top-up up."""
    draft.emit(
        TableEvent(
            top_up_released=pb.TopUpReleased(
                seat=seat.seat,
                reservation_id=held.reservation_id,
                player_id=seat.player_id,
                error=Error(code=why.code, reason=why.reason),
            )
        )
    )


def reserve_top_up(draft: Draft, seat: Seat, amount_minor: int) -> None:
    """Ask the wallet for more chips."""
    state = draft.state
    lasts_ms = TOP_UP_IN_HAND_MS if state.bound(seat.seat) else RESERVATION_MS
    draft.emit(
        TableEvent(
            top_up_reserved=pb.TopUpReserved(
                seat=seat.seat,
                amount_minor=amount_minor,
                reservation_id=f"{state.table_id}/topup/{state.table_seq}/{seat.seat}",
                expires_at_ms=draft.now_ms + lasts_ms,
                player_id=seat.player_id,
            )
        )
    )


def commit_top_up(draft: Draft, seat: Seat, held: Reservation) -> None:
    """Add chips that the wallet holds, between hands; or give them up when they come too late."""
    state = draft.state
    price_minor = state.rules.price_minor
    stack = seat.stack + held.amount_minor // price_minor
    if too_late_to_commit(held, draft.now_ms):
        release_top_up(draft, seat, held, EXPIRED)
    elif stack * price_minor > state.rules.most_buy_in:
        worth = stack * price_minor
        reason = f"the stack would be {worth}, above the maximum of {state.rules.most_buy_in}"
        why = Why(errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE, reason)
        release_top_up(draft, seat, held, why)
    else:
        draft.emit(
            TableEvent(
                chips_added=pb.ChipsAdded(
                    seat=seat.seat,
                    amount_minor=held.amount_minor,
                    reservation_id=held.reservation_id,
                    stack=to_amount(stack, state.rules.kind),
                    player_id=seat.player_id,
                )
            )
        )


def auto_top_ups(draft: Draft) -> None:
    """Top up every seat below the amount its player has named (TBL-3)."""
    for seat in draft.state.by_number():
        short = seat.auto_top_up_minor - seat.stack * draft.state.rules.price_minor
        there = not (seat.pending or seat.leaving or seat.sitting_out)
        there = there and not draft.state.bound(seat.seat)
        if short > 0 and there and seat.top_up is None:
            reserve_top_up(draft, seat, short)


def close_if_idle(draft: Draft) -> None:
    """Close a closing table when no hand or draw is under way: everybody goes, with all chips."""
    state = draft.state
    busy = state.playing is not None or state.draw is not None or state.hand_shows
    busy = busy or state.choosing
    # A match is played to its end (OFC-6).
    if not state.closing or state.closed or busy or state.matches.match is not None:
        return
    close_carried_pot(draft)
    for seat in state.by_number():
        if seat.buy_in is not None:
            why = Why(errors_pb2.ERROR_CODE_TABLE_CLOSED, "the table closes")
            release_seat(draft, seat, seat.buy_in, why)
        else:
            leave(draft, seat, pb.LEAVE_REASON_TABLE_CLOSED)
    draft.emit(TableEvent(table_closed=pb.TableClosed()))
