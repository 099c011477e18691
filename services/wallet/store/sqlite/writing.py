"""Storing what a group of units has written: a table's rows together, tables in the right order."""

from __future__ import annotations

import sqlite3
from typing import Final

from services.wallet.store import columns
from services.wallet.store.sqlite import rows
from services.wallet.store.sqlite.book import SqliteBook


def _insert(table: str, columns: str) -> str:
    marks = ", ".join("?" * len(columns.split(", ")))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608 - constants


_CURRENCIES: Final = _insert("currencies", "code, exponent")
_ACCOUNTS: Final = _insert("accounts", "account_no, kind, owner, currency, player_id, table_id")
_POSTINGS: Final = _insert("postings", "account_no, version, entry_no, amount_minor, balance_minor")
_ENTRIES: Final = _insert(
    "entries",
    "entry_no, entry_id, kind, currency, at_ms, table_id, hand_no, reference, note,"
    " content_hash, prev_hash, hash",
)
_REQUESTS: Final = _insert(
    "requests", "scope, request_id, content_hash, entry_no, balance_minor, at_ms"
)
_HANDS: Final = _insert("hands", columns.HAND)
_OUTBOX: Final = _insert("outbox", "outbox_no, event_id, subject, at_ms, payload")
_REVERSALS_ASKED: Final = _insert("reversals_asked", "entry_no, asked_by, reason, at_ms")
_RESERVATIONS: Final = (
    _insert("reservations", columns.RESERVATION)
    + " ON CONFLICT (reservation_id) DO UPDATE SET state = excluded.state"
)
_PUBLISHED: Final = "DELETE FROM outbox WHERE outbox_no = ?"
_FOLLOWED_TO: Final = "UPDATE ledger SET followed_to = max(followed_to, ?)"


def write(connection: sqlite3.Connection, book: SqliteBook) -> None:
    """Store what the book has written since its last group, inside the open transaction."""
    written = book.written
    reservations = [
        columns.of_reservation(one) for one in book.reservations.written.values() if one is not None
    ]
    tables = [table for table in book.tables.written.values() if table is not None]
    for statement, rows_ in (
        (_CURRENCIES, written.currencies),
        (_ACCOUNTS, written.accounts),
        (_POSTINGS, written.postings),
        # After the postings, which they seal.
        (_ENTRIES, written.entries),
        (_REQUESTS, written.requests),
        (_RESERVATIONS, reservations),
        (rows.UPSERT_TABLE, tables),
        (_HANDS, written.hands),
        (_OUTBOX, written.outbox),
        (_REVERSALS_ASKED, written.reversals_asked),
        (_PUBLISHED, [(number,) for number in written.published]),
    ):
        if rows_:
            connection.executemany(statement, rows_)
    connection.execute(_FOLLOWED_TO, (book.ends.followed_to,))
