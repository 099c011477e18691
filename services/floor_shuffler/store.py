"""The deck records and seat keys in one SQLite file. Blocking: called in the store's own thread."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Concatenate, Final, NamedTuple, ParamSpec, Self, TypeVar

from floor_shuffler.domain.deck import SETTLED, VOID, Deck
from floor_shuffler.domain.seat_keys import SeatKeys
from floor_shuffler.metrics import STORE_SECONDS
from floor_shuffler.record import belongs_to, deck_of, public_of, secret_of
from floor_shuffler.vault import Vault
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import CannotStart

P = ParamSpec("P")
R = TypeVar("R")

_SCHEMA_VERSION: Final = 1
_SCHEMA: Final = """
CREATE TABLE tables (
    table_id TEXT PRIMARY KEY,
    owner_epoch INTEGER NOT NULL,
    last_deck_no INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE decks (
    table_id TEXT NOT NULL,
    deck_no INTEGER NOT NULL CHECK (deck_no > 0),
    state INTEGER NOT NULL,
    public TEXT NOT NULL,
    key_id TEXT NOT NULL,
    secret BLOB NOT NULL,
    PRIMARY KEY (table_id, deck_no)
) STRICT;
CREATE TABLE seats (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    player_id TEXT NOT NULL,
    seated_at INTEGER NOT NULL,
    registrations INTEGER NOT NULL,
    keys BLOB NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
"""
_KEY_BYTES: Final = 32
_BUSY_S: Final = 2.0


class TableRow(NamedTuple):
    """What is known of a table: the newest epoch of its owner, and its last deck."""

    owner_epoch: int
    last_deck_no: int


class Store:
    """Every method but `open` and `close` is one transaction, on the disk when it returns."""

    def __init__(self, connection: sqlite3.Connection, vault: Vault) -> None:
        self._connection = connection
        self._vault = vault

    @classmethod
    def open(cls, path: Path, vault: Vault) -> Self:
        """Open the file, or make it. Raises CannotStart, also when a record's key is missing."""
        try:
            connection = sqlite3.connect(
                path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
            )
            path.chmod(0o600)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            _make_tables(connection)
            under = {row[0] for row in connection.execute("SELECT DISTINCT key_id FROM decks")}
        except (sqlite3.Error, OSError) as error:
            raise CannotStart(f"the deck records {path} cannot be used: {error}") from error
        missing = under - vault.key_ids
        if missing:
            connection.close()
            raise CannotStart(
                f"deck records are under keys that are not here: {', '.join(sorted(missing))}"
            )
        return cls(connection, vault)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def count_unclosed(self) -> int:
        """Count the decks that are neither settled nor void."""
        query = "SELECT count(*) FROM decks WHERE state NOT IN (?, ?)"
        return int(self._connection.execute(query, (SETTLED, VOID)).fetchone()[0])

    def table(self, table_id: str) -> TableRow:
        """Return a table's row, zeros for an unknown one."""
        row = self._connection.execute(
            "SELECT owner_epoch, last_deck_no FROM tables WHERE table_id = ?", (table_id,)
        ).fetchone()
        return TableRow(*row) if row else TableRow(0, 0)

    def deck(self, deck: DeckId) -> Deck | None:
        """Return a deck, None for an unknown one. Raises RecordLost."""
        row = self._connection.execute(
            "SELECT state, public, key_id, secret FROM decks WHERE table_id = ? AND deck_no = ?",
            (deck.table_id, deck.deck_no),
        ).fetchone()
        if row is None:
            return None
        state, public, key_name, sealed = row
        secret = self._vault.decrypt(key_name, sealed, belongs_to(deck))
        return deck_of(deck, state, public, secret)

    def table_and_deck(self, deck: DeckId) -> tuple[TableRow, Deck | None]:
        """Return both at once. Raises RecordLost."""
        return self.table(deck.table_id), self.deck(deck)

    def add_deck(self, deck: Deck) -> None:
        """Store a new deck; it is the table's next."""
        secret = self._vault.encrypt(secret_of(deck), belongs_to(deck.id))
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(
                "INSERT INTO tables VALUES (?, 0, ?) "
                "ON CONFLICT (table_id) DO UPDATE SET last_deck_no = excluded.last_deck_no",
                (deck.id.table_id, deck.id.deck_no),
            )
            self._connection.execute(
                "INSERT INTO decks VALUES (?, ?, ?, ?, ?, ?)",
                (
                    deck.id.table_id,
                    deck.id.deck_no,
                    deck.state,
                    public_of(deck),
                    self._vault.key_id,
                    secret,
                ),
            )

    def add_generation(self, deck: Deck) -> None:
        """Store a deck with one more generation; the others stay as they were first stored."""
        secret = self._vault.encrypt(secret_of(deck), belongs_to(deck.id))
        changed = self._connection.execute(
            "UPDATE decks SET public = ?, key_id = ?, secret = ? "
            "WHERE table_id = ? AND deck_no = ?",
            (public_of(deck), self._vault.key_id, secret, deck.id.table_id, deck.id.deck_no),
        ).rowcount
        assert changed == 1, "only a stored deck has a next generation"

    def save_deck(self, deck: Deck) -> None:
        """Store what has become of a deck; its order stays as it was first stored."""
        changed = self._connection.execute(
            "UPDATE decks SET state = ?, public = ? WHERE table_id = ? AND deck_no = ?",
            (deck.state, public_of(deck), deck.id.table_id, deck.id.deck_no),
        ).rowcount
        assert changed == 1, "only a stored deck can be saved again"

    def note_epoch(self, table_id: str, owner_epoch: int) -> None:
        """Store the newest epoch seen of a table's owner."""
        self._connection.execute(
            "INSERT INTO tables VALUES (?, ?, 0) ON CONFLICT (table_id) "
            "DO UPDATE SET owner_epoch = max(owner_epoch, excluded.owner_epoch)",
            (table_id, owner_epoch),
        )

    def seats(self, table_id: str, seats: Iterable[int]) -> dict[int, SeatKeys]:
        """Return the keys of these seats; a seat without any is left out."""
        found = {}
        for seat in seats:
            row = self._connection.execute(
                "SELECT player_id, seated_at, registrations, keys FROM seats "
                "WHERE table_id = ? AND seat = ?",
                (table_id, seat),
            ).fetchone()
            if row:
                player_id, seated_at, registrations, joined = row
                keys = [joined[at : at + _KEY_BYTES] for at in range(0, len(joined), _KEY_BYTES)]
                found[seat] = SeatKeys(
                    table_id, seat, player_id, seated_at, registrations, tuple(keys)
                )
        return found

    def save_seat(self, seat: SeatKeys) -> None:
        """Store a seat's keys."""
        self._connection.execute(
            "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?)",
            (
                seat.table_id,
                seat.seat,
                seat.player_id,
                seat.seated_at,
                seat.registrations,
                b"".join(seat.keys),
            ),
        )


class StoreThread:
    """Runs the store's methods one after the other in a thread of their own.

    A write waits for the disk, which the event loop must not.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="decks")

    async def run(
        self, method: Callable[Concatenate[Store, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run a method of `Store`. Raises sqlite3.Error when the disk fails."""
        began_s = time.perf_counter()
        loop = asyncio.get_running_loop()
        result = await loop.run_in_executor(
            self._thread, lambda: method(self._store, *args, **kwargs)
        )
        STORE_SECONDS.observe(time.perf_counter() - began_s)
        return result

    def close(self) -> None:
        """Finish what was begun and close the file."""
        self._thread.shutdown(wait=True)
        self._store.close()


def _make_tables(connection: sqlite3.Connection) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == _SCHEMA_VERSION:
        return
    if version != 0:
        raise sqlite3.DatabaseError(f"they are of version {version}, {_SCHEMA_VERSION} is known")
    connection.executescript(
        f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_SCHEMA_VERSION}; COMMIT;"
    )
