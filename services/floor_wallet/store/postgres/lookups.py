"""What the database holds for keys: many of a kind before a group runs, or one while it runs.

The rules are plain calls and a server is asked by coroutines. So a group runs in a thread of its
own, and a lookup there waits for the event loop to bring the answer: a round trip a key. A book
that only asked so would be less than half as fast (0.18 of the bare store's rate, not 0.45). So
each unit says beforehand what it is known to read (`Reads`), and that is loaded for the whole group
with one statement a kind. The service's README.md has the figures, also of the ways not taken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

import asyncpg

from floor_wallet.domain import (
    GENESIS,
    AccountKey,
    AccountState,
    CommandRecord,
    Entry,
    EntryKind,
    Head,
    Reads,
    Reservation,
    ReversalAsked,
    TableRecord,
    cash,
    escrow,
    reserved,
)
from floor_wallet.store import columns
from floor_wallet.store.columns import Row
from floor_wallet.store.entry_lines import ENTRY_LINES, IN_ORDER, account_key, entries_in
from floor_wallet.store.group_book import GroupBook
from floor_wallet.store.lookups import Account
from floor_wallet.store.overlay import Overlay
from floor_wallet.store.written import LastNumbers

_LOCK: Final = (
    "SELECT ledger_id, revision, followed_to, last_outbox_no FROM ledger WHERE one = 1 FOR UPDATE"
)
_ENDS: Final = (
    "SELECT (SELECT max(account_no) FROM accounts), e.entry_no, e.hash, e.at_ms"
    " FROM (SELECT 1) AS one LEFT JOIN"
    " (SELECT entry_no, hash, at_ms FROM entries ORDER BY entry_no DESC LIMIT 1) AS e ON true"
)
_ACCOUNT: Final = "a.kind, a.owner, a.currency, a.account_no, a.balance_minor, a.version"
_ACCOUNTS: Final = (
    f"SELECT {_ACCOUNT} FROM unnest($1::smallint[], $2::text[], $3::text[])"  # noqa: S608 - constants
    " AS key (kind, owner, currency) JOIN accounts AS a"
    " ON (a.kind, a.owner, a.currency) = (key.kind, key.owner, key.currency)"
)
_CASH_OUTS: Final = (
    "SELECT a.kind, a.owner, a.currency, -p.amount_minor"  # noqa: S608 - constants
    " FROM unnest($1::smallint[], $2::text[], $3::text[]) AS key (kind, owner, currency)"
    " JOIN accounts AS a ON (a.kind, a.owner, a.currency) = (key.kind, key.owner, key.currency)"
    " JOIN postings AS p ON (p.account_no, p.version) = (a.account_no, a.version)"
    " JOIN entries AS e ON e.entry_no = p.entry_no"
    f" WHERE e.kind = {EntryKind.CASH_OUT:d}"
)
_REQUESTS: Final = (
    "SELECT r.scope, r.request_id, r.content_hash, r.entry_no, r.balance_minor"
    " FROM unnest($1::text[], $2::text[]) AS key (scope, request_id)"
    " JOIN requests AS r ON (r.scope, r.request_id) = (key.scope, key.request_id)"
)
_HELD: Final = (
    "SELECT key.table_id, key.player_id, sum(r.amount_minor)::bigint"  # noqa: S608 - constants
    " FROM unnest($1::text[], $2::text[]) AS key (table_id, player_id)"
    " JOIN reservations AS r ON (r.table_id, r.player_id) = (key.table_id, key.player_id)"
    f" WHERE r.{columns.HELD} GROUP BY key.table_id, key.player_id"
)
_REVERSALS_ASKED: Final = (
    "SELECT w.entry_no, w.asked_by, w.reason, w.at_ms"
    " FROM unnest($1::bigint[], $2::text[]) AS key (entry_no, asked_by)"
    " JOIN reversals_asked AS w ON (w.entry_no, w.asked_by) = (key.entry_no, key.asked_by)"
)
_CURRENCIES: Final = "SELECT code, exponent FROM currencies WHERE code = ANY($1::text[])"
_ENTRIES: Final = f"{ENTRY_LINES} WHERE e.entry_no = ANY($1::bigint[]) {IN_ORDER}"
_ENTRY_NOS: Final = "SELECT entry_id, entry_no FROM entries WHERE entry_id = ANY($1::text[])"
_RESERVATIONS: Final = (
    f"SELECT {columns.RESERVATION} FROM reservations WHERE reservation_id = ANY($1::text[])"  # noqa: S608 - constants
)
_TABLES: Final = f"SELECT {columns.TABLE} FROM tables WHERE table_id = ANY($1::text[])"  # noqa: S608 - constants

K = TypeVar("K", bound=tuple[object, ...] | str | int)
V = TypeVar("V")

#: Reads what the database holds for keys of one kind; those that are absent are left out.
Load = Callable[[asyncpg.Connection, Sequence[K]], Coroutine[Any, Any, Mapping[K, V]]]


async def _load_commands(
    connection: asyncpg.Connection, keys: Sequence[tuple[str, str]]
) -> Mapping[tuple[str, str], CommandRecord | None]:
    rows = await connection.fetch(_REQUESTS, *_columns(keys))
    return {(row[0], row[1]): CommandRecord(*row[2:]) for row in rows}


async def _load_accounts(
    connection: asyncpg.Connection, keys: Sequence[AccountKey]
) -> Mapping[AccountKey, Account | None]:
    rows = await connection.fetch(_ACCOUNTS, *_columns(keys))
    return {_key(row): (row[3], AccountState(row[4], row[5])) for row in rows}


async def _load_tables(
    connection: asyncpg.Connection, keys: Sequence[str]
) -> Mapping[str, TableRecord | None]:
    return {row[0]: TableRecord(*row) for row in await connection.fetch(_TABLES, keys)}


async def _load_reservations(
    connection: asyncpg.Connection, keys: Sequence[str]
) -> Mapping[str, Reservation | None]:
    rows = await connection.fetch(_RESERVATIONS, keys)
    return {row[0]: columns.to_reservation(row) for row in rows}


async def _load_held(
    connection: asyncpg.Connection, keys: Sequence[tuple[str, str]]
) -> Mapping[tuple[str, str], int]:
    rows = await connection.fetch(_HELD, *_columns(keys))
    return {(row[0], row[1]): row[2] for row in rows}


async def _load_cash_outs(
    connection: asyncpg.Connection, keys: Sequence[AccountKey]
) -> Mapping[AccountKey, int]:
    return {_key(row): row[3] for row in await connection.fetch(_CASH_OUTS, *_columns(keys))}


async def _load_currencies(
    connection: asyncpg.Connection, keys: Sequence[str]
) -> Mapping[str, int | None]:
    return {row[0]: row[1] for row in await connection.fetch(_CURRENCIES, keys)}


async def _load_entries(
    connection: asyncpg.Connection, keys: Sequence[int]
) -> Mapping[int, Entry | None]:
    rows = await connection.fetch(_ENTRIES, keys)
    return {entry.entry_no: entry for entry in entries_in(rows)}


async def _load_entry_nos(connection: asyncpg.Connection, keys: Sequence[str]) -> Mapping[str, int]:
    return {row[0]: row[1] for row in await connection.fetch(_ENTRY_NOS, keys)}


async def _load_reversals_asked(
    connection: asyncpg.Connection, keys: Sequence[tuple[int, str]]
) -> Mapping[tuple[int, str], ReversalAsked | None]:
    rows = await connection.fetch(_REVERSALS_ASKED, *_columns(keys))
    return {(row[0], row[1]): ReversalAsked(*row) for row in rows}


class PostgresLookups:
    """Answers a book's lookups from the thread that runs its group. Implements Lookups.

    The connection belongs to the event loop that made this; its thread waits for nothing else.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.connection: asyncpg.Connection | None = None

    def currency(self, code: str) -> int | None:
        """Return the decimal digits of a currency."""
        return self._one(_load_currencies, code, None)

    def account(self, key: AccountKey) -> Account | None:
        """Return an account."""
        return self._one(_load_accounts, key, None)

    def entry(self, entry_no: int) -> Entry | None:
        """Return an entry."""
        return self._one(_load_entries, entry_no, None)

    def entry_no(self, entry_id: str) -> int:
        """Return the number of an entry by its id, 0 for none."""
        return self._one(_load_entry_nos, entry_id, 0)

    def command(self, key: tuple[str, str]) -> CommandRecord | None:
        """Return the record of a command by its scope and id."""
        return self._one(_load_commands, key, None)

    def reservation(self, reservation_id: str) -> Reservation | None:
        """Return a reservation or its tombstone."""
        return self._one(_load_reservations, reservation_id, None)

    def held(self, place: tuple[str, str]) -> int:
        """Return what a player's open reservations hold, by table and player."""
        return self._one(_load_held, place, 0)

    def last_cash_out(self, escrow: AccountKey) -> int:
        """Return the amount of an escrow's last posting if that was a cash-out, else 0."""
        return self._one(_load_cash_outs, escrow, 0)

    def table(self, table_id: str) -> TableRecord | None:
        """Return a table."""
        return self._one(_load_tables, table_id, None)

    def reversal_asked(self, key: tuple[int, str]) -> ReversalAsked | None:
        """Return somebody's request for a reversal, by entry and person."""
        return self._one(_load_reversals_asked, key, None)

    def _one(self, load: Load[K, V], key: K, absent: V) -> V:
        assert self.connection is not None, "a group has a connection"
        loading = load(self.connection, [key])
        return asyncio.run_coroutine_threadsafe(loading, self._loop).result().get(key, absent)


async def begin(connection: asyncpg.Connection, book: GroupBook) -> int:
    """Hold the book for this transaction, and return its revision.

    If another has written since this process did, what is known is forgotten.
    """
    row = await connection.fetchrow(_LOCK)
    assert row is not None, "the ledger has its row"
    ledger_id, revision, followed_to, outbox_no = row
    if book.revision == revision:
        return int(revision)
    book.forget()
    book.ledger_id = ledger_id
    # A statement of its own: it sees what was committed before the row was ours.
    ends = await connection.fetchrow(_ENDS)
    assert ends is not None, "the statement gives a row"
    account_no, entry_no, hash_, at_ms = ends
    head = Head(entry_no, hash_, at_ms) if entry_no else Head(0, GENESIS)
    book.begin(revision, LastNumbers(head, account_no or 0, outbox_no, followed_to))
    return int(revision)


async def load_reads(
    connection: asyncpg.Connection, book: GroupBook, reads: Sequence[Reads]
) -> None:
    """Load what a group's units are known to read and the book does not know yet."""

    async def load(overlay: Overlay[K, V], load_: Load[K, V], keys: Iterable[K]) -> None:
        if unknown := overlay.unknown(keys):
            overlay.learn(unknown, await load_(connection, unknown))

    await load(book.commands, _load_commands, (key for one in reads for key in one.commands))
    await load(book.tables, _load_tables, (key for one in reads for key in one.tables))
    await load(
        book.reservations, _load_reservations, (key for one in reads for key in one.reservations)
    )
    await load(book.held, _load_held, (key for one in reads for key in one.held))
    await load(book.cash_outs, _load_cash_outs, (key for one in reads for key in one.cash_outs))
    accounts = [key for one in reads for key in one.accounts]
    for one in reads:
        for table_id, player_id in one.seats:
            accounts += _money_of_seat(book, table_id, player_id)
        for reservation_id in one.reservations:
            held = book.reservations.peek(reservation_id)
            if held is not None and held.player_id:
                accounts += [cash(held.player_id, held.currency)]
                accounts += [reserved(held.player_id, held.currency)]
    await load(book.accounts, _load_accounts, accounts)


def _money_of_seat(book: GroupBook, table_id: str, player_id: str) -> list[AccountKey]:
    table = book.tables.peek(table_id)
    if table is None or not table.registered:
        return []  # its currency comes with its first step
    currency = table.currency
    seat = escrow(table_id, player_id, currency)
    return [seat, cash(player_id, currency), reserved(player_id, currency)]


def _key(row: Row) -> AccountKey:
    return account_key(row[0], row[1], row[2])


def _columns(keys: Iterable[tuple[object, ...]]) -> list[list[object]]:
    """Turn keys into a list for each of their parts."""
    return [list(column) for column in zip(*keys, strict=True)]
