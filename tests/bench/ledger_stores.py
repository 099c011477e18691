"""The ledger's stores as the benchmarks use them: ours, and the bare store beside it.

The bare store gets the rows that ours has written, read back beforehand, into a copy of the book
as it was before them: the same schema with all that it forbids, the same durability, the same
groups, and nothing but statements.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import asyncpg

from floor_wallet.store import LedgerStore, PostgresStore, SqliteStore
from floor_wallet.store.postgres.connection import Address, commit_durably, connect
from floor_wallet.store.sqlite.connection import open_writer
from tests.support.postgres import OWNER, SERVICE, postgres_server

Row = tuple[Any, ...]

TEMPLATE: Final = "ledger_template"

#: What an entry of the cashier's is made of, in the order of its being stored.
TABLES: Final = ("postings", "entries", "requests", "outbox")


class Group(NamedTuple):
    """Rows that are committed together, by table."""

    postings: list[Row]
    entries: list[Row]
    requests: list[Row]
    outbox: list[Row]


class BenchStore(Protocol):
    """A store, and books in it by name."""

    name: str

    async def open(self, book: str) -> LedgerStore:
        """Open a book, or make it."""
        ...

    async def settings(self) -> dict[str, str]:
        """Return what a wallet's process is told, to keep a new book here."""
        ...

    async def copy(self, book: str, to: str) -> None:
        """Copy a book that is closed."""
        ...

    async def rows(self, book: str, after_entry_no: int) -> Group:
        """Read what was stored after an entry; every entry has one request and one fact."""
        ...

    async def write(self, book: str, groups: Sequence[Group], *, triggers: bool = True) -> float:
        """Store rows group by group; gives the seconds it took."""
        ...

    async def load(self, book: str, accounts: list[Row], groups: Iterable[Group]) -> None:
        """Make a book of rows, without what the schema demands of a program."""
        ...


def in_groups(rows: Group, sizes: Sequence[int]) -> list[Group]:
    """Part rows into groups of so many entries."""
    parts = [iter(part) for part in rows]
    postings_of: dict[int, int] = {}
    for posting in rows.postings:
        postings_of[posting[2]] = postings_of.get(posting[2], 0) + 1

    def take(size: int) -> Iterator[list[Row]]:
        entries = list(islice(parts[1], size))
        yield list(islice(parts[0], sum(postings_of[entry[0]] for entry in entries)))
        yield entries
        yield from (list(islice(part, size)) for part in parts[2:])

    return [Group(*take(size)) for size in sizes]


_READ: Final = {
    "postings": "SELECT account_no, version, entry_no, amount_minor, balance_minor FROM postings"
    " WHERE entry_no > {0} ORDER BY entry_no, account_no",
    "entries": "SELECT * FROM entries WHERE entry_no > {0} ORDER BY entry_no",
    "requests": "SELECT * FROM requests WHERE entry_no > {0} ORDER BY entry_no",
    "outbox": "SELECT * FROM outbox WHERE outbox_no > (SELECT max(outbox_no) FROM outbox)"
    " - (SELECT count(*) FROM entries WHERE entry_no > {0}) ORDER BY outbox_no",
}


class SqliteBench:
    """Books are files in a folder."""

    name = "SQLite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def settings(self) -> dict[str, str]:
        return {}

    async def open(self, book: str) -> LedgerStore:
        return await SqliteStore.open(self._path(book), ledger_id="bench")

    async def copy(self, book: str, to: str) -> None:
        shutil.copyfile(self._path(book), self._path(to))

    async def rows(self, book: str, after_entry_no: int) -> Group:
        connection = sqlite3.connect(self._path(book))
        try:
            return Group(
                *(
                    connection.execute(_READ[table].format(after_entry_no)).fetchall()
                    for table in TABLES
                )
            )
        finally:
            connection.close()

    async def write(self, book: str, groups: Sequence[Group], *, triggers: bool = True) -> float:
        connection = open_writer(self._path(book))
        try:
            if not triggers:
                _drop_triggers(connection)
            began = time.perf_counter()
            for group in groups:
                connection.execute("BEGIN IMMEDIATE")
                for table, rows in zip(TABLES, group, strict=True):
                    _insert(connection, table, rows)
                if not triggers:
                    moved = [(row[1], row[4], row[0]) for row in group.postings]
                    connection.executemany(_MOVE, moved)
                connection.execute("COMMIT")
            return time.perf_counter() - began
        finally:
            connection.close()

    async def load(self, book: str, accounts: list[Row], groups: Iterable[Group]) -> None:
        await (await self.open(book)).close()
        connection = open_writer(self._path(book))
        try:
            triggers = _drop_triggers(connection)
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO currencies VALUES ('EUR', 2)")
            _insert(connection, "accounts", accounts)
            for group in groups:
                for table, rows in zip(TABLES, group, strict=True):
                    _insert(connection, table, rows)
            for trigger in triggers:
                connection.execute(trigger)
            connection.execute("COMMIT")
        finally:
            connection.close()

    def _path(self, book: str) -> Path:
        return self._folder / f"{book}.db"


class PostgresBench:
    """Books are databases of one server, as the tests start it."""

    name = "PostgreSQL"

    def __init__(self) -> None:
        self._server = postgres_server()
        self._books: set[str] = set()

    async def settings(self) -> dict[str, str]:
        await self._make("served", TEMPLATE)
        return {"ledger_url": self._server.url(SERVICE, "served")}

    async def open(self, book: str) -> LedgerStore:
        if book not in self._books:
            await self._make(book, TEMPLATE)
        return await PostgresStore.open(self._server.url(SERVICE, book), ledger_id="bench")

    async def copy(self, book: str, to: str) -> None:
        await self._make(to, book)

    async def rows(self, book: str, after_entry_no: int) -> Group:
        connection = await self.connect(book)
        try:
            found = [
                await connection.fetch(_READ[table].format(after_entry_no)) for table in TABLES
            ]
            return Group(*([tuple(row) for row in rows] for rows in found))
        finally:
            await connection.close()

    async def write(self, book: str, groups: Sequence[Group], *, triggers: bool = True) -> float:
        connection = await self.connect(book, SERVICE if triggers else "postgres")
        try:
            if not triggers:
                await _switch_triggers(connection, "DISABLE")
            # Turning rows into columns is no work of the store's.
            ready = [[_columns(rows) for rows in group] for group in groups]
            moves = [_columns(last_of_accounts(group.postings)) for group in groups]
            began = time.perf_counter()
            for columns, moved in zip(ready, moves, strict=True):
                async with connection.transaction():
                    for table, values in zip(TABLES, columns, strict=True):
                        await connection.execute(_UNNEST[table], *values)
                    if not triggers:
                        await connection.execute(_MOVE_ALL, *moved)
            return time.perf_counter() - began
        finally:
            await connection.close()

    async def load(self, book: str, accounts: list[Row], groups: Iterable[Group]) -> None:
        await self._make(book, TEMPLATE)
        connection = await self.connect(book)
        try:
            async with connection.transaction():
                await _switch_triggers(connection, "DISABLE")
                await connection.execute("INSERT INTO currencies VALUES ('EUR', 2)")
                await connection.copy_records_to_table("accounts", records=accounts)
                for group in groups:
                    for table, rows in zip(TABLES, group, strict=True):
                        await connection.copy_records_to_table(table, records=rows)
                # Deferred keys first: a table with checks to come cannot be altered.
                await connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
                await _switch_triggers(connection, "ENABLE")
            await connection.execute("ANALYZE")
            await connection.execute("CHECKPOINT")
        finally:
            await connection.close()

    async def connect(self, book: str, user: str = "postgres") -> asyncpg.Connection:
        """Connect as somebody, by default as one who may do everything."""
        address = Address.of(self._server.url(user, book), "the book's URL")
        connection = await connect(address, statement_timeout_ms=600_000, keys_only=True)
        await commit_durably(connection)
        return connection

    async def _make(self, book: str, template: str) -> None:
        statements = [f"DROP DATABASE IF EXISTS {book}"]
        statements.append(f"CREATE DATABASE {book} TEMPLATE {template} OWNER {OWNER}")
        for statement in statements:
            await asyncio.to_thread(self._server.sql, statement)
        self._books.add(book)


def last_of_accounts(postings: Sequence[Row]) -> list[Row]:
    """Return version, balance and number of every account that is moved, as it stands at last."""
    return list({row[0]: (row[1], row[4], row[0]) for row in postings}.values())


_MOVE: Final = "UPDATE accounts SET version = ?, balance_minor = ? WHERE account_no = ?"
_MOVE_ALL: Final = (
    "UPDATE accounts AS a SET version = m.version, balance_minor = m.balance_minor"
    " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])"
    " AS m (version, balance_minor, account_no) WHERE a.account_no = m.account_no"
)
_TYPES: Final = {
    "postings": "bigint bigint bigint bigint bigint",
    "entries": "bigint text smallint text bigint text bigint text text bytea bytea bytea",
    "requests": "text text bytea bigint bigint bigint",
    "outbox": "bigint text text bigint bytea",
}


def _unnest(table: str) -> str:
    marks = [f"${number}::{kind}[]" for number, kind in enumerate(_TYPES[table].split(), start=1)]
    return f"INSERT INTO {table} SELECT * FROM unnest({', '.join(marks)})"


_UNNEST: Final = {table: _unnest(table) for table in TABLES}


def _columns(rows: Sequence[Row]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _insert(connection: sqlite3.Connection, table: str, rows: Sequence[Row]) -> None:
    if rows:
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def _drop_triggers(connection: sqlite3.Connection) -> list[str]:
    """Take the rules away; foreign keys and checks stay. Gives what makes them anew."""
    found = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    triggers = found.fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    return [sql for _, sql in triggers]


async def _switch_triggers(connection: asyncpg.Connection, to: str) -> None:
    """Take the rules away, for whoever may, or bring them back; foreign keys and checks stay."""
    for table in ("postings", "entries", "accounts"):
        await connection.execute(f"ALTER TABLE {table} {to} TRIGGER USER")
