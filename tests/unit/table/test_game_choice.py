"""Mixed games: whose choice the next game is, and what waits for it (MIX-3)."""

import pytest

from floor_table.domain import (
    HouseDelayIn,
    Operation,
    TimeUpIn,
    snapshot,
    step_view,
)
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_PLAYER, VIEW_KIND_SPECTATOR
from tests.support.audience import audience_of
from tests.support.evening import Evening, code, names, table_settings
from tests.support.mixed_tables import CHOICE, mixed_table
from tests.support.table.mixed_evening import chosen, next_hand, opened, sit, stored


def choice_open(deck2: str = "") -> Evening:
    """Return a table of two games whose choice is p1's, on the button."""
    evening = sit(mixed_table(CHOICE, "holdem", "omaha4"), deck2=deck2)
    assert evening.table.mix.seat == 1
    return evening


@pytest.mark.rule("MIX-3")
def test_the_player_on_the_button_chooses() -> None:
    evening = choice_open()
    event = evening.steps[-1].events[0].game_choice_opened
    assert (event.seat, [*event.games]) == (1, ["holdem", "omaha4"])
    assert event.deadline_ms == evening.now_ms + 7_000
    assert evening.table.hand_no == 0
    assert not evening.can_begin()
    evening.now_ms += 7_000
    stored(evening.choose_game("omaha4"))
    assert (chosen(evening).game, chosen(evening).method) == (
        "omaha4",
        table_events_pb2.CHOICE_METHOD_CHOICE,
    )
    evening.settle()
    assert (opened(evening).game.game, opened(evening).button) == ("omaha4", 1)
    next_hand(evening)
    assert evening.table.mix.seat == 2, "the button has moved before the choice"
    spectator = audience_of(VIEW_KIND_SPECTATOR, "", evening.table)
    assert snapshot(evening.table, spectator).table.button == 2
    stored(evening.choose_game("holdem"))
    evening.settle()
    assert (opened(evening).game.game, opened(evening).button) == ("holdem", 2)


@pytest.mark.rule("MIX-3", "CLK-4")
def test_who_cannot_choose_what() -> None:
    evening = choice_open()
    before = evening.table.digest()
    assert code(evening.choose_game("omaha4", player="p2")) == "NOT_YOUR_TURN"
    assert code(evening.choose_game("omaha4", player="nobody")) == "NOT_SEATED"
    unknown = evening.choose_game("stud7")
    assert code(unknown) == "INVALID_FIELD"
    assert getattr(unknown, "field", "") == "choose_game.game"
    assert code(evening.choose_game("omaha4", late_ms=7_001)) == "TOO_LATE"
    assert evening.table.digest() == before
    stored(evening.choose_game("omaha4"))
    assert code(evening.choose_game("omaha4", player="p1")) == "WRONG_STATE"


@pytest.mark.rule("MIX-3")
def test_without_a_choice_one_is_drawn() -> None:
    evening = choice_open(deck2="5h")
    evening.pass_time(7_001)
    assert (chosen(evening).game, chosen(evening).method) == (
        "holdem",
        table_events_pb2.CHOICE_METHOD_RANDOM,
    )
    evening.settle()
    assert (opened(evening).game.game, opened(evening).button) == ("holdem", 1)


@pytest.mark.rule("MIX-3", "TBL-4")
def test_nobody_leaves_while_the_choice_is_open() -> None:
    evening = choice_open()
    assert names(evening.leave("p3")) == ["leave_requested"]
    assert code(evening.leave("p3")) == "WRONG_STATE"
    assert "p3" in {seat.player_id for seat in evening.table.seats.values()}
    assert names(evening.choose_game("omaha4")) == ["game_chosen", "seat_left"]
    evening.settle()
    assert [one.seat for one in opened(evening).seats] == [1, 2]


@pytest.mark.rule("MIX-3", "TBL-4")
def test_nobody_leaves_before_the_draw_is_over() -> None:
    evening = choice_open()
    evening.now_ms += 7_001
    timer = evening.next_timer()
    assert timer is not None
    assert timer.at_ms == evening.now_ms
    assert names(evening.do(TimeUpIn(timer.clock)))[0] == "game_draw_began"
    assert names(evening.leave("p1")) == ["leave_requested"]
    evening.settle(begin=False)
    assert names(evening.steps[-1]) == ["game_chosen", "seat_left"]
    evening.settle()
    assert opened(evening).game.game == chosen(evening).game, "the choice stands"


@pytest.mark.rule("MIX-3")
def test_a_reserved_seat_is_given_up_at_once_and_sitting_out_waits_for_nothing() -> None:
    evening = choice_open()
    assert names(evening.sit_out("p3")) == ["sat_out"]
    evening.wallet_says_no = 1.0
    evening.sit("p4", 4)
    assert 4 not in evening.table.seats
    stored(evening.choose_game("holdem"))
    evening.settle()
    assert [one.seat for one in opened(evening).seats] == [1, 2]


@pytest.mark.rule("MIX-3", "CLK-5")
def test_the_house_gives_the_time_back() -> None:
    evening = choice_open()
    evening.now_ms += 5_000
    evening.take_over()
    assert evening.table.mix.deadline_ms == evening.now_ms + 7_000
    evening.now_ms += 5_000
    assert names(evening.do(HouseDelayIn())) == ["game_choice_opened"]
    timer = evening.next_timer()
    assert timer is not None
    evening.now_ms = timer.at_ms + 2_001
    assert names(evening.do(TimeUpIn(timer.clock))) == ["game_choice_opened"]
    timer = evening.next_timer()
    assert timer is not None
    assert timer.at_ms == evening.now_ms + 7_001
    assert code(evening.do(TimeUpIn(timer.clock))) == "WRONG_STATE", "too early"


@pytest.mark.rule("MIX-3")
def test_a_closing_table_waits_for_the_choice() -> None:
    evening = choice_open()
    stored(evening.operate(Operation.CLOSE))
    assert not evening.table.closed
    stored(evening.choose_game("omaha4"))
    assert evening.table.closed


@pytest.mark.rule("MIX-3", "SHW-3")
def test_cards_that_a_winner_shows_come_up_before_a_draw() -> None:
    evening = choice_open()
    stored(evening.choose_game("holdem"))
    evening.settle()
    evening.act("fold")
    evening.settle(begin=False)
    evening.act("fold")
    evening.settle()
    assert evening.table.mix.seat == 2
    winner = evening.table.player_at(opened(evening).forced_bets[-1].seat)
    evening.now_ms += 4_000
    wanted = table_pb2.ShowCardsCommand(hand_no=1, slots=[1])
    stored(evening.command(winner, table_pb2.TableCommand(show_cards=wanted)))
    assert evening.next_timer() is None, "nothing runs out while these are on their way"
    evening.settle()
    assert evening.table.revealed_cards
    evening.pass_time(3_001)
    assert chosen(evening).method == table_events_pb2.CHOICE_METHOD_RANDOM


@pytest.mark.rule("MIX-3")
def test_who_sees_the_choice() -> None:
    evening = choice_open()
    table, step = evening.table, evening.steps[-1]
    for name, asked in (("p1", True), ("p2", False)):
        audience = audience_of(VIEW_KIND_PLAYER, name, table)
        view = snapshot(table, audience).table
        assert view.HasField("your_turn") == asked
        assert (view.game_choice.seat, [*view.game_choice.games]) == (1, ["holdem", "omaha4"])
        turn = step_view(step, table, audience).your_turn
        assert [*turn.choices] == ([view_pb2.CHOICE_KIND_GAME] if asked else [])
    turn = step_view(step, table, audience_of(VIEW_KIND_PLAYER, "p1", table)).your_turn
    assert ([*turn.games], turn.hand_no) == (["holdem", "omaha4"], 1)
    assert turn.deadline_ms == evening.now_ms + 7_000
    public = step_view(step, table, audience_of(VIEW_KIND_SPECTATOR, "", table))
    assert public.events[0].HasField("game_choice_opened")
    stored(evening.choose_game("omaha4"))
    view = snapshot(evening.table, audience_of(VIEW_KIND_SPECTATOR, "", evening.table)).table
    assert not view.HasField("game_choice")
    assert view.next_game == "omaha4"


@pytest.mark.rule("MIX-3", "TBL-6")
def test_at_a_table_that_asks_who_is_ready() -> None:
    settings = mixed_table(CHOICE, "holdem", "omaha4")
    settings.seating.confirm_ready = True
    evening = sit(settings, 2)
    for name in ("p1", "p2"):
        said = table_pb2.TableCommand(ready=table_pb2.ReadyCommand(ready=True))
        stored(evening.command(name, said))
    evening.settle()
    assert evening.table.mix.seat
    evening.sit("p3", 3)
    assert not evening.table.readiness.checks, "play has begun: nobody is asked any more"
    stored(evening.choose_game("omaha4"))
    evening.settle()
    assert evening.table.hand_no == 1


def test_at_a_table_of_one_game_nothing_is_chosen() -> None:
    evening = sit(table_settings())
    assert code(evening.choose_game("holdem", player="p1")) == "ACTION_NOT_ALLOWED"
