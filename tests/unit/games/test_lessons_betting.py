"""What reports of other engines' users teach about betting and pots, each tried here once more."""

from __future__ import annotations

import pytest

from pokerfloor.games import (
    GAMES,
    Act,
    ActKind,
    Begin,
    Code,
    ForcedBet,
    ForcedBetPosted,
    ForcedKind,
    Hand,
    Over,
    RakeRule,
    StreetBegan,
    Structure,
    Void,
    check_setup,
)
from pokerfloor.games.pots import form_pots
from tests.support.games.scenario import Scenario, antes, blinds, done, refused, table


@pytest.mark.rule("ODD-1")
@pytest.mark.parametrize(
    ("button", "lucky"), [(1, [2, 3]), (2, [3, 1]), (3, [1, 2]), (0, [1, 2]), (9, [1, 2])]
)
def test_odd_chips_go_round_from_any_button_also_from_an_empty_seat(
    button: int, lucky: list[int]
) -> None:
    setup = table(100, 100, 100, button=button, forced=antes(1, 3), extra=_dead(2), min_bet_minor=2)
    hand = Scenario(setup, {1: "2c3d", 2: "2h3s", 3: "2d3c"}, "AsKsQsJsTs").play("k k k " * 4)
    assert {seat for _, seat, amount in hand.awards() if amount == 2} == set(lucky)
    assert sum(amount for _, _, amount in hand.awards()) == 5


def _dead(amount: int) -> tuple[ForcedBet, ...]:
    return (ForcedBet(1, ForcedKind.DEAD_SMALL, amount),)


@pytest.mark.rule("ODD-1", "ODD-4")
def test_what_divides_by_three_is_divided_by_three() -> None:
    for each in (101, 3_367, 10_100):
        hole = {1: "2c3d", 2: "2h3s", 3: "2d3c"}
        hand = Scenario(table(each, each, each), hole, "AsKsQsJsTs").play("a c c")
        assert [amount for _, _, amount in hand.awards()] == [each] * 3


@pytest.mark.rule("POT-1", "ODD-4")
def test_a_layer_whose_payers_have_all_folded_lies_in_the_pot_below() -> None:
    # Seats 3 and 4 paid 26 each for a top slice and are gone; 1 and 2 share all of it.
    pots = form_pots((1, 2, 3, 4), (0, 0, 0, 0), (20, 10, 26, 26), 0, (False, False, True, True))
    assert [(pot.amount, pot.eligible) for pot in pots] == [(40, (1, 2)), (42, (1,))]
    assert sum(pot.amount for pot in pots) == 82


@pytest.mark.rule("TBL-14", "POT-5")
@pytest.mark.parametrize("stack", [1, 2, 3])
def test_a_big_blind_never_owes_more_than_it_has(stack: int) -> None:
    hand = Scenario(table(100, stack, 100, small=1, big=3))
    posted = next(e for e in hand.of(ForcedBetPosted) if e.kind is ForcedKind.BIG_BLIND)
    assert (posted.amount, posted.all_in) == (stack, True)
    hand.play("c c k k k k k k")
    assert min(hand.stacks) >= 0
    assert sum(hand.stacks) == 200 + stack


@pytest.mark.rule("BET-2", "POT-2")
def test_heads_up_a_big_blind_of_one_chip_costs_the_small_blind_nothing_more() -> None:
    # The button has put in as much as the big blind can lose: no choice is left, and no debt.
    hand = Scenario(table(1, 100, small=1, big=2), {1: "2c3d", 2: "AsAh"}, "KsQs8h7d5c")
    assert isinstance(hand.hand.waits_for(), Over)
    assert sorted(hand.stacks) == [0, 101]


@pytest.mark.rule("BET-3", "BET-10")
def test_the_smallest_amounts_are_amounts() -> None:
    # A table of 0.01 and 0.02: every amount of a cent is a whole number.
    hand = Scenario(table(200, 200, 200))
    for to in range(4, 12):
        act = Act(hand.seat, hand.turn.turn_no, ActKind.RAISE, to)
        assert hand.hand.validate(act) is None, to
    hand.play("r5 f f")
    assert sum(hand.stacks) == 600


@pytest.mark.rule("BET-31", "BET-3")
def test_no_raise_is_offered_where_the_cap_is_reached() -> None:
    setup = table(100, 100, 100, structure=Structure.FIXED_LIMIT, big_bet_minor=4)
    hand = Scenario(setup).play("r4 r6 r8")
    legal = hand.legal
    assert (legal.raise_min, legal.raise_max, legal.sizes_to) == (0, 0, ())
    assert legal.all_in_as is None or legal.all_in_as is ActKind.CALL
    assert hand.refused(ActKind.RAISE, 10).code is Code.ACTION_NOT_ALLOWED
    assert hand.legal.call_to == 8


@pytest.mark.rule("BET-12")
def test_a_full_raise_is_no_part_of_a_sum_of_short_ones() -> None:
    # Blinds 1 and 2; all-in 16 is a full raise, all-in 19 a short one: the caller may not raise.
    setup = table(200, 19, 200, 16, small=1, big=2, button=1, forced=_blinds_at(2, 3))
    hand = Scenario(setup).play("a c a c")
    assert hand.seat == 1
    assert (hand.legal.call_to, hand.legal.raise_max) == (19, 0)
    assert hand.refused(ActKind.RAISE, 38).code is Code.ACTION_NOT_ALLOWED


def _blinds_at(small: int, big: int) -> tuple[ForcedBet, ...]:
    return (
        ForcedBet(small, ForcedKind.SMALL_BLIND, 1),
        ForcedBet(big, ForcedKind.BIG_BLIND, 2),
    )


@pytest.mark.rule("BET-12", "BET-11")
def test_short_all_ins_that_come_to_a_full_raise_reopen() -> None:
    # A bets 100, B is all-in for 125, C calls, D is all-in for 200, E calls: A may raise, C not.
    setup = table(1000, 126, 1000, 201, 1000, small=1, big=2, forced=antes(1, 5))
    hand = Scenario(setup).play("k k k k k")
    hand.play("b100 a c a c")
    assert hand.seat == 1
    assert (hand.legal.call_to, hand.legal.raise_min) == (200, 300)
    hand.play("c")
    assert (hand.seat, hand.legal.raise_max) == (3, 0)


@pytest.mark.rule("BET-11", "POT-2")
def test_the_least_raise_is_a_full_one_however_short_the_others_are() -> None:
    hand = Scenario(table(200, 1000, 1000, small=10, big=20)).play("r100 r180 f")
    assert (hand.legal.raise_min, hand.legal.raise_max) == (260, 1000)


@pytest.mark.rule("POT-10")
def test_rake_is_taken_once_and_the_nets_account_for_it() -> None:
    hole = {1: "AsAh", 2: "KsKh", 3: "QsQh"}
    setup = table(50, 120, 200, rake=RakeRule(500), extra=antes(3, 3))
    hand = Scenario(setup, hole, "2c3d7h8sTc").play("a a c")
    result = hand.over.result
    assert result.rake.total == (50 * 3 + 70 * 2) * 5 // 100
    assert sum(seat.net for seat in result.seats) + result.rake.total == 0
    assert sum(result.rake.by_pot) == result.rake.total


@pytest.mark.rule("DLR-8", "BET-3")
def test_a_hand_voided_before_it_began_does_not_begin() -> None:
    hand = Hand(table(100, 100))
    done(hand, Void("the deck is fouled"))
    assert refused(hand, Begin()).code is Code.HAND_OVER
    assert hand.state.stacks == [100, 100]


def test_a_forced_bet_that_nobody_was_to_post_cannot_be_true() -> None:
    hand = Hand(table(100, 100))
    hand.apply(StreetBegan(0, "pre-flop"))
    for kind in (ForcedKind.BIG_BLIND, ForcedKind.STRADDLE):
        with pytest.raises(AssertionError, match="owes no"):
            hand.copy().apply(ForcedBetPosted(2, kind, 2, all_in=False))


@pytest.mark.rule("STD-1", "STD-2")
@pytest.mark.parametrize(
    "extra",
    [
        blinds(1, 2, 3),
        (ForcedBet(2, ForcedKind.POST, 2),),
        (ForcedBet(2, ForcedKind.STRADDLE, 4),),
        (ForcedBet(2, ForcedKind.DEAD_SMALL, 1),),
    ],
    ids=["blinds", "post", "straddle", "dead small"],
)
def test_a_bring_in_does_not_stand_beside_blinds(extra: tuple[ForcedBet, ...]) -> None:
    stud = {"game": GAMES["stud7"], "structure": Structure.FIXED_LIMIT, "big_bet_minor": 4}
    assert check_setup(table(9, 9, 9, forced=antes(1, 3), **stud)) == ()  # type: ignore[arg-type]  # by name
    setup = table(9, 9, 9, forced=antes(1, 3), extra=extra, **stud)  # type: ignore[arg-type]  # by name
    assert [refusal.code for refusal in check_setup(setup)] == [Code.BAD_FORCED_BETS]


@pytest.mark.rule("BET-33", "STD-4")
def test_a_raise_to_the_upper_limit_over_a_short_bet_has_used_it() -> None:
    setup = table(
        100,
        6,
        100,
        game=GAMES["stud7"],
        structure=Structure.FIXED_LIMIT,
        big=4,
        big_bet_minor=8,
        forced=antes(1, 3),
    )
    hole = {1: "AcKc9d9h", 2: "AdKd2cJs", 3: "QhQc8d7d"}
    hand = Scenario(setup, hole).play("c c")
    hand.play("k a")  # all-in for 1, less than half of 4
    assert (hand.seat, hand.legal.sizes_to) == (3, (4, 8))
    hand.play("r8")
    assert (hand.seat, hand.legal.raise_min, hand.legal.raise_max) == (1, 16, 16)


@pytest.mark.rule("BET-33", "BET-12")
@pytest.mark.parametrize(
    ("third", "words", "reopened"), [(7, "b4 a a c", True), (6, "b4 c a c", False)]
)
def test_short_all_ins_of_exactly_half_a_bet_reopen_fixed_limit(
    third: int, words: str, reopened: bool
) -> None:
    # Size 4: over a bet of 4 all-in for 5 and then for 6, or for 5 alone; half of 4 is enough.
    setup = table(
        101,
        6,
        third,
        101,
        structure=Structure.FIXED_LIMIT,
        big=4,
        big_bet_minor=8,
        forced=antes(1, 4),
    )
    hand = Scenario(setup).play(f"k k k k {words}")
    assert hand.seat == 1
    assert bool(hand.legal.raise_max) == reopened
