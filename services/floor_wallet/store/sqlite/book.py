"""The book as the rules see it, over an open connection: what is not known yet is looked up."""

from __future__ import annotations

import sqlite3
from typing import Final

from floor_wallet.domain import (
    GENESIS,
    AccountKey,
    AccountState,
    Entry,
    EntryKind,
    Head,
    RequestRecord,
    Reservation,
    ReversalAsked,
    TableState,
)
from floor_wallet.store import columns
from floor_wallet.store.book import Account, Ends, GroupBook
from floor_wallet.store.sqlite.entries import entries_of

# HELD is 1; it stands in the text, because the partial index is only used then.
_HELD_AT_TABLE: Final = (
    "SELECT coalesce(sum(amount_minor), 0) FROM reservations"
    " WHERE table_id = ? AND player_id = ? AND state = 1"
)


class SqliteBook(GroupBook):
    """A book of one process: nobody else writes, so what is known stays true.

    What the rules write lies in memory until the group ends, so the database is as it was before.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection
        self.currencies.ask = self._ask_currency
        self.accounts.ask = self._ask_account
        self.entries.ask = self._ask_entry
        self.entry_nos.ask = self._ask_entry_no
        self.requests.ask = self._ask_request
        self.reservations.ask = self._ask_reservation
        self.held.ask = self._ask_held
        self.left_with.ask = self._ask_left_with
        self.tables.ask = self._ask_table
        self.wishes.ask = self._ask_wish

    def begin_group(self) -> None:
        """Find where the book ends, unless that is known."""
        if self.revision is None:
            ledger_id, followed_to = self._one("SELECT ledger_id, followed_to FROM ledger")
            account_no, outbox_no = self._one(
                "SELECT (SELECT coalesce(max(account_no), 0) FROM accounts),"
                " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0)"
            )
            last = self._first(
                "SELECT entry_no, hash, at_ms FROM entries ORDER BY entry_no DESC LIMIT 1"
            )
            self.ledger_id = ledger_id
            head = Head(*last) if last else Head(0, GENESIS)
            self.begin(0, Ends(head, account_no, outbox_no, followed_to))

    def _ask_currency(self, currency: str) -> int | None:
        row = self._first("SELECT exponent FROM currencies WHERE code = ?", currency)
        return int(row[0]) if row else None

    def _ask_account(self, key: AccountKey) -> Account | None:
        row = self._first(
            "SELECT account_no, balance_minor, version FROM accounts"
            " WHERE kind = ? AND owner = ? AND currency = ?",
            *key,
        )
        return (row[0], AccountState(row[1], row[2])) if row else None

    def _ask_entry(self, entry_no: int) -> Entry | None:
        return next(iter(entries_of(self._connection, entry_no - 1, entry_no)), None)

    def _ask_entry_no(self, entry_id: str) -> int:
        row = self._first("SELECT entry_no FROM entries WHERE entry_id = ?", entry_id)
        return int(row[0]) if row else 0

    def _ask_request(self, key: tuple[str, str]) -> RequestRecord | None:
        row = self._first(
            "SELECT content_hash, entry_no, balance_minor FROM requests"
            " WHERE scope = ? AND request_id = ?",
            *key,
        )
        return RequestRecord(*row) if row else None

    def _ask_reservation(self, reservation_id: str) -> Reservation | None:
        row = self._first(
            f"SELECT {columns.RESERVATION} FROM reservations"  # noqa: S608 - a constant list of columns
            " WHERE reservation_id = ?",
            reservation_id,
        )
        return columns.to_reservation(row) if row else None

    def _ask_held(self, place: tuple[str, str]) -> int:
        return int(self._one(_HELD_AT_TABLE, *place)[0])

    def _ask_left_with(self, escrow: AccountKey) -> int:
        row = self._first(
            "SELECT -p.amount_minor FROM accounts AS a"
            " JOIN postings AS p USING (account_no, version) JOIN entries AS e USING (entry_no)"
            " WHERE a.kind = ? AND a.owner = ? AND a.currency = ? AND e.kind = ?",
            *escrow,
            EntryKind.CASH_OUT,
        )
        return int(row[0]) if row else 0

    def _ask_table(self, table_id: str) -> TableState | None:
        row = self._first(
            f"SELECT {columns.TABLE} FROM tables WHERE table_id = ?",  # noqa: S608 - a constant list of columns
            table_id,
        )
        return TableState(*row) if row else None

    def _ask_wish(self, key: tuple[int, str]) -> ReversalAsked | None:
        row = self._first(
            "SELECT entry_no, asked_by, reason, at_ms FROM reversals_asked"
            " WHERE entry_no = ? AND asked_by = ?",
            *key,
        )
        return ReversalAsked(*row) if row else None

    def _first(self, sql: str, *parameters: object) -> columns.Row | None:
        row: columns.Row | None = self._connection.execute(sql, parameters).fetchone()
        return row

    def _one(self, sql: str, *parameters: object) -> columns.Row:
        row = self._first(sql, *parameters)
        assert row is not None, "the statement gives a row"
        return row
