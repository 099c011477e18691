"""A step that the rules let pass and the database refuses: its table stops, the others go on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from floor_wallet.follower import Follower
from floor_wallet.store import LedgerStore, PostgresStore, SqliteStore
from floor_wallet.store.questions import AuditTable
from pokerfloor.servicekit import FloorNats, ServiceSettings, StreamSpec
from pokerfloor.tablelog import TABLE_LOG, table_subject
from tests.support.broker import nats_server
from tests.support.eventually import eventually
from tests.support.postgres import new_database, postgres_server
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.table_log import TableLog, ended, noise, opened, taken


async def sqlite_that_refuses(folder: Path) -> LedgerStore:
    """A store whose file refuses the hands of table "bad"."""
    path = folder / "ledger.db"
    await (await SqliteStore.open(path, ledger_id="book")).close()
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TRIGGER planted BEFORE INSERT ON hands WHEN NEW.table_id = 'bad'"
        " BEGIN SELECT RAISE (ABORT, 'planted'); END"
    )
    connection.close()
    return await SqliteStore.open(path, ledger_id="book")


async def postgres_that_refuses(_folder: Path) -> LedgerStore:
    database = new_database()
    await asyncio.to_thread(
        postgres_server().sql,
        "CREATE TRIGGER planted BEFORE INSERT ON floor_wallet.hands FOR EACH ROW"
        " WHEN (NEW.table_id = 'bad') EXECUTE FUNCTION floor_wallet.refused('planted')",
        database.ledger_url.rpartition("/")[2],
    )
    return await PostgresStore.open(database.ledger_url, ledger_id="book")


@pytest.mark.parametrize("open_store", [sqlite_that_refuses, postgres_that_refuses])
async def test_only_the_table_at_fault_stops(
    tmp_path: Path, open_store: Callable[[Path], Awaitable[LedgerStore]]
) -> None:
    store = await open_store(tmp_path)
    ledger = Ledger(store)
    await ledger.rich("ann", "bob")
    logs = {name: TableLog(name) for name in ("good", "bad")}
    for name in logs:
        await ledger.register(name)
        for player in ("ann", "bob"):
            await ledger.reserve(f"{name}/{player}", player, 1_000, table_id=name)
    with nats_server(tmp_path / "nats") as server:
        settings = ServiceSettings(
            nats_url=server.url, state_dir=tmp_path, instance="test", key_set=tmp_path / "none"
        )
        async with FloorNats.open(settings) as nats:
            await nats.ensure_stream(StreamSpec(**TABLE_LOG._asdict()))
            last = dict.fromkeys(logs, 0)
            for number in range(4):
                for name, log in logs.items():
                    events = (
                        opened(),
                        taken("ann", 1_000, f"{name}/ann"),
                        noise(),
                        ended(1, {"ann": (1_000, 1_010), "bob": (1_000, 990)}),
                    )
                    more = (taken("bob", 1_000, f"{name}/bob"),) if number == 1 else ()
                    last[name] = await nats.append(
                        table_subject(name),
                        log.step(events[number], *more),
                        expected_last_seq=last[name],
                        msg_id=f"{name}/{number}",
                    )
            follower = Follower(nats, store, max_batch_steps=64, now_ms=lambda: ledger.now_ms)
            stop = asyncio.Event()
            following = asyncio.create_task(follower.run(stop))
            await eventually(lambda: follower.followed_to == 8 or following.done(), 10)
            stop.set()
            await following
    good, bad = await store.ask(AuditTable("good")), await store.ask(AuditTable("bad"))
    assert good is not None
    assert bad is not None
    assert (good.table.stopped_reason, good.escrow) == ("", (("ann", 1_010), ("bob", 990)))
    assert "planted" in bad.table.stopped_reason
    assert (bad.table.table_seq, bad.escrow) == (3, (("ann", 1_000), ("bob", 1_000)))
    await ledger.totals()
    await store.close()
