"""Books that released versions wrote, and what lies in a database, row by row."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support.postgres import Database, postgres_server

DUMPS = Path(__file__).resolve().parents[2] / "fixtures" / "ledger"
SQLITE_VERSIONS = tuple(
    sorted(int(path.stem.removeprefix("sqlite-v")) for path in DUMPS.glob("sqlite-v*.sql"))
)

POSTGRES_VERSIONS = tuple(
    sorted(int(path.stem.removeprefix("postgres-v")) for path in DUMPS.glob("postgres-v*.sql"))
)

Rows = dict[str, dict[str, list[object]]]


def load_sqlite(version: int, path: Path) -> None:
    """Make the file as that release left it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((DUMPS / f"sqlite-v{version}.sql").read_text(encoding="utf-8"))
        connection.execute("PRAGMA journal_mode = WAL")


def load_postgres(version: int) -> Database:
    """Make a database as that release left it; skips the test without PostgreSQL."""
    server = postgres_server()
    database = server.bare_database()
    dump = (DUMPS / f"postgres-v{version}.sql").read_text(encoding="utf-8")
    server.sql(dump, database.admin_url.rpartition("/")[2])
    return database


def contents(path: Path) -> Rows:
    """All rows by table and column, in an order of their own."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall()
        found: Rows = {}
        for (name,) in names:
            cursor = connection.execute(f"SELECT * FROM {name}")
            columns = [column[0] for column in cursor.description]
            rows = sorted(cursor.fetchall(), key=repr)
            found[name] = {
                column: [row[place] for row in rows] for place, column in enumerate(columns)
            }
        return found


def schema(path: Path) -> tuple[int, list[tuple[str, str]]]:
    """The version, and every object with the text that made it, white space aside."""
    with closing(sqlite3.connect(path)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        found = connection.execute("SELECT name, coalesce(sql, '') FROM sqlite_master").fetchall()
        return version, sorted((name, " ".join(sql.split())) for name, sql in found)
