"""Storing what a group of units has written: a table's rows together, tables in the right order."""

from __future__ import annotations

import sqlite3
from typing import Final

from floor_wallet.store.columns import STORED, WHERE_THERE_IS_ONE
from floor_wallet.store.group_book import GroupBook


def _insert(table: str) -> str:
    columns = STORED[table]
    marks = ", ".join("?" * len(columns.split(", ")))
    there = WHERE_THERE_IS_ONE.get(table, "")
    return f"INSERT INTO {table} ({columns}) VALUES ({marks}){there}"  # noqa: S608 - constants


_INSERTS: Final = {table: _insert(table) for table in STORED}
_PUBLISHED: Final = "DELETE FROM outbox WHERE outbox_no = ?"
_FOLLOWED_TO: Final = "UPDATE ledger SET followed_to = max(followed_to, ?)"


def write(connection: sqlite3.Connection, book: GroupBook) -> None:
    """Store what the book has written since its last group, inside the open transaction."""
    to_store = book.to_store()
    for table, insert in _INSERTS.items():
        if to_store[table]:
            connection.executemany(insert, to_store[table])
    connection.executemany(_PUBLISHED, [(number,) for number in book.written.published])
    connection.execute(_FOLLOWED_TO, (book.last.followed_to,))
