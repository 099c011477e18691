"""What somebody may see of a table: a pure function of the log and of who looks."""

from collections.abc import Mapping

from floor_table.domain.audiences import Audience, seen_by
from floor_table.domain.betting import betting_seats, betting_turn, pots_view
from floor_table.domain.hand import button_of
from floor_table.domain.lifecycle import state_code
from floor_table.domain.mixed import choice_turn, choice_view
from floor_table.domain.placement import open_turns, placement_seats, placement_turn
from floor_table.domain.readiness import readiness_view
from floor_table.domain.seats import seat_view
from floor_table.domain.showdown import split_turn
from floor_table.domain.table import Table
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1 import view_pb2 as pb
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_PLAYER, Snapshot, StepView
from pokerfloor.games import DeckIndex, Hand, Place
from pokerfloor.games.placement import PlacementHand
from pokerfloor.tablelog import AnyHand, to_amount, to_places


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
        turn = _your_turn(after, audience)
        if turn is not None:
            view.your_turn.CopyFrom(turn)
    return view


def snapshot(table: Table, audience: Audience) -> Snapshot:
    """Return the whole table as an audience sees it, at view number `table_seq`."""
    hand = table.playing
    view = pb.TableView(
        table_id=table.table_id,
        settings=table.settings,
        state=state_code(table),
        seats=[seat_view(table, number, audience) for number in range(1, table.rules.seats + 1)],
        button=_button(table),
        hands=table.hands,
        last_result=table.last_result,
        own_seat=audience.seat,
        bomb_pot_votes=table.bomb_votes,
        readiness=readiness_view(table),
        match_no=table.matches.match.match_no if table.matches.match else 0,
        game_choice=choice_view(table),
        next_game=table.mix.chosen,
        your_turn=choice_turn(table, audience),
    )
    if table.carried is not None and not (isinstance(hand, Hand) and hand.state.carried_in):
        view.carried_pot.CopyFrom(to_amount(table.carried.amount, table.rules.kind))
    if hand is not None:
        view.hand.CopyFrom(_hand_view(table, hand, audience))
    return Snapshot(view_no=table.table_seq, table=view)


def _button(table: Table) -> int:
    if table.playing is not None:
        return button_of(table)
    return table.mix.button or table.last.button


def _hand_view(table: Table, hand: AnyHand, audience: Audience) -> pb.HandView:
    record, clock, inside = table.hand_record, table.clock, hand.state
    street = max(0, inside.street_no)
    view = pb.HandView(
        hand_no=record.began.hand_no,
        deck_no=record.began.deck_no,
        root=record.root,
        later_roots=record.later_roots,
        game=record.began.game,
        street=street,
        revealed_cards=table.revealed_cards,
        dealt=_dealt(inside.cards.places),
        match_no=record.began.match_no,
        fantasyland=record.began.fantasyland,
        equity=record.equity,
        your_turn=_your_turn(table, audience),
    )
    if isinstance(hand, PlacementHand):
        view.street_name = hand.setup.game.street(street).name
        view.seats.extend(placement_seats(hand, audience))
        view.turns.extend(open_turns(table))
    else:
        view.street_name = hand.setup.game.streets[street].name
        view.seats.extend(betting_seats(table, hand, audience))
        view.pots.extend(pots_view(table, hand))
    if clock is not None and len(table.clocks) == 1:
        view.turn_seat, view.turn_no = clock.seat, clock.turn_no
        view.deadline_ms = clock.ends_ms if clock.bank_running else clock.deadline_ms
        view.bank_running = clock.bank_running
    return view


def _dealt(places: Mapping[Place, DeckIndex]) -> list[pb.DealtPlace]:
    return [
        pb.DealtPlace(
            place=place,
            deck_index=cards_pb2.DeckIndex(generation=index.generation, index=index.index),
        )
        for place, index in zip(to_places(places), places.values(), strict=True)
    ]


def _your_turn(table: Table, audience: Audience) -> pb.YourTurn | None:
    """Return "your turn" for the player of a seat that is asked, with all that may be done."""
    hand = table.playing
    if hand is None:
        return choice_turn(table, audience)
    seat = table.seats.get(audience.seat)
    if audience.kind != VIEW_KIND_PLAYER or seat is None or seat.player_id != audience.player_id:
        return None
    split = split_turn(table, seat)
    if split is not None:
        return split
    clock = table.clock_of(seat.seat)
    if clock is None:
        return None
    if isinstance(hand, PlacementHand):
        return placement_turn(table, hand, clock)
    return betting_turn(table, hand, clock)
