"""Ledgers that are killed and looked at, on every store."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sqlite3
from asyncio import selector_events
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import asyncpg

from floor_wallet.store import LedgerStore, PostgresStore, SqliteStore
from floor_wallet.store.postgres.connection import Address
from floor_wallet.store.postgres.schema import migrate
from floor_wallet.store.questions import AuditBook
from tests.support.kill_points import Fuse, Trial
from tests.support.postgres import SERVICE, Database
from tests.support.wallet.kill_scenarios import SCENARIOS, Work, prepare
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.old_books import contents

NOW_MS = 20_000
_OTHER_SESSIONS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
_TABLES = (
    "SELECT schemaname || '.' || tablename FROM pg_tables"
    " WHERE schemaname = 'floor_wallet' ORDER BY 1"
)


Contents = Mapping[str, object]


class Shelf(Protocol):
    """One book on a store, that can be put back to what it was prepared to be."""

    async def open(self) -> LedgerStore:
        """Open the book."""
        ...

    def keep(self) -> None:
        """What the book holds now is what `put_back` brings back."""
        ...

    def put_back(self) -> None: ...

    def contents(self) -> Contents:
        """Every row of the book, by table."""
        ...

    def burn(self, fuse: Fuse) -> None:
        """Have every step of this process on the database go through the fuse."""
        ...


class SqliteShelf:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "ledger.db"
        self._kept = folder / "kept.db"

    async def open(self) -> LedgerStore:
        return await SqliteStore.open(self.path, ledger_id="book")

    def keep(self) -> None:
        shutil.copy(self.path, self._kept)

    def put_back(self) -> None:
        for end in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + end).unlink(missing_ok=True)
        shutil.copy(self._kept, self.path)

    def contents(self) -> Contents:
        return contents(self.path)

    def burn(self, fuse: Fuse) -> None:
        connect = sqlite3.connect

        def statement(sql: str) -> None:
            if not sql.startswith("--"):  # of a trigger, so a part of a statement
                fuse.step()

        def watched(*args: Any, **kwargs: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*args, **kwargs)
            connection.set_trace_callback(statement)
            return connection

        sqlite3.connect = watched  # type: ignore[assignment]  # in the process that is killed only


class PostgresShelf:
    """In the database that the folder's file names; its killed visitors' sessions end there."""

    def __init__(self, folder: Path) -> None:
        self._database = Database(*json.loads((folder / "database").read_text(encoding="utf-8")))
        self._server, _, self._name = self._database.admin_url.rpartition("/")
        self._kept = f"{self._name}_kept"
        owner = Address.of(self._database.owner_url, "the owner's URL")
        asyncio.run(migrate(owner, SERVICE, "book"))

    async def open(self) -> LedgerStore:
        return await PostgresStore.open(self._database.ledger_url, ledger_id="book")

    def keep(self) -> None:
        asyncio.run(self._sql(f"CREATE DATABASE {self._kept} TEMPLATE {self._name}"))

    def put_back(self) -> None:
        asyncio.run(
            self._sql(
                f"DROP DATABASE {self._name}",
                f"CREATE DATABASE {self._name} TEMPLATE {self._kept}",
            )
        )

    def contents(self) -> Contents:
        return asyncio.run(self._contents())

    def burn(self, fuse: Fuse) -> None:
        """Everything that is sent to the server is a step; what it answers comes too late."""
        transport: Any = selector_events._SelectorSocketTransport  # type: ignore[attr-defined]
        write = transport.write

        def watched(to: object, data: bytes) -> None:
            write(to, data)
            fuse.step()

        transport.write = watched  # in the process that is killed only

    async def _sql(self, *statements: str) -> None:
        connection = await asyncpg.connect(f"{self._server}/postgres")
        for statement in statements:
            await connection.execute(statement)
        await connection.close()

    async def _contents(self) -> dict[str, list[str]]:
        connection = await asyncpg.connect(self._database.admin_url)
        try:
            while await connection.fetchval(_OTHER_SESSIONS):  # what they were sent is still done
                await connection.execute("SELECT pg_sleep(0.002)")
            found = {
                name: sorted(map(str, await connection.fetch(f"SELECT * FROM {name}")))
                for (name,) in await connection.fetch(_TABLES)
            }
            # It grows with every commit, also of one that changed nothing.
            found["floor_wallet.ledger"] = [
                re.sub("revision=[0-9]+", "", row) for row in found["floor_wallet.ledger"]
            ]
            return found
        finally:
            await connection.close()


SHELVES: dict[str, Callable[[Path], Shelf]] = {"sqlite": SqliteShelf, "postgres": PostgresShelf}


class Scenario:
    """A trial: the work is done on the book as it was prepared; see `look`."""

    def __init__(self, name: str, work: Work, shelf: Shelf) -> None:
        self.name = name
        self._work = work
        self._shelf = shelf
        self._before = shelf.contents()
        self._answer, self._after = self._do()
        assert self._before != self._after, f"{name} changes nothing"
        self._shelf.put_back()

    def run(self, _number: int, fuse: Fuse) -> None:
        self._shelf.burn(fuse)

        async def work() -> None:
            store = await self._shelf.open()
            fuse.light()
            await self._work(Ledger(store, NOW_MS))

        asyncio.run(work())

    def look(self, number: int) -> str:
        """Tell whether all or nothing is there; all of it stays as it is when it is done again."""
        found = self._shelf.contents()
        if found == self._before:
            return "nothing"
        if found != self._after:
            changed = {name for name in found if found[name] != self._before.get(name)}
            missing = {name for name in found if found[name] != self._after.get(name)}
            return f"a part: {sorted(changed)} have changed, {sorted(missing)} are not as they end"
        answer, again = self._do()
        self._shelf.put_back()
        if answer != self._answer:
            return f"all, but it answers {answer}, not {self._answer}"
        return "all" if again == self._after else "all, and more when it is done again"

    def _do(self) -> tuple[Any, Contents]:
        async def work() -> Any:
            store = await self._shelf.open()
            answer = await self._work(Ledger(store, NOW_MS))
            assert (await store.ask(AuditBook())).reason == ""
            await store.close()
            return answer

        return asyncio.run(work()), self._shelf.contents()


async def fill(shelf: Shelf) -> None:
    """Prepare the book."""
    store = await shelf.open()
    await prepare(Ledger(store, NOW_MS - 1_000))
    await store.close()


def trials(folder: Path) -> Iterator[Trial]:
    """Scenarios on the store that the folder is named after; those that its file lists."""
    shelf = SHELVES[folder.name](folder)
    asyncio.run(fill(shelf))
    shelf.keep()
    for name in (folder / "scenarios").read_text(encoding="utf-8").splitlines():
        yield Scenario(name, SCENARIOS[name], shelf)
