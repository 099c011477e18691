"""Reading a stored step of a table's log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from google.protobuf.message import DecodeError

from floor_wallet.domain.entries import EntryKind
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
    SeatStacks,
)
from floor_wallet.domain.fields import MAX_GAME_CHARS, MAX_MINOR, MAX_NUMBER
from floor_wallet.domain.tables import TableTerms
from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.events.v1 import hand_events_pb2, table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.settings.v1 import settings_pb2

_SCHEMA_VERSION = 1
# Heads-up: a rake cap that begins with more players leaves some hands without one.
_FEWEST_PLAYERS = 2


class UnreadableStepError(ValueError):
    """What a step says cannot be read or is not supported; the message is for people."""


def read_step(data: bytes, table_id: str, stream_seq: int) -> LogStep:
    """Read the step that was stored at `stream_seq` for the table. Never raises.

    What cannot be read or is not supported becomes the step's `fault`.
    """
    try:
        step = step_pb2.Step.FromString(data)
    except DecodeError:
        return LogStep(table_id, 0, stream_seq, 0, (), "the bytes are no step")
    fault = _envelope_fault(step, table_id)
    if fault:  # then its number is not to be trusted either
        return LogStep(table_id, 0, stream_seq, 0, (), fault)
    facts: tuple[Fact, ...] = ()
    try:
        facts = tuple(_facts(step))
    except UnreadableStepError as error:
        fault = str(error)
    return LogStep(table_id, step.table_seq, stream_seq, step.owner_epoch, facts, fault)


def terms_of(settings: settings_pb2.TableSettings) -> TableTerms:
    """Return the terms that a table's settings mean to the wallet.

    The rake's limit is 0 without a rate, the highest cap, or 2^53-1 where some hand has none.
    Raises UnreadableStepError for tournaments, which are not supported yet, and for points without
    a price.
    """
    currency, price_minor = _stake(settings.stake)
    rake = settings.rake
    max_rake = max((cap.cap_minor for cap in rake.caps), default=MAX_MINOR)
    if min((cap.players for cap in rake.caps), default=0) > _FEWEST_PLAYERS:
        max_rake = MAX_MINOR
    return TableTerms(
        room_id=settings.room_id,
        currency=currency.code,
        exponent=currency.exponent,
        max_buy_in_minor=settings.buy_in.max_minor,
        max_rake_minor=max_rake if rake.rate_bp else 0,
        point_price_minor=price_minor,
    )


def _stake(stake: money_pb2.Stake) -> tuple[money_pb2.Currency, int]:
    """Return the currency, and the price of a point, 0 at a table that plays for money."""
    match stake.WhichOneof("kind"):
        case "money":
            return stake.money, 0
        case "points":
            if stake.points.point_price_minor <= 0:
                raise UnreadableStepError(f"points at a price of {stake.points.point_price_minor}")
            return stake.points.currency, stake.points.point_price_minor
        case other:
            raise UnreadableStepError(
                f"tables that play for {other or 'nothing'} are not supported"
            )


def _envelope_fault(step: step_pb2.Step, table_id: str) -> str:
    if step.schema_version != _SCHEMA_VERSION:
        return f"schema version {step.schema_version} is not known"
    if step.table_id != table_id:
        return f"a step of table {step.table_id[:32]!r} lies on the subject of {table_id}"
    if not 0 < step.table_seq <= MAX_NUMBER or step.owner_epoch > MAX_NUMBER:
        return "its numbers are out of range"
    return ""


def _facts(step: step_pb2.Step) -> Iterator[Fact]:
    # Most events mean nothing to the book, and are known by their kind alone.
    for event in step.events:
        kind = event.WhichOneof("event")
        if kind == "hand":
            hand_event = event.hand
            read_hand = _OF_HANDS.get(hand_event.WhichOneof("event") or "")
            if read_hand is not None:
                yield read_hand(hand_event, step.hand_no)
        elif (read := _OF_TABLES.get(kind or "")) is not None:
            yield read(event)


def _hand_begun(event: table_events_pb2.TableEvent) -> HandBegun:
    return HandBegun(_text(event.hand_began.game.game[:MAX_GAME_CHARS]))


def _buy_in(event: table_events_pb2.TableEvent) -> Commit:
    seat = event.seat_taken
    return _commit(EntryKind.BUY_IN, seat, seat.buy_in_minor)


def _top_up(event: table_events_pb2.TableEvent) -> Commit:
    added = event.chips_added
    return _commit(EntryKind.TOP_UP, added, added.amount_minor)


def _leave(event: table_events_pb2.TableEvent) -> Leave:
    left = event.seat_left
    return Leave(_text(left.player_id), left.cash_out_minor, _text(left.cash_out_id))


def _tournament_ended(_event: table_events_pb2.TableEvent) -> Fact:
    raise UnreadableStepError("tournament_ended is not supported yet")


def _commit(
    kind: EntryKind, event: table_events_pb2.SeatTaken | table_events_pb2.ChipsAdded, amount: int
) -> Commit:
    return Commit(kind, _text(event.reservation_id), _text(event.player_id), amount)


def _release(event: table_events_pb2.SeatReleased | table_events_pb2.TopUpReleased) -> Release:
    return Release(_text(event.reservation_id), event.error.reason)


def _pot_closed(event: table_events_pb2.TableEvent) -> PotClosed:
    closed = event.carried_pot_closed
    return PotClosed(
        tuple((_text(share.player_id), _number(share.amount, "minor")) for share in closed.shares),
        _number(closed.suspense, "minor"),
    )


def _hand_void(event: hand_events_pb2.HandEvent, step_hand_no: int) -> HandVoid:
    return HandVoid(event.hand_voided.hand_no or step_hand_no)


def _hand_over(event: hand_events_pb2.HandEvent, step_hand_no: int) -> HandOver:
    ended = event.hand_ended
    in_points = any(seat.start.WhichOneof("kind") == "points" for seat in ended.seats)
    unit = "points" if in_points else "minor"
    return HandOver(
        hand_no=ended.hand_no or step_hand_no,
        seats=tuple(
            SeatStacks(
                _text(seat.player_id),
                _number(seat.start, unit),
                _number(seat.end, unit),
                _number(seat.net, unit),
            )
            for seat in ended.seats
        ),
        rake_minor=_number(ended.rake, "minor"),
        carried_in_minor=_number(ended.carried_in, "minor"),
        carried_out_minor=_number(ended.carried_out, "minor"),
        in_points=in_points,
    )


def _text(value: str) -> str:
    """Return a name or an id that any store can keep."""
    if not value.isprintable():
        raise UnreadableStepError("a name or an id in the step is not printable")
    return value


def _number(amount: money_pb2.Amount, unit: str) -> int:
    """Return an amount of this unit; one that is not set is 0, and so is 0 of any unit."""
    kind = amount.WhichOneof("kind")
    number = getattr(amount, kind) if kind else 0
    if kind != unit and number:
        raise UnreadableStepError(f"an amount of {kind}, where {unit} is played for")
    return number


#: By kind of event, who reads what it means to the book.
_OF_TABLES: Final[Mapping[str, Callable[[table_events_pb2.TableEvent], Fact]]] = {
    "table_opened": lambda event: terms_of(event.table_opened.settings),
    "settings_changed": lambda event: terms_of(event.settings_changed.settings),
    "hand_began": _hand_begun,
    "seat_taken": _buy_in,
    "chips_added": _top_up,
    "seat_released": lambda event: _release(event.seat_released),
    "top_up_released": lambda event: _release(event.top_up_released),
    "seat_left": _leave,
    "carried_pot_closed": _pot_closed,
    "tournament_ended": _tournament_ended,
}
_OF_HANDS: Final[Mapping[str, Callable[[hand_events_pb2.HandEvent, int], Fact]]] = {
    "hand_ended": _hand_over,
    "hand_voided": _hand_void,
}
