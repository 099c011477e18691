"""SQLite: the file of every released version comes up to today's, whole or not at all."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from floor_wallet.store import SqliteStore
from floor_wallet.store.sqlite import connection
from floor_wallet.store.sqlite.connection import migrate, open_reader, open_writer
from floor_wallet.store.sqlite.migrations import MIGRATIONS
from pokerfloor.servicekit import CannotStart
from tests.support.kill_points import Fuse, Trial, kill_everywhere
from tests.support.wallet.old_books import SQLITE_VERSIONS, contents, load_sqlite, schema


@pytest.fixture(params=SQLITE_VERSIONS)
def version(request: pytest.FixtureRequest) -> int:
    number: int = request.param
    return number


@pytest.fixture
def path(version: int, tmp_path: Path) -> Path:
    load_sqlite(version, tmp_path / "ledger.db")
    return tmp_path / "ledger.db"


async def come_up(path: Path) -> None:
    await (await SqliteStore.open(path, ledger_id="another")).close()


def up_to(number: int, path: Path) -> None:
    """Bring a file to a version that is not today's."""
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        (version,) = old.execute("PRAGMA user_version").fetchone()
        for step, script in enumerate(MIGRATIONS[version:number], start=version + 1):
            old.executescript(f"BEGIN;{script}PRAGMA user_version = {step};COMMIT;")


def test_every_version_has_a_book_on_record() -> None:
    assert tuple(range(1, len(MIGRATIONS) + 1)) == SQLITE_VERSIONS


async def test_nothing_is_lost(version: int, path: Path) -> None:
    before = contents(path)
    await come_up(path)
    after = contents(path)
    for table, columns in before.items():
        for column, values in columns.items():
            assert after[table][column] == values, f"{table}.{column} of version {version}"
    # Filled from the tables, where the release did not keep it with the hands.
    rooms = {"t1": "room-1", "t3": "room-1", "t4": "room-1", "t5": "room-2"}
    hands = after["hands"]
    assert hands["room_id"] == [rooms[str(table)] for table in hands["table_id"]]
    assert hands["currency"] == ["USD" if t == "t5" else "EUR" for t in hands["table_id"]]
    assert set(hands["game"]) == {""}


async def test_the_schema_is_that_of_a_new_book(path: Path, tmp_path: Path) -> None:
    await come_up(path)
    await (await SqliteStore.open(tmp_path / "new.db", ledger_id="new")).close()
    assert schema(path) == schema(tmp_path / "new.db")
    assert schema(path)[0] == len(MIGRATIONS)


async def test_foreign_keys_hold_again(path: Path) -> None:
    """They are off while a table is made anew, and the book rests on them."""
    await come_up(path)
    writer = open_writer(path)
    migrate(writer, "book")
    assert writer.execute("PRAGMA foreign_keys").fetchone() == (1,)
    (account_no, version, balance) = writer.execute(
        "SELECT account_no, version, balance_minor FROM accounts WHERE kind = 1"
    ).fetchone()
    writer.execute("BEGIN")
    writer.execute(
        "INSERT INTO postings VALUES (?, ?, 100000, 5, ?)", (account_no, version + 1, balance + 5)
    )
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        writer.execute("COMMIT")
    writer.execute("ROLLBACK")
    writer.close()


def test_nothing_is_written_but_the_ledgers_own_files(path: Path) -> None:
    """Large sorts would need a folder for temporary files, which a container does not have."""
    for opened in (open_writer(path), open_reader(path)):
        assert opened.execute("PRAGMA temp_store").fetchone() == (2,)
        opened.close()


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("CREATE TABLE more (x); DROP TABLE entries; SELECT no_such_function();", "no such"),
        ("DROP TABLE currencies; CREATE TABLE currencies (code TEXT PRIMARY KEY);", "belong to no"),
        ("INSERT INTO hands SELECT * FROM hands;", "UNIQUE"),
    ],
)
def test_a_step_that_fails_leaves_the_file_as_it_was(
    script: str, why: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    up_to(len(MIGRATIONS), path)
    before = (schema(path), contents(path))
    monkeypatch.setattr(connection, "MIGRATIONS", (*MIGRATIONS, script))
    writer = open_writer(path)
    with pytest.raises(CannotStart, match=why):
        migrate(writer, "book")
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        writer.execute("SELECT 1")
    assert (schema(path), contents(path)) == before


def test_a_later_version_is_refused_and_left_alone(path: Path) -> None:
    up_to(len(MIGRATIONS), path)
    with closing(sqlite3.connect(path)) as later:
        later.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = path.read_bytes()
    with pytest.raises(CannotStart, match=f"schema {len(MIGRATIONS) + 1}"):
        migrate(open_writer(path), "another")
    assert path.read_bytes() == before


class ComingUp:
    """A trial for `kill_everywhere`: an old book is brought up. Tells the version found."""

    name = "coming up"

    def __init__(self, folder: Path) -> None:
        self._old = folder / "old.db"
        self._new = folder / "new.db"
        load_sqlite(1, self._old)
        self._stages = []
        for number in range(1, len(MIGRATIONS) + 1):
            shutil.copy(self._old, self._new)
            up_to(number, self._new)
            self._stages.append((schema(self._new), contents(self._new)))
        shutil.copy(self._old, self._new)

    def run(self, _number: int, fuse: Fuse) -> None:
        writer = open_writer(self._new)
        writer.set_trace_callback(fuse.step)
        fuse.light()
        migrate(writer, "another")

    def look(self, _number: int) -> str:
        """What was left comes up to the same as what was never killed."""
        version = 1 + self._stages.index((schema(self._new), contents(self._new)))
        again = open_writer(self._new)
        migrate(again, "another")
        again.close()
        assert (schema(self._new), contents(self._new)) == self._stages[-1]
        shutil.copy(self._old, self._new)
        return str(version)


def coming_up(folder: Path) -> Iterator[Trial]:
    yield ComingUp(folder)


def test_killed_between_any_two_statements(tmp_path: Path) -> None:
    found = kill_everywhere(f"{__name__}:coming_up", tmp_path)["coming up"]
    assert len(found) > 40
    assert found == sorted(found)
    assert set(found) == {str(number) for number in range(1, len(MIGRATIONS) + 1)}


_STARTER = """
import asyncio, sys
from pathlib import Path
from pokerfloor.servicekit import CannotStart
from floor_wallet.store import SqliteStore

async def main():
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        store = await SqliteStore.open(Path(sys.argv[1]), ledger_id="another")
    except CannotStart as why:
        print("cannot start:", why, flush=True)
        return
    print("up", flush=True)
    sys.stdin.readline()
    await store.close()

asyncio.run(main())
"""


def test_started_at_once_one_migrates_and_the_others_say_why(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    load_sqlite(1, path)
    before = contents(path)
    starters = [
        subprocess.Popen(
            [sys.executable, "-c", _STARTER, str(path)],
            cwd=Path(__file__).resolve().parents[3],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    try:
        pipes = [(starter.stdin, starter.stdout) for starter in starters]
        for _, out in pipes:
            assert out is not None
            assert out.readline() == "ready\n"
        for into, _ in pipes:
            assert into is not None
            into.write("go\n")
            into.flush()
        answers = sorted(out.readline() for _, out in pipes if out is not None)
        assert answers[-1] == "up\n"
        assert all("another wallet uses the ledger" in answer for answer in answers[:-1])
        for starter in starters:
            starter.communicate("end\n", timeout=10)
    finally:
        for starter in starters:
            starter.kill()
            starter.wait()
    assert schema(path)[0] == len(MIGRATIONS)
    assert contents(path)["entries"] == before["entries"]
