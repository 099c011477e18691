"""What both databases call the columns of a value, in the order of its fields."""

from __future__ import annotations

from typing import Any, Final

from floor_wallet.domain import Reservation, ReservationState

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

#: It stands in the text of statements, because partial indexes are only used then.
HELD: Final = f"state = {ReservationState.HELD:d}"

#: What a group of units stores: the columns of each table, in the order in which it is stored.
STORED: Final[dict[str, str]] = {
    "currencies": "code, exponent",
    "accounts": "account_no, kind, owner, currency, player_id, table_id",
    "postings": "account_no, version, entry_no, amount_minor, balance_minor",
    # After the postings, which they seal.
    "entries": "entry_no, entry_id, kind, currency, at_ms, table_id, hand_no, reference, note,"
    " content_hash, prev_hash, hash",
    "requests": "scope, request_id, content_hash, entry_no, balance_minor, at_ms",
    "reservations": RESERVATION,
    "tables": TABLE,
    "hands": HAND,
    "outbox": "outbox_no, event_id, subject, at_ms, payload",
    "reversals_asked": "entry_no, asked_by, reason, at_ms",
}
#: What becomes of a row that is there already; where nothing is said, there must be none.
WHERE_THERE_IS_ONE: Final[dict[str, str]] = {
    "reservations": " ON CONFLICT (reservation_id) DO UPDATE SET state = excluded.state",
    "tables": " ON CONFLICT (table_id) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in TABLE.split(", ")[1:]),
}


def of_reservation(reservation: Reservation) -> tuple[Any, ...]:
    """Return a reservation's row."""
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
