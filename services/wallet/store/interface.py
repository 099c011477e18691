"""What a store of the ledger does. Every store passes the same tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from services.wallet.domain import (
    AccountKey,
    AccountKind,
    Book,
    EntryKind,
    Reservation,
    SettledHand,
    TableState,
)

T = TypeVar("T")


class StoreUnavailable(Exception):  # noqa: N818 - names the state of the store
    """The store cannot be written or read now; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Balance:
    """A player's money in one currency at one instant, in minor units; escrow by table."""

    cash_minor: int
    reserved_minor: int
    escrow: tuple[tuple[str, int], ...]


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
class Statement:
    """A page of lines in order, whether more follow, and the account's balance now."""

    lines: tuple[Line, ...]
    more: bool
    balance_minor: int


@dataclass(frozen=True, slots=True)
class KindTotal:
    """The sum in minor units of all accounts of a kind, and how many there are."""

    kind: AccountKind
    amount_minor: int
    accounts: int


@dataclass(frozen=True, slots=True)
class TrialBalance:
    """Sums by kind, the last entry they count, and entries whose postings do not sum to zero."""

    kinds: tuple[KindTotal, ...]
    entry_no: int
    unbalanced_entries: int


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


class LedgerStore(Protocol):
    """The ledger in a database. Calls raise StoreUnavailable when the database is gone."""

    @property
    def healthy(self) -> bool:
        """Whether the last thing asked of the database was done."""
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
        self, account: AccountKey, after_version: int, limit: int, kind: EntryKind | None
    ) -> Statement | None:
        """Give an account's lines after a version, at most `limit`; None without the account."""
        ...

    async def trial_balance(self, currency: str) -> TrialBalance | None:
        """Add up every account of a currency and every entry; None for an unknown currency."""
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

    async def first_broken_link(self) -> int | None:
        """Recompute the hash chain and every balance; the first entry that does not agree."""
        ...
