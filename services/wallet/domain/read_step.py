"""Reading a stored step of a table's log."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.message import DecodeError

from libs.floorapi.floor.common.v1 import money_pb2
from libs.floorapi.floor.events.v1 import hand_events_pb2, table_events_pb2
from libs.floorapi.floor.log.v1 import step_pb2
from libs.floorapi.floor.settings.v1 import settings_pb2
from services.wallet.domain.entries import EntryKind
from services.wallet.domain.facts import (
    Commit,
    Fact,
    HandOver,
    HandVoid,
    Leave,
    LogStep,
    PotClosed,
    Release,
    SeatStacks,
)
from services.wallet.domain.fields import MAX_MINOR, MAX_NUMBER
from services.wallet.domain.refusal import CannotSettle
from services.wallet.domain.tables import TableTerms

_SCHEMA_VERSION = 1
# Heads-up: a rake cap that begins with more players leaves some hands without one.
_FEWEST_PLAYERS = 2


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
    except CannotSettle as error:
        fault = str(error)
    return LogStep(table_id, step.table_seq, stream_seq, step.owner_epoch, facts, fault)


def terms_of(settings: settings_pb2.TableSettings) -> TableTerms:
    """Give the terms that a table's settings mean to the wallet.

    The rake's limit is 0 without a rate, the highest cap, or 2^53-1 where some hand has none.
    Raises CannotSettle for tournaments, which are not supported yet, and points without a price.
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
    """Give the currency, and the price of a point, 0 at a table that plays for money."""
    match stake.WhichOneof("kind"):
        case "money":
            return stake.money, 0
        case "points":
            if stake.points.point_price_minor <= 0:
                raise CannotSettle(f"points at a price of {stake.points.point_price_minor}")
            return stake.points.currency, stake.points.point_price_minor
        case other:
            raise CannotSettle(f"tables that play for {other or 'nothing'} are not supported")


def _envelope_fault(step: step_pb2.Step, table_id: str) -> str:
    if step.schema_version != _SCHEMA_VERSION:
        return f"schema version {step.schema_version} is not known"
    if step.table_id != table_id:
        return f"a step of table {step.table_id[:32]!r} lies on the subject of {table_id}"
    if not 0 < step.table_seq <= MAX_NUMBER or step.owner_epoch > MAX_NUMBER:
        return "its numbers are out of range"
    return ""


def _facts(step: step_pb2.Step) -> Iterator[Fact]:
    for event in step.events:
        which = event.WhichOneof("event")
        if which == "hand":
            fact = _hand_fact(event.hand, step.hand_no)
        else:
            fact = _table_fact(event, which)
        if fact is not None:
            yield fact


def _table_fact(event: table_events_pb2.TableEvent, which: str | None) -> Fact | None:
    match which:
        case "table_opened":
            return terms_of(event.table_opened.settings)
        case "settings_changed":
            return terms_of(event.settings_changed.settings)
        case "seat_taken":
            seat = event.seat_taken
            return Commit(EntryKind.BUY_IN, seat.reservation_id, seat.player_id, seat.buy_in_minor)
        case "chips_added":
            added = event.chips_added
            return Commit(
                EntryKind.TOP_UP, added.reservation_id, added.player_id, added.amount_minor
            )
        case "seat_released":
            return Release(event.seat_released.reservation_id, event.seat_released.reason)
        case "top_up_released":
            return Release(event.top_up_released.reservation_id, event.top_up_released.reason)
        case "seat_left":
            left = event.seat_left
            return Leave(left.player_id, left.cash_out_minor, left.cash_out_id)
        case "carried_pot_closed":
            return _pot_closed(event.carried_pot_closed)
        case "tournament_ended":
            raise CannotSettle(f"{which} is not supported yet")
        case _:
            return None


def _pot_closed(closed: table_events_pb2.CarriedPotClosed) -> PotClosed:
    return PotClosed(
        tuple((share.player_id, _number(share.amount, "minor")) for share in closed.shares),
        _number(closed.suspense, "minor"),
    )


def _hand_fact(event: hand_events_pb2.HandEvent, step_hand_no: int) -> Fact | None:
    match event.WhichOneof("event"):
        case "hand_ended":
            return _hand_over(event.hand_ended, step_hand_no)
        case "hand_voided":
            return HandVoid(event.hand_voided.hand_no or step_hand_no)
        case _:
            return None


def _hand_over(ended: hand_events_pb2.HandEnded, step_hand_no: int) -> HandOver:
    in_points = any(seat.start.WhichOneof("kind") == "points" for seat in ended.seats)
    unit = "points" if in_points else "minor"
    return HandOver(
        hand_no=ended.hand_no or step_hand_no,
        seats=tuple(
            SeatStacks(
                seat.player_id,
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


def _number(amount: money_pb2.Amount, unit: str) -> int:
    """Give an amount of this unit; one that is not set is 0, and so is 0 of any unit."""
    kind = amount.WhichOneof("kind")
    number = getattr(amount, kind) if kind else 0
    if kind != unit and number:
        raise CannotSettle(f"an amount of {kind}, where {unit} is played for")
    return number
