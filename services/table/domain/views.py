"""What somebody may see of a table: a pure function of the log and of who looks."""

from collections.abc import Mapping

from libs.floorapi.floor.common.v1 import cards_pb2
from libs.floorapi.floor.log.v1.step_pb2 import Step
from libs.floorapi.floor.table.v1 import view_pb2 as pb
from libs.floorapi.floor.table.v1.table_pb2 import (
    VIEW_KIND_AUDITOR,
    VIEW_KIND_PLAYER,
    Snapshot,
    StepView,
)
from libs.floorlog import StakeKind, to_amount, to_places, write_pots
from libs.games import DeckPosition, Hand, LegalSet, Place, PlaceKind, Structure, WaitAction
from services.table.domain.audiences import Audience, may_see
from services.table.domain.seats import Seat
from services.table.domain.state import TableState
from services.table.domain.table import Table, table_state


def step_view(step: Step, after: Table | None, audience: Audience) -> StepView:
    """Return a step as an audience sees it.

    `after` is the table after the step, for "your turn"; None for an old step, which has none.
    """
    view = StepView(
        view_no=step.table_seq,
        at_ms=step.at_ms,
        hand_no=step.hand_no,
        events=[event for event in step.events if may_see(event, audience)],
    )
    if after is not None:
        assert after.table_seq == step.table_seq, "the table of another moment"
        turn = _your_turn(after.state, audience)
        if turn is not None:
            view.your_turn.CopyFrom(turn)
    return view


def snapshot(table: Table, audience: Audience) -> Snapshot:
    """Return the whole table as an audience sees it, at view number `table_seq`."""
    state = table.state
    view = pb.TableView(
        table_id=state.table_id,
        settings=state.settings,
        state=table_state(state),
        seats=[_seat_view(state, number, audience) for number in range(1, state.rules.seats + 1)],
        button=_button(state),
        hands=state.hands,
        last_result=state.last_result,
        own_seat=audience.seat,
    )
    if state.playing is not None:
        view.hand.CopyFrom(_hand_view(state, state.playing, audience))
    return Snapshot(view_no=state.table_seq, table=view)


def _button(state: TableState) -> int:
    if state.record is not None:
        return state.record.opened.button
    return state.last.button


def _seat_view(state: TableState, number: int, audience: Audience) -> pb.SeatView:
    seat = state.seats.get(number)
    if seat is None or not _may_see_seat(seat, audience):
        return pb.SeatView(seat=number, state=pb.SEAT_STATE_EMPTY)
    return pb.SeatView(
        seat=number,
        state=_seat_state(state, seat),
        player_id=seat.player_id,
        display_name=seat.display_name,
        stack=to_amount(state.behind(seat), state.rules.kind),
        connected=seat.connected,
        bank_ms=seat.bank_ms,
        big_blinds_missed=seat.big_missed,
    )


def _may_see_seat(seat: Seat, audience: Audience) -> bool:
    """Tell whether a seat can be seen: a reserved one only by its player, as its event is."""
    own = audience.kind == VIEW_KIND_PLAYER and audience.player_id == seat.player_id
    return not seat.pending or own or audience.kind == VIEW_KIND_AUDITOR


def _seat_state(state: TableState, seat: Seat) -> pb.SeatState.ValueType:
    if seat.pending:
        return pb.SEAT_STATE_PENDING
    if seat.leaving:
        return pb.SEAT_STATE_LEAVING
    in_hand = state.in_hand(seat.seat)
    if seat.sitting_out or (not seat.stack and not in_hand):
        return pb.SEAT_STATE_SITTING_OUT
    if seat.entering and not in_hand:
        return pb.SEAT_STATE_ENTERING
    return pb.SEAT_STATE_PLAYING


def _hand_view(state: TableState, hand: Hand, audience: Audience) -> pb.HandView:
    record, clock, inside = state.record, state.clock, hand.state
    assert record is not None, "a hand without a record"
    street = max(0, inside.street_no)
    view = pb.HandView(
        hand_no=record.opened.hand_no,
        deck_no=record.opened.deck_no,
        root=record.root,
        game=record.opened.game,
        street=street,
        street_name=hand.setup.game.streets[street].name,
        seats=_hand_seats(state, hand),
        open_cards=state.opened_cards,
        pots=write_pots(inside.pots, state.rules.kind),
        dealt=_dealt(inside.cards.places),
    )
    if clock is not None:
        view.turn_seat, view.turn_no = clock.seat, clock.turn_no
        view.deadline_ms = clock.ends_ms if clock.bank_running else clock.deadline_ms
        view.bank_running = clock.bank_running
    turn = _your_turn(state, audience)
    if turn is not None:
        view.your_turn.CopyFrom(turn)
    return view


def _dealt(places: Mapping[Place, DeckPosition]) -> list[pb.PlacePosition]:
    return [
        pb.PlacePosition(
            place=place,
            position=cards_pb2.DeckPosition(
                generation=position.generation, index=position.deck_index
            ),
        )
        for place, position in zip(to_places(places), places.values(), strict=True)
    ]


def _hand_seats(state: TableState, hand: Hand) -> list[pb.HandSeatView]:
    inside = hand.state
    places: dict[int, list[Place]] = {seat: [] for seat in inside.seats}
    for place in inside.cards.places:
        if place.kind is PlaceKind.OWN:
            places[place.owner].append(place)
    return [
        pb.HandSeatView(
            seat=seat,
            bet=to_amount(inside.bets[position], state.rules.kind),
            folded=inside.folded[position],
            all_in=not inside.stacks[position] and not inside.folded[position],
            own_places=to_places(sorted(places[seat])),
        )
        for position, seat in enumerate(inside.seats)
    ]


def _your_turn(state: TableState, audience: Audience) -> pb.YourTurn | None:
    """Return "your turn" for the player of the seat to act, with all that may be done (BET-3)."""
    clock, hand = state.clock, state.playing
    if clock is None or hand is None or audience.kind != VIEW_KIND_PLAYER:
        return None
    seat = state.seats.get(clock.seat)
    if seat is None or audience.seat != clock.seat or audience.player_id != seat.player_id:
        return None
    wait = hand.waits_for()
    assert isinstance(wait, WaitAction), "a clock without a turn"
    fixed = hand.setup.structure is Structure.FIXED_LIMIT
    return pb.YourTurn(
        hand_no=state.hand_no,
        turn_no=wait.turn_no,
        seat=wait.seat,
        deadline_ms=clock.deadline_ms,
        bank_ms=clock.bank_ms,
        legal=_legal(wait.legal, state.rules.kind, state.behind(seat), fixed=fixed),
    )


def _legal(legal: LegalSet, kind: StakeKind, behind: int, *, fixed: bool) -> pb.LegalActions:
    message = pb.LegalActions(fold=legal.can_fold, check=legal.can_check)
    if legal.call_by:
        message.call.to.CopyFrom(to_amount(legal.call_to, kind))
        message.call.by.CopyFrom(to_amount(legal.call_by, kind))
        message.call.all_in = legal.call_by == behind
    for option, low, high in (
        (message.bet, legal.bet_min, legal.bet_max),
        (getattr(message, "raise"), legal.raise_min, legal.raise_max),
    ):
        if high:
            option.min_to.CopyFrom(to_amount(low, kind))
            option.max_to.CopyFrom(to_amount(high, kind))
            if fixed:
                option.sizes_to.append(to_amount(high, kind))
    return message
