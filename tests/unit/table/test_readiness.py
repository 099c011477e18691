"""Readiness (TBL-6)."""

import pytest

from floor_table.domain import (
    Audience,
    BeginHandIn,
    Clock,
    HouseDelayIn,
    Operation,
    TimeUpIn,
    snapshot,
    state_code,
)
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import ReadyChanged
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.api.table.v1.table_pb2 import VIEW_KIND_SPECTATOR
from tests.support.evening import Evening, code, names, table_settings
from tests.support.points_evening import PRICE, PointsEvening, points_settings

READY_MS = 60_000


def asking(players: str = "ab", game: str = "scoop", seats: int = 3) -> PointsEvening:
    return PointsEvening(points_settings(game, seats=seats, ready=True), players=players)


def changes(evening: Evening) -> list[ReadyChanged]:
    return [
        event.ready_changed
        for step in evening.steps
        for event in step.events
        if event.HasField("ready_changed")
    ]


def can_begin(evening: Evening) -> bool:
    return evening.can_begin()


@pytest.mark.rule("TBL-6")
def test_when_enough_sit_everybody_is_asked_and_the_hand_waits_for_all() -> None:
    evening = asking("a")
    assert not changes(evening), "one alone is asked nothing"
    evening.sit("b")
    (asked,) = changes(evening)
    assert (asked.seat, asked.ready) == (0, False)
    assert asked.deadline_ms == evening.now_ms + READY_MS
    assert not can_begin(evening)
    assert code(evening.do(BeginHandIn())) == "WRONG_STATE"
    assert names(evening.ready("a")) == ["ready_changed"]
    assert not can_begin(evening)
    assert state_code(evening.table) == view_pb2.TABLE_STATE_WAITING
    view = snapshot(evening.table, Audience(VIEW_KIND_SPECTATOR)).table.readiness
    assert [(one.seat, one.ready) for one in view] == [(1, True), (2, False)]
    evening.ready("b")
    assert can_begin(evening)
    assert state_code(evening.table) == view_pb2.TABLE_STATE_PLAYING
    evening.settle()
    assert evening.table.hand_no == 1
    assert not snapshot(evening.table, Audience(VIEW_KIND_SPECTATOR)).table.readiness


@pytest.mark.rule("TBL-6")
def test_a_seat_that_is_not_ready_in_time_is_freed_with_its_chips() -> None:
    evening = asking()
    evening.ready("a")
    evening.pass_time(READY_MS)
    assert evening.seat_no("b")
    evening.pass_time(1)
    step = evening.steps[-1]
    assert names(step) == ["seat_left", "ready_changed"]
    assert step.events[0].seat_left.reason == table_events_pb2.LEAVE_REASON_NOT_READY
    assert step.events[0].seat_left.cash_out_minor == 100 * PRICE
    assert evening.seat_no("a"), "whoever was ready stays"
    evening.sit("c")
    assert not can_begin(evening), "all are asked anew"
    assert code(evening.ready("b")) == "NOT_SEATED"


@pytest.mark.rule("TBL-6")
def test_who_sits_down_meanwhile_is_asked_as_well() -> None:
    evening = asking()
    evening.ready("a")
    evening.pass_time(20_000)
    evening.sit("c")
    last = changes(evening)[-1]
    assert (last.seat, last.deadline_ms) == (3, evening.now_ms + READY_MS)
    evening.ready("b")
    assert not can_begin(evening)
    evening.ready("c")
    assert can_begin(evening)


@pytest.mark.rule("TBL-6")
def test_ready_may_be_taken_back() -> None:
    evening = asking()
    assert code(evening.ready("a", ready=False)) == "WRONG_STATE"
    evening.ready("a")
    assert code(evening.ready("a")) == "WRONG_STATE"
    evening.ready("b")
    evening.ready("a", ready=False)
    assert not can_begin(evening)
    evening.ready("a")
    assert can_begin(evening)


@pytest.mark.rule("TBL-6", "CLK-4")
def test_ready_comes_in_time_or_not_at_all() -> None:
    evening = asking()
    evening.now_ms += READY_MS + 1
    assert code(evening.ready("a")) == "TOO_LATE"


@pytest.mark.rule("TBL-6")
def test_it_is_asked_again_when_play_had_stopped() -> None:
    evening = asking("abc")
    for player in "abc":
        evening.ready(player)
    evening.play_hand()
    assert can_begin(evening), "play goes on without a question"
    evening.sit_out("b")
    assert can_begin(evening)
    evening.sit_out("c")
    assert (changes(evening)[-1].seat, changes(evening)[-1].deadline_ms) == (0, 0)
    evening.sit_in("c")
    assert changes(evening)[-1].deadline_ms == evening.now_ms + READY_MS
    assert not can_begin(evening)
    evening.ready("a")
    evening.ready("c")
    evening.play_hand()
    evening.operate(Operation.PAUSE)
    evening.operate(Operation.RESUME)
    assert not can_begin(evening), "a pause is a stop"


@pytest.mark.rule("TBL-6", "OFC-6")
def test_nobody_is_asked_within_a_match() -> None:
    evening = asking("ab", "ofc")
    for player in "ab":
        evening.ready(player)
    count = len(changes(evening))
    evening.settle()
    evening.operate(Operation.PAUSE)
    evening.operate(Operation.RESUME)
    assert len(changes(evening)) == count


@pytest.mark.rule("TBL-6")
def test_whoever_joins_a_running_game_is_not_asked() -> None:
    evening = asking()
    for player in "ab":
        evening.ready(player)
    evening.play_hand()
    evening.sit("c")
    evening.settle()
    assert evening.table.in_hand(evening.seat_no("c"))
    assert code(evening.ready("c")) == "WRONG_STATE"


@pytest.mark.rule("TBL-6")
def test_betting_tables_ask_where_the_option_is_on_and_not_else() -> None:
    settings = table_settings()
    evening = Evening(settings)
    for player in "ab":
        evening.sit(player)
    assert can_begin(evening)
    settings.seating.confirm_ready = True
    evening = Evening(settings)
    for player in "ab":
        evening.sit(player)
    assert not can_begin(evening)
    assert len(changes(evening)) == 1


@pytest.mark.rule("TBL-6")
def test_ofc_and_scoop_ask_unless_told_otherwise() -> None:
    for game in ("ofc", "scoop"):
        settings = points_settings(game, seats=2)
        settings.seating.ClearField("confirm_ready")
        evening = PointsEvening(settings, players="ab")
        assert len(changes(evening)) == 1
        assert not can_begin(evening)


@pytest.mark.rule("CLK-5")
def test_the_house_gives_the_time_to_answer_again() -> None:
    evening = asking()
    evening.ready("a")
    evening.pass_time(50_000)
    assert isinstance(evening.do(HouseDelayIn()), Step)
    evening.pass_time(50_000)
    evening.take_over()
    evening.pass_time(50_000)
    assert evening.seat_no("b")
    evening.now_ms += 30_000
    assert names(evening.do(TimeUpIn(Clock.READY))) == ["ready_changed"], "the house was late"
    assert code(evening.do(TimeUpIn(Clock.READY))) == "WRONG_STATE"
