"""Bugs that other engines' users have reported, as scenarios that must not happen here."""

import pytest

from pokerfloor.games import (
    ActionTaken,
    ActKind,
    BetReturned,
    BetsCollected,
    CardsRevealed,
    Code,
    PotAwarded,
    RakeRule,
    RakeTaken,
    Structure,
)
from tests.support.games.scenario import Scenario, antes, table

RAGS = "2c3d7h8sTc"


@pytest.mark.rule("ODD-1", "ODD-4")
def test_two_of_three_tie_with_the_nut_straight_and_both_are_paid() -> None:
    hole = {1: "AsKd", 2: "AhKc", 3: "2c2d"}
    hand = Scenario(table(101, 101, 101), hole, "QsJhTd3c4c").play("a c c")
    assert hand.awards() == [(0, 1, 152), (0, 2, 151)]
    assert hand.stacks == [152, 151, 0]


@pytest.mark.rule("ODD-1")
def test_of_two_odd_chips_two_winners_have_one_each() -> None:
    # PokerKit 0.7.7 gives the first of them both.
    hole = {1: "2c3d", 2: "2h3s", 3: "2d3c", 4: "2s3h"}
    hand = Scenario(table(100, 100, 100, 100, 200), hole, "AsKsQsJsTs")
    hand.play("c c c c k a c c c f")
    assert sum(pot.amount for pot in hand.over.result.pots) == 402
    assert hand.stacks == [101, 101, 100, 100, 198]


@pytest.mark.rule("ODD-1")
def test_a_pot_that_divides_evenly_is_divided_evenly() -> None:
    hole = {1: "2c3d", 2: "2h3s", 3: "2d3c"}
    hand = Scenario(table(10_100, 10_100, 10_100), hole, "AsKsQsJsTs").play("a c c")
    assert [amount for _, _, amount in hand.awards()] == [10_100] * 3


@pytest.mark.rule("POT-1")
def test_all_who_paid_the_top_slice_folded() -> None:
    # Seats 3 and 4 build a side pot on the flop and both give it up; the rest is seats 1 and 2's.
    hole = {1: "AsAh", 2: "KsKh"}
    setup = table(20, 20, 500, 500)
    hand = Scenario(setup, hole, RAGS).play("r100 c a a b50 c b60 f")
    # Seat 4 has folded the turn: the side pot is seat 3's.
    assert hand.awards()[0][:2] == (1, 3)
    assert sum(amount for _, _, amount in hand.awards()) == 20 * 4 + 160 + 100


@pytest.mark.rule("BET-2")
def test_a_big_blind_exactly_all_in_leaves_the_small_blind_its_choice() -> None:
    hand = Scenario(table(2, 100))
    assert hand.seat == 2
    assert (hand.legal.can_fold, hand.legal.call_by, hand.legal.raise_max) == (True, 1, 0)
    hand.play("f")
    assert hand.awards() == [(0, 1, 2)]


@pytest.mark.rule("BET-2")
def test_a_big_blind_all_in_by_posting_leaves_the_others_all_their_actions() -> None:
    hand = Scenario(table(100, 2, 100, 100))
    legal = hand.legal
    assert (legal.can_fold, legal.call_to, legal.raise_min, legal.raise_max) == (True, 2, 4, 100)


@pytest.mark.rule("POT-3")
def test_the_last_seat_in_is_paid_however_good_the_folded_hands_were() -> None:
    hand = Scenario(table(100, 100, 100), {1: "AsAh", 2: "7c2d", 3: "KsKh"}, RAGS)
    hand.play("f f")
    assert hand.awards() == [(0, 2, 2)]


@pytest.mark.rule("POT-1", "POT-2")
def test_98_against_102() -> None:
    hole = {1: "AsAh", 2: "KsKh"}
    hand = Scenario(table(98, 102), hole, RAGS).play("a c")
    assert hand.stacks == [196, 4]
    other = Scenario(table(102, 98), hole, RAGS).play("a c")
    assert other.stacks == [200, 0]


@pytest.mark.rule("POT-1")
def test_three_all_ins_with_a_different_winner_each() -> None:
    hole = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
    hand = Scenario(table(10, 50, 90), hole, RAGS).play("a a c")
    assert hand.stacks == [30, 80, 40]


@pytest.mark.rule("BET-12")
def test_a_short_all_in_is_never_a_negative_raise() -> None:
    hand = Scenario(table(15, 100, 100)).play("r40 a f")
    action = hand.of(ActionTaken)[1]
    assert (action.kind, action.to, action.by) == (ActKind.CALL, 15, 14)
    assert all(event.by >= 0 for event in hand.of(ActionTaken))


@pytest.mark.rule("BET-12")
def test_a_full_raise_all_in_and_then_a_short_one_do_not_add_up() -> None:
    hand = Scenario(table(19, 100, 16, 100)).play("a c a c")
    assert (hand.seat, hand.legal.raise_max) == (4, 0)
    assert hand.refused(ActKind.RAISE, 40).code == Code.ACTION_NOT_ALLOWED


@pytest.mark.rule("BET-11", "POT-2")
def test_a_deep_stack_raises_in_full_and_gets_back_what_nobody_can_call() -> None:
    hand = Scenario(table(200, 1000, 1000, small=10, big=20)).play("r100 r180 f")
    assert (hand.seat, hand.legal.raise_min, hand.legal.raise_max) == (3, 260, 1000)
    hand.play("r260 c")
    assert [event.amount for event in hand.of(BetReturned)] == [60]
    assert hand.over.result.pots[0].amount == 420


@pytest.mark.rule("BET-20")
def test_the_pot_limit_maximum_counts_blinds_and_bets_not_yet_called() -> None:
    hand = Scenario(table(1000, 1000, 1000, structure=Structure.POT_LIMIT))
    assert hand.legal.raise_max == 7
    hand.play("c")
    assert hand.legal.raise_max == 8  # 2 + (1 + 2 + 2 + 1)
    hand.play("r8")
    assert hand.legal.raise_max == 8 + (8 + 2 + 2 + 6)


@pytest.mark.rule("BET-12")
def test_the_last_chips_can_be_raised() -> None:
    hand = Scenario(table(1000, 1000, 7, structure=Structure.POT_LIMIT))
    hand.play("r7")
    assert hand.last(ActionTaken).all_in


@pytest.mark.rule("BET-3")
def test_a_raise_larger_than_the_stack_is_refused() -> None:
    hand = Scenario(table(100, 100, 100))
    assert hand.refused(ActKind.RAISE, 104).code == Code.AMOUNT_TOO_LARGE
    assert min(hand.stacks) >= 0


@pytest.mark.rule("POT-10")
def test_no_rake_without_a_flop() -> None:
    hand = Scenario(table(100, 100, rake=RakeRule(1000))).play("r50 f")
    assert hand.of(RakeTaken) == []


@pytest.mark.rule("RNK-1")
def test_a_steel_wheel_beats_a_six_high_straight() -> None:
    hole = {1: "6h7d", 2: "As2s"}
    hand = Scenario(table(100, 100), hole, "3s4s5sKdQc").play("a c")
    assert hand.awards() == [(0, 2, 200)]


@pytest.mark.rule("RNK-1")
def test_flushes_are_compared_beyond_the_top_card() -> None:
    hole = {1: "9s2s", 2: "8s3s"}
    hand = Scenario(table(100, 100), hole, "AsKs4s7d8h").play("a c")
    assert hand.awards() == [(0, 1, 200)]


@pytest.mark.rule("BET-2")
def test_an_all_in_hand_has_its_turn_and_river() -> None:
    hand = Scenario(table(100, 100)).play("a c")
    assert [len(event.cards) for event in hand.of(CardsRevealed)] == [4, 3, 1, 1]


@pytest.mark.rule("POT-1")
def test_an_all_in_seat_stays_eligible_over_checked_streets() -> None:
    hole = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
    hand = Scenario(table(20, 100, 100), hole, RAGS).play("r20 a c k k k k k k")
    assert hand.awards() == [(0, 1, 60)]


@pytest.mark.rule("POT-4")
def test_a_tie_inside_a_side_pot() -> None:
    hole = {1: "AsAh", 2: "KsKh", 3: "KdKc"}
    hand = Scenario(table(20, 100, 100), hole, RAGS).play("a a c")
    assert hand.awards() == [(1, 2, 80), (1, 3, 80), (0, 1, 60)]


@pytest.mark.rule("POT-3")
def test_a_fold_of_everybody_in_an_all_in_pot_is_paid() -> None:
    # The all-in seat is left alone when the two others fold without a need.
    hand = Scenario(table(100, 2, 100)).play("f f")
    assert hand.awards() == [(0, 2, 2)]
    assert hand.of(PotAwarded)


@pytest.mark.rule("POT-1", "TBL-14")
def test_an_ante_that_takes_the_whole_stack() -> None:
    hand = Scenario(
        table(100, 5, 100, extra=antes(5, 3)), hole={1: "KsKh", 2: "AsAh", 3: "QsQh"}, board=RAGS
    )
    hand.play("c c k k k k k k")
    assert hand.of(BetsCollected)[0].pots[0].eligible == (1, 2, 3)
    assert hand.awards()[-1] == (0, 2, 15)
