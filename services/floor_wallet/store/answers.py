"""How the questions of players, tables, facts and metrics are answered, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from floor_wallet.domain import (
    AccountKey,
    AccountKind,
    Reservation,
    SettledHand,
    TableRecord,
    cash,
    reserved,
)
from floor_wallet.store import columns, finance_answers
from floor_wallet.store import questions as ask
from floor_wallet.store.entry_lines import entry_kind
from floor_wallet.store.reading import Reading, select, select_first, select_row

T = TypeVar("T")


def answer(question: ask.Question[T]) -> Reading[T]:
    """Return how a question is answered."""
    return _ANSWERS[type(question)](question)


def _balance(question: ask.BalanceOf) -> Reading[ask.Balance | None]:
    player_id, currency = question.player_id, question.currency
    cash_minor = yield from _balance_of(cash(player_id, currency))
    if cash_minor is None:
        return None
    seats = yield from select(
        "SELECT table_id, balance_minor FROM accounts"
        " WHERE player_id = $1 AND player_id <> '' AND currency = $2 AND kind = $3"
        " AND balance_minor > 0 ORDER BY table_id",
        player_id,
        currency,
        int(AccountKind.SEAT_ESCROW),
    )
    reserved_minor = yield from _balance_of(reserved(player_id, currency))
    holds = yield from select(
        f"SELECT {columns.RESERVATION} FROM reservations"  # noqa: S608 - constants
        f" WHERE {columns.HELD} AND player_id = $1 AND currency = $2"
        " ORDER BY expires_at_ms, reservation_id LIMIT $3",
        player_id,
        currency,
        ask.MAX_HOLDS,
    )
    return ask.Balance(
        cash_minor,
        reserved_minor or 0,
        tuple((row[0], row[1]) for row in seats),
        tuple(columns.to_reservation(row) for row in holds),
    )


def _balance_of(key: AccountKey) -> Reading[int | None]:
    row = yield from select_first(
        "SELECT balance_minor FROM accounts WHERE kind = $1 AND owner = $2 AND currency = $3",
        int(key.kind),
        key.owner,
        key.currency,
    )
    return int(row[0]) if row else None


def _statement(question: ask.StatementOf) -> Reading[ask.Statement | None]:
    account, only = question.account, question.only
    known = yield from select_first(
        "SELECT account_no, balance_minor FROM accounts"
        " WHERE kind = $1 AND owner = $2 AND currency = $3",
        int(account.kind),
        account.owner,
        account.currency,
    )
    if known is None:
        return None
    rows = yield from select(
        "SELECT p.version, e.entry_no, e.kind, p.amount_minor, p.balance_minor, e.at_ms,"
        " e.table_id, e.hand_no, e.reference"
        " FROM postings AS p JOIN entries AS e ON e.entry_no = p.entry_no"
        " WHERE p.account_no = $1 AND p.version > $2"
        " AND (CAST($3 AS smallint) IS NULL OR e.kind = $3)"
        " AND (CAST($4 AS text) = '' OR e.table_id = $4)"
        " AND e.at_ms >= $5 AND e.at_ms < $6 ORDER BY p.version LIMIT $7",
        known[0],
        question.after_version,
        None if only.kind is None else int(only.kind),
        only.table_id,
        only.from_ms,
        only.to_ms,
        question.limit + 1,
    )
    page = rows[: question.limit]
    lines = tuple(ask.Line(row[0], row[1], entry_kind(row[2]), *row[3:]) for row in page)
    return ask.Statement(lines, len(rows) > question.limit, known[1])


def _table(question: ask.TableById) -> Reading[TableRecord | None]:
    row = yield from select_first(
        f"SELECT {columns.TABLE} FROM tables WHERE table_id = $1",  # noqa: S608 - constants
        question.table_id,
    )
    return TableRecord(*row) if row else None


def _stopped_tables(_: ask.StoppedTables) -> Reading[tuple[TableRecord, ...]]:
    rows = yield from select(
        f"SELECT {columns.TABLE} FROM tables WHERE stopped_reason <> '' ORDER BY table_id"  # noqa: S608 - constants
    )
    return tuple(TableRecord(*row) for row in rows)


def _audit_table(question: ask.AuditTable) -> Reading[ask.TableAudit | None]:
    table = yield from _table(ask.TableById(question.table_id))
    if table is None:
        return None
    accounts = yield from select(
        "SELECT kind, player_id, balance_minor FROM accounts"
        " WHERE table_id = $1 AND table_id <> '' AND balance_minor <> 0 ORDER BY player_id",
        question.table_id,
    )
    escrow = tuple((row[1], row[2]) for row in accounts if row[0] == AccountKind.SEAT_ESCROW)
    pot_minor = sum(row[2] for row in accounts if row[0] == AccountKind.TABLE_POT)
    rake_minor, hands = yield from select_row(
        "SELECT CAST(coalesce(sum(rake_minor), 0) AS bigint), count(*) FROM hands"
        " WHERE table_id = $1",
        question.table_id,
    )
    return ask.TableAudit(table, escrow, pot_minor, rake_minor, hands)


def _hands(question: ask.HandsFrom) -> Reading[tuple[SettledHand, ...]]:
    rows = yield from select(
        f"SELECT {columns.HAND} FROM hands"  # noqa: S608 - constants
        " WHERE table_id = $1 AND hand_no >= $2 ORDER BY hand_no LIMIT $3",
        question.table_id,
        question.first_hand_no,
        question.limit,
    )
    return tuple(SettledHand(*row) for row in rows)


def _overdue(question: ask.OverdueReservations) -> Reading[tuple[Reservation, ...]]:
    last = question.after
    rows = yield from select(
        f"SELECT {columns.RESERVATION} FROM reservations"  # noqa: S608 - constants
        f" WHERE {columns.HELD} AND expires_at_ms < $1"
        " AND (expires_at_ms, reservation_id) > ($2, $3)"
        " ORDER BY expires_at_ms, reservation_id LIMIT $4",
        question.before_ms,
        last.expires_at_ms if last else -1,
        last.reservation_id if last else "",
        question.limit,
    )
    return tuple(columns.to_reservation(row) for row in rows)


def _followed_to(_: ask.FollowedTo) -> Reading[int]:
    row = yield from select_row("SELECT followed_to FROM ledger")
    return int(row[0])


def _unpublished(question: ask.UnpublishedEvents) -> Reading[tuple[ask.OutboxEvent, ...]]:
    rows = yield from select(
        "SELECT outbox_no, event_id, subject, payload FROM outbox ORDER BY outbox_no LIMIT $1",
        question.limit,
    )
    return tuple(ask.OutboxEvent(*row) for row in rows)


def _summary(_: ask.BookSummary) -> Reading[ask.Summary]:
    totals = yield from select(
        "SELECT currency, CAST(sum(balance_minor) AS bigint) FROM accounts"
        " GROUP BY currency ORDER BY currency"
    )
    stopped = yield from select_row("SELECT count(*) FROM tables WHERE stopped_reason <> ''")
    waiting = yield from select_row("SELECT count(*), min(at_ms) FROM outbox")
    return ask.Summary(
        tuple((row[0], row[1]) for row in totals), stopped[0], waiting[0], waiting[1]
    )


#: Questions that both databases answer alike. Two are each backend's own: `AuditBook` reads the
#: book row by row, and `LastEventId` is counted by SQLite itself.
_ANSWERS: Final[Mapping[type[ask.Question[Any]], Callable[[Any], Reading[Any]]]] = {
    ask.BalanceOf: _balance,
    ask.StatementOf: _statement,
    ask.TableById: _table,
    ask.StoppedTables: _stopped_tables,
    ask.AuditTable: _audit_table,
    ask.HandsFrom: _hands,
    ask.OverdueReservations: _overdue,
    ask.FollowedTo: _followed_to,
    ask.UnpublishedEvents: _unpublished,
    ask.BookSummary: _summary,
    **finance_answers.ANSWERS,
}
