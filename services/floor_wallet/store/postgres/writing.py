"""Storing what a group of units wrote: one statement for each table."""

from __future__ import annotations

from typing import Any, Final

import asyncpg

from floor_wallet.store.columns import STORED, WHERE_THERE_IS_ONE, Row
from floor_wallet.store.group_book import GroupBook

# The types of the columns that are stored.
_TYPES: Final[dict[str, str]] = {
    "currencies": "text smallint",
    "accounts": "bigint smallint text text text text",
    "postings": "bigint bigint bigint bigint bigint",
    "entries": "bigint text smallint text bigint text bigint text text bytea bytea bytea",
    "requests": "text text bytea bigint bigint bigint",
    "reservations": "text text smallint bigint text text bigint bigint bigint",
    "tables": "text text text bigint bigint bigint bigint bigint bigint bigint bigint bigint text"
    " bigint text",
    "hands": "text bigint bigint bigint bigint boolean bigint text text text",
    "outbox": "bigint text text bigint bytea",
    "reversals_asked": "bigint text text bigint",
}


def _insert(table: str) -> str:
    """Return the statement that inserts rows given as an array for each column."""
    types = _TYPES[table].split()
    arrays = ", ".join(f"${n}::{kind}[]" for n, kind in enumerate(types, start=1))
    there = WHERE_THERE_IS_ONE.get(table, "")
    return f"INSERT INTO {table} ({STORED[table]}) SELECT * FROM unnest({arrays}){there}"  # noqa: S608 - constants


_INSERTS: Final = {table: _insert(table) for table in STORED}
_PUBLISHED: Final = "DELETE FROM outbox WHERE outbox_no = ANY($1::bigint[])"
_LEDGER: Final = (
    "UPDATE ledger SET followed_to = greatest(followed_to, $1::bigint),"
    " last_outbox_no = $2::bigint, revision = revision + 1 WHERE one = 1 RETURNING revision"
)


async def write(connection: asyncpg.Connection, book: GroupBook) -> int:
    """Store what the book has written in this group; return the database's new revision."""
    to_store = book.to_store()
    for table, insert in _INSERTS.items():
        if to_store[table]:
            await connection.execute(insert, *_columns(to_store[table]))
    if book.written.published:
        await connection.execute(_PUBLISHED, book.written.published)
    revision = await connection.fetchval(_LEDGER, book.last.followed_to, book.last.outbox_no)
    return int(revision)


def _columns(rows_: list[Row]) -> list[list[Any]]:
    """Turn rows into a list for each column."""
    return [list(column) for column in zip(*rows_, strict=True)]
