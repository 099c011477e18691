"""Clocks and connections (CLK-1 to CLK-5)."""

import pytest

from floor_table.domain import (
    BeginHandIn,
    Clock,
    ConnectionIn,
    HouseDelayIn,
    TimeUpIn,
    TookOverIn,
)
from floor_table.domain.parts import TurnClock
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1.settings_pb2 import TableSettings
from tests.support.evening import Evening, code, names, table_settings


def in_play(settings: TableSettings | None = None) -> Evening:
    """Return a hand of three in which somebody is to act."""
    evening = Evening(settings or table_settings())
    for player in ("ann", "bob", "carl"):
        evening.sit(player)
    evening.settle()
    return evening


def clock(evening: Evening) -> TurnClock:
    found = evening.table.clock
    assert found is not None
    return found


def bank(evening: Evening, seat: int) -> int:
    return evening.table.seats[seat].bank_ms


def actions(step: object) -> list[int]:
    assert isinstance(step, Step), step
    return [
        event.hand.action_taken.kind for event in step.events if event.hand.HasField("action_taken")
    ]


@pytest.mark.rule("CLK-1", "CLK-4")
def test_each_turn_has_the_base_time_and_then_the_bank() -> None:
    evening = in_play()
    set_to = clock(evening)
    assert set_to.deadline_ms == evening.now_ms + 20_000
    assert set_to.bank_ms == 30_000
    evening.now_ms = set_to.deadline_ms
    assert code(evening.do(TimeUpIn(Clock.BASE))) == "WRONG_STATE", "in time to the millisecond"
    evening.now_ms += 1
    assert names(evening.do(TimeUpIn(Clock.BASE))) == ["time_bank_started"]
    assert clock(evening).bank_running
    assert clock(evening).ends_ms == set_to.deadline_ms + 30_000
    seat = set_to.seat
    evening.now_ms = set_to.deadline_ms + 12_345
    assert names(evening.act("call"))[:2] == ["time_bank_changed", "action_taken"]
    assert bank(evening, seat) == 30_000 - 12_345


@pytest.mark.rule("CLK-1", "CLK-4")
def test_a_late_action_takes_from_the_bank_before_anybody_says_so() -> None:
    evening = in_play()
    set_to = clock(evening)
    evening.now_ms = set_to.deadline_ms + 1_000
    assert names(evening.act("call"))[0] == "time_bank_changed"
    assert bank(evening, set_to.seat) == 29_000


@pytest.mark.rule("CLK-4")
def test_arrival_decides() -> None:
    evening = in_play()
    ends_ms = clock(evening).ends_ms
    evening.now_ms = ends_ms + 5_000
    digest = evening.table.digest()
    assert code(evening.act("call", late_ms=-4_999)) == "TOO_LATE"
    assert evening.table.digest() == digest
    assert "action_taken" in names(evening.act("call", late_ms=-5_000))


@pytest.mark.rule("CLK-2")
def test_time_runs_out_check_when_free_else_fold() -> None:
    evening = in_play()
    first = clock(evening).seat
    evening.pass_time(50_002)
    step = next(step for step in reversed(evening.steps) if "time_ran_out" in names(step))
    assert names(step)[:4] == ["time_bank_changed", "time_ran_out", "sat_out", "action_taken"]
    assert actions(step) == [hand_events_pb2.ACTION_KIND_FOLD]
    assert evening.table.seats[first].sitting_out
    assert bank(evening, first) == 0
    evening.act("call")  # the small blind
    big = clock(evening).seat
    evening.pass_time(50_002)
    step = next(step for step in reversed(evening.steps) if "time_ran_out" in names(step))
    assert actions(step) == [hand_events_pb2.ACTION_KIND_CHECK], "never fold what can check"
    assert evening.table.in_hand(big)
    evening.fold_around()
    evening.settle()
    assert evening.table.hand_no == 0, "two of three sit out from the next hand on"


@pytest.mark.rule("CLK-2")
def test_whoever_ran_out_of_time_comes_back_by_saying_so_once() -> None:
    evening = in_play()
    first = clock(evening).seat
    player = evening.table.player_at(first)
    evening.pass_time(50_002)
    assert names(evening.sit_in(player)) == ["sat_in"]
    evening.fold_around()
    evening.settle()
    assert evening.table.in_hand(first), "nothing was missed, so nothing is waited for"


@pytest.mark.rule("CLK-1")
def test_without_a_bank_the_base_time_is_all() -> None:
    settings = table_settings()
    settings.clock.bank_ms = 0
    evening = in_play(settings)
    evening.now_ms = clock(evening).deadline_ms + 1
    assert "time_ran_out" in names(evening.do(TimeUpIn(Clock.BASE)))


@pytest.mark.rule("CLK-1")
def test_the_bank_is_refilled_each_ten_hands_up_to_its_cap() -> None:
    settings = table_settings()
    settings.clock.bank_ms = 52_000
    evening = in_play(settings)
    banks = []
    for _ in range(31):
        banks.append(bank(evening, 1))
        evening.fold_around()
        evening.settle()
    assert banks[9:12] == [52_000, 57_000, 57_000]
    assert banks[20] == 60_000
    assert banks[30] == 60_000
    refills = [
        name for step in evening.steps for name in names(step) if name == "time_bank_changed"
    ]
    assert len(refills) == 2 * 3, "twice for each of the three, and no more when it is full"


@pytest.mark.rule("CLK-1")
def test_leaving_and_coming_back_fills_no_bank() -> None:
    evening = Evening(table_settings())
    evening.sit("ann", 1)
    evening.sit("bob", 2)
    evening.settle()
    first = clock(evening).seat
    player = evening.table.player_at(first)
    evening.now_ms = clock(evening).deadline_ms + 7_000
    evening.act("fold")
    evening.leave(player)
    evening.sit(player, 5)
    assert bank(evening, 5) == 23_000


@pytest.mark.rule("CLK-3")
def test_a_lost_connection_keeps_seat_and_clock() -> None:
    evening = in_play()
    set_to = clock(evening)
    assert names(evening.do(ConnectionIn(set_to.seat, connected=True))) == ["connection_changed"]
    assert code(evening.do(ConnectionIn(set_to.seat, connected=True))) == "WRONG_STATE"
    assert names(evening.do(ConnectionIn(set_to.seat, connected=False))) == ["connection_changed"]
    assert clock(evening) == set_to
    assert code(evening.do(ConnectionIn(6, connected=True))) == "WRONG_STATE"


@pytest.mark.rule("CLK-5")
def test_after_a_change_of_owner_the_base_time_begins_again() -> None:
    evening = in_play()
    set_to = clock(evening)
    evening.now_ms = set_to.ends_ms + 60_000
    epoch = evening.table.owner_epoch
    assert names(evening.do(TookOverIn("two"))) == ["owner_changed", "clock_set"]
    assert evening.table.owner_epoch == epoch + 1
    assert clock(evening).deadline_ms == evening.now_ms + 20_000
    assert clock(evening).bank_ms == 30_000, "nothing is taken from the bank"
    assert (clock(evening).seat, clock(evening).turn_no) == (set_to.seat, set_to.turn_no)


@pytest.mark.rule("CLK-5")
def test_a_clock_that_the_house_looked_at_too_late_is_set_again() -> None:
    evening = in_play()
    set_to = clock(evening)
    evening.now_ms = set_to.deadline_ms + 2_002
    assert names(evening.do(TimeUpIn(Clock.BASE))) == ["clock_set"]
    assert clock(evening).deadline_ms == evening.now_ms + 20_000
    assert names(evening.do(HouseDelayIn())) == ["clock_set"]
    evening.fold_around()
    assert code(evening.do(HouseDelayIn())) == "WRONG_STATE"


@pytest.mark.rule("CLK-2")
def test_no_clock_runs_before_the_cards_are_there() -> None:
    evening = Evening(table_settings())
    evening.sit("ann")
    evening.sit("bob")
    evening.settle()
    evening.fold_around()
    evening.do(BeginHandIn())
    assert evening.table.hand_no == 2
    assert evening.table.clock is None, "the deck is still being made"
