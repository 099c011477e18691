"""What the database refuses, whatever a program tells it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from floor_wallet.domain import BookRefused, cash
from floor_wallet.store import SqliteStore, StoreUnavailable
from floor_wallet.store.questions import AuditBook, LineFilter, OverdueReservations, StatementOf
from floor_wallet.store.sqlite import connection
from floor_wallet.store.sqlite.connection import migrate, open_writer
from floor_wallet.store.sqlite.migrations import m0001_book
from pokerfloor.servicekit import CannotStart
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.table_log import TableLog, ended, opened, taken

H = "x'" + "00" * 32 + "'"
# The last entry loses its postings, and its accounts stand where they stood before it.
EMPTY_THE_LAST = """
    UPDATE accounts SET version = version - 1, balance_minor = balance_minor
        - (SELECT amount_minor FROM postings AS p
            WHERE entry_no = 8 AND p.account_no = accounts.account_no)
    WHERE account_no IN (SELECT account_no FROM postings WHERE entry_no = 8);
    DELETE FROM postings WHERE entry_no = 8
"""


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "ledger.db"

    async def fill() -> None:
        ledger = Ledger(await SqliteStore.open(path, ledger_id="book"))
        log = TableLog()
        await ledger.rich("ann", "bob")
        await ledger.register()
        await ledger.reserve("a", "ann", 1_000)
        await ledger.reserve("b", "bob", 1_000)
        await ledger.reserve("held", "bob", 1_000)
        await ledger.take(
            [
                log.step(opened(), taken("ann", 1_000, "a"), taken("bob", 1_000, "b")),
                log.step(ended(1, {"ann": (1_000, 0), "bob": (1_000, 1_990)}, rake=10)),
            ]
        )
        assert (await ledger.totals())["RAKE"] == 10
        await ledger.store.close()

    asyncio.run(fill())
    return path


@pytest.fixture
def database(sample: Path, tmp_path: Path) -> Iterator[sqlite3.Connection]:
    copy = tmp_path / "ledger.db"
    copy.write_bytes(sample.read_bytes())
    connection = open_writer(copy)
    yield connection
    connection.close()


def account_no(database: sqlite3.Connection, kind: int, owner: str) -> int:
    row = database.execute(
        "SELECT account_no FROM accounts WHERE kind = ? AND owner = ?", (kind, owner)
    ).fetchone()
    return int(row[0])


def posting(database: sqlite3.Connection, kind: int, owner: str, amount: int) -> None:
    """Write a posting of the next entry as a program that forgets every check would."""
    database.execute(
        "INSERT INTO postings SELECT account_no, version + 1,"
        " (SELECT max(entry_no) + 1 FROM entries), ?1, balance_minor + ?1"
        " FROM accounts WHERE kind = ?2 AND owner = ?3",
        (amount, kind, owner),
    )


def entry(
    database: sqlite3.Connection,
    *,
    gap: int = 1,
    prev: str = "last",
    cur: str = "EUR",
    at: str = "max(at_ms)",
) -> None:
    last = "(SELECT hash FROM entries ORDER BY entry_no DESC LIMIT 1)"
    database.execute(
        f"INSERT INTO entries SELECT max(entry_no) + {gap}, 'new', 1, '{cur}', {at}, '', 0, '', '',"
        f" {H}, {last if prev == 'last' else H}, {H} FROM entries"
    )


def test_the_files_are_their_owners_only(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        connection = open_writer(tmp_path / "ledger.db")
        migrate(connection, "ledger-1")
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
        connection.close()
    finally:
        os.umask(before)
    assert modes == {"ledger.db": 0o600, "ledger.db-wal": 0o600, "ledger.db-shm": 0o600}


def test_a_right_entry_is_taken(database: sqlite3.Connection) -> None:
    database.execute("BEGIN")
    posting(database, 1, "ann", -5)
    posting(database, 7, "", 5)
    entry(database)
    database.execute("COMMIT")
    assert database.execute("SELECT sum(balance_minor) FROM accounts").fetchone() == (0,)


def test_an_unbalanced_entry_is_refused(database: sqlite3.Connection) -> None:
    database.execute("BEGIN")
    posting(database, 1, "ann", -5)
    posting(database, 7, "", 4)
    with pytest.raises(sqlite3.IntegrityError, match="balances"):
        entry(database)


def test_an_older_entry_is_refused(database: sqlite3.Connection) -> None:
    database.execute("BEGIN")
    posting(database, 1, "ann", -5)
    posting(database, 7, "", 5)
    with pytest.raises(sqlite3.IntegrityError, match="older"):
        entry(database, at="max(at_ms) - 1")


def test_an_entry_without_postings_is_refused(database: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="balances"):
        entry(database)


def test_postings_without_an_entry_are_not_committed(database: sqlite3.Connection) -> None:
    database.execute("BEGIN")
    posting(database, 1, "ann", -5)
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        database.execute("COMMIT")


def test_a_sealed_entry_takes_no_more_postings(database: sqlite3.Connection) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="sealed"):
        database.execute(
            "INSERT INTO postings SELECT account_no, version + 1, 1, 5, balance_minor + 5"
            " FROM accounts WHERE kind = 4"
        )


@pytest.mark.parametrize(
    ("kind", "owner", "amount"), [(1, "ann", -49_001), (2, "t1/ann", -1), (9, "bob", -1_001)]
)
def test_players_money_never_goes_below_zero(
    database: sqlite3.Connection, kind: int, owner: str, amount: int
) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        posting(database, kind, owner, amount)


def test_the_house_may_go_below_zero_but_not_beyond_the_limit(
    database: sqlite3.Connection,
) -> None:
    database.execute("BEGIN")
    posting(database, 7, "", -1)
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        posting(database, 7, "", -(2**53))


@pytest.mark.parametrize("change", [{"gap": 2}, {"gap": 0}, {"prev": "zero"}, {"cur": "USD"}])
def test_numbers_chain_and_currency(
    database: sqlite3.Connection, change: dict[str, object]
) -> None:
    database.execute("INSERT INTO currencies VALUES ('USD', 2)")
    database.execute("BEGIN")
    posting(database, 1, "ann", -5)
    posting(database, 7, "", 5)
    with pytest.raises(sqlite3.IntegrityError):
        entry(database, **change)  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE entries SET note = 'x'",
        "DELETE FROM entries",
        "UPDATE postings SET amount_minor = 1",
        "DELETE FROM postings",
        "DELETE FROM accounts",
        "UPDATE accounts SET balance_minor = balance_minor + 1",
        "UPDATE accounts SET version = version + 1",
        "UPDATE accounts SET owner = 'eve' WHERE owner = 'ann'",
        "UPDATE accounts SET player_id = 'eve' WHERE owner = 'ann'",
        "INSERT INTO accounts VALUES (99, 1, 'eve', 'EUR', 'eve', '', 0, 5)",
        "INSERT INTO accounts VALUES (99, 1, 'ann', 'EUR', 'ann', '', 0, 0)",
        "INSERT INTO accounts VALUES (99, 1, 'eve', 'XXX', 'eve', '', 0, 0)",
        "INSERT OR REPLACE INTO accounts VALUES (1, 1, 'ann', 'EUR', 'ann', '', 0, 0)",
        "INSERT OR REPLACE INTO postings SELECT account_no, version, 99, 5, 5 FROM postings",
        "UPDATE hands SET rake_minor = 0",
        "DELETE FROM hands",
        "INSERT INTO hands VALUES ('t1', 1, 0, 0, 9, 0, 0, '', '', '')",
        "DELETE FROM reservations",
        "UPDATE reservations SET state = 3 WHERE state = 2",
        "UPDATE reservations SET state = 1 WHERE state = 2",
        "UPDATE reservations SET state = 5 WHERE state = 2",
        "UPDATE reservations SET state = 6 WHERE state = 1",
        "UPDATE reservations SET amount_minor = 5 WHERE state = 1",
        "UPDATE tables SET table_seq = 0",
        "UPDATE tables SET log_epoch = 0",
    ],
)
def test_nothing_is_changed_or_deleted(database: sqlite3.Connection, sql: str) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        database.execute(sql)


def test_a_version_may_not_be_left_out(database: sqlite3.Connection) -> None:
    number = account_no(database, 1, "ann")
    with pytest.raises(sqlite3.IntegrityError, match="follow"):
        database.execute(
            "INSERT INTO postings SELECT account_no, version + 2, 99, 5, balance_minor + 5"
            f" FROM accounts WHERE account_no = {number}"
        )


@pytest.mark.parametrize(
    ("tampering", "entry_no"),
    [
        ("UPDATE postings SET amount_minor = amount_minor + 1 WHERE entry_no = 2", 2),
        ("UPDATE entries SET at_ms = 5 WHERE entry_no = 3", 3),
        ("UPDATE entries SET note = 'x', content_hash = zeroblob(32) WHERE entry_no = 1", 1),
        ("UPDATE entries SET hash = zeroblob(32) WHERE entry_no = 4", 4),
        ("UPDATE accounts SET balance_minor = balance_minor + 1 WHERE kind = 4", 8),
        ("DELETE FROM postings WHERE entry_no = 5", 5),
        ("UPDATE entries SET kind = 99 WHERE entry_no = 3", 3),
        ("UPDATE accounts SET kind = 99 WHERE kind = 4", 8),
        (EMPTY_THE_LAST, 8),
    ],
)
async def test_tampering_is_found(
    database: sqlite3.Connection, tmp_path: Path, tampering: str, entry_no: int
) -> None:
    for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute("PRAGMA ignore_check_constraints = ON")
    database.executescript(tampering)
    database.close()
    store = await SqliteStore.open(tmp_path / "ledger.db", ledger_id="other")
    found = await store.ask(AuditBook())
    assert found.broken_entry_no == entry_no, found
    assert found.reason
    # What is wrong is shown as it stands.
    assert await store.ask(StatementOf(cash("ann", "EUR"), 0, 9, LineFilter()))
    await store.close()


async def test_a_refusal_of_the_database_is_the_units_own(tmp_path: Path) -> None:
    ledger = Ledger(await SqliteStore.open(tmp_path / "ledger.db", ledger_id="book"))
    await ledger.rich("ann")
    bad = ledger.run(lambda book: book.add_currency("EUR", 2))
    good = ledger.deposit("ann", 5, "d")
    refused, posted = await asyncio.gather(bad, good, return_exceptions=True)
    assert isinstance(refused, BookRefused)
    assert not isinstance(posted, BaseException)
    assert posted.balance_minor == 50_005
    assert ledger.store.healthy
    await ledger.store.close()
    with pytest.raises(StoreUnavailable):
        await ledger.deposit("ann", 5, "e")


async def test_a_full_disk_changes_nothing_and_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.db"
    store = await SqliteStore.open(path, ledger_id="book")

    def out_of_order() -> None:
        raise StoreUnavailable("still full")

    # What it tries by itself takes no further page, and would do (test_ledger_disk_full).
    monkeypatch.setattr(store._backend, "_probe", out_of_order)
    ledger = Ledger(store)
    await ledger.rich("ann")
    connection = store._backend.connection

    def limit(pages: int) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    await asyncio.to_thread(limit, 1)  # as small as it is now
    done = 0
    why = ""
    while not why:
        try:
            await ledger.deposit("ann", 1, f"d{done}")
            done += 1
        except StoreUnavailable as unavailable:
            why = str(unavailable)
    assert "full" in why
    assert (store.healthy, await ledger.cash("ann")) == (False, 50_000 + done)
    await asyncio.to_thread(limit, 100_000)
    await ledger.deposit("ann", 1, f"d{done}")
    assert (store.healthy, await ledger.cash("ann")) == (True, 50_001 + done)
    await ledger.totals()
    await store.close()


async def test_one_process_has_the_ledger(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "ledger.db", ledger_id="book")
    with pytest.raises(CannotStart, match="another wallet"):
        await SqliteStore.open(tmp_path / "ledger.db", ledger_id="book")
    await store.close()
    await (await SqliteStore.open(tmp_path / "ledger.db", ledger_id="book")).close()


def test_files_that_are_no_ledger_of_this_release(tmp_path: Path) -> None:
    later = open_writer(tmp_path / "later.db")
    later.execute("PRAGMA user_version = 99")
    with pytest.raises(CannotStart, match="schema 99"):
        migrate(later, "book")
    half = open_writer(tmp_path / "half.db")
    half.execute("CREATE TABLE postings (x)")  # the first step fails in its middle
    with pytest.raises(CannotStart, match="up to date"):
        migrate(half, "book")
    half = sqlite3.connect(tmp_path / "half.db")
    assert half.execute("PRAGMA user_version").fetchone() == (0,)
    assert half.execute("SELECT name FROM sqlite_master").fetchall() == [("postings",)]
    half.close()


async def test_files_that_cannot_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_BUSY_TIMEOUT_S", 0.05)
    path = tmp_path / "ledger.db"
    path.write_bytes(b"no database " * 100)
    with pytest.raises(CannotStart, match="not a database"):
        await SqliteStore.open(path, ledger_id="book")
    path.unlink()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(CannotStart, match="locked"):
        await SqliteStore.open(path, ledger_id="book")
    other.close()
    await (await SqliteStore.open(path, ledger_id="book")).close()


async def test_a_ledger_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    old = open_writer(path)
    old.executescript(f"{m0001_book.SCRIPT}; PRAGMA user_version = 1;")
    old.execute("INSERT INTO ledger (one, ledger_id) VALUES (1, 'first')")
    rows = [(f"r{state}", "t1", state, 1, "ann", "EUR", 5, 9, 7) for state in (1, 2, 3, 4)]
    old.executemany("INSERT INTO reservations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    old.close()
    for _ in range(2):
        store = await SqliteStore.open(path, ledger_id="other")
        assert [held.reservation_id for held in await store.ask(OverdueReservations(10, 9))] == [
            "r1"
        ]
        await store.close()
    new = open_writer(path)
    assert new.execute("SELECT * FROM reservations ORDER BY state").fetchall() == rows
    assert new.execute("SELECT ledger_id FROM ledger").fetchall() == [("first",)]
    new.execute("UPDATE reservations SET state = 5 WHERE state = 1")
    for sql in ("DELETE FROM reservations", "UPDATE reservations SET state = 1 WHERE state = 5"):
        with pytest.raises(sqlite3.IntegrityError):
            new.execute(sql)
    new.close()
