"""What a group of units wrote, as rows to be stored, and where the book ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from floor_wallet.domain import GENESIS, Head
from floor_wallet.store.columns import Row


class LastNumbers(NamedTuple):
    """Where the book ends: its last entry, and the last numbers given."""

    head: Head = Head(0, GENESIS)
    account_no: int = 0
    outbox_no: int = 0
    followed_to: int = 0


@dataclass(frozen=True, slots=True)
class Written:
    """Rows to be stored, by table, in the order of its columns. `published` are facts to delete."""

    currencies: list[Row]
    accounts: list[Row]
    postings: list[Row]
    entries: list[Row]
    requests: list[Row]
    hands: list[Row]
    outbox: list[Row]
    reversals_asked: list[Row]
    published: list[int]

    @classmethod
    def nothing(cls) -> Written:
        """Return one without rows."""
        return cls([], [], [], [], [], [], [], [], [])

    def lists(self) -> tuple[list[Any], ...]:
        """Return all lists."""
        return (
            self.currencies,
            self.accounts,
            self.postings,
            self.entries,
            self.requests,
            self.hands,
            self.outbox,
            self.reversals_asked,
            self.published,
        )
