"""What a store of the ledger does. Every store passes the same tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from floor_wallet.domain import (
    MAX_NUMBER,
    AccountKey,
    AccountKind,
    Book,
    Entry,
    EntryKind,
    Reservation,
    SettledHand,
    TableState,
)

T = TypeVar("T")


class StoreUnavailable(Exception):  # noqa: N818 - names the state of the store
    """The store cannot be written or read now; nothing was changed.

    Or all of it was, when a database did not answer a commit any more: the same ids asked again
    are carried out once in either case.
    """


#: A store that cannot be written tries by itself whether it can, first and at last after so long.
AGAIN_FIRST_MS: Final = 50
AGAIN_MAX_MS: Final = 2_000

#: A player's holds that are listed one by one.
MAX_HOLDS: Final = 100


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
class EntryPage:
    """A page of entries in order, and the book's last entry at its moment."""

    entries: tuple[Entry, ...]
    last_entry_no: int


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
class TableAudit:
    """What the book holds of a table: escrow above zero by player, pot, rake, hands."""

    table: TableState
    escrow: tuple[tuple[str, int], ...]
    pot_minor: int
    rake_minor: int
    hands_settled: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The book at a glance: totals by currency (all zero), stopped tables, the oldest fact."""

    totals: tuple[tuple[str, int], ...]
    stopped_tables: int
    outbox_events: int
    oldest_event_at_ms: int | None


@dataclass(frozen=True, slots=True)
class OutboxEvent:
    """A fact to be published. `event_id` is "<ledger>-<outbox_no>"; numbers only grow."""

    outbox_no: int
    event_id: str
    subject: str
    payload: bytes


def event_id(ledger_id: str, outbox_no: int) -> str:
    """Give a fact's id; those of one ledger sort by their number."""
    return f"{ledger_id}-{outbox_no:012d}"


class LedgerStore(Protocol):
    """The ledger in a database. Calls raise StoreUnavailable when the database is gone."""

    @property
    def healthy(self) -> bool:
        """Whether the last thing asked of the database was done.

        A store that could not be written finds out by itself, without work, when it can be.
        """
        ...

    async def execute(self, work: Callable[[Book], T]) -> T:
        """Run rules on the book as one unit: all of what they write is durable, or nothing is.

        Durable when this returns. What `work` raises is raised here (Refused above all).
        Raises Refused OVERLOADED when too many units wait, BookRefused when a constraint of the
        store stands against it.
        """
        ...

    async def close(self) -> None:
        """Finish what waits and close."""
        ...

    async def balance(self, player_id: str, currency: str) -> Balance | None:
        """Give a player's balances and holds, None when there is no account."""
        ...

    async def statement(
        self, account: AccountKey, after_version: int, limit: int, only: LineFilter
    ) -> Statement | None:
        """Give an account's lines after a version, at most `limit`; None without the account."""
        ...

    async def trial_balance(self, currency: str, at_ms: int | None = None) -> TrialBalance | None:
        """Add up every account of a currency and every entry; None for an unknown currency.

        With `at_ms`: as of the last entry posted at that time or before.
        """
        ...

    async def rake(self, from_ms: int, to_ms: int, currency: str = "") -> tuple[RakeLine, ...]:
        """Add up rake and fees posted in [from_ms, to_ms), by room, game and currency, sorted.

        `currency` "" is all.
        """
        ...

    async def chips_in_play(self, currency: str = "") -> ChipsInPlay:
        """Give the tables' money at one instant; `currency` "" is all."""
        ...

    async def currencies(self) -> tuple[tuple[str, int], ...]:
        """Give every currency with its decimal digits, sorted by code."""
        ...

    async def entries(self, after_entry_no: int, limit: int) -> EntryPage:
        """Give entries after a number, in order."""
        ...

    async def accounts(self, after_account_no: int, limit: int) -> AccountPage:
        """Give accounts after a number, in the order they were opened."""
        ...

    async def audit_book(self) -> BookAudit:
        """Recompute every number, hash, sum and balance from the entries, at one instant."""
        ...

    async def table(self, table_id: str) -> TableState | None:
        """Give a table."""
        ...

    async def table_audit(self, table_id: str) -> TableAudit | None:
        """Give what the book holds of a table, at one instant."""
        ...

    async def hands(self, table_id: str, from_hand_no: int, count: int) -> tuple[SettledHand, ...]:
        """Give a table's settled hands in order."""
        ...

    async def stopped_tables(self) -> tuple[TableState, ...]:
        """Give the tables whose settlement is stopped."""
        ...

    async def followed_to(self) -> int:
        """Give the number in the stream of the last step read, 0 for none."""
        ...

    async def overdue(
        self, before_ms: int, limit: int, after: Reservation | None = None
    ) -> tuple[Reservation, ...]:
        """Give reservations still held that expired before a time, oldest first.

        `after` is the last one of the page before.
        """
        ...

    async def summary(self) -> Summary:
        """Give what the metrics show."""
        ...

    async def outbox(self, limit: int) -> tuple[OutboxEvent, ...]:
        """Give the oldest facts that are not published yet, in order."""
        ...

    async def last_event_id(self) -> str:
        """Give the id of the newest fact there ever was in the outbox; its number is 0 for none."""
        ...

    async def published(self, outbox_nos: Sequence[int]) -> None:
        """Take facts out of the outbox."""
        ...
