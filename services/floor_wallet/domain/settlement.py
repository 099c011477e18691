"""Settling a table's log in the book: strictly in order, each step whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from floor_wallet.domain import accounts
from floor_wallet.domain.book import Book, ledger_subject, post
from floor_wallet.domain.entries import Draft, EntryKind
from floor_wallet.domain.facts import (
    Commit,
    Fact,
    HandBegun,
    HandOver,
    HandVoid,
    Leave,
    LogStep,
    PotClosed,
    Release,
)
from floor_wallet.domain.refusal import BookRefused, CannotSettle
from floor_wallet.domain.reservations import commit_from_log, release_from_log
from floor_wallet.domain.state import SettledHand, TableRecord
from floor_wallet.domain.tables import TableTerms, terms_from_log
from pokerfloor.api.wallet.v1 import events_pb2
from pokerfloor.refusal import Refusal

_MAX_REASON_CHARS = 300

#: Why a step cannot be settled: its log contradicts the book, or the rules refuse it.
Fault = CannotSettle | Refusal


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """What became of a batch of steps. `stopped` names tables and reasons, newly stopped only."""

    steps: int
    hands: int
    stopped: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _Place:
    """Where a batch stands at a table: the table, and how far its log is read by now."""

    table: TableRecord
    table_seq: int
    stream_seq: int
    log_epoch: int
    failed: bool = False

    @classmethod
    def of(cls, table: TableRecord) -> _Place:
        return cls(table, table.table_seq, table.stream_seq, table.log_epoch)

    def reached(self) -> TableRecord:
        """Return the table as it is to be stored."""
        return self.table._replace(
            table_seq=self.table_seq, stream_seq=self.stream_seq, log_epoch=self.log_epoch
        )


def settle_steps(
    steps: Sequence[LogStep], book: Book, *, at_ms: int, followed_to: int, retry: bool = False
) -> BatchOutcome:
    """Settle steps in the order given; each is posted whole, with its table's cursor.

    A step that was read before is passed over. One that cannot be settled stops its table:
    that and all later steps of it are passed over until `retry` is given, and the others go on.
    `followed_to` is how far the stream is read after these, 0 to leave that as it is.
    """
    places: dict[str, _Place] = {}
    changed: dict[str, _Place] = {}
    stopped: list[tuple[str, str]] = []
    taken, hands = 0, 0
    for step in steps:
        place = places.get(step.table_id)
        if place is None:
            place = _Place.of(book.table(step.table_id) or TableRecord(step.table_id))
            places[step.table_id] = place
        if _is_passed_over(step, place, retry=retry):
            continue
        changed[step.table_id] = place
        fault = _take(step, place, book, at_ms)
        if fault is not None:
            place.failed = True
            stopped += _stop(step, place, fault.reason, book, at_ms)
        else:
            taken += 1
            hands += _hands_in(step)
    for place in changed.values():
        book.put_table(place.reached())
    if followed_to:
        book.put_followed_to(followed_to)
    return BatchOutcome(taken, hands, tuple(stopped))


def _is_passed_over(step: LogStep, place: _Place, *, retry: bool) -> bool:
    if place.failed or (place.table.stopped_reason and not retry):
        return True
    # A step with a fault may not even have a number; its place in the stream decides.
    if step.fault and step.table_seq == 0:
        return step.stream_seq <= place.stream_seq
    return step.table_seq <= place.table_seq


def _take(step: LogStep, place: _Place, book: Book, at_ms: int) -> Fault | None:
    if step.fault:
        return CannotSettle(step.fault)
    if step.table_seq != place.table_seq + 1:
        return CannotSettle(f"step {place.table_seq + 1} is missing before {step.table_seq}")
    if step.owner_epoch < place.log_epoch:
        return CannotSettle(f"epoch {step.owner_epoch} after epoch {place.log_epoch}")
    if step.facts:  # most steps move nothing, and then there is nothing to undo
        table = _take_facts(step, place.table, book, at_ms)
        if not isinstance(table, TableRecord):
            return table
        place.table = table
    if place.table.stopped_reason:
        place.table = place.table._replace(stopped_reason="")
    place.table_seq = step.table_seq
    place.stream_seq = max(step.stream_seq, place.stream_seq)
    place.log_epoch = step.owner_epoch
    return None


def _take_facts(step: LogStep, table: TableRecord, book: Book, at_ms: int) -> TableRecord | Fault:
    """Post all facts of a step and return the table after them, or post none of them."""
    try:
        with book.savepoint() as savepoint:
            for fact in step.facts:
                after = _take_fact(fact, step, table, book, at_ms)
                if not isinstance(after, TableRecord):
                    savepoint.undo()
                    return after
                table = after
    except BookRefused as refused:
        return CannotSettle(str(refused))
    return table


def _hands_in(step: LogStep) -> int:
    return sum(isinstance(fact, HandOver | HandVoid) for fact in step.facts) if step.facts else 0


def _take_fact(
    fact: Fact, step: LogStep, table: TableRecord, book: Book, at_ms: int
) -> TableRecord | Fault:
    if isinstance(fact, TableTerms):
        return terms_from_log(fact, table, book)
    if not table.registered:
        return CannotSettle("the table is not registered with the wallet")
    fault: Fault | None
    match fact:
        case HandBegun():
            return table._replace(game=fact.game)
        case HandOver() | HandVoid():
            return _settle(fact, step, table, book, at_ms)
        case Commit():
            fault = commit_from_log(fact, table, book, at_ms=at_ms)
        case Release():
            fault = release_from_log(fact, table, book, at_ms=at_ms)
        case Leave():
            fault = _cash_out(fact, step, table, book, at_ms)
        case PotClosed():
            fault = _share_out(fact, step, table, book, at_ms)
    return fault or table


def _cash_out(
    fact: Leave, step: LogStep, table: TableRecord, book: Book, at_ms: int
) -> Fault | None:
    seat = accounts.escrow(table.table_id, fact.player_id, table.currency)
    if fault := _expect_escrow(seat, fact.cash_out_minor, "leaves with", book):
        return fault
    if fact.cash_out_minor == 0:
        return None
    player = accounts.cash(fact.player_id, table.currency)
    entry = post(
        book,
        Draft(
            kind=EntryKind.CASH_OUT,
            # A step may free several seats.
            entry_id=f"cashout/{table.table_id}/{step.table_seq}/{fact.player_id}",
            currency=table.currency,
            at_ms=at_ms,
            movements=((seat, -fact.cash_out_minor), (player, fact.cash_out_minor)),
            table_id=table.table_id,
            reference=fact.cash_out_id,
        ),
    )
    return entry if isinstance(entry, Refusal) else None


def _share_out(
    fact: PotClosed, step: LogStep, table: TableRecord, book: Book, at_ms: int
) -> Fault | None:
    """Empty the table's pot into the escrows of those it is shared among, or into suspense."""
    pot = accounts.table_pot(table.table_id, table.currency)
    state = book.account(pot)
    held = state.balance_minor if state else 0
    amounts = [*[amount for _, amount in fact.shares], fact.suspense_minor]
    if min(amounts) < 0 or sum(amounts) != held or not held:
        return CannotSettle(f"{sum(amounts)} is shared out, the table's pot holds {held}")
    movements = [
        (accounts.escrow(table.table_id, player_id, table.currency), amount)
        for player_id, amount in fact.shares
    ]
    movements.append((accounts.suspense(table.currency), fact.suspense_minor))
    entry = post(
        book,
        Draft(
            kind=EntryKind.CARRIED_POT,
            entry_id=f"carried/{table.table_id}/{step.table_seq}",
            currency=table.currency,
            at_ms=at_ms,
            movements=((pot, -held), *[moved for moved in movements if moved[1]]),
            table_id=table.table_id,
        ),
    )
    return entry if isinstance(entry, Refusal) else None


def _settle(
    fact: HandOver | HandVoid, step: LogStep, table: TableRecord, book: Book, at_ms: int
) -> TableRecord | Fault:
    if fact.hand_no != table.hand_no + 1:
        return CannotSettle(f"hand {fact.hand_no} ends after hand {table.hand_no}")
    entry_no, rake_minor = 0, 0
    if isinstance(fact, HandOver):
        posted = _post_hand(fact, table, book, at_ms)
        if not isinstance(posted, int):
            return posted
        entry_no, rake_minor = posted, fact.rake_minor
    book.add_hand(
        SettledHand(
            table_id=table.table_id,
            hand_no=fact.hand_no,
            entry_no=entry_no,
            rake_minor=rake_minor,
            table_seq=step.table_seq,
            voided=isinstance(fact, HandVoid),
            at_ms=at_ms,
            room_id=table.room_id,
            game=table.game,
            currency=table.currency,
        )
    )
    settled = events_pb2.HandSettled(
        table_id=table.table_id,
        hand_no=fact.hand_no,
        entry_no=entry_no,
        rake_minor=rake_minor,
        table_seq=step.table_seq,
    )
    book.add_event(
        ledger_subject(table.table_id, "hand_settled"),
        events_pb2.LedgerEvent(at_ms=at_ms, hand_settled=settled),
    )
    return table._replace(hand_no=fact.hand_no)


def _post_hand(fact: HandOver, table: TableRecord, book: Book, at_ms: int) -> int | Fault:
    """Post the nets, the rake and what is carried; return the entry's number, 0 for none."""
    if fault := _check_hand(fact, table, book):
        return fault
    price_minor = table.point_price_minor or 1
    movements: list[tuple[accounts.AccountKey, int]] = []
    for seat in fact.seats:
        account = accounts.escrow(table.table_id, seat.player_id, table.currency)
        if fault := _expect_escrow(account, seat.start * price_minor, "begins with", book):
            return fault
        movements.append((account, seat.net * price_minor))
    movements.append((accounts.rake(table.room_id, table.currency), fact.rake_minor))
    into_pot = fact.carried_out_minor - fact.carried_in_minor
    movements.append((accounts.table_pot(table.table_id, table.currency), into_pot))
    moved = tuple((account, amount) for account, amount in movements if amount)
    if not moved:
        return 0
    draft = Draft(
        kind=EntryKind.HAND,
        entry_id=f"hand/{table.table_id}/{fact.hand_no}",
        currency=table.currency,
        at_ms=at_ms,
        movements=moved,
        table_id=table.table_id,
        hand_no=fact.hand_no,
    )
    entry = post(book, draft)
    return entry if isinstance(entry, Refusal) else entry.entry_no


def _check_hand(fact: HandOver, table: TableRecord, book: Book) -> CannotSettle | None:
    """Refuse a result that does not add up, or does not fit the table."""
    if not 0 <= fact.rake_minor <= table.max_rake_minor:
        return CannotSettle(f"rake {fact.rake_minor} is above the cap {table.max_rake_minor}")
    if fact.in_points != bool(table.point_price_minor):
        return CannotSettle("the hand is not in the unit that the table plays for")
    if fact.carried_in_minor < 0 or fact.carried_out_minor < 0:
        return CannotSettle("a carried amount is negative")
    if fact.carried_in_minor and (fault := _expect_pot(fact.carried_in_minor, table, book)):
        return fault
    nets_minor = (table.point_price_minor or 1) * sum(seat.net for seat in fact.seats)
    if nets_minor + fact.rake_minor + fact.carried_out_minor - fact.carried_in_minor != 0:
        return CannotSettle("nets, rake and carried amounts do not sum to zero")
    for seat in fact.seats:
        if seat.end != seat.start + seat.net or seat.end < 0:
            return CannotSettle(f"the stacks of {seat.player_id} do not add up")
    if len({seat.player_id for seat in fact.seats}) != len(fact.seats):
        return CannotSettle("a player stands twice in the result")
    return None


def _expect_pot(carried_in_minor: int, table: TableRecord, book: Book) -> CannotSettle | None:
    """Expect a hand to take over the whole pot that was carried to it (MAT-6)."""
    state = book.account(accounts.table_pot(table.table_id, table.currency))
    held = state.balance_minor if state else 0
    if held != carried_in_minor:
        return CannotSettle(f"{carried_in_minor} is carried in, the table's pot holds {held}")
    return None


def _expect_escrow(
    account: accounts.AccountKey, stack_minor: int, verb: str, book: Book
) -> CannotSettle | None:
    state = book.account(account)
    held = state.balance_minor if state else 0
    if held != stack_minor:
        return CannotSettle(f"{account.player_id} {verb} {stack_minor}, the escrow holds {held}")
    return None


def _stop(step: LogStep, place: _Place, why: str, book: Book, at_ms: int) -> list[tuple[str, str]]:
    """Stop a table; return its name and the reason, unless it was stopped for that before."""
    table = place.table
    reason = f"step {step.table_seq}: {why}"[:_MAX_REASON_CHARS]
    if reason == table.stopped_reason:
        return []
    hands = [fact for fact in step.facts if isinstance(fact, HandOver | HandVoid)]
    stopped = events_pb2.SettlementStopped(
        table_id=table.table_id,
        hand_no=hands[0].hand_no if hands else 0,
        table_seq=step.table_seq,
        reason=reason,
    )
    book.add_event(
        ledger_subject(table.table_id, "settlement_stopped"),
        events_pb2.LedgerEvent(at_ms=at_ms, settlement_stopped=stopped),
    )
    place.table = table._replace(stopped_reason=reason)
    return [(table.table_id, reason)]
