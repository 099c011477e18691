"""An entry costs the same in a small and in a big book, counted and not timed."""

from __future__ import annotations

from pathlib import Path

from floor_wallet.store import SqliteStore
from floor_wallet.store.questions import AuditBook, EntriesAfter
from tests.bench.ledger_callers import run
from tests.bench.ledger_growth import account_rows, deposits
from tests.bench.ledger_stores import PostgresBench, SqliteBench

_SMALL, _BIG, _ACCOUNTS = 500, 20_000, 100
_ENTRIES = 60
# What the deeper trees of a book forty times as big may add.
_MOST_MORE = 1.05
_WALKED = "SELECT coalesce(sum(seq_tup_read), 0) FROM pg_stat_user_tables WHERE relname = ANY($1)"
_GROWING = ["entries", "postings", "accounts", "requests", "outbox", "hands"]


async def steps_of(bench: SqliteBench, book: str, entries: int) -> int:
    """How many steps of SQLite's machine some entries take, triggers and all."""
    await bench.load(book, account_rows(entries, _ACCOUNTS), deposits(entries, _ACCOUNTS))
    store = await bench.open(book)
    assert isinstance(store, SqliteStore)
    await run(store, 1, _ENTRIES, "first", _ACCOUNTS)  # accounts are known from here on
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    store._backend.connection.set_progress_handler(count, 1)
    await run(store, 1, _ENTRIES, "then", _ACCOUNTS)
    store._backend.connection.set_progress_handler(None, 1)
    assert (await store.ask(AuditBook())).reason == ""
    await store.close()
    return steps


async def test_sqlite_takes_no_more_steps_in_a_big_book(tmp_path: Path) -> None:
    bench = SqliteBench(tmp_path)
    small = await steps_of(bench, "small", _SMALL)
    big = await steps_of(bench, "big", _BIG)
    assert small > 100 * _ENTRIES, "triggers are counted"
    assert big < _MOST_MORE * small


async def test_postgres_walks_no_table_for_an_entry() -> None:
    bench = PostgresBench()
    await bench.load("walked", account_rows(_BIG, _ACCOUNTS), deposits(_BIG, _ACCOUNTS))
    before = await walked(bench)
    store = await bench.open("walked")
    await run(store, 4, _ENTRIES, "some", _ACCOUNTS)
    assert (await store.ask(EntriesAfter(0, 1))).last_entry_no == _BIG + _ENTRIES
    await store.close()  # the server counts when a session ends
    assert await walked(bench) == before


async def walked(bench: PostgresBench) -> int:
    """How many rows of tables that grow were ever read one after the other."""
    connection = await bench.connect("walked")
    try:
        return int(await connection.fetchval(_WALKED, _GROWING))
    finally:
        await connection.close()
