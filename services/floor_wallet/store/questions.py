"""What a store can be asked: each question is a value, which names its answer's type.

`store.ask(question)` answers from one snapshot, beside what is written meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import ClassVar, Final, Generic, TypeVar

from floor_wallet.domain import (
    MAX_NUMBER,
    AccountKey,
    AccountKind,
    Entry,
    EntryKind,
    Reservation,
    SettledHand,
    TableRecord,
)

T_co = TypeVar("T_co", covariant=True)

#: A player's holds that are listed one by one.
MAX_HOLDS: Final = 100


class Effort(Enum):
    """How long an answer may take: questions of one effort wait for each other only."""

    #: Reads few rows, by a key.
    QUICK = auto()
    #: Adds up many rows.
    LONG = auto()
    #: Recomputes every entry; metrics and trial balances go on beside it.
    AUDIT = auto()


class Question(Generic[T_co]):
    """A question whose answer is a `T_co`."""

    __slots__ = ()

    effort: ClassVar[Effort] = Effort.QUICK


# --- players and accounts


@dataclass(frozen=True, slots=True)
class Balance:
    """A player's money in one currency at one instant, in minor units; escrow by table.

    `holds` are the reservations that make up what is reserved, the first to expire first, at most
    MAX_HOLDS of them.
    """

    cash_minor: int
    reserved_minor: int
    escrow: tuple[tuple[str, int], ...]
    holds: tuple[Reservation, ...] = ()


@dataclass(frozen=True, slots=True)
class BalanceOf(Question[Balance | None]):
    """A player's balances and holds; None when there is no account."""

    player_id: str
    currency: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an account's statement; amounts in minor units, `version` gap-free from 1."""

    version: int
    entry_no: int
    kind: EntryKind
    amount_minor: int
    balance_minor: int
    at_ms: int
    table_id: str
    hand_no: int
    reference: str


@dataclass(frozen=True, slots=True)
class LineFilter:
    """Which lines of a statement: of this kind, of this table, posted in [from_ms, to_ms)."""

    kind: EntryKind | None = None
    table_id: str = ""
    from_ms: int = 0
    to_ms: int = MAX_NUMBER


@dataclass(frozen=True, slots=True)
class Statement:
    """A page of lines in order, whether more follow, and the account's balance now."""

    lines: tuple[Line, ...]
    more: bool
    balance_minor: int


@dataclass(frozen=True, slots=True)
class StatementOf(Question[Statement | None]):
    """An account's lines after a version, at most `limit`; None when there is no account."""

    account: AccountKey
    after_version: int
    limit: int
    only: LineFilter = LineFilter()


# --- tables, reservations, the stream


@dataclass(frozen=True, slots=True)
class TableById(Question[TableRecord | None]):
    """A table; None for one never heard of."""

    table_id: str


@dataclass(frozen=True, slots=True)
class StoppedTables(Question[tuple[TableRecord, ...]]):
    """The tables whose settlement is stopped."""


@dataclass(frozen=True, slots=True)
class TableAudit:
    """What the book holds of a table: escrow above zero by player, pot, rake, hands."""

    table: TableRecord
    escrow: tuple[tuple[str, int], ...]
    pot_minor: int
    rake_minor: int
    hands_settled: int


@dataclass(frozen=True, slots=True)
class AuditTable(Question[TableAudit | None]):
    """What the book holds of a table; None for one never heard of."""

    effort: ClassVar[Effort] = Effort.LONG

    table_id: str


@dataclass(frozen=True, slots=True)
class HandsFrom(Question[tuple[SettledHand, ...]]):
    """A table's settled hands in order, from a number on, at most `limit`."""

    table_id: str
    first_hand_no: int
    limit: int


@dataclass(frozen=True, slots=True)
class OverdueReservations(Question[tuple[Reservation, ...]]):
    """Reservations still held that expired before a time, oldest first, at most `limit`.

    `after` is the last one of the page before.
    """

    before_ms: int
    limit: int
    after: Reservation | None = None


@dataclass(frozen=True, slots=True)
class FollowedTo(Question[int]):
    """The number in the stream of the last step read, 0 for none."""


# --- facts and metrics


@dataclass(frozen=True, slots=True)
class OutboxEvent:
    """A fact to be published. `event_id` is "<ledger>-<outbox_no>"; numbers only grow."""

    outbox_no: int
    event_id: str
    subject: str
    payload: bytes


def event_id(ledger_id: str, outbox_no: int) -> str:
    """Return a fact's id; those of one ledger sort by their number."""
    return f"{ledger_id}-{outbox_no:012d}"


@dataclass(frozen=True, slots=True)
class UnpublishedEvents(Question[tuple[OutboxEvent, ...]]):
    """The oldest facts that are not published yet, in order, at most `limit`."""

    limit: int


@dataclass(frozen=True, slots=True)
class LastEventId(Question[str]):
    """The id of the newest fact there ever was in the outbox; its number is 0 for none."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The book at a glance: totals by currency (all zero), stopped tables, the oldest fact."""

    totals: tuple[tuple[str, int], ...]
    stopped_tables: int
    outbox_events: int
    oldest_event_at_ms: int | None


@dataclass(frozen=True, slots=True)
class BookSummary(Question[Summary]):
    """What the metrics show."""

    effort: ClassVar[Effort] = Effort.LONG


# --- finance


@dataclass(frozen=True, slots=True)
class Currencies(Question[tuple[tuple[str, int], ...]]):
    """Every currency with its decimal digits, sorted by code."""


@dataclass(frozen=True, slots=True)
class KindTotal:
    """The sum in minor units of all accounts of a kind, and how many ever moved until then."""

    kind: AccountKind
    amount_minor: int
    accounts: int


@dataclass(frozen=True, slots=True)
class TrialBalance:
    """Sums by kind, the last entry they count, and entries whose postings do not sum to zero.

    `entry_at_ms` is when the last entry was posted, 0 without one. The entry is the book's, of
    whatever currency.
    """

    kinds: tuple[KindTotal, ...]
    entry_no: int
    unbalanced_entries: int
    entry_at_ms: int = 0


@dataclass(frozen=True, slots=True)
class TrialBalanceOf(Question[TrialBalance | None]):
    """The sums of every account of a currency; None for an unknown currency.

    With `at_ms`: as of the last entry posted at that time or before.
    """

    effort: ClassVar[Effort] = Effort.LONG

    currency: str
    at_ms: int | None = None


@dataclass(frozen=True, slots=True)
class RakeLine:
    """A room's income from a game in a currency, in minor units.

    `game` is "" for tournaments, and where the book does not know it. `hands` counts those settled
    that were not void; `fees_minor` is what tournaments brought, less what was given back.
    """

    room_id: str
    game: str
    currency: str
    hands: int
    rake_minor: int
    fees_minor: int


@dataclass(frozen=True, slots=True)
class RakeBetween(Question[tuple[RakeLine, ...]]):
    """Rake and fees posted in [from_ms, to_ms), by room, game and currency, sorted.

    `currency` "" is all.
    """

    effort: ClassVar[Effort] = Effort.LONG

    from_ms: int
    to_ms: int
    currency: str = ""


@dataclass(frozen=True, slots=True)
class TableChips:
    """A table's money in a currency, in minor units; `players` have escrow above zero."""

    room_id: str
    table_id: str
    currency: str
    players: int
    escrow_minor: int
    pot_minor: int
    pool_minor: int


@dataclass(frozen=True, slots=True)
class ChipsInPlay:
    """Tables with money, by room, table and currency; what is reserved by currency."""

    tables: tuple[TableChips, ...]
    reserved: tuple[tuple[str, int], ...]
    entry_no: int


@dataclass(frozen=True, slots=True)
class ChipsInPlayOf(Question[ChipsInPlay]):
    """The tables' money at one instant; `currency` "" is all."""

    effort: ClassVar[Effort] = Effort.LONG

    currency: str = ""


# --- for auditors


@dataclass(frozen=True, slots=True)
class EntryPage:
    """A page of entries in order, and the book's last entry at its moment."""

    entries: tuple[Entry, ...]
    last_entry_no: int


@dataclass(frozen=True, slots=True)
class EntriesAfter(Question[EntryPage]):
    """The entries of the next `limit` numbers after a number, in order."""

    entry_no: int
    limit: int


@dataclass(frozen=True, slots=True)
class AccountStanding:
    """An account as it is stored; `account_no` numbers them in the order they were opened."""

    account_no: int
    key: AccountKey
    version: int
    balance_minor: int
    exponent: int


@dataclass(frozen=True, slots=True)
class AccountPage:
    """A page of accounts, and the book's last entry at its moment."""

    accounts: tuple[AccountStanding, ...]
    last_entry_no: int


@dataclass(frozen=True, slots=True)
class AccountsAfter(Question[AccountPage]):
    """Accounts after a number, in the order they were opened, at most `limit`."""

    account_no: int
    limit: int


@dataclass(frozen=True, slots=True)
class BookAudit:
    """What recomputing the whole book found.

    `broken_entry_no` is the first entry that was tampered with, 0 when the book is sound; `reason`
    says what is wrong with it. `head_hash` is that of the last entry, 32 bytes.
    """

    entries: int
    broken_entry_no: int
    reason: str
    head_hash: bytes


@dataclass(frozen=True, slots=True)
class AuditBook(Question[BookAudit]):
    """Every number, hash, sum and balance recomputed from the entries, at one instant."""

    effort: ClassVar[Effort] = Effort.AUDIT
