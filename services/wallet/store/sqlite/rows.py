"""Values as rows, and rows as values."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, TypeVar, cast

from services.wallet.domain import (
    AccountKey,
    AccountKind,
    Draft,
    Entry,
    EntryKind,
    Posting,
    Reservation,
    ReservationState,
)

Row = tuple[Any, ...]
K = TypeVar("K")

_ACCOUNT_KINDS: Final[dict[int, AccountKind]] = {int(kind): kind for kind in AccountKind}
_ENTRY_KINDS: Final[dict[int, EntryKind]] = {int(kind): kind for kind in EntryKind}

# In the order of the dataclasses' fields.
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


_ENTRY_LINES: Final = (
    "SELECT e.entry_no, e.entry_id, e.kind, e.currency, e.at_ms, e.table_id, e.hand_no,"
    " e.reference, e.note, e.content_hash, e.prev_hash, e.hash,"
    " a.kind, a.owner, a.currency, p.amount_minor, p.version, p.balance_minor"
    " FROM entries AS e JOIN postings AS p USING (entry_no) JOIN accounts AS a USING (account_no)"
    " WHERE e.entry_no > ? AND e.entry_no <= ? ORDER BY e.entry_no, a.kind, a.owner"
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


def entries_of(connection: sqlite3.Connection, after_no: int, to_no: int) -> Iterator[Entry]:
    """Read entries with their postings, in order: those after a number, up to another."""
    found = connection.execute(_ENTRY_LINES, (after_no, to_no))
    for _, lines in groupby(found, key=itemgetter(0)):
        yield to_entry(list(lines))


def to_entry(lines: Sequence[Row]) -> Entry:
    """Read an entry from its lines, a posting each, as they stand; nothing is believed of them."""
    head = lines[0]
    postings = tuple(
        Posting(AccountKey(_known(_ACCOUNT_KINDS, line[12]), line[13], line[14]), *line[15:18])
        for line in lines
    )
    draft = Draft(
        kind=_known(_ENTRY_KINDS, head[2]),
        entry_id=head[1],
        currency=head[3],
        at_ms=head[4],
        movements=tuple((p.account, p.amount_minor) for p in postings),
        table_id=head[5],
        hand_no=head[6],
        reference=head[7],
        note=head[8],
    )
    return Entry(head[0], draft, postings, *head[9:12])


def _known(kinds: dict[int, K], number: int) -> K:
    """Give a kind; a number that is none, because somebody changed it, stays as it stands."""
    return kinds.get(number, cast("K", number))


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
