"""Questions to the book. Each is answered from one snapshot, beside the thread that writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TypeVar

from floor_wallet.domain import (
    AccountKey,
    AccountKind,
    Reservation,
    ReservationState,
    SettledHand,
    TableState,
    cash,
    reserved,
)
from floor_wallet.store import columns
from floor_wallet.store.entry_lines import entry_kind
from floor_wallet.store.interface import (
    MAX_HOLDS,
    Balance,
    Line,
    LineFilter,
    OutboxEvent,
    Statement,
    Summary,
    TableAudit,
    event_id,
)

T = TypeVar("T")
Question = Callable[[sqlite3.Connection], T]


def answer(connection: sqlite3.Connection, question: Question[T]) -> T:
    """Ask a question inside one read transaction."""
    connection.execute("BEGIN")
    try:
        return question(connection)
    finally:
        connection.execute("ROLLBACK")


def balance(player_id: str, currency: str) -> Question[Balance | None]:
    """Ask for a player's balances."""

    def ask(connection: sqlite3.Connection) -> Balance | None:
        own_cash = _balance_of(connection, cash(player_id, currency))
        if own_cash is None:
            return None
        found = connection.execute(
            "SELECT table_id, balance_minor FROM accounts"
            " WHERE player_id = ? AND currency = ? AND kind = ? AND balance_minor > 0"
            " ORDER BY table_id",
            (player_id, currency, int(AccountKind.SEAT_ESCROW)),
        ).fetchall()
        held = _balance_of(connection, reserved(player_id, currency)) or 0
        holds = connection.execute(
            f"SELECT {columns.RESERVATION} FROM reservations"  # noqa: S608 - constants
            f" WHERE state = {ReservationState.HELD:d} AND player_id = ? AND currency = ?"
            " ORDER BY expires_at_ms, reservation_id LIMIT ?",
            (player_id, currency, MAX_HOLDS),
        )
        return Balance(
            own_cash,
            held,
            tuple((row[0], row[1]) for row in found),
            tuple(columns.to_reservation(row) for row in holds),
        )

    return ask


def statement(
    account: AccountKey, after_version: int, limit: int, only: LineFilter
) -> Question[Statement | None]:
    """Ask for a page of an account's lines."""

    def ask(connection: sqlite3.Connection) -> Statement | None:
        known = connection.execute(
            "SELECT account_no, balance_minor FROM accounts"
            " WHERE kind = ? AND owner = ? AND currency = ?",
            (int(account.kind), account.owner, account.currency),
        ).fetchone()
        if known is None:
            return None
        found = connection.execute(
            "SELECT version, entry_no, kind, amount_minor, balance_minor, at_ms, table_id,"
            " hand_no, reference FROM postings JOIN entries USING (entry_no)"
            " WHERE account_no = ?1 AND version > ?2 AND (?3 IS NULL OR kind = ?3)"
            " AND (?4 = '' OR table_id = ?4) AND at_ms >= ?5 AND at_ms < ?6"
            " ORDER BY version LIMIT ?7",
            (
                known[0],
                after_version,
                None if only.kind is None else int(only.kind),
                only.table_id,
                only.from_ms,
                only.to_ms,
                limit + 1,
            ),
        ).fetchall()
        lines = tuple(Line(row[0], row[1], entry_kind(row[2]), *row[3:]) for row in found[:limit])
        return Statement(lines, len(found) > limit, known[1])

    return ask


def table(table_id: str) -> Question[TableState | None]:
    """Ask for a table."""

    def ask(connection: sqlite3.Connection) -> TableState | None:
        found = connection.execute(
            f"SELECT {columns.TABLE} FROM tables WHERE table_id = ?",  # noqa: S608 - constant columns
            (table_id,),
        ).fetchone()
        return TableState(*found) if found else None

    return ask


def stopped_tables(connection: sqlite3.Connection) -> tuple[TableState, ...]:
    """Ask for the tables whose settlement is stopped."""
    found = connection.execute(
        f"SELECT {columns.TABLE} FROM tables WHERE stopped_reason <> '' ORDER BY table_id"  # noqa: S608 - constant columns
    )
    return tuple(TableState(*row) for row in found)


def table_audit(table_id: str) -> Question[TableAudit | None]:
    """Ask for what the book holds of a table."""

    def ask(connection: sqlite3.Connection) -> TableAudit | None:
        known = table(table_id)(connection)
        if known is None:
            return None
        found = connection.execute(
            "SELECT kind, player_id, balance_minor FROM accounts"
            " WHERE table_id = ? AND balance_minor <> 0 ORDER BY player_id",
            (table_id,),
        ).fetchall()
        escrow = tuple((row[1], row[2]) for row in found if row[0] == AccountKind.SEAT_ESCROW)
        pot = sum(row[2] for row in found if row[0] == AccountKind.TABLE_POT)
        hands = connection.execute(
            "SELECT coalesce(sum(rake_minor), 0), count(*) FROM hands WHERE table_id = ?",
            (table_id,),
        ).fetchone()
        return TableAudit(known, escrow, pot, hands[0], hands[1])

    return ask


def hands(table_id: str, from_hand_no: int, count: int) -> Question[tuple[SettledHand, ...]]:
    """Ask for a table's settled hands in order."""

    def ask(connection: sqlite3.Connection) -> tuple[SettledHand, ...]:
        found = connection.execute(
            f"SELECT {columns.HAND} FROM hands"  # noqa: S608 - a constant list of columns
            " WHERE table_id = ? AND hand_no >= ? ORDER BY hand_no LIMIT ?",
            (table_id, from_hand_no, count),
        )
        return tuple(SettledHand(*row) for row in found)

    return ask


def followed_to(connection: sqlite3.Connection) -> int:
    """Ask how far the stream is read."""
    return int(connection.execute("SELECT followed_to FROM ledger").fetchone()[0])


def overdue(
    before_ms: int, limit: int, after: Reservation | None
) -> Question[tuple[Reservation, ...]]:
    """Ask for reservations still held that expired before a time, oldest first."""
    last = (after.expires_at_ms, after.reservation_id) if after else (-1, "")

    def ask(connection: sqlite3.Connection) -> tuple[Reservation, ...]:
        found = connection.execute(
            f"SELECT {columns.RESERVATION} FROM reservations"  # noqa: S608 - constants
            f" WHERE state = {ReservationState.HELD:d} AND expires_at_ms < ?"
            " AND (expires_at_ms, reservation_id) > (?, ?)"
            " ORDER BY expires_at_ms, reservation_id LIMIT ?",
            (before_ms, *last, limit),
        )
        return tuple(columns.to_reservation(row) for row in found)

    return ask


def summary(connection: sqlite3.Connection) -> Summary:
    """Ask for what the metrics show."""
    totals = connection.execute(
        "SELECT currency, sum(balance_minor) FROM accounts GROUP BY currency ORDER BY currency"
    ).fetchall()
    stopped = connection.execute(
        "SELECT count(*) FROM tables WHERE stopped_reason <> ''"
    ).fetchone()
    waiting = connection.execute("SELECT count(*), min(at_ms) FROM outbox").fetchone()
    return Summary(tuple((row[0], row[1]) for row in totals), stopped[0], waiting[0], waiting[1])


def outbox(limit: int) -> Question[tuple[OutboxEvent, ...]]:
    """Ask for the oldest facts that are not published yet."""

    def ask(connection: sqlite3.Connection) -> tuple[OutboxEvent, ...]:
        found = connection.execute(
            "SELECT outbox_no, event_id, subject, payload FROM outbox ORDER BY outbox_no LIMIT ?",
            (limit,),
        )
        return tuple(OutboxEvent(*row) for row in found)

    return ask


def last_event_id(connection: sqlite3.Connection) -> str:
    """Ask for the id of the newest fact, published or not."""
    ledger_id, number = connection.execute(
        "SELECT ledger_id, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0)"
        " FROM ledger"
    ).fetchone()
    return event_id(ledger_id, number)


def _balance_of(connection: sqlite3.Connection, key: AccountKey) -> int | None:
    found = connection.execute(
        "SELECT balance_minor FROM accounts WHERE kind = ? AND owner = ? AND currency = ?",
        (int(key.kind), key.owner, key.currency),
    ).fetchone()
    return int(found[0]) if found else None
