"""What a book asks of the database it lies over."""

from __future__ import annotations

from typing import Protocol

from floor_wallet.domain import (
    AccountKey,
    AccountState,
    CommandRecord,
    Entry,
    Reservation,
    ReversalAsked,
    TableRecord,
)

#: An account's number and state.
Account = tuple[int, AccountState]


class Lookups(Protocol):
    """The database as a book asks it: what it holds for one key, committed before this group."""

    def currency(self, code: str) -> int | None:
        """Return the decimal digits of a currency."""
        ...

    def account(self, key: AccountKey) -> Account | None:
        """Return an account."""
        ...

    def entry(self, entry_no: int) -> Entry | None:
        """Return an entry."""
        ...

    def entry_no(self, entry_id: str) -> int:
        """Return the number of an entry by its id, 0 for none."""
        ...

    def command(self, key: tuple[str, str]) -> CommandRecord | None:
        """Return the record of a command by its scope and id."""
        ...

    def reservation(self, reservation_id: str) -> Reservation | None:
        """Return a reservation or its tombstone."""
        ...

    def held(self, place: tuple[str, str]) -> int:
        """Return what a player's open reservations hold, by table and player."""
        ...

    def last_cash_out(self, escrow: AccountKey) -> int:
        """Return the amount of an escrow's last posting if that was a cash-out, else 0."""
        ...

    def table(self, table_id: str) -> TableRecord | None:
        """Return a table."""
        ...

    def reversal_asked(self, key: tuple[int, str]) -> ReversalAsked | None:
        """Return somebody's request for a reversal, by entry and person."""
        ...
