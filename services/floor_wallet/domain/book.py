"""What the rules need of a store: a book that is read and written inside one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol, cast

from floor_wallet.domain.accounts import AccountKey
from floor_wallet.domain.entries import Balances, Draft, Entry, seal
from floor_wallet.domain.state import (
    CommandRecord,
    Reservation,
    ReversalAsked,
    SettledHand,
    TableRecord,
)
from pokerfloor.api.wallet.v1 import events_pb2, wallet_pb2
from pokerfloor.refusal import Refusal

#: The part of a fact's subject that stands for the table when no table is concerned.
CASH_SUBJECT = "cash"


class Savepoint(Protocol):
    """Where a part of a unit began."""

    def undo(self) -> None:
        """Undo what was written since."""
        ...


class Book(Balances, Protocol):
    """The book inside one unit of work; a store keeps all of its writes or none.

    Methods are plain calls, so a store either has its data at hand or loads it beforehand.
    """

    def exponent(self, currency: str) -> int | None:
        """Return the decimal digits of a currency, None for one that is not known yet."""
        ...

    def add_currency(self, currency: str, exponent: int) -> None:
        """Make a currency known."""
        ...

    def open_account(self, key: AccountKey) -> None:
        """Open an account at zero; nothing happens when it is open."""
        ...

    def add_entry(self, entry: Entry) -> None:
        """Store a sealed entry; accounts it moves are opened."""
        ...

    def entry(self, entry_no: int) -> Entry | None:
        """Return an entry, None for a number that is not in the book."""
        ...

    def entry_no_of(self, entry_id: str) -> int:
        """Return the number of an entry by its id, 0 when there is none."""
        ...

    def reversal_asked(self, entry_no: int, asked_by: str) -> ReversalAsked | None:
        """Return somebody's request that an entry be reversed."""
        ...

    def add_reversal_asked(self, asked: ReversalAsked) -> None:
        """Store such a request, once for an entry and a person."""
        ...

    def command(self, scope: str, command_id: str) -> CommandRecord | None:
        """Return the record of a call by its caller and id."""
        ...

    def add_command(self, scope: str, command_id: str, record: CommandRecord, at_ms: int) -> None:
        """Remember a call."""
        ...

    def reservation(self, reservation_id: str) -> Reservation | None:
        """Return a reservation or its tombstone."""
        ...

    def put_reservation(self, reservation: Reservation) -> None:
        """Store a reservation: new, or with the state that ends it."""
        ...

    def held_at_table(self, table_id: str, player_id: str) -> int:
        """Return the sum that a player's open reservations hold for a table, in minor units."""
        ...

    def last_cash_out(self, escrow: AccountKey) -> int:
        """Return the amount of an escrow's last posting if that was a cash-out, else 0."""
        ...

    def table(self, table_id: str) -> TableRecord | None:
        """Return a table, None for one never heard of."""
        ...

    def put_table(self, table: TableRecord) -> None:
        """Store a table."""
        ...

    def put_followed_to(self, stream_seq: int) -> None:
        """Store how far the stream is read; never goes back."""
        ...

    def add_hand(self, hand: SettledHand) -> None:
        """Store a settled hand."""
        ...

    def add_event(self, subject: str, event: events_pb2.LedgerEvent) -> None:
        """Put a fact into the outbox; the store gives it its id."""
        ...

    def delete_events(self, outbox_nos: Sequence[int]) -> None:
        """Take facts out of the outbox, for they are published."""
        ...

    def savepoint(self) -> AbstractContextManager[Savepoint]:
        """Undo what is written inside when the block raises, or says so.

        A constraint of the store that is broken inside becomes BookRefused.
        """
        ...


def post(book: Book, draft: Draft) -> Entry | Refusal:
    """Seal an entry, store it and put its fact into the outbox."""
    entry = seal(draft, book)
    if isinstance(entry, Refusal):
        return entry
    book.add_entry(entry)
    fact = events_pb2.LedgerEvent(
        at_ms=draft.at_ms,
        entry_posted=events_pb2.EntryPosted(
            entry_no=entry.entry_no,
            kind=cast("wallet_pb2.EntryKind.ValueType", int(draft.kind)),
            currency=draft.currency,
            amount_minor=entry.amount_minor,
            table_id=draft.table_id,
            hash=entry.hash,
        ),
    )
    book.add_event(ledger_subject(draft.table_id, "entry_posted"), fact)
    return entry


def ledger_subject(table_id: str, kind: str) -> str:
    """Return the subject of a fact; `table_id` is "" for the cashier's."""
    return f"floor.ledger.{table_id or CASH_SUBJECT}.{kind}"
