"""A pot that nobody qualified for and that goes on to the next hand (MAT-6, MAT-7)."""

from typing import Final, NamedTuple

from floor_table.domain.draft import Draft
from floor_table.domain.seating import Plan
from floor_table.domain.state import TableState
from pokerfloor.api.events.v1 import table_events_pb2 as pb
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.tablelog import to_amount

# How long a player whom a carried pot has left without chips may add some (MAT-7).
ADD_CHIPS_MS: Final = 30_000


class Joining(NamedTuple):
    """What of a carried pot joins a hand; `seats` is empty where everybody can win it."""

    amount: int
    seats: tuple[int, ...]


def joining(state: TableState, plan: Plan) -> Joining | None:
    """Return the carried pot that joins the next hand, None for none.

    With `carry_for` "same players" it waits until one of them is dealt in.
    """
    carried = state.carried
    if carried is None:
        return None
    assert state.settings is not None, "a table that was not opened"
    if state.settings.game.carry_for != settings_pb2.CARRY_FOR_SAME_PLAYERS:
        return Joining(carried.amount, ())
    dealt = {(number, state.seats[number].player_id) for number in plan.dealt}
    seats = tuple([seat for seat, player in carried.claims if (seat, player) in dealt])
    return Joining(carried.amount, seats) if seats else None


def next_hand_at(state: TableState) -> int:
    """Return when the next hand can begin.

    It waits a while for those whom the hand that carried its pot has left without chips.
    """
    at_ms = state.next_hand_at_ms
    carried = state.carried
    if carried is None:
        return at_ms
    for number, player in carried.claims:
        seat = state.seats.get(number)
        if seat is None or seat.player_id != player or seat.leaving or seat.sitting_out:
            continue
        if seat.no_chips_at_ms == carried.since_ms:
            at_ms = max(at_ms, seat.no_chips_at_ms + ADD_CHIPS_MS)
    return at_ms


def close_carried_pot(draft: Draft) -> None:
    """Share a carried pot among the players of the last showdown who still sit here.

    To the table's chip, what is left over one each from the left of the button. With nobody left it
    goes to suspense for the house to settle by hand.
    """
    state, carried = draft.state, draft.state.carried
    if carried is None:
        return
    kind, chip = state.rules.kind, state.rules.chip
    seats = [
        number
        for number, player in carried.showdown
        if number in state.seats and state.seats[number].player_id == player
    ]
    closed = pb.CarriedPotClosed()
    if seats:
        each, over = divmod(carried.amount // chip, len(seats))
        for place, number in enumerate(seats):
            closed.shares.add(
                seat=number,
                player_id=state.seats[number].player_id,
                amount=to_amount((each + (place < over)) * chip, kind),
            )
    else:
        closed.suspense.CopyFrom(to_amount(carried.amount, kind))
    draft.emit(TableEvent(carried_pot_closed=closed))
