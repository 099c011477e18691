"""Changes to the file of a ledger that its program would never make, while the wallet is off."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from floor_wallet.domain import GENESIS, Entry, chain, content_digest
from floor_wallet.store.sqlite.lookups import entries_between

Change = Callable[[sqlite3.Connection], object]


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The file with nothing left that guards it."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        triggers = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        connection.execute("BEGIN")
        for (name,) in triggers.fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        yield connection
        connection.execute("COMMIT")
    finally:
        connection.close()


def entry_no_of(connection: sqlite3.Connection, kind: int, skip: int = 0) -> int:
    """The number of an entry of a kind, after so many others."""
    found = connection.execute(
        "SELECT entry_no FROM entries WHERE kind = ? ORDER BY entry_no LIMIT 1 OFFSET ?",
        (kind, skip),
    ).fetchone()
    return int(found[0])


def hash_again(connection: sqlite3.Connection, first_no: int, last_no: int) -> None:
    """Make hashes of some entries fit what they say now, and each other."""
    before = connection.execute("SELECT hash FROM entries WHERE entry_no = ?", (first_no - 1,))
    found = before.fetchone()
    prev_hash = found[0] if found else GENESIS
    for entry in list(entries_between(connection, first_no - 1, last_no)):
        prev_hash = _hash_one(connection, entry, prev_hash)


def _hash_one(connection: sqlite3.Connection, entry: Entry, prev_hash: bytes) -> bytes:
    content = content_digest(entry.entry_no, entry.draft, entry.postings)
    own = chain(prev_hash, content)
    connection.execute(
        "UPDATE entries SET content_hash = ?, prev_hash = ?, hash = ? WHERE entry_no = ?",
        (content, prev_hash, own, entry.entry_no),
    )
    return own


def move_more(connection: sqlite3.Connection, entry_no: int, more: int) -> None:
    """Move more from an entry's first account to its second, with all balances after it."""
    accounts = connection.execute(
        "SELECT account_no, version FROM postings WHERE entry_no = ? ORDER BY amount_minor LIMIT 2",
        (entry_no,),
    ).fetchall()
    for (account_no, version), amount in zip(accounts, (-more, more), strict=True):
        connection.execute(
            "UPDATE postings SET amount_minor = amount_minor + ?"
            " WHERE account_no = ? AND version = ?",
            (amount, account_no, version),
        )
        connection.execute(
            "UPDATE postings SET balance_minor = balance_minor + ?"
            " WHERE account_no = ? AND version >= ?",
            (amount, account_no, version),
        )
        connection.execute(
            "UPDATE accounts SET balance_minor = balance_minor + ? WHERE account_no = ?",
            (amount, account_no),
        )


def last_no(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT max(entry_no) FROM entries").fetchone()[0])


def cut_off(connection: sqlite3.Connection, entry_no: int) -> None:
    """Take an entry and all after it out, and set the accounts back to what was before."""
    connection.execute("DELETE FROM entries WHERE entry_no >= ?", (entry_no,))
    connection.execute("DELETE FROM postings WHERE entry_no >= ?", (entry_no,))
    connection.execute(
        "UPDATE accounts SET (version, balance_minor) = ("
        " SELECT coalesce(max(version), 0), coalesce((SELECT balance_minor FROM postings AS p"
        " WHERE p.account_no = accounts.account_no ORDER BY version DESC LIMIT 1), 0)"
        " FROM postings AS q WHERE q.account_no = accounts.account_no)"
    )


def swap(connection: sqlite3.Connection, entry_no: int) -> None:
    """Exchange the numbers of an entry and the next one."""
    for table in ("entries", "postings"):
        for old, new in ((entry_no, -1), (entry_no + 1, entry_no), (-1, entry_no + 1)):
            connection.execute(f"UPDATE {table} SET entry_no = ? WHERE entry_no = ?", (new, old))
