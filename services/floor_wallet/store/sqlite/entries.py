"""Entries with their postings, read from the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from floor_wallet.domain import Entry
from floor_wallet.store.entry_lines import ENTRY_LINES, IN_ORDER, entries_in

_ENTRIES: Final = f"{ENTRY_LINES} WHERE e.entry_no > ? AND e.entry_no <= ? {IN_ORDER}"


def entries_of(connection: sqlite3.Connection, after_no: int, to_no: int) -> Iterator[Entry]:
    """Read them in order: those after a number, up to another."""
    yield from entries_in(connection.execute(_ENTRIES, (after_no, to_no)))
