"""Time and absence in OFC (OFC-40 to OFC-42), with and without Fantasyland that is owed."""

import pytest

from floor_table.domain import Clock, HouseDelayIn, TimeUpIn
from floor_table.domain.parts import TurnClock
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.history.v1.step_pb2 import Step
from tests.support.evening import code, names
from tests.support.points_evening import (
    NOTHING,
    QUEENS_ON_TOP,
    Planted,
    PointsEvening,
    planted_decks,
    points_settings,
)

BASE_MS, BANK_MS = 90_000, 30_000
FIRST = {2: ((1, 2), {1: QUEENS_ON_TOP, 2: NOTHING})}


def in_play(players: str = "ab", hands: Planted = FIRST, **ofc: int) -> PointsEvening:
    """Return a table whose first hand is planted; seat 1 is to lay out first."""
    settings = points_settings(seats=len(players), **ofc)  # type: ignore[arg-type]  # of OFC alone
    decks = planted_decks(settings, hands)
    evening = PointsEvening(settings, players=players, deck_of=decks)
    evening.settle()
    return evening


def clock(evening: PointsEvening, seat: int) -> TurnClock:
    found = evening.table.clock_of(seat)
    assert found is not None
    return found


def bank(evening: PointsEvening, seat: int) -> int:
    return evening.table.seats[seat].bank_ms


def events(evening: PointsEvening, name: str) -> list[TableEvent]:
    return [
        event
        for step in evening.steps
        for event in step.events
        if event.WhichOneof("event") == name
    ]


def confirm_all_but(evening: PointsEvening, seat: int) -> None:
    """Confirm for everybody until only this seat is asked."""
    while turns := [turn for turn in evening.turns() if turn.seat != seat]:
        evening.confirm(turns[0])
        evening.settle(begin=False)


@pytest.mark.rule("OFC-40")
def test_one_base_time_for_all_streets_of_a_hand() -> None:
    evening = in_play()
    assert clock(evening, 1).deadline_ms == evening.now_ms + BASE_MS
    evening.pass_time(30_000)
    step = evening.confirm()
    assert names(step)[:2] == ["base_time_left", "placement_confirmed"]
    evening.settle()
    assert clock(evening, 2).deadline_ms == evening.now_ms + BASE_MS, "each has its own"
    evening.pass_time(50_000)
    evening.confirm()
    evening.settle()
    assert clock(evening, 1).deadline_ms == evening.now_ms + 60_000, "none of it in others' turns"
    evening.pass_time(59_000)
    evening.confirm()
    evening.settle()
    evening.confirm()
    evening.settle()
    assert clock(evening, 1).deadline_ms == evening.now_ms + 1_000
    evening.pass_time(11_000)
    assert clock(evening, 1).bank_running
    evening.confirm()
    assert bank(evening, 1) == BANK_MS - 10_000
    evening.settle()
    evening.confirm()
    evening.settle()
    assert clock(evening, 1).deadline_ms == evening.now_ms, "the bank alone is left"
    assert clock(evening, 1).bank_ms == 20_000
    while evening.turns():
        evening.confirm()
        evening.settle(begin=False)
    evening.settle()
    assert clock(evening, 1).deadline_ms == evening.now_ms + BASE_MS, "a new hand"


@pytest.mark.rule("OFC-40", "OFC-42", "OFC-41")
def test_a_player_who_is_there_and_slow_is_laid_out_for_and_stays_in() -> None:
    evening = in_play()
    evening.move(evening.turns()[0].places[4].slot, evening.turns()[0].room[0].row)
    evening.pass_time(BASE_MS + BANK_MS + 1)
    step = next(step for step in evening.steps if "time_ran_out" in names(step))
    confirmed = next(
        event.hand.placement_confirmed
        for event in step.events
        if event.hand.HasField("placement_confirmed")
    )
    assert confirmed.by_time
    rows = {one.slot: one.row for one in confirmed.placements}
    assert set(rows.values()) == {3}, "the move was dropped: bottom first, as received"
    assert "sat_out" not in names(step)
    assert not evening.table.seats[1].sitting_out
    evening.confirm()
    evening.settle()
    ends = clock(evening, 1)
    assert ends.ends_ms == evening.now_ms, "neither base time nor bank is left"
    evening.pass_time(1)
    assert evening.turns()[0].seat == 2
    while evening.table.hand_no == 1:
        if [turn.seat for turn in evening.turns()] == [2]:
            evening.confirm()
        evening.settle(begin=False)
        evening.pass_time(1)
    evening.settle()
    assert evening.table.hand_no == 2, "the player stays in"


@pytest.mark.rule("OFC-41")
def test_the_option_sends_a_slow_player_out() -> None:
    evening = in_play(slow_player_sits_out=True)
    evening.pass_time(BASE_MS + BANK_MS + 1)
    (event,) = events(evening, "sat_out")
    assert (event.sat_out.seat, event.sat_out.reason) == (
        1,
        table_events_pb2.SIT_OUT_REASON_TIME_RAN_OUT,
    )


@pytest.mark.rule("OFC-41")
def test_a_lost_connection_starts_the_bank_at_once_and_a_return_stops_it() -> None:
    evening = in_play()
    evening.pass_time(20_000)
    step = evening.connect("a", here=False)
    assert names(step) == [
        "connection_changed",
        "base_time_left",
        "clock_set",
        "time_bank_started",
    ]
    assert clock(evening, 1).ends_ms == evening.now_ms + BANK_MS
    evening.pass_time(12_000)
    step = evening.connect("a")
    assert names(step) == ["connection_changed", "time_bank_changed", "clock_set"]
    assert bank(evening, 1) == BANK_MS - 12_000
    back = clock(evening, 1)
    assert back.deadline_ms == evening.now_ms + BASE_MS - 20_000, "the base time left goes on"
    assert not back.bank_running
    evening.confirm()
    evening.settle()
    evening.confirm()
    evening.settle()
    assert clock(evening, 1).deadline_ms == evening.now_ms + BASE_MS - 20_000


@pytest.mark.rule("OFC-41")
def test_in_the_bank_a_lost_connection_changes_nothing() -> None:
    evening = in_play()
    evening.pass_time(BASE_MS + 5_000)
    ends_ms = clock(evening, 1).ends_ms
    assert names(evening.connect("a", here=False)) == ["connection_changed", "base_time_left"]
    assert names(evening.connect("a")) == ["connection_changed"]
    assert clock(evening, 1).ends_ms == ends_ms


@pytest.mark.rule("OFC-41")
def test_a_confirmation_that_comes_before_the_connection_is_noted() -> None:
    evening = in_play()
    evening.pass_time(20_000)
    evening.connect("a", here=False)
    evening.pass_time(3_000)
    evening.confirm()
    assert bank(evening, 1) == BANK_MS - 3_000
    evening.connect("a")
    evening.settle()
    evening.confirm()
    evening.settle()
    assert clock(evening, 1).deadline_ms == evening.now_ms + BASE_MS - 20_000


@pytest.mark.rule("OFC-41", "OFC-42")
def test_not_back_in_time_the_hand_is_laid_out_scored_and_the_player_sits_out() -> None:
    evening = in_play("abc", {})
    first = evening.turns()[0].seat
    away = evening.table.player_at(first)
    evening.connect(away, here=False)
    evening.pass_time(BANK_MS + 1)
    step = next(step for step in evening.steps if "time_ran_out" in names(step))
    assert names(step)[:3] == ["time_bank_changed", "time_ran_out", "sat_out"]
    (event,) = events(evening, "sat_out")
    assert (event.sat_out.reason, event.sat_out.at_once) == (
        table_events_pb2.SIT_OUT_REASON_DISCONNECTED,
        False,
    )
    evening.connect(away)  # back, and too late for this hand
    while evening.turns():
        assert evening.turns()[0].seat != first, "all later streets are laid out at once"
        evening.confirm()
        evening.settle(begin=False)
    assert "points_scored" in names(evening.steps[-1])
    laid_out = [
        event.hand.placement_confirmed
        for step in evening.steps
        for event in step.events
        if event.hand.HasField("placement_confirmed")
        and event.hand.placement_confirmed.seat == first
    ]
    assert [one.by_time for one in laid_out] == [True] * 5
    evening.settle()
    opened = events(evening, "hand_began")[-1].hand_began
    assert opened.hand_no == 2
    assert first not in [seat.seat for seat in opened.seats]
    assert names(evening.sit_in(away)) == ["sat_in"]


@pytest.mark.rule("OFC-41")
def test_the_turn_of_a_seat_that_is_away_begins_with_the_bank() -> None:
    evening = in_play()
    evening.connect("b", here=False)
    assert clock(evening, 1).deadline_ms == evening.now_ms + BASE_MS
    evening.confirm()
    evening.settle()
    assert names(evening.steps[-1])[-2:] == ["clock_set", "time_bank_started"]
    assert clock(evening, 2).ends_ms == evening.now_ms + BANK_MS


@pytest.mark.rule("OFC-41")
def test_fantasyland_that_is_owed_is_dealt_and_laid_out_for_the_absent_player() -> None:
    evening = in_play()
    evening.connect("a", here=False)
    evening.pass_time(BANK_MS + 1)
    while evening.table.hand_no == 1:
        evening.confirm()
        evening.settle(begin=False)
    assert evening.table.matches.match is not None, "laid out in order it has queens on top"
    assert evening.table.seats[1].sitting_out
    evening.settle()
    assert evening.table.hand_no == 2
    assert [turn.seat for turn in evening.turns()] == [1, 2] or len(evening.turns()) == 2
    assert len(next(turn for turn in evening.turns() if turn.seat == 1).places) == 14
    evening.pass_time(1)
    assert [turn.seat for turn in evening.turns()] == [2], "no bank is left: laid out at once"
    confirm_all_but(evening, 1)
    evening.settle(begin=False)
    assert "points_scored" in names(evening.steps[-1])
    for _ in range(20):
        evening.settle()
        evening.pass_time(1)
        confirm_all_but(evening, 1)
    assert evening.table.hand_no == 0, "now the player sits out"
    assert evening.table.seats[1].sitting_out


@pytest.mark.rule("OFC-41")
def test_whoever_is_back_plays_the_owed_fantasyland() -> None:
    evening = in_play()
    evening.connect("a", here=False)
    evening.pass_time(BANK_MS + 1)
    while evening.table.hand_no == 1:
        evening.confirm()
        evening.settle(begin=False)
    evening.connect("a")
    evening.settle()
    assert clock(evening, 1).deadline_ms == evening.now_ms + BASE_MS
    turn = next(turn for turn in evening.turns() if turn.seat == 1)
    assert isinstance(evening.confirm(turn), Step)


@pytest.mark.rule("OFC-40", "OFC-42")
def test_several_clocks_run_out_each_at_its_time() -> None:
    evening = in_play()
    evening.play_hand()
    evening.settle()
    assert {turn.seat for turn in evening.turns()} == {1, 2}
    evening.pass_time(10_000)
    other = next(turn for turn in evening.turns() if turn.seat == 2)
    evening.confirm(other)
    evening.settle()
    assert clock(evening, 2).deadline_ms == evening.now_ms + BASE_MS - 10_000
    assert clock(evening, 1).deadline_ms == evening.now_ms + BASE_MS - 10_000
    evening.pass_time(BASE_MS + BANK_MS)
    ran_out = [event.time_ran_out.seat for event in events(evening, "time_ran_out")]
    assert sorted(set(ran_out)) == [1, 2]
    assert "points_scored" in [name for step in evening.steps for name in names(step)]


@pytest.mark.rule("CLK-5")
def test_the_house_gives_the_base_time_again() -> None:
    evening = in_play()
    evening.play_hand()
    evening.settle()
    evening.pass_time(40_000)
    evening.do(HouseDelayIn())
    for seat in (1, 2):
        assert clock(evening, seat).deadline_ms == evening.now_ms + BASE_MS
    evening.pass_time(40_000)
    evening.take_over()
    for seat in (1, 2):
        assert clock(evening, seat).deadline_ms == evening.now_ms + BASE_MS
    timer = evening.next_timer()
    assert timer is not None
    evening.now_ms = timer.at_ms + 10_000
    step = evening.do(TimeUpIn(Clock.BASE))
    assert names(step) == ["clock_set", "clock_set"], "it was the house that was late"


@pytest.mark.rule("CLK-4")
def test_time_is_not_up_before_it_is() -> None:
    evening = in_play()
    assert code(evening.do(TimeUpIn(Clock.BASE))) == "WRONG_STATE"
    assert code(evening.do(TimeUpIn(Clock.BANK))) == "WRONG_STATE"
