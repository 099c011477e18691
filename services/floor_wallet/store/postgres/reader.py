"""Questions to the book. Each is answered from one snapshot, beside the task that writes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import asyncpg

from floor_wallet.domain import (
    AccountKey,
    AccountKind,
    Reservation,
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
Question = Callable[[asyncpg.Connection], Awaitable[T]]


async def answer(connection: asyncpg.Connection, question: Question[T]) -> T:
    """Ask a question inside one read transaction."""
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        return await question(connection)


def balance(player_id: str, currency: str) -> Question[Balance | None]:
    """Ask for a player's balances."""

    async def ask(connection: asyncpg.Connection) -> Balance | None:
        own_cash = await _balance_of(connection, cash(player_id, currency))
        if own_cash is None:
            return None
        found = await connection.fetch(
            "SELECT table_id, balance_minor FROM accounts"
            " WHERE player_id = $1 AND player_id <> '' AND currency = $2 AND kind = $3"
            " AND balance_minor > 0 ORDER BY table_id",
            player_id,
            currency,
            int(AccountKind.SEAT_ESCROW),
        )
        held = await _balance_of(connection, reserved(player_id, currency)) or 0
        holds = await connection.fetch(
            f"SELECT {columns.RESERVATION} FROM reservations"  # noqa: S608 - constants
            " WHERE state = 1 AND player_id = $1 AND currency = $2"
            " ORDER BY expires_at_ms, reservation_id LIMIT $3",
            player_id,
            currency,
            MAX_HOLDS,
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

    async def ask(connection: asyncpg.Connection) -> Statement | None:
        known = await connection.fetchrow(
            "SELECT account_no, balance_minor FROM accounts"
            " WHERE kind = $1 AND owner = $2 AND currency = $3",
            int(account.kind),
            account.owner,
            account.currency,
        )
        if known is None:
            return None
        found = await connection.fetch(
            "SELECT p.version, e.entry_no, e.kind, p.amount_minor, p.balance_minor, e.at_ms,"
            " e.table_id, e.hand_no, e.reference"
            " FROM postings AS p JOIN entries AS e ON e.entry_no = p.entry_no"
            " WHERE p.account_no = $1 AND p.version > $2"
            " AND ($3::smallint IS NULL OR e.kind = $3) AND ($4::text = '' OR e.table_id = $4)"
            " AND e.at_ms >= $5 AND e.at_ms < $6 ORDER BY p.version LIMIT $7",
            known[0],
            after_version,
            None if only.kind is None else int(only.kind),
            only.table_id,
            only.from_ms,
            only.to_ms,
            limit + 1,
        )
        lines = tuple(Line(row[0], row[1], entry_kind(row[2]), *row[3:]) for row in found[:limit])
        return Statement(lines, len(found) > limit, known[1])

    return ask


def table(table_id: str) -> Question[TableState | None]:
    """Ask for a table."""

    async def ask(connection: asyncpg.Connection) -> TableState | None:
        found = await connection.fetchrow(
            f"SELECT {columns.TABLE} FROM tables WHERE table_id = $1",  # noqa: S608 - constant columns
            table_id,
        )
        return TableState(*found) if found else None

    return ask


async def stopped_tables(connection: asyncpg.Connection) -> tuple[TableState, ...]:
    """Ask for the tables whose settlement is stopped."""
    found = await connection.fetch(
        f"SELECT {columns.TABLE} FROM tables WHERE stopped_reason <> '' ORDER BY table_id"  # noqa: S608 - constant columns
    )
    return tuple(TableState(*row) for row in found)


def table_audit(table_id: str) -> Question[TableAudit | None]:
    """Ask for what the book holds of a table."""

    async def ask(connection: asyncpg.Connection) -> TableAudit | None:
        known = await table(table_id)(connection)
        if known is None:
            return None
        found = await connection.fetch(
            "SELECT kind, player_id, balance_minor FROM accounts"
            " WHERE table_id = $1 AND table_id <> '' AND balance_minor <> 0 ORDER BY player_id",
            table_id,
        )
        escrow = tuple((row[1], row[2]) for row in found if row[0] == AccountKind.SEAT_ESCROW)
        pot = sum(row[2] for row in found if row[0] == AccountKind.TABLE_POT)
        hands_ = await connection.fetchrow(
            "SELECT coalesce(sum(rake_minor), 0), count(*) FROM hands WHERE table_id = $1",
            table_id,
        )
        assert hands_ is not None, "the statement gives a row"
        return TableAudit(known, escrow, pot, int(hands_[0]), hands_[1])

    return ask


def hands(table_id: str, from_hand_no: int, count: int) -> Question[tuple[SettledHand, ...]]:
    """Ask for a table's settled hands in order."""

    async def ask(connection: asyncpg.Connection) -> tuple[SettledHand, ...]:
        found = await connection.fetch(
            f"SELECT {columns.HAND} FROM hands"  # noqa: S608 - a constant list of columns
            " WHERE table_id = $1 AND hand_no >= $2 ORDER BY hand_no LIMIT $3",
            table_id,
            from_hand_no,
            count,
        )
        return tuple(SettledHand(*row) for row in found)

    return ask


async def followed_to(connection: asyncpg.Connection) -> int:
    """Ask how far the stream is read."""
    return int(await connection.fetchval("SELECT followed_to FROM ledger"))


def overdue(
    before_ms: int, limit: int, after: Reservation | None
) -> Question[tuple[Reservation, ...]]:
    """Ask for reservations still held that expired before a time, oldest first."""
    last = (after.expires_at_ms, after.reservation_id) if after else (-1, "")

    async def ask(connection: asyncpg.Connection) -> tuple[Reservation, ...]:
        found = await connection.fetch(
            f"SELECT {columns.RESERVATION} FROM reservations"  # noqa: S608 - constants
            " WHERE state = 1 AND expires_at_ms < $1 AND (expires_at_ms, reservation_id) > ($2, $3)"
            " ORDER BY expires_at_ms, reservation_id LIMIT $4",
            before_ms,
            *last,
            limit,
        )
        return tuple(columns.to_reservation(row) for row in found)

    return ask


async def summary(connection: asyncpg.Connection) -> Summary:
    """Ask for what the metrics show."""
    totals = await connection.fetch(
        "SELECT currency, sum(balance_minor) FROM accounts GROUP BY currency ORDER BY currency"
    )
    stopped = await connection.fetchval("SELECT count(*) FROM tables WHERE stopped_reason <> ''")
    waiting = await connection.fetchrow("SELECT count(*), min(at_ms) FROM outbox")
    assert waiting is not None, "the statement gives a row"
    return Summary(tuple((row[0], int(row[1])) for row in totals), stopped, *waiting)


def outbox(limit: int) -> Question[tuple[OutboxEvent, ...]]:
    """Ask for the oldest facts that are not published yet."""

    async def ask(connection: asyncpg.Connection) -> tuple[OutboxEvent, ...]:
        found = await connection.fetch(
            "SELECT outbox_no, event_id, subject, payload FROM outbox ORDER BY outbox_no LIMIT $1",
            limit,
        )
        return tuple(OutboxEvent(*row) for row in found)

    return ask


async def last_event_id(connection: asyncpg.Connection) -> str:
    """Ask for the id of the newest fact, published or not."""
    row = await connection.fetchrow("SELECT ledger_id, last_outbox_no FROM ledger")
    assert row is not None, "the ledger has its row"
    return event_id(row[0], row[1])


async def _balance_of(connection: asyncpg.Connection, key: AccountKey) -> int | None:
    found = await connection.fetchval(
        "SELECT balance_minor FROM accounts WHERE kind = $1 AND owner = $2 AND currency = $3",
        int(key.kind),
        key.owner,
        key.currency,
    )
    return None if found is None else int(found)
