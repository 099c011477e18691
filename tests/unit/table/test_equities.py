"""Equities at an all-in showdown: when they are due, what is taken in, and that nothing follows."""

from floor_table.domain import (
    EquityIn,
    Refusal,
    open_effects,
    public_events,
    replay,
    snapshot,
)
from pokerfloor.api.events.v1.hand_events_pb2 import EquityShown, SeatEquity
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_PLAYER, VIEW_KIND_SPECTATOR
from pokerfloor.cards import cards_text
from pokerfloor.tablelog import replay_hand
from tests.support.audience import audience_of
from tests.support.counted_evening import Counted
from tests.support.evening import Evening, names, table_settings
from tests.support.game_tables import game_table, stud_table


def _all_in(evening: Counted, players: int = 2) -> None:
    """Seat the players, and have all of them put in what they have before the flop."""
    for number in range(players):
        evening.sit(f"p{number}", buy_in=evening.table.rules.least_buy_in)
    evening.settle()
    for _ in range(players):
        evening.act("all_in" if evening.wait() and evening.wait().legal.all_in_as else "call")  # type: ignore[union-attr]  # asked just before


def _told(evening: Evening) -> list[EquityShown]:
    return [
        event.hand.equity_shown
        for step in evening.steps
        for event in step.events
        if event.hand.WhichOneof("event") == "equity_shown"
    ]


def test_equities_are_told_after_the_hands_and_after_each_board_card_but_the_last() -> None:
    evening = Counted(table_settings(), 3)
    _all_in(evening)
    evening.settle(begin=False)
    told = _told(evening)
    assert len(told) == 3, "hands, flop, turn"
    assert len({one.table_seq for one in told}) == 3
    turned_up = {
        step.table_seq
        for step in evening.steps
        for event in step.events
        if event.hand.HasField("cards_revealed")
    }
    assert {one.table_seq for one in told} < turned_up
    order = [name for step in evening.steps for name in names(step)]
    first = order.index("equity_shown")
    assert order[:first].count("cards_revealed") == 1
    assert order[first:].count("cards_revealed") == 3
    for step in evening.steps:
        if "equity_shown" in names(step):
            assert names(step) == ["equity_shown"], "a step of its own"
            assert step.input.scheduler.cause == step_pb2.SCHEDULER_CAUSE_EQUITY


def test_what_stands_in_the_log_is_what_every_view_tells() -> None:
    evening = Counted(table_settings(), 3)
    _all_in(evening)
    evening.willing = False
    while (due := evening.due_equity()) is None:
        evening.open_one()
    given = evening.equities(due)
    step = evening.do(given)
    assert isinstance(step, Step)
    (public,) = public_events(step)
    assert public[0] == "equity_shown"
    assert public[1].event.hand.equity_shown == given.equity
    for kind, who in ((VIEW_KIND_SPECTATOR, ""), (VIEW_KIND_PLAYER, "p1")):
        view = snapshot(evening.table, audience_of(kind, who, evening.table)).table
        assert view.hand.equity == given.equity
    again = replay(evening.table.table_id, evening.steps)
    assert again.digest() == evening.table.digest()
    assert open_effects(again) == open_effects(evening.table)
    assert evening.due_equity() is None, "told once for these cards"
    evening.open_one()
    assert evening.due_equity() is not None, "and again with the flop"


def test_a_hand_without_them_ends_the_same() -> None:
    ends: list[object] = []
    for willing in (True, False):
        evening = Counted(table_settings(), 7)
        evening.willing = willing
        _all_in(evening, players=3)
        evening.settle(begin=False)
        assert bool(_told(evening)) == willing
        hand = [step for step in evening.steps if step.hand_no == 1]
        assert replay_hand(hand).state.ended
        result = evening.table.last_result
        assert result is not None
        board = [
            cards_text([one.card.code - 1 for one in event.hand.cards_revealed.cards])
            for step in evening.steps
            for event in step.events
        ]
        ends.append((result.SerializeToString(), [text for text in board if text]))
    assert ends[0] == ends[1]


def test_late_ones_of_cards_that_lay_before_are_taken_in_and_others_are_not() -> None:
    evening = Counted(table_settings(), 3)
    _all_in(evening)
    evening.willing = False
    while (due := evening.due_equity()) is None:
        evening.open_one()
    of_hands = evening.equities(due)
    evening.open_one()
    late = evening.due_equity()
    assert late is not None
    of_flop = evening.equities(late)
    for wrong in (
        EquityIn(of_hands.hand_no + 1, of_hands.equity),
        EquityIn(of_hands.hand_no, EquityShown(seats=of_hands.equity.seats, table_seq=1)),
        EquityIn(of_hands.hand_no, EquityShown(seats=of_hands.equity.seats, table_seq=9_999)),
        EquityIn(of_hands.hand_no, EquityShown(table_seq=due.cause_seq)),
        EquityIn(
            of_hands.hand_no,
            EquityShown(
                seats=[SeatEquity(seat=seat.seat, high_ppm=1) for seat in of_hands.equity.seats],
                table_seq=due.cause_seq,
            ),
        ),
    ):
        before = evening.table.digest()
        assert isinstance(evening.do(wrong), Refusal)
        assert evening.table.digest() == before
    assert isinstance(evening.do(of_hands), Step), "late, of cards that lay there"
    assert isinstance(evening.do(of_flop), Step)
    assert isinstance(evening.do(of_hands), Refusal), "older than what is told"
    evening.settle(begin=False)
    assert isinstance(evening.do(of_flop), Refusal), "the hand is over"


def test_two_boards_and_side_pots_and_folded_hands() -> None:
    evening = Counted(game_table("omaha4_hilo", boards=2), 5)
    for number in range(4):
        evening.sit(f"p{number}", buy_in=evening.table.rules.least_buy_in)
    evening.settle()
    evening.act("fold")
    while evening.wait() is not None:
        legal = evening.wait().legal  # type: ignore[union-attr]  # asked just before
        if legal.raise_max or legal.bet_max:
            evening.act("raise" if legal.raise_max else "bet", legal.raise_max or legal.bet_max)
        else:
            evening.act("call" if legal.call_by else "check")
        evening.settle(begin=False)
    told = _told(evening)
    assert told
    assert all(len(one.seats) == 3 for one in told)


def test_games_without_a_board_and_hands_that_are_not_all_open_have_none() -> None:
    evening = Counted(stud_table("stud7"), 3)
    for number in range(3):
        evening.sit(f"p{number}", buy_in=evening.table.rules.least_buy_in)
    evening.settle()
    while evening.asks_players:
        assert evening.due_equity() is None
        wait = evening.wait()
        assert wait is not None
        legal = wait.legal
        top = legal.raise_max or legal.bet_max
        if top:
            evening.act("raise" if legal.raise_max else "bet", top)
        else:
            evening.act("call" if legal.call_by else "check")
        evening.settle(begin=False)
    assert not _told(evening)
    plain = Counted(table_settings(), 3)
    for number in range(3):
        plain.sit(f"p{number}")
    plain.settle()
    plain.fold_around()
    assert not _told(plain)
