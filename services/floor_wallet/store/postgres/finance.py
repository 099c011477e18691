"""Questions of finance and audit. Each is answered from one snapshot; most walk many rows.

Sums are made by the database; the audit reads the book through a cursor, some rows at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import asyncpg
from asyncpg.cursor import Cursor

from floor_wallet.domain import AccountKey, AccountKind, EntryKind
from floor_wallet.store.columns import Row
from floor_wallet.store.entry_lines import (
    ENTRY_LINES,
    IN_ORDER,
    account_key,
    account_kind,
    entries_in,
)
from floor_wallet.store.interface import (
    AccountPage,
    AccountStanding,
    BookAudit,
    ChipsInPlay,
    EntryPage,
    KindTotal,
    RakeLine,
    TableChips,
    TrialBalance,
)
from floor_wallet.store.postgres.reader import Question
from floor_wallet.store.verify import Standing, audit

_ROWS_AT_ONCE: Final = 2_000


def trial_balance(currency: str, at_ms: int | None) -> Question[TrialBalance | None]:
    """Ask for the sums of a currency, and for entries that do not balance.

    An instant is an entry: entries never grow older, so what stood then is what stands now less
    what was posted since.
    """

    async def ask(connection: asyncpg.Connection) -> TrialBalance | None:
        if not await connection.fetchval("SELECT 1 FROM currencies WHERE code = $1", currency):
            return None
        entry_no, entry_at_ms = await _last_entry(connection, at_ms)
        totals = await connection.fetch(
            "SELECT a.kind, sum(a.balance_minor - coalesce(since.moved, 0)),"
            " count(*) FILTER (WHERE first.entry_no <= $2)"
            " FROM accounts AS a LEFT JOIN"
            " (SELECT account_no, sum(amount_minor) AS moved FROM postings WHERE entry_no > $2"
            " GROUP BY account_no) AS since ON since.account_no = a.account_no"
            " LEFT JOIN postings AS first ON (first.account_no, first.version) = (a.account_no, 1)"
            " WHERE a.currency = $1 GROUP BY a.kind ORDER BY a.kind",
            currency,
            entry_no,
        )
        unbalanced = await connection.fetchval(
            "SELECT count(*) FROM (SELECT 1 FROM postings WHERE entry_no <= $1 GROUP BY entry_no"
            " HAVING sum(amount_minor) <> 0) AS entry",
            entry_no,
        )
        kinds = tuple(KindTotal(account_kind(row[0]), int(row[1]), row[2]) for row in totals)
        return TrialBalance(kinds, entry_no, unbalanced, entry_at_ms)

    return ask


def rake(from_ms: int, to_ms: int, currency: str) -> Question[tuple[RakeLine, ...]]:
    """Ask for rake by room, game and currency, from the hands, and for fees from the entries."""

    async def ask(connection: asyncpg.Connection) -> tuple[RakeLine, ...]:
        lines: dict[tuple[str, str, str], RakeLine] = {}
        for row in await connection.fetch(
            "SELECT room_id, game, currency, count(*) FILTER (WHERE NOT voided), sum(rake_minor)"
            " FROM hands WHERE at_ms >= $1 AND at_ms < $2 AND ($3::text = '' OR currency = $3)"
            " GROUP BY room_id, game, currency",
            from_ms,
            to_ms,
            currency,
        ):
            lines[row[0], row[1], row[2]] = RakeLine(row[0], row[1], row[2], row[3], int(row[4]), 0)
        for room_id, code, fees in await _fees(connection, from_ms, to_ms, currency):
            line = lines.get((room_id, "", code), RakeLine(room_id, "", code, 0, 0, 0))
            lines[room_id, "", code] = replace(line, fees_minor=fees)
        return tuple(lines[key] for key in sorted(lines))

    return ask


def chips_in_play(currency: str) -> Question[ChipsInPlay]:
    """Ask for the money at the tables, and on its way there."""

    async def ask(connection: asyncpg.Connection) -> ChipsInPlay:
        found = await connection.fetch(
            "SELECT coalesce(t.room_id, ''), a.table_id, a.currency,"
            " count(*) FILTER (WHERE a.kind = 2),"
            " coalesce(sum(a.balance_minor) FILTER (WHERE a.kind = 2), 0),"
            " coalesce(sum(a.balance_minor) FILTER (WHERE a.kind = 3), 0),"
            " coalesce(sum(a.balance_minor) FILTER (WHERE a.kind = 5), 0)"
            " FROM accounts AS a LEFT JOIN tables AS t ON t.table_id = a.table_id"
            " WHERE a.table_id <> '' AND a.balance_minor > 0 AND ($1::text = '' OR a.currency = $1)"
            " GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
            currency,
        )
        reserved = await connection.fetch(
            "SELECT currency, sum(balance_minor) FROM accounts"
            " WHERE kind = 9 AND ($1::text = '' OR currency = $1)"
            " GROUP BY currency HAVING sum(balance_minor) > 0 ORDER BY currency",
            currency,
        )
        entry_no, _ = await _last_entry(connection, None)
        tables = tuple(TableChips(*row[:4], *(int(sum_) for sum_ in row[4:])) for row in found)
        return ChipsInPlay(tables, tuple((row[0], int(row[1])) for row in reserved), entry_no)

    return ask


async def currencies(connection: asyncpg.Connection) -> tuple[tuple[str, int], ...]:
    """Ask for the currencies."""
    found = await connection.fetch(
        'SELECT code, exponent FROM currencies ORDER BY code COLLATE "C"'
    )
    return tuple((row[0], row[1]) for row in found)


def entries(after_entry_no: int, limit: int) -> Question[EntryPage]:
    """Ask for entries in order."""

    async def ask(connection: asyncpg.Connection) -> EntryPage:
        last_no, _ = await _last_entry(connection, None)
        found = await connection.fetch(
            f"{ENTRY_LINES} WHERE e.entry_no > $1 AND e.entry_no <= $2 {IN_ORDER}",
            after_entry_no,
            after_entry_no + limit,
        )
        return EntryPage(tuple(entries_in(found)), last_no)

    return ask


def accounts(after_account_no: int, limit: int) -> Question[AccountPage]:
    """Ask for accounts in the order they were opened."""

    async def ask(connection: asyncpg.Connection) -> AccountPage:
        found = await connection.fetch(
            "SELECT a.account_no, a.kind, a.owner, a.currency, a.version, a.balance_minor,"
            " c.exponent FROM accounts AS a JOIN currencies AS c ON c.code = a.currency"
            " WHERE a.account_no > $1 ORDER BY a.account_no LIMIT $2",
            after_account_no,
            limit,
        )
        last_no, _ = await _last_entry(connection, None)
        page = tuple(
            AccountStanding(row[0], account_key(row[1], row[2], row[3]), *row[4:]) for row in found
        )
        return AccountPage(page, last_no)

    return ask


async def audit_book(connection: asyncpg.Connection) -> BookAudit:
    """Recompute the whole book, in a thread of its own that asks for one part after the other."""
    last_no, _ = await _last_entry(connection, None)
    lines = await connection.cursor(f"{ENTRY_LINES} {IN_ORDER}")
    standings = await connection.cursor(
        "SELECT kind, owner, currency, version, balance_minor FROM accounts"
    )
    loop = asyncio.get_running_loop()
    return await asyncio.to_thread(
        lambda: audit(
            entries_in(_rows_of(lines, loop)), last_no, _standings(_rows_of(standings, loop))
        )
    )


def _rows_of(cursor: Cursor, loop: asyncio.AbstractEventLoop) -> Iterator[Row]:
    """Give a cursor's rows to a thread, while the connection belongs to the event loop."""
    while some := asyncio.run_coroutine_threadsafe(cursor.fetch(_ROWS_AT_ONCE), loop).result():
        yield from some


def _standings(found: Iterator[Row]) -> Iterator[tuple[AccountKey, Standing]]:
    for row in found:
        yield account_key(row[0], row[1], row[2]), (row[3], row[4])


async def _last_entry(connection: asyncpg.Connection, at_ms: int | None) -> tuple[int, int]:
    """Give number and time of the last entry, or of the last at a time or before: 0, 0 for none."""
    high = int(await connection.fetchval("SELECT coalesce(max(entry_no), 0) FROM entries"))
    low = high if at_ms is None else 0
    # Entries never grow older, so halving finds it without an index.
    while at_ms is not None and low < high:
        middle = (low + high + 1) // 2
        if await _time_of(connection, middle) <= at_ms:
            low = middle
        else:
            high = middle - 1
    return low, await _time_of(connection, low) if low else 0


async def _time_of(connection: asyncpg.Connection, entry_no: int) -> int:
    return int(await connection.fetchval("SELECT at_ms FROM entries WHERE entry_no = $1", entry_no))


async def _fees(
    connection: asyncpg.Connection, from_ms: int, to_ms: int, currency: str
) -> list[tuple[str, str, int]]:
    """Give by room and currency what tournaments brought, less what was given back."""
    first, _ = await _last_entry(connection, from_ms - 1)
    last, _ = await _last_entry(connection, to_ms - 1)
    found = await connection.fetch(
        "SELECT a.owner, a.currency, sum(p.amount_minor) FROM entries AS e"
        " JOIN postings AS p ON p.entry_no = e.entry_no"
        " JOIN accounts AS a ON a.account_no = p.account_no"
        " WHERE e.entry_no > $1 AND e.entry_no <= $2 AND a.kind = $4"
        # Other entries that are reversed may move rake too: rake taken to the house is no fee.
        " AND (e.kind = $5 OR (SELECT undone.kind FROM entries AS undone WHERE undone.entry_no ="
        " CASE WHEN e.kind = $6 THEN e.reference::bigint END) = $5)"
        " AND ($3::text = '' OR a.currency = $3) GROUP BY a.owner, a.currency",
        first,
        last,
        currency,
        int(AccountKind.RAKE),
        int(EntryKind.TOURNAMENT),
        int(EntryKind.REVERSAL),
    )
    return [(row[0], row[1], int(row[2])) for row in found]
