"""Matches, Fantasyland, the button and the circle (OFC-6, OFC-30 to OFC-34)."""

import pytest

from floor_table.domain import BeginHandIn, Operation
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from tests.support.evening import code, names
from tests.support.points_evening import (
    DEAD,
    NOTHING,
    PRICE,
    QUEENS_ON_TOP,
    Planted,
    PointsEvening,
    planted_decks,
    points_settings,
)

# Aces on top, in order: 16 cards of Fantasyland in the progressive modes.
ACES_ON_TOP = "2h4h6h8hThKcKd3sKsJd4d9cAc5sAdQc6s"


def evening_of(
    hands: Planted,
    players: str = "ab",
    *,
    seats: int = 0,
    **ofc: int,
) -> PointsEvening:
    """Return a table where planted hands are to be played; the button begins at the last seat."""
    options = {"seats": seats or len(players), **ofc}
    settings = points_settings(**options)  # type: ignore[arg-type]  # of OFC alone
    evening = PointsEvening(settings, deck_of=planted_decks(settings, hands))
    for index, player in enumerate(players):
        evening.sit(player, index + 1)
    return evening


def opened(evening: PointsEvening) -> list[HandBegan]:
    return [
        event.hand_began
        for step in evening.steps
        for event in step.events
        if event.HasField("hand_began")
    ]


def fantasyland(hand: HandBegan) -> dict[int, int]:
    return {one.seat: one.cards for one in hand.fantasyland}


def matches(evening: PointsEvening) -> list[tuple[int, bool]]:
    return [
        (event.match_changed.match_no, event.match_changed.began)
        for step in evening.steps
        for event in step.events
        if event.HasField("match_changed")
    ]


FIRST = {2: ((1, 2), {1: QUEENS_ON_TOP, 2: NOTHING})}
THREE = {2: ((1, 2, 3), {1: QUEENS_ON_TOP, 2: NOTHING})}


@pytest.mark.rule("OFC-6", "OFC-30", "OFC-34")
def test_the_hand_after_queens_on_top_is_fantasyland_of_the_same_match() -> None:
    evening = evening_of(FIRST)
    evening.play_hand()
    assert matches(evening) == [(1, True)]
    evening.settle()
    first, second = opened(evening)
    assert (first.match_no, second.match_no) == (1, 1)
    assert (fantasyland(first), fantasyland(second)) == ({}, {1: 14})
    assert (first.button, second.button) == (2, 1), "the button moves every hand"
    turns = evening.turns()
    assert {turn.seat: len(turn.places) for turn in turns} == {1: 14, 2: 5}
    assert {clock.seat for clock in evening.table.clocks} == {1, 2}, "both at the same time"


@pytest.mark.rule("OFC-34")
@pytest.mark.parametrize(
    ("mode", "cards"),
    [
        (settings_pb2.OFC_MODE_REGULAR, 14),
        (settings_pb2.OFC_MODE_PROGRESSIVE, 16),
        (settings_pb2.OFC_MODE_ULTIMATE, 16),
        (settings_pb2.OFC_MODE_JOKER, 16),
    ],
)
def test_the_mode_says_with_how_many_cards(mode: int, cards: int) -> None:
    evening = evening_of({2: ((1, 2), {1: ACES_ON_TOP})}, mode=mode)
    evening.play_hand()
    evening.settle()
    assert fantasyland(opened(evening)[1]) == {1: cards}


@pytest.mark.rule("OFC-32")
def test_one_of_three_in_fantasyland_comes_after_the_others() -> None:
    evening = evening_of(THREE, "abc")
    evening.play_hand()
    evening.settle()
    assert fantasyland(opened(evening)[1]) == {1: 14}
    seats: list[int] = []
    while evening.turns():
        assert len(evening.turns()) == 1
        seats.append(evening.turns()[0].seat)
        evening.confirm()
        evening.settle(begin=False)
    assert seats == [2, 3] * 5 + [1], "the button is on seat 1"


@pytest.mark.rule("OFC-32")
def test_heads_up_the_open_player_may_come_first() -> None:
    option = settings_pb2.FANTASYLAND_HEADS_UP_OPEN_FIRST
    evening = evening_of(FIRST, fantasyland_heads_up=option)
    evening.play_hand()
    evening.settle()
    assert [turn.seat for turn in evening.turns()] == [2]


@pytest.mark.rule("OFC-6")
def test_what_is_asked_for_in_a_match_waits_for_its_end() -> None:
    evening = evening_of(THREE, "abc")
    evening.play_hand()
    assert evening.table.hand_no == 0, "between two hands of the match"
    assert names(evening.leave("c")) == ["leave_requested"]
    assert names(evening.sit_out("b")) == ["sat_out"]
    evening.top_up("a", 100 * PRICE)
    evening.settle(begin=False)
    assert names(evening.steps[-1]) == ["top_up_held"]
    before = evening.points()
    evening.settle()
    second = opened(evening)[1]
    assert [seat.seat for seat in second.seats] == [1, 2, 3], "all play the hand"
    evening.play_hand()
    while evening.table.matches.match is not None:
        evening.play_hand()
    end = names(evening.steps[-1])
    assert end.index("match_changed") < end.index("seat_left")
    assert "chips_added" in end
    assert matches(evening) == [(1, True), (1, False)]
    assert evening.seat_no("c") == 0
    assert sum(evening.points().values()) <= sum(before.values()) + 100
    assert code(evening.do(BeginHandIn())) == "WRONG_STATE", "b sits out and c is gone"


@pytest.mark.rule("OFC-6")
def test_whoever_comes_in_a_match_plays_from_the_next_on() -> None:
    evening = evening_of(FIRST, seats=3)
    evening.play_hand()
    evening.sit("c")
    evening.play_hand()
    assert [seat.seat for seat in opened(evening)[1].seats] == [1, 2]
    while evening.table.matches.match is not None:
        evening.play_hand()
    evening.settle()
    last = opened(evening)[-1]
    assert [seat.seat for seat in last.seats] == [1, 2, 3]
    assert last.match_no == 2


@pytest.mark.rule("OFC-6", "OFC-22")
def test_a_player_without_points_is_out_and_the_earned_fantasyland_is_lost() -> None:
    # The first takes all that the second has; with one left there is nobody to play with.
    settings = points_settings(seats=2)
    settings.buy_in.min_minor = 5 * PRICE
    evening = PointsEvening(settings, deck_of=planted_decks(settings, FIRST))
    evening.sit("a", 1, 5 * PRICE)
    evening.sit("b", 2, 5 * PRICE)
    evening.play_hand()
    assert evening.points() == {"a": 10, "b": 0}
    assert matches(evening) == [(1, True), (1, False)]
    earned = [
        name for step in evening.steps for name in names(step) if name == "fantasyland_earned"
    ]
    assert earned, "it was earned, and is lost"


@pytest.mark.rule("OFC-6")
def test_three_players_of_whom_one_is_out_play_the_match_on() -> None:
    settings = points_settings()
    settings.buy_in.min_minor = 5 * PRICE
    evening = PointsEvening(settings, deck_of=planted_decks(settings, THREE))
    for player, points in (("a", 100), ("b", 5), ("c", 100)):
        evening.sit(player, 0, points * PRICE)
    evening.play_hand()
    assert evening.points()["b"] == 0
    assert evening.table.matches.match is not None
    assert names(evening.leave("b")) == ["seat_left"], "b is out of the match and may go"
    evening.settle()
    assert [seat.seat for seat in opened(evening)[1].seats] == [1, 3]


@pytest.mark.rule("OFC-11", "OFC-30")
def test_a_dead_hand_earns_no_fantasyland() -> None:
    evening = evening_of({2: ((1, 2), {1: DEAD})})
    evening.play_hand()
    assert matches(evening) == [(1, True), (1, False)]


@pytest.mark.rule("OFC-6", "DLR-8")
def test_a_void_fantasyland_hand_is_played_again_in_the_same_match() -> None:
    evening = evening_of(FIRST)
    evening.play_hand()
    points = evening.points()
    evening.settle()
    step = evening.operate(Operation.VOID, reason="fouled deck", hand_no=2)
    assert names(step) == ["hand_voided"]
    evening.settle()
    third = opened(evening)[2]
    assert (third.match_no, fantasyland(third), third.button) == (1, {1: 14}, 1)
    assert evening.points() == points


@pytest.mark.rule("OFC-6")
def test_a_closing_table_plays_its_match_to_the_end() -> None:
    evening = evening_of(FIRST)
    evening.play_hand()
    evening.operate(Operation.PAUSE)
    evening.settle()
    assert evening.table.hand_no == 0, "paused between two hands of a match"
    assert "table_closed" not in names(evening.operate(Operation.CLOSE))
    while not evening.table.closed:
        evening.play_hand()
    assert names(evening.steps[-1])[-1] == "table_closed"
    assert evening.table.chips_in == evening.table.chips_out


@pytest.mark.rule("OFC-6")
def test_nobody_joins_a_closed_circle() -> None:
    evening = evening_of({}, seats=3, closed_circle=True)
    evening.play_hand()
    evening.sit("c")
    _end_match(evening)
    dealt = _next_dealt(evening)
    assert dealt == [1, 2], "the circle of two has another match"
    _end_match(evening)
    assert _next_dealt(evening) == [1, 2, 3]


@pytest.mark.rule("OFC-6")
def test_a_circle_that_cannot_go_on_is_over() -> None:
    evening = evening_of({}, seats=3, closed_circle=True)
    evening.play_hand()
    _end_match(evening)
    evening.sit("c")
    evening.leave("b")
    assert _next_dealt(evening) == [1, 3]


def _end_match(evening: PointsEvening) -> None:
    while evening.table.matches.match is not None:
        evening.play_hand()


def _next_dealt(evening: PointsEvening) -> list[int]:
    evening.settle()
    return [seat.seat for seat in opened(evening)[-1].seats]


@pytest.mark.rule("OFC-6")
def test_the_table_owned_anew_between_two_hands_of_a_match() -> None:
    evening = evening_of(FIRST)
    evening.play_hand()
    evening.take_over()
    for player in "ab":
        assert isinstance(evening.connect(player, here=False), Step)
        evening.connect(player)
    evening.settle()
    assert fantasyland(opened(evening)[1]) == {1: 14}
    faces = {turn.seat: evening.faces(turn) for turn in evening.turns()}
    evening.take_over("three")
    assert {turn.seat: evening.faces(turn) for turn in evening.turns()} == faces
    evening.play_hand()
    assert sum(evening.points().values()) == 200
