"""Money held for a seat: reserved, then committed by the table's log, given up, or expired."""

from __future__ import annotations

from dataclasses import dataclass, replace

from floor_wallet.domain import accounts, fields
from floor_wallet.domain.book import Book, post
from floor_wallet.domain.entries import Draft, EntryKind
from floor_wallet.domain.facts import Commit, Release
from floor_wallet.domain.reads import Reads
from floor_wallet.domain.refusal import CannotSettle, unknown_account
from floor_wallet.domain.state import Reservation, ReservationState, TableRecord
from floor_wallet.domain.tables import registered_table
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal

_MAY_BE_COMMITTED = frozenset({ReservationState.HELD, ReservationState.EXPIRED})


@dataclass(frozen=True, slots=True)
class Reserve:
    """Hold money for a buy-in or a top-up, until `expires_at_ms` by the table's clock."""

    reservation_id: str
    table_id: str
    player_id: str
    amount_minor: int
    currency: str
    expires_at_ms: int
    owner_epoch: int

    @property
    def reads(self) -> Reads:
        """What it is known to read."""
        return Reads(
            accounts=(
                accounts.cash(self.player_id, self.currency),
                accounts.reserved(self.player_id, self.currency),
            ),
            tables=(self.table_id,),
            reservations=(self.reservation_id,),
            held=((self.table_id, self.player_id),),
            cash_outs=(accounts.escrow(self.table_id, self.player_id, self.currency),),
        )


@dataclass(frozen=True, slots=True)
class VoidReservation:
    """Return a reservation up."""

    reservation_id: str
    table_id: str
    reason: str
    owner_epoch: int

    @property
    def reads(self) -> Reads:
        """What it is known to read."""
        return Reads(tables=(self.table_id,), reservations=(self.reservation_id,))


@dataclass(frozen=True, slots=True)
class ExpireReservation:
    """Give up a reservation whose table's log, read up to `read_to_seq`, holds no commit.

    `read_to_seq` is the stream's number of the table's last step as of a moment after expiry.
    """

    reservation_id: str
    read_to_seq: int

    @property
    def reads(self) -> Reads:
        """What it is known to read."""
        return Reads(reservations=(self.reservation_id,))


def reserve(command: Reserve, book: Book, *, at_ms: int, max_hold_ms: int) -> int | Refusal:
    """Move cash to reserved, or return the first answer again: the cash after it in minor units.

    Refusals: bad fields, TABLE_NOT_REGISTERED, STALE_EPOCH, ID_REUSED, ROLLED_BACK (a void
    came first), RESERVATION_GONE (voided since, or expired on arrival), CURRENCY_MISMATCH,
    BUY_IN_OUT_OF_RANGE, UNKNOWN_ACCOUNT, INSUFFICIENT_FUNDS.
    """
    if refusal := _check_fields(command):
        return refusal
    table = registered_table(command.table_id, command.owner_epoch, book)
    if isinstance(table, Refusal):
        return table
    asked = Reservation(
        reservation_id=command.reservation_id,
        table_id=command.table_id,
        state=ReservationState.HELD,
        at_ms=at_ms,
        player_id=command.player_id,
        currency=command.currency,
        amount_minor=command.amount_minor,
        expires_at_ms=command.expires_at_ms,
    )
    known = book.reservation(command.reservation_id)
    if known is not None:
        return _first_answer(known, asked)
    if not at_ms < command.expires_at_ms <= at_ms + max_hold_ms:
        return _bad_expiry(command, at_ms, max_hold_ms)
    player = accounts.cash(command.player_id, command.currency)
    if refusal := _check_against_table(command, table, book):
        return refusal
    if book.account(player) is None:
        return unknown_account("the player has no account in this currency", "player_id")
    held = accounts.reserved(command.player_id, command.currency)
    entry = post(
        book,
        _draft(asked, EntryKind.RESERVATION, "reserve", at_ms, (player, held)),
    )
    if isinstance(entry, Refusal):
        return entry
    balance = entry.balance_of(player)
    book.put_reservation(replace(asked, balance_minor=balance))
    return balance


def void(command: VoidReservation, book: Book, *, at_ms: int) -> bool | Refusal:
    """Return a reservation up; return whether money was held. Before its Reserve: a tombstone.

    Refusals: bad fields, TABLE_NOT_REGISTERED, STALE_EPOCH, ID_REUSED (another table's),
    RESERVATION_COMMITTED.
    """
    if refusal := fields.check_command_id(command.reservation_id, "reservation_id"):
        return refusal
    table = registered_table(command.table_id, command.owner_epoch, book)
    if isinstance(table, Refusal):
        return table
    known = book.reservation(command.reservation_id)
    if known is not None and known.table_id != command.table_id:
        return _id_reused()
    if known is not None and known.state is ReservationState.COMMITTED:
        return Refusal(
            errors_pb2.ERROR_CODE_RESERVATION_COMMITTED,
            "the table's log has committed it",
            "reservation_id",
        )
    return _give_up(command.reservation_id, command.table_id, command.reason, book, at_ms)


def expire(command: ExpireReservation, book: Book, *, at_ms: int, grace_ms: int) -> bool | Refusal:
    """Give up an expired reservation if its table's log is read far enough; return whether.

    The commit may stand in a step that is not read yet; then it is left for later.
    """
    known = book.reservation(command.reservation_id)
    if known is None or known.state is not ReservationState.HELD:
        return False
    table = book.table(known.table_id)
    assert table is not None, "a reservation is made for a table that is known"
    if at_ms <= known.expires_at_ms + grace_ms or table.stream_seq < command.read_to_seq:
        return False
    return _pay_back(known, ReservationState.EXPIRED, "expired", book, at_ms) or True


def commit_from_log(
    fact: Commit, table: TableRecord, book: Book, *, at_ms: int
) -> CannotSettle | Refusal | None:
    """Move what is reserved to the seat's escrow, as the log commits it.

    A commit that the table decided in time may be stored late, when the broker was away between;
    if its reservation has expired by then, the player pays from cash, if the money is there.
    """
    known = _of_table(fact.reservation_id, table, book)
    if isinstance(known, CannotSettle):
        return known
    if known is None or known.state not in _MAY_BE_COMMITTED:
        state = "unknown" if known is None else known.state.name.lower()
        return CannotSettle(f"reservation {fact.reservation_id} is committed but it is {state}")
    if (known.player_id, known.amount_minor) != (fact.player_id, fact.amount_minor):
        return CannotSettle(
            f"reservation {fact.reservation_id} holds {known.amount_minor} of {known.player_id}, "
            f"the log commits {fact.amount_minor} of {fact.player_id}"
        )
    source, note = accounts.reserved(known.player_id, known.currency), ""
    if known.state is ReservationState.EXPIRED:
        source, note = accounts.cash(known.player_id, known.currency), "committed after it expired"
        if fault := _expect_cash(source, known, book):
            return fault
    seat = accounts.escrow(table.table_id, known.player_id, known.currency)
    draft = _draft(known, fact.kind, "commit", at_ms, (source, seat))
    entry = post(book, replace(draft, note=note))
    if isinstance(entry, Refusal):
        return entry
    book.put_reservation(replace(known, state=ReservationState.COMMITTED))
    return None


def release_from_log(
    fact: Release, table: TableRecord, book: Book, *, at_ms: int
) -> CannotSettle | Refusal | None:
    """Give up what the log releases; one that never arrived gets its tombstone.

    One that is committed or another table's cannot be settled.
    """
    if not fact.reservation_id:
        return None  # a seat that was let go before anything was asked of the wallet
    known = _of_table(fact.reservation_id, table, book)
    if isinstance(known, CannotSettle):
        return known
    if known is not None and known.state is ReservationState.COMMITTED:
        return CannotSettle(f"reservation {fact.reservation_id} is released after its commit")
    given_up = _give_up(fact.reservation_id, table.table_id, fact.reason, book, at_ms)
    return given_up if isinstance(given_up, Refusal) else None


def _expect_cash(cash: accounts.AccountKey, known: Reservation, book: Book) -> CannotSettle | None:
    state = book.account(cash)
    has = state.balance_minor if state else 0
    if has < known.amount_minor:
        return CannotSettle(
            f"reservation {known.reservation_id} is committed after it expired, and "
            f"{known.player_id} has {has} of its {known.amount_minor} left"
        )
    return None


def _of_table(
    reservation_id: str, table: TableRecord, book: Book
) -> Reservation | CannotSettle | None:
    known = book.reservation(reservation_id)
    if known is not None and known.table_id != table.table_id:
        return CannotSettle(f"reservation {reservation_id} is of another table")
    return known


def _check_fields(command: Reserve) -> Refusal | None:
    return (
        fields.check_command_id(command.reservation_id, "reservation_id")
        or fields.check_player_id(command.player_id)
        or fields.check_amount(command.amount_minor)
        or fields.check_currency(command.currency)
        or fields.check_number(command.expires_at_ms, "expires_at_ms")
    )


def _first_answer(known: Reservation, asked: Reservation) -> int | Refusal:
    if known.state is ReservationState.TOMBSTONE and known.table_id == asked.table_id:
        return Refusal(
            errors_pb2.ERROR_CODE_ROLLED_BACK, "it was given up before it came", "reservation_id"
        )
    if not known.same_content(asked):
        return _id_reused()
    if known.state in (ReservationState.VOIDED, ReservationState.EXPIRED):
        return Refusal(
            errors_pb2.ERROR_CODE_RESERVATION_GONE,
            "the reservation has expired or was given up",
            "reservation_id",
        )
    return known.balance_minor


def _bad_expiry(command: Reserve, at_ms: int, max_hold_ms: int) -> Refusal:
    if command.expires_at_ms <= at_ms:
        return Refusal(
            errors_pb2.ERROR_CODE_RESERVATION_GONE,
            "the reservation has expired on its way",
            "expires_at_ms",
        )
    return fields.invalid(f"money is held for at most {max_hold_ms} ms", "expires_at_ms")


def _check_against_table(command: Reserve, table: TableRecord, book: Book) -> Refusal | None:
    if command.currency != table.currency:
        return Refusal(
            errors_pb2.ERROR_CODE_CURRENCY_MISMATCH,
            f"the table plays for {table.currency}",
            "currency",
        )
    # One who comes back within the rat-hole window may have to bring more than the table's
    # maximum: what they left with (TBL-2).
    seat = accounts.escrow(command.table_id, command.player_id, command.currency)
    most = max(table.max_buy_in_minor, book.last_cash_out(seat))
    held = book.held_at_table(command.table_id, command.player_id)
    if held + command.amount_minor > most:
        return Refusal(
            errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE,
            f"at most {most} may be bought in at once",
            "amount_minor",
        )
    return None


def _give_up(
    reservation_id: str, table_id: str, reason: str, book: Book, at_ms: int
) -> bool | Refusal:
    known = book.reservation(reservation_id)
    if known is None:
        book.put_reservation(
            Reservation(reservation_id, table_id, ReservationState.TOMBSTONE, at_ms)
        )
        return False
    if known.state is ReservationState.HELD:
        return _pay_back(known, ReservationState.VOIDED, reason, book, at_ms) or True
    if known.state is ReservationState.EXPIRED:  # paid back already; now it is final
        book.put_reservation(replace(known, state=ReservationState.VOIDED))
        return True
    return known.state is ReservationState.VOIDED


def _pay_back(
    known: Reservation, state: ReservationState, reason: str, book: Book, at_ms: int
) -> Refusal | None:
    player = accounts.cash(known.player_id, known.currency)
    held = accounts.reserved(known.player_id, known.currency)
    draft = _draft(known, EntryKind.RESERVATION_VOID, "void", at_ms, (held, player))
    entry = post(book, replace(draft, note=fields.note_of(reason)))
    if isinstance(entry, Refusal):
        return entry
    book.put_reservation(replace(known, state=state))
    return None


def _draft(
    reservation: Reservation,
    kind: EntryKind,
    what: str,
    at_ms: int,
    from_to: tuple[accounts.AccountKey, accounts.AccountKey],
) -> Draft:
    source, target = from_to
    amount = reservation.amount_minor
    return Draft(
        kind=kind,
        entry_id=f"{what}/{reservation.reservation_id}",
        currency=reservation.currency,
        at_ms=at_ms,
        movements=((source, -amount), (target, amount)),
        table_id=reservation.table_id,
        reference=reservation.reservation_id,
    )


def _id_reused() -> Refusal:
    return Refusal(
        errors_pb2.ERROR_CODE_ID_REUSED, "this id came before with other content", "reservation_id"
    )
