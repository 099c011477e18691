"""The book as the rules see it: what is known of the database, and over it what they write."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple
from types import TracebackType
from typing import Any, Final, Self

from floor_wallet.domain import (
    AccountKey,
    AccountKind,
    AccountState,
    BookRefused,
    CommandRecord,
    Entry,
    EntryKind,
    Head,
    Reservation,
    ReservationState,
    ReversalAsked,
    Savepoint,
    SettledHand,
    TableRecord,
)
from floor_wallet.store import columns
from floor_wallet.store.columns import Row
from floor_wallet.store.lookups import Account, Lookups
from floor_wallet.store.overlay import NOTHING, Overlay, Undo
from floor_wallet.store.questions import event_id
from floor_wallet.store.written import LastNumbers, Written
from pokerfloor.api.wallet.v1 import events_pb2

# Values of a kind that are kept from group to group, twice (see Overlay).
_KEEP_ACCOUNTS: Final = 50_000
_KEEP: Final = 10_000
_ENDINGS: Final = {
    ReservationState.HELD: {
        ReservationState.COMMITTED,
        ReservationState.VOIDED,
        ReservationState.EXPIRED,
    },
    ReservationState.EXPIRED: {ReservationState.COMMITTED, ReservationState.VOIDED},
}


class GroupBook:
    """Implements the domain's Book for a group of units; what they write waits here to be stored.

    What the book does not know yet it looks up. Nobody else writes while a group runs, so what is
    known stays true; the database is as it was before the group until all of it is stored.
    """

    def __init__(self, lookups: Lookups) -> None:
        self._undo: Undo = []
        undo = self._undo
        self.currencies = Overlay[str, int | None](undo, lookups.currency, None, keep=_KEEP)
        self.accounts = Overlay[AccountKey, Account | None](
            undo, lookups.account, None, keep=_KEEP_ACCOUNTS
        )
        self.entries = Overlay[int, Entry | None](undo, lookups.entry, None)
        self.entry_nos = Overlay[str, int](undo, lookups.entry_no, 0)
        self.commands = Overlay[tuple[str, str], CommandRecord | None](
            undo, lookups.command, None, keep=_KEEP
        )
        self.reservations = Overlay[str, Reservation | None](
            undo, lookups.reservation, None, keep=_KEEP
        )
        #: What a player's open reservations hold for a table, and what this group changed of that.
        self.held = Overlay[tuple[str, str], int](undo, lookups.held, 0, keep=_KEEP)
        self.held_moves = Overlay[tuple[str, str], int](undo, lambda _: 0, 0)
        #: What an escrow was last left with; 0 when its last posting was no cash-out.
        self.cash_outs = Overlay[AccountKey, int](undo, lookups.last_cash_out, 0, keep=_KEEP)
        self.tables = Overlay[str, TableRecord | None](undo, lookups.table, None, keep=_KEEP)
        self.reversals_asked = Overlay[tuple[int, str], ReversalAsked | None](
            undo, lookups.reversal_asked, None
        )
        self._overlays: tuple[Overlay[Any, Any], ...] = (
            self.currencies,
            self.accounts,
            self.entries,
            self.entry_nos,
            self.commands,
            self.reservations,
            self.held,
            self.held_moves,
            self.cash_outs,
            self.tables,
            self.reversals_asked,
        )
        self.ledger_id = ""
        #: The revision of the database's book that this one knows, None when it knows nothing.
        self.revision: int | None = None
        self.last = LastNumbers()
        self._known_last = LastNumbers()
        self.written = Written.nothing()
        #: Kinds of the entries of this group, for the metrics.
        self.posted: list[EntryKind] = []

    # --- groups

    @property
    def changed(self) -> bool:
        """Whether this group has written anything."""
        return (
            self.last != self._known_last
            or bool(self.tables.written or self.reservations.written)
            or any(self.written.lists())
        )

    def to_store(self) -> dict[str, list[Row]]:
        """Return the rows this group has written, by table, in the order of `columns.STORED`."""
        written = self.written
        reservations = self.reservations.written.values()
        return {
            "currencies": written.currencies,
            "accounts": written.accounts,
            "postings": written.postings,
            "entries": written.entries,
            "requests": written.requests,
            "reservations": [
                columns.of_reservation(one) for one in reservations if one is not None
            ],
            "tables": [table for table in self.tables.written.values() if table is not None],
            "hands": written.hands,
            "outbox": written.outbox,
            "reversals_asked": written.reversals_asked,
        }

    def begin(self, revision: int, last: LastNumbers) -> None:
        """Know where the database's book ends, at a revision."""
        self.revision = revision
        self.last = self._known_last = last

    def keep(self, revision: int) -> None:
        """Know what was written, for it is committed as this revision."""
        for place, moved in self.held_moves.written.items():
            self.held.change(place, moved)
        for overlay in self._overlays:
            overlay.keep()
        self._known_last = self.last
        self.revision = revision
        self._drop_written()

    def forget(self) -> None:
        """Know nothing any more: another process has written, or nobody knows what came of it."""
        for overlay in self._overlays:
            overlay.forget()
        self.revision = None
        self._known_last = LastNumbers()
        self._drop_written()

    def _drop_written(self) -> None:
        self._undo.clear()
        self.last = self._known_last
        self.written = Written.nothing()
        self.posted = []

    # --- units and their parts

    def savepoint(self) -> AbstractContextManager[Savepoint]:
        """Undo what is written inside when the block raises, or says so."""
        return _Part(self)

    def mark(self) -> tuple[int, LastNumbers, int, tuple[int, ...]]:
        """Return the place to which `undo_to` goes back."""
        lengths = tuple(map(len, self.written.lists()))
        return len(self._undo), self.last, len(self.posted), lengths

    def undo_to(self, mark: tuple[int, LastNumbers, int, tuple[int, ...]]) -> None:
        """Undo what was written since."""
        undo_length, self.last, posted, lengths = mark
        while len(self._undo) > undo_length:
            values, key, value = self._undo.pop()
            if value is NOTHING:
                del values[key]
            else:
                values[key] = value
        del self.posted[posted:]
        for rows_, length in zip(self.written.lists(), lengths, strict=True):
            del rows_[length:]

    # --- what the rules read and write

    def head(self) -> Head:
        """Return the last entry."""
        return self.last.head

    def account(self, key: AccountKey) -> AccountState | None:
        """Return an account's state."""
        known = self.accounts.get(key)
        return known[1] if known else None

    def exponent(self, currency: str) -> int | None:
        """Return the decimal digits of a currency."""
        return self.currencies.get(currency)

    def add_currency(self, currency: str, exponent: int) -> None:
        """Make a currency known."""
        _once(self.currencies, currency)
        self.currencies.put(currency, exponent)
        self.written.currencies.append((currency, exponent))

    def open_account(self, key: AccountKey) -> None:
        """Open an account at zero; nothing happens when it is open."""
        if self.accounts.get(key) is None:
            self._open(key)

    def add_entry(self, entry: Entry) -> None:
        """Store a sealed entry; accounts it moves are opened."""
        draft, entry_no = entry.draft, entry.entry_no
        _check_text(draft.reference, draft.note, draft.entry_id)
        if draft.entry_id in self.entry_nos.written:  # older ones the database knows
            raise BookRefused(f"the book refused: {draft.entry_id} is there already")
        is_cash_out = draft.kind is EntryKind.CASH_OUT
        lines = self.written.postings
        for p in entry.postings:
            account = p.account
            known = self.accounts.get(account) or self._open(account)
            lines.append((known[0], p.version, entry_no, p.amount_minor, p.balance_minor))
            self.accounts.put(account, (known[0], AccountState(p.balance_minor, p.version)))
            if account.kind is AccountKind.SEAT_ESCROW:
                self.cash_outs.put(account, -p.amount_minor if is_cash_out else 0)
        self.written.entries.append(
            (
                entry_no,
                draft.entry_id,
                int(draft.kind),
                draft.currency,
                draft.at_ms,
                draft.table_id,
                draft.hand_no,
                draft.reference,
                draft.note,
                entry.content_hash,
                entry.prev_hash,
                entry.hash,
            )
        )
        self.entries.put(entry_no, entry)
        self.entry_nos.put(draft.entry_id, entry_no)
        self.last = self.last._replace(head=Head(entry_no, entry.hash, draft.at_ms))
        self.posted.append(draft.kind)

    def entry(self, entry_no: int) -> Entry | None:
        """Return an entry."""
        return self.entries.get(entry_no)

    def entry_no_of(self, entry_id: str) -> int:
        """Return the number of an entry by its id, 0 when there is none."""
        return self.entry_nos.get(entry_id)

    def reversal_asked(self, entry_no: int, asked_by: str) -> ReversalAsked | None:
        """Return somebody's request that an entry be reversed."""
        return self.reversals_asked.get((entry_no, asked_by))

    def add_reversal_asked(self, asked: ReversalAsked) -> None:
        """Store such a request."""
        _check_text(asked.asked_by, asked.reason)
        key = (asked.entry_no, asked.asked_by)
        _once(self.reversals_asked, key)
        self.reversals_asked.put(key, asked)
        self.written.reversals_asked.append(astuple(asked))

    def command(self, scope: str, command_id: str) -> CommandRecord | None:
        """Return the record of a call."""
        return self.commands.get((scope, command_id))

    def add_command(self, scope: str, command_id: str, record: CommandRecord, at_ms: int) -> None:
        """Remember a call."""
        _check_text(scope, command_id)
        key = (scope, command_id)
        _once(self.commands, key)
        self.commands.put(key, record)
        self.written.requests.append(
            (*key, record.content_hash, record.entry_no, record.balance_minor, at_ms)
        )

    def reservation(self, reservation_id: str) -> Reservation | None:
        """Return a reservation or its tombstone."""
        return self.reservations.get(reservation_id)

    def put_reservation(self, reservation: Reservation) -> None:
        """Store a reservation: new, or with the state that ends it."""
        _check_text(reservation.player_id, reservation.reservation_id)
        before = self.reservations.get(reservation.reservation_id)
        # Only how it ends is stored, so steps on the way are checked here.
        if before and reservation.state not in _ENDINGS.get(before.state, ()):
            raise BookRefused(f"the book refused: {reservation.reservation_id} ends once")
        moved = _holds(reservation) - (_holds(before) if before else 0)
        if moved:
            place = (reservation.table_id, reservation.player_id)
            self.held_moves.put(place, self.held_moves.written.get(place, 0) + moved)
        self.reservations.put(reservation.reservation_id, reservation)

    def held_at_table(self, table_id: str, player_id: str) -> int:
        """Return the sum that a player's open reservations hold for a table."""
        place = (table_id, player_id)
        return self.held.get(place) + self.held_moves.written.get(place, 0)

    def last_cash_out(self, escrow: AccountKey) -> int:
        """Return the amount of an escrow's last posting if that was a cash-out, else 0."""
        return self.cash_outs.get(escrow)

    def table(self, table_id: str) -> TableRecord | None:
        """Return a table."""
        return self.tables.get(table_id)

    def put_table(self, table: TableRecord) -> None:
        """Store a table."""
        _check_text(table.room_id, table.game)
        if "\0" in table.stopped_reason:
            table = table._replace(stopped_reason=table.stopped_reason.replace("\0", "\ufffd"))
        self.tables.put(table.table_id, table)

    def put_followed_to(self, stream_seq: int) -> None:
        """Store how far the stream is read; never goes back."""
        if stream_seq > self.last.followed_to:
            self.last = self.last._replace(followed_to=stream_seq)

    def add_hand(self, hand: SettledHand) -> None:
        """Store a settled hand."""
        _check_text(hand.room_id, hand.game)
        self.written.hands.append(hand)

    def add_event(self, subject: str, event: events_pb2.LedgerEvent) -> None:
        """Put a fact into the outbox under the next number."""
        number = self.last.outbox_no + 1
        event.event_id = event_id(self.ledger_id, number)
        payload = event.SerializeToString(deterministic=True)
        self.written.outbox.append((number, event.event_id, subject, event.at_ms, payload))
        self.last = self.last._replace(outbox_no=number)

    def delete_events(self, outbox_nos: Sequence[int]) -> None:
        """Take published facts out of the outbox."""
        self.written.published.extend(outbox_nos)

    def _open(self, key: AccountKey) -> Account:
        _check_text(key.owner)
        number = self.last.account_no + 1
        opened = (number, AccountState(0, 0))
        self.written.accounts.append(
            (number, int(key.kind), key.owner, key.currency, key.player_id, key.table_id)
        )
        self.accounts.put(key, opened)
        self.last = self.last._replace(account_no=number)
        return opened


class _Part:
    """A block whose writes are undone when it raises, or says so. Implements Savepoint."""

    __slots__ = ("_book", "_mark")

    def __init__(self, book: GroupBook) -> None:
        self._book = book

    def __enter__(self) -> Self:
        self._mark = self._book.mark()
        return self

    def undo(self) -> None:
        """Undo what was written since."""
        self._book.undo_to(self._mark)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.undo()


def _holds(reservation: Reservation) -> int:
    return reservation.amount_minor if reservation.state is ReservationState.HELD else 0


def _once(overlay: Overlay[Any, Any], key: Any) -> None:
    if overlay.get(key):
        raise BookRefused(f"the book refused: {key} is there already")


def _check_text(*texts: str) -> None:
    """PostgreSQL's texts hold every character but this one."""
    if "\0" in "".join(texts):
        raise BookRefused("the book refused: a text holds the character NUL")
