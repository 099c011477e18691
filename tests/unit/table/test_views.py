"""Who sees what: views, snapshots, public events."""

import pytest

from floor_table.domain import (
    Audience,
    Operation,
    public_events,
    snapshot,
    step_view,
)
from floor_table.domain import audiences as domain_audiences
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.api.table.v1.table_pb2 import (
    VIEW_KIND_AUDITOR,
    VIEW_KIND_PLAYER,
    VIEW_KIND_SPECTATOR,
    VIEW_KIND_TERMINAL,
    SitDownCommand,
    TableCommand,
)
from tests.support.audience import audience_of
from tests.support.evening import Evening, minor, table_settings


def ann_and_bob() -> Evening:
    evening = Evening(table_settings(seats=4))
    evening.sit("ann", 1)
    evening.sit("bob", 3)
    evening.settle()
    return evening


def as_player(evening: Evening, player: str) -> Audience:
    return audience_of(VIEW_KIND_PLAYER, player, evening.table)


@pytest.mark.parametrize(
    ("event", "seen_by"),
    [
        (None, set()),
        ("seat_taken", {"owner", "other", "spectator", "terminal", "auditor"}),
        ("hand.turn_began", {"owner", "other", "spectator", "terminal", "auditor"}),
        ("seat_reserved", {"owner", "auditor"}),
        ("seat_key_bound", {"owner", "auditor"}),
        ("top_up_held", {"owner", "auditor"}),
        ("showing_closed", {"owner", "other", "spectator", "terminal", "auditor"}),
        ("hand.hidden_placement", {"owner", "auditor"}),
    ],
)
def test_the_option_beside_each_event_decides(event: object, seen_by: set[str]) -> None:
    audiences = {
        "owner": Audience(VIEW_KIND_PLAYER, 2, "ann"),
        "other": Audience(VIEW_KIND_PLAYER, 1, "bob"),
        "spectator": Audience(VIEW_KIND_SPECTATOR),
        "terminal": Audience(VIEW_KIND_TERMINAL),
        "auditor": Audience(VIEW_KIND_AUDITOR),
    }
    message = TableEvent()
    if isinstance(event, str):
        part: object = message
        for name in event.split("."):
            part = getattr(part, name)
        part.SetInParent()  # type: ignore[attr-defined]  # a message by its name
        if hasattr(part, "seat"):
            part.seat = 2
        if hasattr(part, "player_id"):
            part.player_id = "ann"
    assert {
        who for who, audience in audiences.items() if domain_audiences.seen_by(message, audience)
    } == seen_by


def test_a_player_who_is_gone_sees_the_last_of_it_and_nothing_of_the_next_one() -> None:
    evening = Evening(table_settings())
    evening.wallet_says_no = 1.0
    before = evening.table
    evening.command(
        "ann",
        TableCommand(sit_down=SitDownCommand(seat=2, buy_in_minor=100, display_name="ann")),
    )
    reserved, between = evening.steps[-1], evening.table
    seen = step_view(reserved, between, audience_of(VIEW_KIND_PLAYER, "ann", before, between))
    assert seen.events[0].HasField("seat_reserved")
    evening.settle()
    released, after = evening.steps[-1], evening.table
    seen = step_view(released, after, audience_of(VIEW_KIND_PLAYER, "ann", between, after))
    assert seen.events[0].HasField("seat_released")
    stranger = audience_of(VIEW_KIND_PLAYER, "zoe", between, after)
    for step in (reserved, released):
        view = step_view(step, None, stranger)
        assert not view.events
        assert view.view_no == step.table_seq, "no gap where there is nothing to see"


@pytest.mark.rule("BET-3")
def test_your_turn_comes_to_the_seat_to_act_with_the_whole_legal_set() -> None:
    evening = ann_and_bob()
    wait = evening.wait()
    assert wait is not None
    acting = evening.table.player_at(wait.seat)
    other = "bob" if acting == "ann" else "ann"
    step, table = evening.steps[-1], evening.table
    view = step_view(step, table, as_player(evening, acting))
    turn = view.your_turn
    assert (turn.hand_no, turn.turn_no, turn.seat) == (1, 1, wait.seat)
    assert turn.deadline_ms == evening.now_ms + 20_000
    assert turn.bank_ms == 30_000
    legal = turn.legal
    assert (legal.can_fold, legal.can_check) == (True, False)
    assert (legal.call_option.to.minor, legal.call_option.by.minor, legal.call_option.all_in) == (
        2,
        1,
        False,
    )
    raising = legal.raise_option
    assert (raising.min_to.minor, raising.max_to.minor) == (4, 200)
    assert not legal.HasField("bet_option")
    for audience in (
        as_player(evening, other),
        Audience(VIEW_KIND_SPECTATOR),
        Audience(VIEW_KIND_AUDITOR),
        Audience(VIEW_KIND_PLAYER, wait.seat, other),
    ):
        assert not step_view(step, table, audience).HasField("your_turn")
        assert not snapshot(table, audience).table.hand.HasField("your_turn")
    assert snapshot(table, as_player(evening, acting)).table.hand.your_turn == turn
    assert not step_view(step, None, as_player(evening, acting)).HasField("your_turn")


def test_fixed_limit_names_its_one_size() -> None:
    settings = table_settings()
    settings.game.structure = settings_pb2.BETTING_STRUCTURE_FIXED_LIMIT
    settings.game.big_bet.CopyFrom(minor(4))
    evening = Evening(settings)
    evening.sit("ann", 1)
    evening.sit("bob", 3)
    evening.settle()
    wait = evening.wait()
    assert wait is not None
    view = step_view(
        evening.steps[-1], evening.table, as_player(evening, evening.table.player_at(wait.seat))
    )
    sizes = view.your_turn.legal.raise_option.sizes_to
    assert [size.minor for size in sizes] == [4]


@pytest.mark.rule("CLK-3")
def test_a_snapshot_is_the_whole_table_as_it_is() -> None:
    evening = ann_and_bob()
    evening.act("call")
    evening.act("raise", 10)
    evening.act("call")
    evening.settle(begin=False)
    evening.now_ms += 20_001
    evening.pass_time(0)
    evening.sit("carl", 2)
    evening.sit("dora", 4)
    evening.sit_out("dora")
    whole = snapshot(evening.table, as_player(evening, "ann"))
    assert whole.view_no == evening.table.table_seq
    table = whole.table
    assert table.state == view_pb2.TABLE_STATE_PLAYING
    assert (table.own_seat, table.hands) == (1, 1)
    assert [seat.state for seat in table.seats] == [
        view_pb2.SEAT_STATE_PLAYING,
        view_pb2.SEAT_STATE_ENTERING,
        view_pb2.SEAT_STATE_PLAYING,
        view_pb2.SEAT_STATE_SITTING_OUT,
    ]
    assert [seat.stack.minor for seat in table.seats] == [190, 200, 190, 200]
    hand = table.hand
    assert (hand.hand_no, hand.deck_no, hand.street_name) == (1, 2, "flop")
    assert len(hand.root) == 32
    assert [pot.amount.minor for pot in hand.pots] == [20]
    assert [card.place.slot for card in hand.revealed_cards] == [1, 2, 3]
    assert all(card.HasField("proof") for card in hand.revealed_cards)
    assert [[place.slot for place in seat.places] for seat in hand.seats] == [[1, 2], [1, 2]]
    own, burn, board = (
        cards_pb2.PLACE_KIND_SEAT,
        cards_pb2.PLACE_KIND_BURN,
        cards_pb2.PLACE_KIND_BOARD,
    )
    assert [one.place.kind for one in hand.dealt] == [own] * 4 + [burn] + [board] * 3
    assert [one.deck_index.index for one in hand.dealt] == list(range(8)), "in the order dealt"
    proved = {card.place.slot: card.proof.deck_index.index for card in hand.revealed_cards}
    assert proved == {one.place.slot: one.deck_index.index for one in hand.dealt[5:]}
    clock = evening.table.clock
    assert clock is not None
    assert (hand.turn_seat, hand.turn_no) == (clock.seat, clock.turn_no)
    assert hand.bank_running
    assert hand.deadline_ms == clock.ends_ms


def test_between_hands_there_is_a_last_result_and_no_hand() -> None:
    evening = ann_and_bob()
    evening.fold_around()
    table = snapshot(evening.table, Audience(VIEW_KIND_SPECTATOR)).table
    assert not table.HasField("hand")
    assert table.last_result.hand_no == 1
    assert table.own_seat == 0
    evening.operate(Operation.PAUSE)
    table = snapshot(evening.table, Audience(VIEW_KIND_SPECTATOR)).table
    assert table.state == view_pb2.TABLE_STATE_PAUSED


def test_public_events_have_the_name_of_their_field_and_their_place_in_the_step() -> None:
    evening = ann_and_bob()
    step = next(
        step
        for step in evening.steps
        if step.events and step.events[0].HasField("deck_committed") and step.hand_no
    )
    public = public_events(step)
    assert [kind for kind, _ in public][:3] == [
        "deck_committed",
        "street_began",
        "forced_bet_posted",
    ]
    assert [event.index for _, event in public] == list(range(len(step.events)))
    assert all(event.table_seq == step.table_seq for _, event in public)
    key = next(step for step in evening.steps if step.events[0].HasField("seat_key_bound"))
    assert public_events(key) == []
