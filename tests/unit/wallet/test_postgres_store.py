"""What is PostgreSQL's own: groups, lookups, several wallets on one database, and its failures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from floor_wallet.domain import Book, BookRefused, CommandRecord, cash, read_step, settle_steps
from floor_wallet.open_store import open_store
from floor_wallet.settings import WalletSettings
from floor_wallet.store import PostgresStore, Refused, StoreUnavailable, WriterLimits
from floor_wallet.store.postgres import lookups
from floor_wallet.store.questions import (
    AuditBook,
    AuditTable,
    BalanceOf,
    EntriesAfter,
    FollowedTo,
    LastEventId,
    UnpublishedEvents,
)
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.servicekit import CannotStart
from tests.support.eventually import eventually
from tests.support.postgres import SCRAM_SERVICE, SERVICE, Database, new_database, postgres_server
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.refused import refusal
from tests.support.wallet.table_log import TableLog, ended, left, opened, taken


@pytest.fixture
def database() -> Database:
    return new_database()


async def opened_at(database: Database, **options: Any) -> PostgresStore:
    return await PostgresStore.open(database.ledger_url, ledger_id="other", **options)


@pytest.fixture
async def store(database: Database) -> AsyncIterator[PostgresStore]:
    store = await opened_at(database)
    yield store
    await store.close()


@pytest.fixture
async def second(database: Database) -> AsyncIterator[PostgresStore]:
    store = await opened_at(database)
    yield store
    await store.close()


async def rows(database: Database, sql: str) -> Any:
    connection = await asyncpg.connect(database.admin_url)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def test_the_service_logs_in_by_scram() -> None:
    server = postgres_server()
    database = server.bare_database()
    url = server.url(SCRAM_SERVICE, database.name)
    store = await PostgresStore.open(url, owner_url=database.owner_url, ledger_id="other")
    ledger = Ledger(store)
    await ledger.rich("ann")
    assert await ledger.cash("ann") == 50_000
    await store.close()
    with pytest.raises(CannotStart, match="password authentication failed"):
        await PostgresStore.open(url.replace(":test-only@", ":wrong@"), ledger_id="other")


async def test_what_waits_together_is_one_transaction(
    store: PostgresStore, database: Database
) -> None:
    ledger = Ledger(store)
    await ledger.rich("ann")
    before = await rows(database, "SELECT revision FROM floor_wallet.ledger")
    posted = await asyncio.gather(*(ledger.deposit("ann", 1, f"d{n}") for n in range(40)))
    assert [one.entry_no for one in posted] == list(range(2, 42))
    after = await rows(database, "SELECT revision FROM floor_wallet.ledger")
    assert after - before == 1
    assert await ledger.cash("ann") == 50_040
    await ledger.totals()


async def test_units_of_a_group_do_not_hurt_each_other(store: PostgresStore) -> None:
    ledger = Ledger(store)
    await ledger.rich("ann")

    def broken(book: Book) -> None:
        book.open_account(cash("eve", "EUR"))
        raise ZeroDivisionError

    outcomes = await asyncio.gather(
        ledger.deposit("ann", 5, "one"),
        ledger.withdraw("ann", 60_000, "too much"),
        ledger.run(broken),
        ledger.run(lambda book: book.add_currency("EUR", 2)),
        ledger.deposit("nobody", 5, "unknown"),
        ledger.deposit("ann", 7, "two"),
        ledger.deposit("ann", 5, "one"),
        return_exceptions=True,
    )
    kinds = [type(outcome).__name__ for outcome in outcomes]
    assert kinds == [
        "Posted", "Refused", "ZeroDivisionError", "BookRefused", "Refused", "Posted", "Posted",
    ]  # fmt: skip
    assert outcomes[6] == outcomes[0]
    assert await ledger.cash("ann") == 50_012
    assert await store.ask(BalanceOf("eve", "EUR")) is None
    await ledger.totals()


async def test_the_unit_that_the_database_refuses_is_found(store: PostgresStore) -> None:
    """Its constraints are the last line of defence: here a rule lets a wrong entry pass."""
    ledger = Ledger(store)
    await ledger.rich("ann")

    def forge(book: Any) -> None:
        book.written.postings.append((1, 77, 99, 5, 5))

    outcomes = await asyncio.gather(
        ledger.deposit("ann", 5, "one"),
        ledger.run(forge),
        ledger.deposit("ann", 7, "two"),
        return_exceptions=True,
    )
    assert isinstance(outcomes[1], BookRefused)
    assert "follow" in str(outcomes[1])
    assert await ledger.cash("ann") == 50_012
    assert store.healthy
    await ledger.totals()


async def test_what_the_other_wrote_is_looked_up(
    store: PostgresStore, second: PostgresStore
) -> None:
    """Two wallets take turns at the same accounts, so each knows less than it thinks."""
    one, other = Ledger(store), Ledger(second)
    await one.rich("ann", "bob")
    assert await refusal(other.open("ann", exponent=3, request_id="x")) == (
        errors_pb2.ERROR_CODE_CURRENCY_MISMATCH
    )
    for n in range(6):
        await one.deposit("ann", 10, f"one-{n}")
        await other.withdraw("ann", 3, f"other-{n}")
    assert await one.cash("ann") == await other.cash("ann") == 50_042
    # What the other has answered is answered again.
    assert await one.withdraw("ann", 3, "other-5") == await other.withdraw("ann", 3, "other-5")
    assert await refusal(one.withdraw("ann", 4, "other-5")) == errors_pb2.ERROR_CODE_ID_REUSED
    assert await refusal(other.withdraw("bob", 50_001, "w")) == (
        errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
    )
    await one.totals()


async def test_two_wallets_at_once_lose_nothing(
    store: PostgresStore, second: PostgresStore
) -> None:
    one, other = Ledger(store), Ledger(second)
    await one.rich("ann")
    await asyncio.gather(
        *(one.deposit("ann", 2, f"d{n}") for n in range(60)),
        *(other.withdraw("ann", 1, f"w{n}") for n in range(60)),
        # The same call by both: carried out once.
        *(ledger.deposit("ann", 100, f"both-{n}") for n in range(20) for ledger in (one, other)),
    )
    assert await other.cash("ann") == 50_000 + 60 + 2_000
    page = await store.ask(EntriesAfter(0, 1_000))
    assert page.last_entry_no == len(page.entries) == 1 + 60 + 60 + 20
    await one.totals()


async def test_two_wallets_follow_one_log(store: PostgresStore, second: PostgresStore) -> None:
    one, other = Ledger(store), Ledger(second)
    log = TableLog()
    await one.rich("ann", "bob")
    await one.register()
    await other.reserve("a", "ann", 1_000)
    await one.reserve("b", "bob", 1_000)
    messages = [
        log.step(opened(), taken("ann", 1_000, "a"), taken("bob", 1_000, "b")),
        *(
            log.step(ended(n, {"ann": (1_000 - n + 1, 1_000 - n), "bob": (999 + n, 1_000 + n)}))
            for n in range(1, 40)
        ),
        log.step(left("ann", 961)),
    ]
    steps = [read_step(data, "t1", n) for n, data in enumerate(messages, start=1)]

    async def follow(ledger: Ledger, size: int) -> None:
        for start in range(0, len(steps), size):
            batch = steps[start : start + size]
            last = batch[-1].stream_seq
            await ledger.run(partial(settle_steps, batch, at_ms=10_000, followed_to=last))

    await asyncio.gather(follow(one, 3), follow(other, 5))
    table = await store.ask(AuditTable("t1"))
    assert table is not None
    assert (table.table.table_seq, table.hands_settled, table.table.stopped_reason) == (41, 39, "")
    assert table.escrow == (("bob", 1_039),)
    assert await one.cash("ann") == 49_961
    assert await store.ask(FollowedTo()) == 41
    events = await store.ask(UnpublishedEvents(1_000))
    assert [event.outbox_no for event in events] == list(range(1, len(events) + 1))
    await one.totals()


async def test_a_wallet_that_knows_nothing_takes_in_a_full_table(
    store: PostgresStore, second: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch says what it reads: nothing is looked up seat by seat."""
    one, log = Ledger(store), TableLog()
    players = [f"p{n}" for n in range(9)]
    await one.rich(*players)
    await one.register()
    for player in players:
        await one.reserve(player, player, 1_000)
    messages = [log.step(opened()), *(log.step(taken(who, 1_000, who)) for who in players)]
    looked_up: list[Any] = []
    look_up = lookups.PostgresLookups._one

    def counted(self: Any, load: Any, key: Any, absent: Any) -> Any:
        looked_up.append(key)
        return look_up(self, load, key, absent)

    monkeypatch.setattr(lookups.PostgresLookups, "_one", counted)
    found = await Ledger(second).take(messages)
    assert (found.steps, found.stopped) == (10, ())
    assert looked_up == ["EUR"]


async def test_what_is_known_is_bounded(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger(store)
    book = store._backend._book
    monkeypatch.setattr(book.accounts, "_keep", 4)
    for n in range(12):
        await ledger.rich(f"p{n}", amount=100)
    assert len(book.accounts.known) + len(book.accounts._older) <= 2 * (4 + 2)
    for n in range(12):
        await ledger.deposit(f"p{n}", 1, f"more-{n}")
    assert [await ledger.cash(f"p{n}") for n in range(12)] == [101] * 12
    await ledger.totals()


async def test_too_much_waits(database: Database) -> None:
    store = await opened_at(database, limits=WriterLimits(max_waiting=16))
    ledger = Ledger(store)
    await ledger.rich("ann")
    outcomes = await asyncio.gather(
        *(ledger.deposit("ann", 1, f"d{n}") for n in range(50)), return_exceptions=True
    )
    refused = [one for one in outcomes if isinstance(one, Refused)]
    assert refused
    assert {one.refusal.code for one in refused} == {errors_pb2.ERROR_CODE_OVERLOADED}
    assert await ledger.cash("ann") == 50_000 + 50 - len(refused)
    await store.close()


async def test_close_finishes_what_waits(database: Database) -> None:
    store = await opened_at(database, limits=WriterLimits(max_group=3))
    ledger = Ledger(store)
    await ledger.rich("ann")
    waiting = [asyncio.create_task(ledger.deposit("ann", 1, f"d{n}")) for n in range(20)]
    await asyncio.sleep(0)
    await store.close()
    assert len(await asyncio.gather(*waiting)) == 20
    for asked in (ledger.deposit("ann", 1, "late"), store.ask(BalanceOf("ann", "EUR"))):
        with pytest.raises(StoreUnavailable):
            await asked


async def unavailable(work: Callable[[], Any]) -> None:
    with pytest.raises(StoreUnavailable):
        await work()


async def test_the_server_is_killed_and_comes_back(store: PostgresStore) -> None:
    ledger = Ledger(store)
    server = postgres_server()
    await ledger.rich("ann")
    await asyncio.gather(*(ledger.deposit("ann", 1, f"d{n}") for n in range(9)))
    server.kill9()
    try:
        await eventually(lambda: not store.healthy)
        await unavailable(lambda: ledger.deposit("ann", 1, "lost"))
        await unavailable(lambda: store.ask(BalanceOf("ann", "EUR")))
        await unavailable(lambda: store.ask(AuditBook()))
    finally:
        server.start()
    # Without traffic.
    await eventually(lambda: store.healthy)
    assert await ledger.cash("ann") == 50_009
    await ledger.deposit("ann", 1, "lost")
    assert await ledger.cash("ann") == 50_010
    await ledger.totals()


async def test_a_connection_is_cut_in_the_middle(store: PostgresStore) -> None:
    ledger = Ledger(store)
    await ledger.rich("ann")

    async def cut() -> None:
        for _ in range(6):
            await asyncio.sleep(0.01)
            postgres_server().sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                f" WHERE usename = '{SERVICE}'"
            )

    async def insist(n: int) -> None:
        for _ in range(500):
            try:
                await ledger.deposit("ann", 1, f"d{n}")
            except StoreUnavailable:
                await asyncio.sleep(0.01)
            else:
                return
        raise AssertionError("the store does not come back")

    await asyncio.gather(cut(), *(insist(n) for n in range(100)))
    await eventually(lambda: store.healthy)
    assert await ledger.cash("ann") == 50_100
    await ledger.totals()


@pytest.mark.parametrize("arrived", [True, False])
async def test_an_answer_to_a_commit_is_lost(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, *, arrived: bool
) -> None:
    ledger = Ledger(store)
    await ledger.rich("ann")
    connection = store._backend.connection
    assert connection is not None
    execute = asyncpg.Connection.execute

    async def lose(self: asyncpg.Connection, sql: str, *args: Any, **more: Any) -> str:
        if sql != "COMMIT" or self is not connection:
            return await execute(self, sql, *args, **more)
        if arrived:
            await execute(self, sql)
        self.terminate()
        raise ConnectionResetError("the cable is cut")

    monkeypatch.setattr(asyncpg.Connection, "execute", lose)
    await unavailable(lambda: ledger.deposit("ann", 5, "d"))
    assert not store.healthy
    # Asked again under the same id it is done once, and what is known is not what was thought.
    assert (await ledger.deposit("ann", 5, "d")).balance_minor == 50_005
    assert (await ledger.deposit("ann", 5, "e")).balance_minor == 50_010
    await eventually(lambda: store.healthy)
    await ledger.totals()


async def test_another_holds_the_book_for_too_long(database: Database) -> None:
    store = await opened_at(database, statement_timeout_ms=200)
    ledger = Ledger(store)
    await ledger.rich("ann")
    other = await asyncpg.connect(database.ledger_url)
    transaction = other.transaction()
    await transaction.start()
    await other.execute("SELECT 1 FROM floor_wallet.ledger FOR UPDATE")
    await unavailable(lambda: ledger.deposit("ann", 5, "d"))
    assert not store.healthy
    assert await ledger.cash("ann") == 50_000
    await transaction.rollback()
    await other.close()
    await eventually(lambda: store.healthy)
    await ledger.deposit("ann", 5, "d")
    assert await ledger.cash("ann") == 50_005
    await store.close()


async def test_commits_wait_for_the_disk(store: PostgresStore, database: Database) -> None:
    server = postgres_server()
    server.sql(f"ALTER ROLE {SERVICE} SET synchronous_commit = off")
    try:
        fresh = await opened_at(database)
        connection = fresh._backend.connection
        assert connection is not None
        assert await connection.fetchval("SHOW synchronous_commit") == "on"
        await fresh.close()
    finally:
        server.sql(f"ALTER ROLE {SERVICE} RESET synchronous_commit")


async def test_a_server_that_does_not_wait_for_the_disk(database: Database) -> None:
    server = postgres_server()
    server.set_for_all("fsync", "off")
    try:
        for _ in range(200):  # the server reads its settings a moment later
            if await rows(database, "SHOW fsync") == "off":
                break
        with pytest.raises(CannotStart, match="fsync = off"):
            await opened_at(database)
    finally:
        server.set_for_all("fsync", "DEFAULT")
    for _ in range(200):
        if await rows(database, "SHOW fsync") == "on":
            break
    await (await opened_at(database)).close()


async def test_wallets_that_start_at_once_make_one_schema() -> None:
    bare = postgres_server().bare_database()
    stores = await asyncio.gather(
        *(
            PostgresStore.open(bare.ledger_url, owner_url=bare.owner_url, ledger_id=f"book-{n}")
            for n in range(4)
        )
    )
    ids = {(await store.ask(LastEventId()))[:6] for store in stores}
    assert len(ids) == 1
    await Ledger(stores[0]).rich("ann")
    assert await Ledger(stores[3]).cash("ann") == 50_000
    for store in stores:
        await store.close()


async def test_a_step_of_the_schema_that_fails_leaves_it_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bare = postgres_server().bare_database()
    schema = "floor_wallet.store.postgres.schema.MIGRATIONS"
    monkeypatch.setattr(schema, (("broken", "CREATE TABLE floor_wallet.ledger (); SELECT 1/0"),))
    with pytest.raises(CannotStart, match="division by zero"):
        await PostgresStore.open(bare.ledger_url, owner_url=bare.owner_url, ledger_id="book")
    monkeypatch.undo()
    store = await PostgresStore.open(bare.ledger_url, owner_url=bare.owner_url, ledger_id="book")
    await store.close()


async def test_the_settings_name_the_store(database: Database, tmp_path: Path) -> None:
    def told(**more: str) -> WalletSettings:
        return WalletSettings(key_set=tmp_path / "keys", state_dir=tmp_path, **more)  # type: ignore[arg-type]  # pydantic reads texts

    settings = told(ledger_url=database.ledger_url, ledger_owner_url=database.owner_url)
    assert "test-only" not in repr(settings)
    store = await open_store(settings)
    assert isinstance(store, PostgresStore)
    await store.close()
    store = await open_store(told())
    assert not isinstance(store, PostgresStore)
    await store.close()
    with pytest.raises(CannotStart, match="FLOOR_LEDGER_URL is not"):
        await open_store(told(ledger_owner_url=database.owner_url))


async def test_close_does_not_wait_for_a_server_that_is_gone(database: Database) -> None:
    store = await opened_at(database, limits=WriterLimits(max_group=2))
    ledger = Ledger(store)
    await ledger.rich("ann")
    server = postgres_server()
    server.kill9()
    try:
        waiting = [asyncio.create_task(ledger.deposit("ann", 1, f"d{n}")) for n in range(20)]
        await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await store.close()
        outcomes = await asyncio.gather(*waiting, return_exceptions=True)
        assert {type(one) for one in outcomes} == {StoreUnavailable}
    finally:
        server.start()


async def test_the_server_is_away_at_the_start() -> None:
    with pytest.raises(CannotStart, match="cannot be used"):
        await PostgresStore.open("postgresql://floor:secret@127.0.0.1:1/none", ledger_id="book")


async def test_a_text_that_postgres_cannot_hold_is_the_units_own(store: PostgresStore) -> None:
    ledger = Ledger(store)
    await ledger.rich("ann")
    record = CommandRecord(bytes(32), 0, 0)
    outcomes = await asyncio.gather(
        ledger.deposit("ann", 1, "one"),
        ledger.run(lambda book: book.add_command("desk", "a\0b", record, 1)),
        ledger.deposit("ann", 1, "two"),
        return_exceptions=True,
    )
    assert [type(one).__name__ for one in outcomes] == ["Posted", "BookRefused", "Posted"]
    await ledger.totals()
