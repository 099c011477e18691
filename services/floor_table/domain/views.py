"""What somebody may see of a table: a pure function of the log and of who looks."""

from collections.abc import Mapping

from floor_table.domain.audiences import Audience, seen_by
from floor_table.domain.hand_folds import button_of
from floor_table.domain.mix_views import choice_turn, open_choice
from floor_table.domain.placement_views import open_turns, placement_seats, placement_turn
from floor_table.domain.seats import Seat
from floor_table.domain.state import TableState
from floor_table.domain.table import Table, table_state
from floor_table.domain.turns import choices, open_split, open_turn
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1 import view_pb2 as pb
from pokerfloor.api.table.v1.table_pb2 import (
    VIEW_KIND_AUDITOR,
    VIEW_KIND_PLAYER,
    Snapshot,
    StepView,
)
from pokerfloor.games import (
    DeckIndex,
    Hand,
    LegalSet,
    Place,
    PlaceKind,
    Pot,
    Structure,
    WaitDiscard,
    WaitFacing,
)
from pokerfloor.games.placement import PlacementHand
from pokerfloor.tablelog import AnyHand, Posting, StakeKind, to_amount, to_places, write_pots


def step_view(step: Step, after: Table | None, audience: Audience) -> StepView:
    """Return a step as an audience sees it.

    `after` is the table after the step, for "your turn"; None for an old step, which has none.
    """
    view = StepView(
        view_no=step.table_seq,
        at_ms=step.at_ms,
        hand_no=step.hand_no,
        events=[seen for event in step.events if (seen := seen_by(event, audience)) is not None],
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
        bomb_pot_votes=state.bomb_votes,
        readiness=[
            pb.SeatReadiness(seat=one.seat, ready=one.ready, deadline_ms=one.deadline_ms)
            for one in state.readiness.asked
        ],
        match_no=state.matches.match.match_no if state.matches.match else 0,
        game_choice=open_choice(state),
        next_game=state.mix.chosen,
        your_turn=choice_turn(state, audience),
    )
    playing = state.playing
    if state.carried is not None and not (isinstance(playing, Hand) and playing.state.carried_in):
        view.carried_pot.CopyFrom(to_amount(state.carried.amount, state.rules.kind))
    if state.playing is not None:
        view.hand.CopyFrom(_hand_view(state, state.playing, audience))
    return Snapshot(view_no=state.table_seq, table=view)


def _button(state: TableState) -> int:
    if state.playing is not None:
        return button_of(state)
    return state.mix.button or state.last.button


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
    if seat.entering and state.rules.posting is Posting.BLINDS and not in_hand:
        return pb.SEAT_STATE_ENTERING
    return pb.SEAT_STATE_PLAYING


def _hand_view(state: TableState, hand: AnyHand, audience: Audience) -> pb.HandView:
    record, clock, inside = state.record, state.clock, hand.state
    assert record is not None, "a hand without a record"
    street = max(0, inside.street_no)
    view = pb.HandView(
        hand_no=record.opened.hand_no,
        deck_no=record.opened.deck_no,
        root=record.root,
        later_roots=record.later_roots,
        game=record.opened.game,
        street=street,
        revealed_cards=state.opened_cards,
        dealt=_dealt(inside.cards.places),
        match_no=record.opened.match_no,
        fantasyland=record.opened.fantasyland,
        equity=record.equity,
    )
    if isinstance(hand, PlacementHand):
        view.street_name = hand.setup.game.street(street).name
        view.seats.extend(placement_seats(state, hand, audience))
        view.turns.extend(open_turns(state))
    else:
        view.street_name = hand.setup.game.streets[street].name
        view.seats.extend(_hand_seats(state, hand, audience))
        view.pots.extend(write_pots(_pots(hand), state.rules.kind))
    if clock is not None and len(state.clocks) == 1:
        view.turn_seat, view.turn_no = clock.seat, clock.turn_no
        view.deadline_ms = clock.ends_ms if clock.bank_running else clock.deadline_ms
        view.bank_running = clock.bank_running
    turn = _your_turn(state, audience)
    if turn is not None:
        view.your_turn.CopyFrom(turn)
    return view


def _pots(hand: Hand) -> tuple[Pot, ...]:
    """Return the pots as they are collected; antes lie in one before the first street is over."""
    inside = hand.state
    if sum([pot.amount for pot in inside.pots]) == inside.pot_total:
        return inside.pots
    living = [seat for seat, gone in zip(inside.seats, inside.folded, strict=True) if not gone]
    return (Pot(0, inside.pot_total, tuple(living)),)


def _dealt(places: Mapping[Place, DeckIndex]) -> list[pb.DealtPlace]:
    return [
        pb.DealtPlace(
            place=place,
            deck_index=cards_pb2.DeckIndex(generation=position.generation, index=position.index),
        )
        for place, position in zip(to_places(places), places.values(), strict=True)
    ]


def _hand_seats(state: TableState, hand: Hand, audience: Audience) -> list[pb.HandSeatView]:
    inside = hand.state
    open_slots = not hand.setup.game.draws_from(0)  # swaps are seen by slot (SWP-3)
    views: list[pb.HandSeatView] = []
    for position, seat in enumerate(inside.seats):
        own = audience.kind == VIEW_KIND_AUDITOR or (
            audience.kind == VIEW_KIND_PLAYER and audience.seat == seat
        )
        collected = inside.redeals * inside.setup.game.hole_cards_dealt(0)
        places = [
            place
            for place in inside.cards.places
            if place.kind is PlaceKind.SEAT and place.owner == seat and place.slot > collected
        ]
        held = inside.hole_places(seat)
        shown = [place for place in places if place in held] if own or open_slots else places
        views.append(
            pb.HandSeatView(
                seat=seat,
                bet=to_amount(inside.bets[position], state.rules.kind),
                folded=inside.folded[position],
                all_in=not inside.stacks[position] and not inside.folded[position],
                places=to_places(sorted(shown)),
                cards_changed=len(places) - len([place for place in places if place in held]),
            )
        )
    return views


def _your_turn(state: TableState, audience: Audience) -> pb.YourTurn | None:
    """Return "your turn" for the player of the seat to act, with all that may be done (BET-3)."""
    hand = state.playing
    if hand is None:
        return choice_turn(state, audience)
    if audience.kind != VIEW_KIND_PLAYER:
        return None
    clock = state.clock_of(audience.seat)
    split = open_split(hand)
    if split is not None and audience.seat in split.seats:
        own = state.seats.get(audience.seat)
        if own is None or own.player_id != audience.player_id:
            return None
        return pb.YourTurn(
            hand_no=state.hand_no,
            seat=audience.seat,
            deadline_ms=state.split_until_ms,
            choices=[pb.CHOICE_KIND_SPLIT],
        )
    seat = state.seats.get(audience.seat)
    if clock is None or seat is None or audience.player_id != seat.player_id:
        return None
    if isinstance(hand, PlacementHand):
        return placement_turn(state, clock)
    turn = open_turn(hand)
    assert turn is not None, "a clock without a turn"
    view = pb.YourTurn(
        hand_no=state.hand_no,
        turn_no=turn.turn_no,
        seat=turn.seat,
        deadline_ms=clock.deadline_ms,
        bank_ms=clock.bank_ms,
        choices=choices(turn),
    )
    if isinstance(turn, WaitDiscard):
        slots = [place.slot for place in turn.places]
        view.discard.CopyFrom(
            pb.SlotChoice(least=turn.min_discards, most=turn.max_discards, slots=slots)
        )
        return view
    if isinstance(turn, WaitFacing):
        return view
    fixed = hand.setup.structure is Structure.FIXED_LIMIT
    view.legal.CopyFrom(_legal(turn.legal, state.rules.kind, state.behind(seat), fixed=fixed))
    swap = turn.legal.swap_slots
    if swap:
        view.swap.CopyFrom(pb.SlotChoice(least=1, most=len(swap), slots=swap))
    return view


def _legal(legal: LegalSet, kind: StakeKind, behind: int, *, fixed: bool) -> pb.LegalActions:
    message = pb.LegalActions(can_fold=legal.can_fold, can_check=legal.can_check)
    if legal.call_by:
        message.call_option.to.CopyFrom(to_amount(legal.call_to, kind))
        message.call_option.by.CopyFrom(to_amount(legal.call_by, kind))
        message.call_option.all_in = legal.call_by == behind
    for option, low, high in (
        (message.bet_option, legal.bet_min, legal.bet_max),
        (message.raise_option, legal.raise_min, legal.raise_max),
    ):
        if high:
            option.min_to.CopyFrom(to_amount(low, kind))
            option.max_to.CopyFrom(to_amount(high, kind))
            if fixed:  # one size, or two with an open pair on fourth street (STD-4)
                sizes = legal.sizes_to or (high,)
                option.sizes_to.extend([to_amount(size, kind) for size in sizes])
    return message
