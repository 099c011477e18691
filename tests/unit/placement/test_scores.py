"""Scores: order, caps, Fantasyland; a reported score must be right (OFC-20 to OFC-22, SCP-5)."""

from __future__ import annotations

import pytest

from pokerfloor.games import Code, HandEnded, Over, Refusal, SeatResult, SeatStack
from pokerfloor.games.placement import (
    SCOOP,
    FantasylandEarned,
    LayoutScore,
    PairPoints,
    PlacementGame,
    PointsScored,
    Scored,
    ScoringResult,
)
from tests.support.games.placement_table import Played, score, setup_of, with_cards


def laid_out(*stacks: int, button: int | None = None, game: PlacementGame | None = None) -> Played:
    base = setup_of(len(stacks), stacks=stacks, button=button)
    if game is not None:
        base = setup_of(len(stacks), stacks=stacks, button=button, game=game)
    hand = Played(base)
    hand.lay_out_all()
    return hand


def scored_layouts(hand: Played, *fouled: int) -> tuple[LayoutScore, ...]:
    return tuple(
        one._replace(fouled=one.seat in fouled, royalty_points=0)
        for one in score(hand.request).layouts
    )


def result_of(hand: Played, *pairs: tuple[int, int, int, int]) -> ScoringResult:
    return ScoringResult(tuple(PairPoints(*pair) for pair in pairs), scored_layouts(hand))


@pytest.mark.rule("OFC-14", "OFC-20", "OFC-21", "OFC-22")
def test_the_worked_settlement() -> None:
    """First 5, second 10, button 135: 20, 0 and 130 after it."""
    hand = laid_out(5, 10, 135)
    result = result_of(hand, (1, 2, 10, 5), (1, 3, 40, 10), (2, 3, -20, -5))
    events = hand.execute(Scored(result))
    assert events == (
        PointsScored(result.pairs, result.layouts),
        HandEnded(
            (
                SeatResult(1, 5, 20, 15, 0),
                SeatResult(2, 10, 0, -10, 0),
                SeatResult(3, 135, 130, -5, 0),
            ),
            0,
        ),
    )
    assert hand.hand.state.stacks == {1: 20, 2: 0, 3: 130}
    over = hand.hand.waits_for()
    assert isinstance(over, Over)
    assert [(seat.seat, seat.net) for seat in over.result.seats] == [(1, 15), (2, -10), (3, -5)]
    assert hand.hand.state.score == PointsScored(result.pairs, result.layouts)


@pytest.mark.rule("OFC-21")
@pytest.mark.parametrize(
    ("button", "pairs"),
    [
        (3, ((1, 2), (1, 3), (2, 3))),
        (1, ((2, 3), (2, 1), (3, 1))),
        (2, ((3, 1), (3, 2), (1, 2))),
    ],
)
def test_order_of_settlement(button: int, pairs: tuple[tuple[int, int], ...]) -> None:
    hand = laid_out(50, 50, 50, button=button)
    assert [(pair.a, pair.b) for pair in score(hand.request).pairs] == list(pairs)
    wrong = result_of(hand, *[(a, b, 0, 0) for a, b in reversed(pairs)])
    refusal = hand.refused(Scored(wrong))
    assert (refusal.code, refusal.field) == (Code.WRONG_RESULT, "pairs")
    hand.execute(Scored(result_of(hand, *[(a, b, 0, 0) for a, b in pairs])))


@pytest.mark.rule("SCP-5")
def test_scoop_settles_by_seats_from_the_left_of_the_button() -> None:
    hand = laid_out(50, 50, 50, 50, button=2, game=SCOOP)
    pairs = [(3, 4), (3, 1), (3, 2), (4, 1), (4, 2), (1, 2)]
    assert [(pair.a, pair.b) for pair in score(hand.request).pairs] == pairs
    hand.execute(Scored(score(hand.request)))
    assert sum(hand.hand.state.stacks.values()) == 200


@pytest.mark.rule("OFC-22")
@pytest.mark.parametrize(
    ("paid", "good"), [(10, False), (6, False), (5, True), (4, False), (0, False), (-5, False)]
)
def test_paid_is_what_was_scored_cut_to_the_smaller_stack(paid: int, *, good: bool) -> None:
    hand = laid_out(5, 10)
    result = result_of(hand, (1, 2, 10, paid))
    if good:
        hand.execute(Scored(result))
        assert hand.hand.state.stacks == {1: 10, 2: 5}
        return
    assert hand.refused(Scored(result)) == Refusal(
        Code.WRONG_RESULT,
        f"seat 1 gets 5 from seat 2, not {paid}, with 5 and 10 before it",
        "pairs",
    )


def test_layouts_of_all_seats_in_order() -> None:
    hand = laid_out(50, 50)
    good = result_of(hand, (1, 2, 0, 0))
    one, two = good.layouts
    for layouts in (
        (two, one),
        (one,),
        (one._replace(rows=one.rows[:2]), two),
        (one._replace(royalty_points=-1), two),
        (one._replace(fouled=True, royalty_points=2), two),
    ):
        refusal = hand.refused(Scored(good._replace(layouts=layouts)))
        assert (refusal.code, refusal.field) == (Code.WRONG_RESULT, "layouts")


@pytest.mark.rule("OFC-30", "OFC-33")
def test_fantasyland_is_told_after_the_points() -> None:
    hand = Played(setup_of(3, (2, 14)))
    hand.lay_out_all()
    earned = (FantasylandEarned(1, 15, False), FantasylandEarned(2, 14, True))
    result = score(hand.request)._replace(layouts=scored_layouts(hand), fantasyland=earned)
    events = hand.execute(Scored(result))
    assert events[1:3] == earned
    assert isinstance(events[3], HandEnded)
    assert hand.hand.state.fantasyland_earned == earned


@pytest.mark.rule("OFC-11", "OFC-33", "OFC-34")
@pytest.mark.parametrize(
    ("earned", "reason"),
    [
        ([FantasylandEarned(3, 14, False)], "the hand of seat 3 is fouled"),
        ([FantasylandEarned(1, 13, False)], "Fantasyland has 14 to 17 cards, not 13"),
        ([FantasylandEarned(1, 18, False)], "Fantasyland has 14 to 17 cards, not 18"),
        ([FantasylandEarned(1, 14, True)], "seat 1 is not in Fantasyland already"),
        ([FantasylandEarned(2, 14, False)], "seat 2 is in Fantasyland already"),
        (
            [FantasylandEarned(2, 14, True), FantasylandEarned(1, 14, False)],
            "Fantasyland is reported in the order [1, 2, 3], not [2, 1]",
        ),
        (
            [FantasylandEarned(1, 14, False)] * 2,
            "Fantasyland is reported in the order [1, 2, 3], not [1, 1]",
        ),
        (
            [FantasylandEarned(4, 14, False)],
            "Fantasyland is reported in the order [1, 2, 3], not [4]",
        ),
    ],
)
def test_fantasyland_that_nobody_earned(earned: list[FantasylandEarned], reason: str) -> None:
    hand = Played(setup_of(3, (2, 14)))
    hand.lay_out_all()
    result = score(hand.request)._replace(
        layouts=scored_layouts(hand, 3), fantasyland=tuple(earned)
    )
    assert hand.refused(Scored(result)) == Refusal(Code.WRONG_RESULT, reason, "fantasyland")


@pytest.mark.rule("OFC-30", "OFC-33", "OFC-34")
def test_entering_staying_and_leaving_fantasyland() -> None:
    """A pair of queens on top enters; four of a kind stays; queens on top renew nothing."""
    setup = setup_of(2)
    received = "AcAdAhAsKc KdKh2c 9c9d3c 8cQc3d QdTc4c".replace(" ", "")
    hand = Played(setup, cards=with_cards(setup, 1, received))
    hand.confirm(bottom="1 2 3 4 5")
    hand.time_up(2)
    for rows in ({"middle": "6 7"}, {"middle": "9 10"}, {"middle": "12", "top": "13"}):
        hand.confirm(None, **rows)
        hand.time_up(2)
    hand.confirm(top="15 16")
    hand.time_up(2)
    events = hand.execute(Scored(score(hand.request)))
    assert FantasylandEarned(1, 14, False) in events
    for packet, earned in (
        ("AcAdAhAs2c KcKdKh3c3d QcQd4c 5c", (FantasylandEarned(1, 14, True),)),
        ("AcAdAhKs2c KcKd4h3c3d QcQd4c 5c", ()),
    ):
        setup = setup_of(2, (1, 14))
        hand = Played(setup, cards=with_cards(setup, 1, packet.replace(" ", "")))
        hand.lay_out_all()
        events = hand.execute(Scored(score(hand.request)))
        assert tuple(event for event in events if isinstance(event, FantasylandEarned)) == earned


def test_scoop_has_no_fantasyland() -> None:
    hand = laid_out(50, 50, game=SCOOP)
    result = score(hand.request)._replace(fantasyland=(FantasylandEarned(1, 14, False),))
    assert hand.refused(Scored(result)).reason == "Scoop Hold'em has no Fantasyland"


def test_what_is_to_be_scored() -> None:
    hand = laid_out(30, 40, 50, button=1)
    request = hand.request
    assert (request.hand_no, request.button, request.board) == (7, 1, ())
    assert request.stacks == (SeatStack(2, 40), SeatStack(3, 50), SeatStack(1, 30))
    for layout in request.layouts:
        for row, cards in layout.rows:
            assert layout.faces(row) == tuple(card for _, card in cards)
            for place, card in cards:
                assert place.owner == layout.seat
                assert hand.cards[hand.hand.deck_index(place).index] == card
