"""PostgreSQL: the schema comes up once, whole or not at all, whoever starts and however it ends."""

from __future__ import annotations

import asyncio
import json
import re
from asyncio import selector_events
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from floor_wallet.store import PostgresStore
from floor_wallet.store.postgres import schema
from floor_wallet.store.postgres.connection import Address
from floor_wallet.store.postgres.migrations import MIGRATIONS
from floor_wallet.store.questions import LastEventId
from pokerfloor.servicekit import CannotStart
from tests.support.kill_points import Fuse, Trial, kill_everywhere
from tests.support.postgres import SERVICE, Database, postgres_server
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.old_books import POSTGRES_VERSIONS, load_postgres

_OBJECTS = """
    SELECT coalesce(json_agg(what ORDER BY what), '[]') FROM (
        SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' '
            || is_nullable || ' ' || coalesce(column_default, '') AS what
        FROM information_schema.columns WHERE table_schema = 'floor_wallet'
        UNION ALL
        SELECT 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = to_regnamespace('floor_wallet')
        UNION ALL
        SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'floor_wallet'
        UNION ALL
        SELECT 'trigger ' || pg_get_triggerdef(t.oid) FROM pg_trigger AS t
        JOIN pg_class AS c ON c.oid = tgrelid
        WHERE NOT tgisinternal AND relnamespace = to_regnamespace('floor_wallet')
        UNION ALL
        SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = to_regnamespace('floor_wallet')
        UNION ALL
        SELECT 'right ' || grantee || ' ' || table_name || ' ' || privilege_type
        FROM information_schema.role_table_grants WHERE table_schema = 'floor_wallet'
        UNION ALL
        SELECT 'right ' || grantee || ' ' || table_name || '.' || column_name || ' '
            || privilege_type
        FROM information_schema.column_privileges WHERE table_schema = 'floor_wallet'
    ) AS found
"""


_OTHER_SESSIONS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


async def asked(database: Database, *statements: str) -> Any:
    """As the superuser; gives the last one's value."""
    connection = await asyncpg.connect(database.admin_url)
    try:
        found = None
        for statement in statements:
            found = await connection.fetchval(statement)
        return found
    finally:
        await connection.close()


async def objects(database: Database) -> list[str]:
    """All there is in the schema, but brackets and white space: a dump has its own."""
    return [re.sub(r"[()\s]+", " ", what) for what in json.loads(await asked(database, _OBJECTS))]


async def version_of(database: Database) -> int:
    if not await asked(database, "SELECT to_regclass('floor_wallet.versions') IS NOT NULL"):
        return 0
    found = await asked(
        database, "SELECT array_agg(version ORDER BY version) FROM floor_wallet.versions"
    )
    assert found == list(range(1, len(found) + 1)), "each step is done once"
    return len(found)


async def come_up(database: Database, ledger_id: str = "book") -> PostgresStore:
    return await PostgresStore.open(
        database.ledger_url, owner_url=database.owner_url, ledger_id=ledger_id
    )


def test_every_version_has_a_book_on_record() -> None:
    assert tuple(range(1, len(MIGRATIONS) + 1)) == POSTGRES_VERSIONS


@pytest.mark.parametrize("version", POSTGRES_VERSIONS)
async def test_the_schema_is_that_of_a_new_book(version: int) -> None:
    old, new = load_postgres(version), postgres_server().bare_database()
    for database in (old, new):
        await (await come_up(database)).close()
    assert await objects(old) == await objects(new)
    assert await version_of(old) == len(MIGRATIONS)


async def test_of_those_that_start_at_once_one_makes_the_schema() -> None:
    """The others wait for it, and all have the same book."""
    database = postgres_server().bare_database()
    stores = await asyncio.gather(*[come_up(database, f"book-{n}") for n in range(4)])
    assert await version_of(database) == len(MIGRATIONS)
    ids = {(await store.ask(LastEventId())).rpartition("-")[0] for store in stores}
    assert len(ids) == 1
    ledgers = [Ledger(store) for store in stores]
    await ledgers[0].rich("ann", amount=100)
    await asyncio.gather(*[ledger.deposit("ann", 1, f"d{n}") for n, ledger in enumerate(ledgers)])
    assert await ledgers[-1].cash("ann") == 104
    for store in stores:
        await store.close()


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE floor_wallet.more (x int); DROP TABLE floor_wallet.hands; SELECT 1 / 0;",
        "DELETE FROM floor_wallet.entries;",
    ],
)
async def test_a_step_that_fails_leaves_the_book_as_it_was(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = load_postgres(POSTGRES_VERSIONS[-1])
    before = await objects(database)
    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, ("m9999_broken", script)))
    with pytest.raises(CannotStart, match="up to date"):
        await come_up(database)
    assert (await objects(database), await version_of(database)) == (before, len(MIGRATIONS))
    monkeypatch.undo()
    store = await come_up(database)
    await Ledger(store).totals()
    await store.close()


async def test_a_later_version_is_refused() -> None:
    database = load_postgres(POSTGRES_VERSIONS[-1])
    later = len(MIGRATIONS) + 1
    await asked(database, f"INSERT INTO floor_wallet.versions VALUES ({later}, 'later')")
    for owner_url in (database.owner_url, ""):
        with pytest.raises(CannotStart, match=f"schema {later}"):
            await PostgresStore.open(database.ledger_url, owner_url=owner_url, ledger_id="book")


async def test_without_its_owner_the_schema_is_not_made() -> None:
    database = postgres_server().bare_database()
    with pytest.raises(CannotStart, match="FLOOR_LEDGER_OWNER_URL"):
        await PostgresStore.open(database.ledger_url, ledger_id="book")
    assert await version_of(database) == 0


class ComingUp:
    """A trial for `kill_everywhere`: a schema is made in a bare database, by its owner."""

    name = "coming up"

    def __init__(self, folder: Path) -> None:
        names = json.loads((folder / "databases").read_text(encoding="utf-8"))
        self._database = Database(*names[0])
        self._owner = Address.of(self._database.owner_url, "owner")
        self._whole = asyncio.run(objects(Database(*names[1])))

    def run(self, _number: int, fuse: Fuse) -> None:
        transport: Any = selector_events._SelectorSocketTransport  # type: ignore[attr-defined]
        write = transport.write

        def watched(to: object, data: bytes) -> None:
            write(to, data)
            fuse.step()

        transport.write = watched
        fuse.light()
        asyncio.run(schema.migrate(self._owner, SERVICE, "book"))

    def look(self, _number: int) -> str:
        """What was left comes up to the same as what was never killed."""
        return asyncio.run(self._look())

    async def _look(self) -> str:
        while await asked(self._database, "SELECT pg_sleep(0.002)", _OTHER_SESSIONS):
            pass  # what the killed one had sent is still done
        version = await version_of(self._database)
        await schema.migrate(self._owner, SERVICE, "book")
        assert await objects(self._database) == self._whole
        await asked(self._database, "DROP SCHEMA floor_wallet CASCADE")
        return str(version)


def coming_up(folder: Path) -> Iterator[Trial]:
    yield ComingUp(folder)


def test_killed_between_any_two_statements(tmp_path: Path) -> None:
    server = postgres_server()
    whole = server.new_database()
    (tmp_path / "databases").write_text(json.dumps([server.bare_database(), whole]))
    found = kill_everywhere(f"{__name__}:coming_up", tmp_path)["coming up"]
    assert len(found) > 10
    assert found == sorted(found)
    assert set(found) == {str(number) for number in range(len(MIGRATIONS) + 1)}
