"""Storing what a group of units wrote: one statement for each table."""

from __future__ import annotations

from typing import Any, Final

import asyncpg

from services.wallet.store import columns
from services.wallet.store.book import GroupBook, Row


def _insert(table: str, columns: str, types: str) -> str:
    """Give the statement that inserts rows given as an array for each column."""
    arrays = ", ".join(f"${n}::{kind}[]" for n, kind in enumerate(types.split(), start=1))
    return f"INSERT INTO {table} ({columns}) SELECT * FROM unnest({arrays})"  # noqa: S608 - constants


_TABLE_COLUMNS: Final = columns.TABLE.split(", ")
_CURRENCIES: Final = _insert("currencies", "code, exponent", "text smallint")
_ACCOUNTS: Final = _insert(
    "accounts",
    "account_no, kind, owner, currency, player_id, table_id",
    "bigint smallint text text text text",
)
_POSTINGS: Final = _insert(
    "postings",
    "account_no, version, entry_no, amount_minor, balance_minor",
    "bigint bigint bigint bigint bigint",
)
_ENTRIES: Final = _insert(
    "entries",
    "entry_no, entry_id, kind, currency, at_ms, table_id, hand_no, reference, note,"
    " content_hash, prev_hash, hash",
    "bigint text smallint text bigint text bigint text text bytea bytea bytea",
)
_REQUESTS: Final = _insert(
    "requests",
    "scope, request_id, content_hash, entry_no, balance_minor, at_ms",
    "text text bytea bigint bigint bigint",
)
_HANDS: Final = _insert(
    "hands", columns.HAND, "text bigint bigint bigint bigint boolean bigint text text text"
)
_OUTBOX: Final = _insert(
    "outbox", "outbox_no, event_id, subject, at_ms, payload", "bigint text text bigint bytea"
)
_REVERSALS_ASKED: Final = _insert(
    "reversals_asked", "entry_no, asked_by, reason, at_ms", "bigint text text bigint"
)
_RESERVATIONS: Final = (
    _insert(
        "reservations",
        columns.RESERVATION,
        "text text smallint bigint text text bigint bigint bigint",
    )
    + " ON CONFLICT (reservation_id) DO UPDATE SET state = excluded.state"
)
_TABLES: Final = (
    _insert(
        "tables",
        columns.TABLE,
        "text text text bigint bigint bigint bigint bigint bigint bigint bigint bigint text"
        " bigint text",
    )
    + " ON CONFLICT (table_id) DO UPDATE SET "
    + ", ".join(f"{column} = excluded.{column}" for column in _TABLE_COLUMNS[1:])
)
_PUBLISHED: Final = "DELETE FROM outbox WHERE outbox_no = ANY($1::bigint[])"
_LEDGER: Final = (
    "UPDATE ledger SET followed_to = greatest(followed_to, $1::bigint),"
    " last_outbox_no = $2::bigint, revision = revision + 1 WHERE one = 1 RETURNING revision"
)


async def write(connection: asyncpg.Connection, book: GroupBook) -> int:
    """Store what the book has written in this pass; gives the database's new revision."""
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
        (_TABLES, tables),
        (_HANDS, written.hands),
        (_OUTBOX, written.outbox),
        (_REVERSALS_ASKED, written.reversals_asked),
    ):
        if rows_:
            await connection.execute(statement, *_columns(rows_))
    if written.published:
        await connection.execute(_PUBLISHED, written.published)
    revision = await connection.fetchval(_LEDGER, book.ends.followed_to, book.ends.outbox_no)
    return int(revision)


def _columns(rows_: list[Any] | list[Row]) -> list[list[Any]]:
    """Turn rows into a list for each column."""
    return [list(column) for column in zip(*rows_, strict=True)]
