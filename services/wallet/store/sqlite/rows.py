"""Values as rows, and rows as values."""

from __future__ import annotations

from typing import Any, Final

from services.wallet.domain import Entry, Reservation, ReservationState

Row = tuple[Any, ...]

# In the order of the dataclasses' fields.
RESERVATION: Final = (
    "reservation_id, table_id, state, at_ms, player_id, currency, amount_minor,"
    " expires_at_ms, balance_minor"
)
TABLE: Final = (
    "table_id, room_id, currency, called_max_buy_in_minor, called_max_rake_minor,"
    " logged_max_buy_in_minor, logged_max_rake_minor, call_epoch, log_epoch, table_seq,"
    " stream_seq, hand_no, stopped_reason, point_price_minor"
)
_TABLE_COLUMNS: Final = TABLE.split(", ")

INSERT_ENTRY: Final = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
UPSERT_TABLE: Final = (
    f"INSERT INTO tables ({TABLE}) VALUES ({', '.join('?' * len(_TABLE_COLUMNS))})"  # noqa: S608 - constants
    " ON CONFLICT (table_id) DO UPDATE SET "
    + ", ".join(f"{column} = excluded.{column}" for column in _TABLE_COLUMNS[1:])
)

# HELD is 1; it stands in the text, because the partial index is only used then.
HELD_AT_TABLE: Final = (
    "SELECT coalesce(sum(amount_minor), 0) FROM reservations"
    " WHERE table_id = ? AND player_id = ? AND state = 1"
)


def of_entry(entry: Entry) -> Row:
    """Give an entry's row."""
    draft = entry.draft
    return (
        entry.entry_no,
        draft.entry_id,
        int(draft.kind),
        draft.currency,
        draft.at_ms,
        draft.table_id,
        draft.hand_no,
        draft.reference,
        draft.note,
        entry.content_hash,
        entry.prev_hash,
        entry.hash,
    )


def of_reservation(reservation: Reservation) -> Row:
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


def event_id(ledger_id: str, outbox_no: int) -> str:
    """Give a fact's id; those of one ledger sort by their number."""
    return f"{ledger_id}-{outbox_no:012d}"
