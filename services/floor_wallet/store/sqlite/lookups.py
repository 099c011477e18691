"""What the file holds for one key, and entries one after the other."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from floor_wallet.domain import (
    GENESIS,
    AccountKey,
    AccountState,
    CommandRecord,
    Entry,
    EntryKind,
    Head,
    Reservation,
    ReversalAsked,
    TableRecord,
)
from floor_wallet.store import columns
from floor_wallet.store.entry_lines import ENTRY_LINES, IN_ORDER, entries_in
from floor_wallet.store.lookups import Account
from floor_wallet.store.written import LastNumbers

_ENTRIES: Final = f"{ENTRY_LINES} WHERE e.entry_no > ? AND e.entry_no <= ? {IN_ORDER}"
_HELD_AT_TABLE: Final = (
    "SELECT coalesce(sum(amount_minor), 0) FROM reservations"  # noqa: S608 - constants
    f" WHERE table_id = ? AND player_id = ? AND {columns.HELD}"
)


class SqliteLookups:
    """Answers a book's lookups over the connection that writes. Implements Lookups."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def currency(self, code: str) -> int | None:
        """Return the decimal digits of a currency."""
        row = self._first("SELECT exponent FROM currencies WHERE code = ?", code)
        return int(row[0]) if row else None

    def account(self, key: AccountKey) -> Account | None:
        """Return an account."""
        row = self._first(
            "SELECT account_no, balance_minor, version FROM accounts"
            " WHERE kind = ? AND owner = ? AND currency = ?",
            *key,
        )
        return (row[0], AccountState(row[1], row[2])) if row else None

    def entry(self, entry_no: int) -> Entry | None:
        """Return an entry."""
        return next(entries_between(self._connection, entry_no - 1, entry_no), None)

    def entry_no(self, entry_id: str) -> int:
        """Return the number of an entry by its id, 0 for none."""
        row = self._first("SELECT entry_no FROM entries WHERE entry_id = ?", entry_id)
        return int(row[0]) if row else 0

    def command(self, key: tuple[str, str]) -> CommandRecord | None:
        """Return the record of a command by its scope and id."""
        row = self._first(
            "SELECT content_hash, entry_no, balance_minor FROM requests"
            " WHERE scope = ? AND request_id = ?",
            *key,
        )
        return CommandRecord(*row) if row else None

    def reservation(self, reservation_id: str) -> Reservation | None:
        """Return a reservation or its tombstone."""
        row = self._first(
            f"SELECT {columns.RESERVATION} FROM reservations"  # noqa: S608 - a constant list of columns
            " WHERE reservation_id = ?",
            reservation_id,
        )
        return columns.to_reservation(row) if row else None

    def held(self, place: tuple[str, str]) -> int:
        """Return what a player's open reservations hold, by table and player."""
        return int(_one(self._connection, _HELD_AT_TABLE, *place)[0])

    def last_cash_out(self, escrow: AccountKey) -> int:
        """Return the amount of an escrow's last posting if that was a cash-out, else 0."""
        row = self._first(
            "SELECT -p.amount_minor FROM accounts AS a"
            " JOIN postings AS p USING (account_no, version) JOIN entries AS e USING (entry_no)"
            " WHERE a.kind = ? AND a.owner = ? AND a.currency = ? AND e.kind = ?",
            *escrow,
            EntryKind.CASH_OUT,
        )
        return int(row[0]) if row else 0

    def table(self, table_id: str) -> TableRecord | None:
        """Return a table."""
        row = self._first(
            f"SELECT {columns.TABLE} FROM tables WHERE table_id = ?",  # noqa: S608 - a constant list of columns
            table_id,
        )
        return TableRecord(*row) if row else None

    def reversal_asked(self, key: tuple[int, str]) -> ReversalAsked | None:
        """Return somebody's request for a reversal, by entry and person."""
        row = self._first(
            "SELECT entry_no, asked_by, reason, at_ms FROM reversals_asked"
            " WHERE entry_no = ? AND asked_by = ?",
            *key,
        )
        return ReversalAsked(*row) if row else None

    def _first(self, sql: str, *parameters: object) -> columns.Row | None:
        return _first(self._connection, sql, *parameters)


def last_numbers(connection: sqlite3.Connection) -> tuple[str, LastNumbers]:
    """Return the ledger's id, and where its book ends."""
    ledger_id, followed_to = _one(connection, "SELECT ledger_id, followed_to FROM ledger")
    account_no, outbox_no = _one(
        connection,
        "SELECT (SELECT coalesce(max(account_no), 0) FROM accounts),"
        " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0)",
    )
    last = _first(
        connection, "SELECT entry_no, hash, at_ms FROM entries ORDER BY entry_no DESC LIMIT 1"
    )
    head = Head(*last) if last else Head(0, GENESIS)
    return ledger_id, LastNumbers(head, account_no, outbox_no, followed_to)


def entries_between(connection: sqlite3.Connection, after_no: int, to_no: int) -> Iterator[Entry]:
    """Read entries in order: those after a number, up to another."""
    return entries_in(connection.execute(_ENTRIES, (after_no, to_no)))


def _first(connection: sqlite3.Connection, sql: str, *parameters: object) -> columns.Row | None:
    row: columns.Row | None = connection.execute(sql, parameters).fetchone()
    return row


def _one(connection: sqlite3.Connection, sql: str, *parameters: object) -> columns.Row:
    row = _first(connection, sql, *parameters)
    assert row is not None, "the statement gives a row"
    return row
