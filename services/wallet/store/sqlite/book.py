"""The book on the connection that writes, inside its open transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from libs.floorapi.floor.wallet.v1 import events_pb2
from services.wallet.domain import (
    GENESIS,
    AccountKey,
    AccountState,
    BookRefused,
    Entry,
    EntryKind,
    Head,
    RequestRecord,
    Reservation,
    SettledHand,
    TableState,
)
from services.wallet.store.sqlite import rows


class SqliteBook:
    """Implements the domain's Book. What it has read or written in this transaction it knows.

    `posted` lists the kinds of entries of this transaction, for the metrics.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._accounts: dict[AccountKey, tuple[int, AccountState]] = {}
        self._head: Head | None = None
        self._outbox_no: int | None = None
        self._ledger_id = str(self._one("SELECT ledger_id FROM ledger")[0])
        self.posted: list[EntryKind] = []

    def forget(self) -> None:
        """Drop what is known, after a transaction or a part of one has ended."""
        self._accounts.clear()
        self._head = None
        self._outbox_no = None

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo what is written inside when the block raises."""
        posted = len(self.posted)
        self._connection.execute("SAVEPOINT part")
        try:
            yield
        except BaseException as error:
            self._connection.execute("ROLLBACK TO part")
            self._connection.execute("RELEASE part")
            self.forget()
            del self.posted[posted:]
            if isinstance(error, sqlite3.IntegrityError):
                raise BookRefused(f"the book refused: {error}") from error
            raise
        self._connection.execute("RELEASE part")

    def head(self) -> Head:
        """Give the last entry."""
        if self._head is None:
            row = self._first("SELECT entry_no, hash FROM entries ORDER BY entry_no DESC LIMIT 1")
            self._head = Head(row[0], row[1]) if row else Head(0, GENESIS)
        return self._head

    def account(self, key: AccountKey) -> AccountState | None:
        """Give an account's state."""
        known = self._account(key)
        return known[1] if known else None

    def exponent(self, currency: str) -> int | None:
        """Give the decimal digits of a currency."""
        row = self._first("SELECT exponent FROM currencies WHERE code = ?", currency)
        return int(row[0]) if row else None

    def add_currency(self, currency: str, exponent: int) -> None:
        """Make a currency known."""
        self._connection.execute("INSERT INTO currencies VALUES (?, ?)", (currency, exponent))

    def open_account(self, key: AccountKey) -> None:
        """Open an account at zero; nothing happens when it is open."""
        if self._account(key) is None:
            self._open(key)

    def add_entry(self, entry: Entry) -> None:
        """Store a sealed entry: its postings first, then the row that seals them."""
        numbered = [(self._account(p.account) or self._open(p.account), p) for p in entry.postings]
        self._connection.executemany(
            "INSERT INTO postings VALUES (?, ?, ?, ?, ?)",
            [
                (known[0], p.version, entry.entry_no, p.amount_minor, p.balance_minor)
                for known, p in numbered
            ],
        )
        self._connection.execute(rows.INSERT_ENTRY, rows.of_entry(entry))
        for (account_no, _), p in numbered:
            self._accounts[p.account] = (account_no, AccountState(p.balance_minor, p.version))
        self._head = Head(entry.entry_no, entry.hash)
        self.posted.append(entry.draft.kind)

    def request(self, scope: str, request_id: str) -> RequestRecord | None:
        """Give the record of a call."""
        row = self._first(
            "SELECT content_hash, entry_no, balance_minor FROM requests"
            " WHERE scope = ? AND request_id = ?",
            scope,
            request_id,
        )
        return RequestRecord(*row) if row else None

    def add_request(self, scope: str, request_id: str, record: RequestRecord, at_ms: int) -> None:
        """Remember a call."""
        self._connection.execute(
            "INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?)",
            (
                scope,
                request_id,
                record.content_hash,
                record.entry_no,
                record.balance_minor,
                at_ms,
            ),
        )

    def reservation(self, reservation_id: str) -> Reservation | None:
        """Give a reservation or its tombstone."""
        row = self._first(
            f"SELECT {rows.RESERVATION} FROM reservations"  # noqa: S608 - a constant list of columns
            " WHERE reservation_id = ?",
            reservation_id,
        )
        return rows.to_reservation(row) if row else None

    def put_reservation(self, reservation: Reservation) -> None:
        """Store a reservation: new, or with the state that ends it."""
        self._connection.execute(
            "INSERT INTO reservations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (reservation_id) DO UPDATE SET state = excluded.state",
            rows.of_reservation(reservation),
        )

    def held_at_table(self, table_id: str, player_id: str) -> int:
        """Give the sum that a player's open reservations hold for a table."""
        row = self._one(rows.HELD_AT_TABLE, table_id, player_id)
        return int(row[0])

    def last_cash_out(self, escrow: AccountKey) -> int:
        """Give the amount of an escrow's last posting if that was a cash-out, else 0."""
        known = self._account(escrow)
        if known is None or known[1].version == 0:
            return 0
        row = self._one(
            "SELECT entries.kind, postings.amount_minor FROM postings JOIN entries USING (entry_no)"
            " WHERE account_no = ? AND version = ?",
            known[0],
            known[1].version,
        )
        return -int(row[1]) if row[0] == EntryKind.CASH_OUT else 0

    def table(self, table_id: str) -> TableState | None:
        """Give a table."""
        row = self._first(
            f"SELECT {rows.TABLE} FROM tables WHERE table_id = ?",  # noqa: S608 - a constant list of columns
            table_id,
        )
        return TableState(*row) if row else None

    def put_table(self, table: TableState) -> None:
        """Store a table."""
        self._connection.execute(rows.UPSERT_TABLE, table)

    def put_followed_to(self, stream_seq: int) -> None:
        """Store how far the stream is read; never goes back."""
        self._connection.execute(
            "UPDATE ledger SET followed_to = max(followed_to, ?)", (stream_seq,)
        )

    def add_hand(self, hand: SettledHand) -> None:
        """Store a settled hand."""
        self._connection.execute(
            "INSERT INTO hands VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                hand.table_id,
                hand.hand_no,
                hand.entry_no,
                hand.rake_minor,
                hand.table_seq,
                hand.voided,
                hand.at_ms,
            ),
        )

    def add_event(self, subject: str, event: events_pb2.LedgerEvent) -> None:
        """Put a fact into the outbox under the next number."""
        if self._outbox_no is None:
            row = self._first("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
            self._outbox_no = int(row[0]) if row else 0
        number = self._outbox_no + 1
        event.event_id = rows.event_id(self._ledger_id, number)
        self._connection.execute(
            "INSERT INTO outbox VALUES (?, ?, ?, ?, ?)",
            (
                number,
                event.event_id,
                subject,
                event.at_ms,
                event.SerializeToString(deterministic=True),
            ),
        )
        self._outbox_no = number

    def delete_events(self, outbox_nos: list[int]) -> None:
        """Take published facts out of the outbox."""
        self._connection.executemany(
            "DELETE FROM outbox WHERE outbox_no = ?", [(number,) for number in outbox_nos]
        )

    def _account(self, key: AccountKey) -> tuple[int, AccountState] | None:
        known = self._accounts.get(key)
        if known is None:
            row = self._first(
                "SELECT account_no, balance_minor, version FROM accounts"
                " WHERE kind = ? AND owner = ? AND currency = ?",
                int(key.kind),
                key.owner,
                key.currency,
            )
            if row is None:
                return None
            known = (int(row[0]), AccountState(row[1], row[2]))
            self._accounts[key] = known
        return known

    def _open(self, key: AccountKey) -> tuple[int, AccountState]:
        row = self._one(
            "INSERT INTO accounts (kind, owner, currency, player_id, table_id)"
            " VALUES (?, ?, ?, ?, ?) RETURNING account_no",
            int(key.kind),
            key.owner,
            key.currency,
            key.player_id,
            key.table_id,
        )
        known = (int(row[0]), AccountState(0, 0))
        self._accounts[key] = known
        return known

    def _first(self, sql: str, *parameters: object) -> rows.Row | None:
        row: rows.Row | None = self._connection.execute(sql, parameters).fetchone()
        return row

    def _one(self, sql: str, *parameters: object) -> rows.Row:
        row = self._first(sql, *parameters)
        assert row is not None, "the statement gives a row"
        return row
