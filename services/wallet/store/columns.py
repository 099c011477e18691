"""What both databases call the columns of a value, in the order of its fields."""

from __future__ import annotations

from typing import Any, Final

from services.wallet.domain import Reservation, ReservationState

#: A row as either database gives it: by position.
Row = Any

RESERVATION: Final = (
    "reservation_id, table_id, state, at_ms, player_id, currency, amount_minor,"
    " expires_at_ms, balance_minor"
)
TABLE: Final = (
    "table_id, room_id, currency, called_max_buy_in_minor, called_max_rake_minor,"
    " logged_max_buy_in_minor, logged_max_rake_minor, call_epoch, log_epoch, table_seq,"
    " stream_seq, hand_no, stopped_reason, point_price_minor, game"
)
HAND: Final = (
    "table_id, hand_no, entry_no, rake_minor, table_seq, voided, at_ms, room_id, game, currency"
)


def of_reservation(reservation: Reservation) -> tuple[Any, ...]:
    """Give a reservation's row."""
    return (
        reservation.reservation_id,
        reservation.table_id,
        int(reservation.state),
        reservation.at_ms,
        reservation.player_id,
        reservation.currency,
        reservation.amount_minor,
        reservation.expires_at_ms,
        reservation.balance_minor,
    )


def to_reservation(row: Row) -> Reservation:
    """Read a reservation's row."""
    return Reservation(row[0], row[1], ReservationState(row[2]), *row[3:])
