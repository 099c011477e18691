"""Scoop at a table: hidden and simultaneous, clocks by seat, points (SCP-1 to SCP-6)."""

import pytest

from floor_table.domain import Operation, replay
from pokerfloor.api.history.v1.step_pb2 import Step
from tests.support.evening import code, names
from tests.support.points_evening import PointsEvening, at_random, points_settings


def in_play(players: str = "abcd") -> PointsEvening:
    evening = PointsEvening(points_settings("scoop", seats=4), players=players)
    evening.settle()
    return evening


@pytest.mark.rule("SCP-1", "SCP-2", "SCP-6")
def test_all_set_at_the_same_time_and_turn_and_river_come_afterwards() -> None:
    evening = in_play()
    turns = evening.turns()
    assert len(turns) == 4
    assert all(len(turn.places) == 7 and turn.hidden for turn in turns)
    assert len({clock.deadline_ms for clock in evening.table.clocks}) == 1
    assert evening.table.clocks[0].deadline_ms == evening.now_ms + 40_000
    assert len(evening.table.revealed_cards) == 3, "the flop"
    for index, turn in enumerate(reversed(turns)):
        step = evening.confirm(turn, at_random(turn, evening.random))
        opened = [name for name in names(step) if name == "layout_revealed"]
        assert len(opened) == (4 if index == 3 else 0)
        assert len(evening.table.clocks) == 3 - index
    evening.settle(begin=False)
    assert names(evening.steps[-1]) == ["points_scored", "hand_ended"]
    assert sum(evening.points().values()) == 400
    assert evening.table.matches.begun == 0, "Scoop has no matches"
    assert replay("t1", evening.steps).digest() == evening.table.digest()


@pytest.mark.rule("SCP-6", "CLK-2")
def test_whoever_does_not_set_is_set_for_and_sits_out_afterwards() -> None:
    evening = in_play("ab")
    slow = evening.turns()[0].seat
    evening.confirm(evening.turns()[1])
    evening.pass_time(40_001)
    assert evening.table.clock_of(slow).bank_running  # type: ignore[union-attr]  # its turn
    evening.pass_time(30_000)
    step = next(step for step in evening.steps if "time_ran_out" in names(step))
    assert names(step)[:4] == [
        "time_bank_changed",
        "time_ran_out",
        "sat_out",
        "placement_confirmed",
    ]
    hidden = next(
        event.hand.hidden_placement
        for event in step.events
        if event.hand.HasField("hidden_placement")
    )
    assert [one.row for one in hidden.placements] == [1, 1, 2, 2, 3, 3, 4]
    evening.settle()
    assert evening.table.hand_no == 0, "one of two sits out"
    assert evening.table.seats[slow].sitting_out


@pytest.mark.rule("CLK-3")
def test_a_lost_connection_keeps_the_clock_in_scoop() -> None:
    evening = in_play("ab")
    clocks = evening.table.clocks
    assert names(evening.connect("a", here=False)) == ["connection_changed"]
    assert evening.table.clocks == clocks


@pytest.mark.rule("TBL-3", "TBL-4")
def test_between_hands_players_come_and_go() -> None:
    evening = in_play("abc")
    assert names(evening.leave("a")) == ["leave_requested"]
    evening.sit("d")
    evening.play_hand()
    assert "seat_left" in names(evening.steps[-1])
    evening.settle()
    opened = evening.table.record.began  # type: ignore[union-attr]  # a hand
    assert sorted(seat.player_id for seat in opened.seats) == ["b", "c", "d"]
    assert opened.match_no == 0


@pytest.mark.rule("DLR-8", "CLK-5")
def test_void_close_and_a_new_owner() -> None:
    evening = in_play("abc")
    evening.confirm()
    evening.take_over()
    assert len(evening.table.clocks) == 2
    assert code(evening.move(1, None)) == "ACTION_NOT_ALLOWED"
    step = evening.operate(Operation.VOID, reason="fouled deck", hand_no=1)
    assert names(step) == ["hand_voided"]
    evening.settle()
    evening.operate(Operation.CLOSE)
    evening.play_hand(begin=False)
    assert evening.table.closed
    assert evening.table.chips_in == evening.table.chips_out == 300


@pytest.mark.rule("TBL-1")
def test_two_to_four_seats() -> None:
    for players in ("ab", "abc", "abcd"):
        evening = in_play(players)
        evening.play_hand()
        assert isinstance(evening.steps[-1], Step)
        assert sum(evening.points().values()) == 100 * len(players)
