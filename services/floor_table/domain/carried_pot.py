"""A pot that nobody qualified for and that goes on to the next hand (MAT-6, MAT-7)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from floor_table.domain.parts import CarriedPot
from floor_table.domain.step import EventTable, StepBuilder
from floor_table.domain.table import Table
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.games import Hand
from pokerfloor.tablelog import LogError, from_amount, to_amount

# How long a player whom a carried pot has left without chips may add some (MAT-7).
_ADD_CHIPS_MS: Final = 30_000


class Joining(NamedTuple):
    """What of a carried pot joins a hand; `seats` is empty where everybody can win it."""

    amount: int
    seats: tuple[int, ...]


def joining(table: Table, dealt: Sequence[int]) -> Joining | None:
    """Return the carried pot that joins a hand of these seats, None for none.

    With `carry_for` "same players" it waits until one of them is dealt in.
    """
    carried = table.carried
    if carried is None:
        return None
    if table.settings.game.carry_for != settings_pb2.CARRY_FOR_SAME_PLAYERS:
        return Joining(carried.amount, ())
    players = {(number, table.seats[number].player_id) for number in dealt}
    seats = tuple([seat for seat, player in carried.claims if (seat, player) in players])
    return Joining(carried.amount, seats) if seats else None


def next_hand_at(table: Table) -> int:
    """Return when the next hand can begin.

    It waits a while for those whom the hand that carried its pot has left without chips.
    """
    at_ms = table.next_hand_at_ms
    carried = table.carried
    if carried is None:
        return at_ms
    for number, player in carried.claims:
        seat = table.seats.get(number)
        if seat is None or seat.player_id != player or seat.leaving or seat.sitting_out:
            continue
        if seat.no_chips_at_ms == carried.since_ms:
            at_ms = max(at_ms, seat.no_chips_at_ms + _ADD_CHIPS_MS)
    return at_ms


def close_carried_pot(step: StepBuilder) -> None:
    """Share a carried pot among the players of the last showdown who still sit here.

    To the table's chip, what is left over one each from the left of the button. With nobody left it
    goes to suspense for the house to settle by hand.
    """
    table, carried = step.table, step.table.carried
    if carried is None:
        return
    kind, chip = table.rules.kind, table.rules.chip
    seats = [
        number
        for number, player in carried.showdown
        if number in table.seats and table.seats[number].player_id == player
    ]
    closed = pb.CarriedPotClosed()
    if seats:
        each, over = divmod(carried.amount // chip, len(seats))
        for place, number in enumerate(seats):
            closed.shares.add(
                seat=number,
                player_id=table.seats[number].player_id,
                amount=to_amount((each + (place < over)) * chip, kind),
            )
    else:
        closed.suspense.CopyFrom(to_amount(carried.amount, kind))
    step.emit(closed)


# --- events


def note_carried_pot(table: Table, event: hand_events_pb2.HandEnded) -> None:
    """Note the pot that is carried after a hand: its own, and what did not join it."""
    if not isinstance(table.hand, Hand):
        return
    hand, before = table.hand.state, table.carried
    if before is not None and table.hand.setup.carried.amount:
        before = None
    table.carried = before
    if not hand.carried:
        return
    amount = from_amount(event.carried_out, table.rules.kind, "hand_ended.carried_out")
    players = table.hand_record.context.players
    claims = {(seat, players[seat]) for pot in hand.carried for seat in pot.seats}
    ring = [hand.seats[position] for position in hand.from_button]
    table.carried = CarriedPot(
        amount + (before.amount if before else 0),
        tuple(sorted(claims | set(before.claims if before else ()))),
        tuple([(seat, players[seat]) for seat in ring if seat in hand.showdown_order]),
        table.at_ms,
    )


def _carried_pot_closed(table: Table, event: pb.CarriedPotClosed) -> None:
    carried, kind = table.carried, table.rules.kind
    if carried is None or table.playing is not None:
        raise LogError("a carried pot closed that is not there", "carried_pot_closed")
    suspense = 0
    if event.HasField("suspense"):
        suspense = from_amount(event.suspense, kind, "carried_pot_closed.suspense")
    shared = 0
    for share in event.shares:
        amount = from_amount(share.amount, kind, "carried_pot_closed.shares.amount")
        seat = table.seat_at(share.seat)
        if seat.player_id != share.player_id or amount < 0:
            raise LogError("a share that is nobody's", "carried_pot_closed.shares")
        table.seats[share.seat] = seat._replace(stack=seat.stack + amount)
        shared += amount
    if shared + suspense != carried.amount:
        raise LogError("the shares are not the carried pot", "carried_pot_closed")
    table.chips_out += suspense
    table.carried = None


EVENTS: Final[EventTable] = {"carried_pot_closed": _carried_pot_closed}
