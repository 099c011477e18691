"""Looking up what the rules guessed to be absent: one question for all keys of a kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import asyncpg

from floor_wallet.domain import (
    GENESIS,
    AccountKey,
    AccountState,
    EntryKind,
    Head,
    RequestRecord,
    ReversalAsked,
    TableState,
    cash,
    reserved,
)
from floor_wallet.store import columns
from floor_wallet.store.book import Account, Ends, GroupBook
from floor_wallet.store.columns import Row
from floor_wallet.store.entry_lines import ENTRY_LINES, IN_ORDER, account_key, entries_in

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
_LEFT_WITH: Final = (
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
# HELD is 1; it stands in the text, because the partial index is only used then.
_HELD: Final = (
    "SELECT key.table_id, key.player_id, sum(r.amount_minor)::bigint"
    " FROM unnest($1::text[], $2::text[]) AS key (table_id, player_id)"
    " JOIN reservations AS r ON (r.table_id, r.player_id) = (key.table_id, key.player_id)"
    " WHERE r.state = 1 GROUP BY key.table_id, key.player_id"
)
_WISHES: Final = (
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
# What a table's next steps are likely to ask for; see `_load_surroundings`.
_SEATED: Final = (
    f"SELECT {_ACCOUNT} FROM accounts AS a"  # noqa: S608 - constants
    " WHERE a.table_id = ANY($1::text[]) AND a.table_id <> '' AND a.balance_minor > 0"
)
_HELD_AT: Final = (
    f"SELECT {columns.RESERVATION} FROM reservations"  # noqa: S608 - constants
    " WHERE table_id = ANY($1::text[]) AND state = 1"
)


async def begin(connection: asyncpg.Connection, book: GroupBook) -> int:
    """Hold the book for this transaction, and give its revision.

    If another has written since this process did, what is known is forgotten.
    """
    row = await connection.fetchrow(_LOCK)
    assert row is not None, "the ledger has its row"
    ledger_id, followed_to, outbox_no = row[0], row[2], row[3]
    revision = int(row[1])
    if book.revision == revision:
        return revision
    book.forget()
    book.ledger_id = ledger_id
    # A statement of its own: it sees what was committed before the row was ours.
    ends = await connection.fetchrow(_ENDS)
    assert ends is not None, "the statement gives a row"
    account_no, entry_no, hash_, at_ms = ends
    head = Head(entry_no, hash_, at_ms) if entry_no else Head(0, GENESIS)
    book.begin(revision, Ends(head, account_no or 0, outbox_no, followed_to))
    return revision


async def look_up(connection: asyncpg.Connection, book: GroupBook) -> bool:
    """Look up what this pass guessed to be absent; tells whether a guess was wrong."""
    wrong = False
    if missed := book.requests.missed:
        found = await connection.fetch(_REQUESTS, *_columns(missed))
        wrong |= book.requests.learn({(row[0], row[1]): RequestRecord(*row[2:]) for row in found})
    if missed_accounts := book.accounts.missed:
        wrong |= book.accounts.learn(await _accounts(connection, missed_accounts))
    if missed_tables := book.tables.missed:
        found = await connection.fetch(_TABLES, list(missed_tables))
        if book.tables.learn({row[0]: TableState(*row) for row in found}):
            await _load_surroundings(connection, book, [row[0] for row in found])
            wrong = True
    if missed_ids := book.reservations.missed:
        found = await connection.fetch(_RESERVATIONS, list(missed_ids))
        wrong |= book.reservations.learn({row[0]: columns.to_reservation(row) for row in found})
    if missed_places := book.held.missed:
        found = await connection.fetch(_HELD, *_columns(missed_places))
        wrong |= book.held.learn({(row[0], row[1]): row[2] for row in found})
    if missed_accounts := book.left_with.missed:
        found = await connection.fetch(_LEFT_WITH, *_columns(missed_accounts))
        wrong |= book.left_with.learn({_key(row): row[3] for row in found})
    if missed_codes := book.currencies.missed:
        found = await connection.fetch(_CURRENCIES, list(missed_codes))
        wrong |= book.currencies.learn({row[0]: row[1] for row in found})
    return await _look_up_entries(connection, book) or wrong


async def _look_up_entries(connection: asyncpg.Connection, book: GroupBook) -> bool:
    wrong = False
    if missed := book.entries.missed:
        found = await connection.fetch(_ENTRIES, list(missed))
        wrong |= book.entries.learn({entry.entry_no: entry for entry in entries_in(found)})
    if missed_ids := book.entry_nos.missed:
        found = await connection.fetch(_ENTRY_NOS, list(missed_ids))
        wrong |= book.entry_nos.learn({row[0]: row[1] for row in found})
    if wishes := book.wishes.missed:
        found = await connection.fetch(_WISHES, *_columns(wishes))
        wrong |= book.wishes.learn({(row[0], row[1]): ReversalAsked(*row) for row in found})
    return wrong


async def _load_surroundings(
    connection: asyncpg.Connection, book: GroupBook, table_ids: list[str]
) -> None:
    """Load the money at tables that were just found, and what is on its way to them.

    The rules stop a table at the first step whose money is not there, so without this a batch of
    its steps would be run once for every seat.
    """
    seated = await connection.fetch(_SEATED, table_ids)
    book.accounts.learn_more({_key(row): _account(row) for row in seated})
    held = [columns.to_reservation(row) for row in await connection.fetch(_HELD_AT, table_ids)]
    book.reservations.learn_more({one.reservation_id: one for one in held})
    theirs = {whose(one.player_id, one.currency) for one in held for whose in (cash, reserved)}
    if theirs:
        book.accounts.learn_more(await _accounts(connection, theirs))


async def _accounts(
    connection: asyncpg.Connection, keys: Iterable[AccountKey]
) -> dict[AccountKey, Account | None]:
    found = await connection.fetch(_ACCOUNTS, *_columns(keys))
    return {_key(row): _account(row) for row in found}


def _key(row: Row) -> AccountKey:
    return account_key(row[0], row[1], row[2])


def _account(row: Row) -> Account:
    return row[3], AccountState(row[4], row[5])


def _columns(keys: Iterable[tuple[object, ...]]) -> list[list[object]]:
    """Turn keys into a list for each of their parts."""
    return [list(column) for column in zip(*keys, strict=True)]
