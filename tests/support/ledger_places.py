"""Where a ledger lies, on every store: it can be opened there again and again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from floor_wallet.store import LedgerStore, PostgresStore, SqliteStore
from tests.support.postgres import new_database


class Place(NamedTuple):
    """A ledger's place: how to open it, and the wallet's settings that mean it."""

    open: Callable[[], Awaitable[LedgerStore]]
    settings: dict[str, object]


def sqlite_place(folder: Path) -> Place:
    """A file in the folder; a wallet has it as its state folder."""
    folder.mkdir(exist_ok=True)
    return Place(lambda: SqliteStore.open(folder / "ledger.db", ledger_id="book"), {})


def postgres_place(_folder: Path) -> Place:
    """A new database; skips the test when PostgreSQL is not installed."""
    url = new_database().ledger_url
    return Place(lambda: PostgresStore.open(url, ledger_id="book"), {"ledger_url": url})


PLACES: dict[str, Callable[[Path], Place]] = {"sqlite": sqlite_place, "postgres": postgres_place}
