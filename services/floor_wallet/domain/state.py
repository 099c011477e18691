"""What the book knows, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

GENESIS: Final = bytes(32)


class AccountState(NamedTuple):
    """An account's balance in minor units, and how many postings made it."""

    balance_minor: int
    version: int


class Head(NamedTuple):
    """The book's last entry: number (0 for none), hash (32 zero bytes for none) and time."""

    entry_no: int
    hash: bytes
    at_ms: int = 0


@dataclass(frozen=True, slots=True)
class CommandRecord:
    """A call that was carried out: its content's digest, and what was answered."""

    content_hash: bytes
    entry_no: int
    balance_minor: int


@dataclass(frozen=True, slots=True)
class ReversalAsked:
    """Somebody's request that an entry be reversed."""

    entry_no: int
    asked_by: str
    reason: str
    at_ms: int


class ReservationState(IntEnum):
    """Where a reservation stands. Only HELD may still change, and EXPIRED by the log's word."""

    HELD = 1
    COMMITTED = 2
    VOIDED = 3
    # Given up before its Reserve arrived.
    TOMBSTONE = 4
    # The money is back in cash, but the log has not said yet what became of it.
    EXPIRED = 5


@dataclass(frozen=True, slots=True)
class Reservation:
    """Money on its way to a table. A tombstone knows only its id, table and time."""

    reservation_id: str
    table_id: str
    state: ReservationState
    at_ms: int
    player_id: str = ""
    currency: str = ""
    amount_minor: int = 0
    expires_at_ms: int = 0
    # The player's cash after the hold: what the first Reserve was answered.
    balance_minor: int = 0

    def same_content(self, other: Reservation) -> bool:
        """Return whether the other asks for the very same."""
        return (
            self.table_id,
            self.player_id,
            self.currency,
            self.amount_minor,
            self.expires_at_ms,
        ) == (
            other.table_id,
            other.player_id,
            other.currency,
            other.amount_minor,
            other.expires_at_ms,
        )


class TableRecord(NamedTuple):
    """A table as the wallet knows it: registration, limits, and how far its log is read.

    A table's owner sets its limits by RegisterTable, and the log states them in its own order;
    `called_*` and `logged_*` are None until then. `currency` is "" until one of them came.
    """

    table_id: str
    room_id: str = ""
    currency: str = ""
    called_max_buy_in_minor: int | None = None
    called_max_rake_minor: int | None = None
    logged_max_buy_in_minor: int | None = None
    logged_max_rake_minor: int | None = None
    # Newest epoch of a call, and of the log; the log is read later than calls are made.
    call_epoch: int = 0
    log_epoch: int = 0
    # The last step read, and its number in the stream.
    table_seq: int = 0
    stream_seq: int = 0
    # The last hand settled.
    hand_no: int = 0
    # Why settlement stopped, "" when it did not.
    stopped_reason: str = ""
    # What a point is worth at a table that plays for points, 0 at one that plays for money.
    point_price_minor: int = 0
    # The game of the last hand opened, by its id in the catalogue.
    game: str = ""

    @property
    def registered(self) -> bool:
        """Whether a call or the log has stated its room and currency."""
        return self.currency != ""

    @property
    def max_buy_in_minor(self) -> int:
        """What Reserve is held to: the caller's own word first, for the log may be behind."""
        called, logged = self.called_max_buy_in_minor, self.logged_max_buy_in_minor
        return called if called is not None else logged or 0

    @property
    def max_rake_minor(self) -> int:
        """What the log's hands are held to: the log's own word first, for it is in order."""
        called, logged = self.called_max_rake_minor, self.logged_max_rake_minor
        return logged if logged is not None else called or 0


class SettledHand(NamedTuple):
    """A hand in the book. `entry_no` is 0 when it moved nothing.

    Where and what was played stands with each hand, for a table may play several games.
    """

    table_id: str
    hand_no: int
    entry_no: int
    rake_minor: int
    table_seq: int
    voided: bool
    at_ms: int
    room_id: str
    game: str
    currency: str
