"""Opening the database file, and bringing its schema up to date."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from pathlib import Path
from typing import Final

from floor_wallet.store.sqlite.migrations import MIGRATIONS
from pokerfloor.servicekit import CannotStart

# STRICT tables; Debian 12 has 3.40.
_OLDEST_SQLITE: Final = (3, 37, 0)
_BUSY_TIMEOUT_S: Final = 5.0
_CACHED_STATEMENTS: Final = 256
_CACHE_KIB: Final = 64 * 1024
_OWNERS_ONLY: Final = 0o600


class FileLock:
    """Keeps a second process away from the ledger: two would settle the same log twice over."""

    def __init__(self, path: Path) -> None:
        """Take the lock, or raise CannotStart. It ends with the process, however that ends."""
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._descriptor)
            raise CannotStart(f"another wallet uses the ledger of {path}") from None

    def release(self) -> None:
        """Let go."""
        os.close(self._descriptor)


def open_writer(path: Path) -> sqlite3.Connection:
    """Open the one connection that writes. Every commit is on the disk when it returns.

    Raises CannotStart when the file is no database, or something else has it locked.
    """
    connection = _open(f"file:{path}?mode=rwc")
    try:
        # SQLite gives the files beside it the same mode.
        path.chmod(_OWNERS_ONLY)
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    except (sqlite3.Error, OSError) as error:
        connection.close()
        raise CannotStart(f"the ledger {path} cannot be opened: {error}") from error
    assert mode == "wal", "the ledger's file system takes no write-ahead log"
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    # Triggers that may refuse a statement have it keep old pages aside; else in a file once many.
    connection.execute("PRAGMA temp_store = MEMORY")
    # Else pages of a big book are read again for every entry (KiB, negative by SQLite's custom).
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    # Else a REPLACE would delete a row without asking the triggers that forbid it.
    connection.execute("PRAGMA recursive_triggers = ON")
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a connection that can only read."""
    connection = _open(f"file:{path}?mode=ro")
    connection.execute("PRAGMA query_only = ON")
    return connection


def migrate(connection: sqlite3.Connection, ledger_id: str) -> None:
    """Bring the schema to this release's version, each step in one transaction.

    A new database gets `ledger_id`. Raises CannotStart when the file is of a later release, is
    no database, or a step fails; then the file is as it was, and the connection is closed.
    """
    try:
        _bring_up(connection)
        connection.execute(
            "INSERT INTO ledger (one, ledger_id) VALUES (1, ?) ON CONFLICT DO NOTHING", (ledger_id,)
        )
    except BaseException as error:
        connection.close()  # what a step had begun is undone
        if isinstance(error, sqlite3.Error):
            raise CannotStart(
                f"the ledger's schema cannot be brought up to date: {error}"
            ) from error
        raise


def _bring_up(connection: sqlite3.Connection) -> None:
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise CannotStart(f"SQLite {sqlite3.sqlite_version} is too old for the ledger")
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise CannotStart(f"the ledger has schema {version}, this release knows {len(MIGRATIONS)}")
    if version == len(MIGRATIONS):
        return
    # A table that is rebuilt is away for a moment; afterwards all must fit again. It cannot be
    # said inside a transaction.
    connection.execute("PRAGMA foreign_keys = OFF")
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};")
        if connection.execute("PRAGMA foreign_key_check").fetchone():
            raise sqlite3.IntegrityError(f"step {number} leaves rows that belong to no other")
        connection.execute("COMMIT")
    connection.execute("PRAGMA foreign_keys = ON")


def _open(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        uri,
        uri=True,
        timeout=_BUSY_TIMEOUT_S,
        isolation_level=None,  # transactions are begun and ended in plain sight
        check_same_thread=False,  # opened here, then used by one thread
        cached_statements=_CACHED_STATEMENTS,
    )
    # In a container, nowhere but the ledger's own folder can be written.
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection
