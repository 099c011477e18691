"""Pot-limit and fixed-limit hold'em (BET-20 to BET-33)."""

from dataclasses import replace
from typing import Any

import pytest

from pokerfloor.games import (
    ActionTaken,
    ActKind,
    BetTier,
    Code,
    ForcedBet,
    ForcedKind,
    HandSetup,
    MinRaise,
    Structure,
)
from tests.support.games.scenario import Scenario, antes, blinds, table


def pot_limit(*stacks: int, **settings: Any) -> HandSetup:
    return table(*stacks, structure=Structure.POT_LIMIT, **settings)


def fixed_limit(*stacks: int, small_bet: int = 10, big_bet: int = 20, **settings: Any) -> HandSetup:
    """Small bet/big bet with blinds of half the small bet and the small bet."""
    return table(
        *stacks,
        small=small_bet // 2,
        big=small_bet,
        big_bet_minor=big_bet,
        structure=Structure.FIXED_LIMIT,
        **settings,
    )


@pytest.mark.rule("BET-20", "BET-22")
def test_the_first_to_act_may_raise_to_seven_over_blinds_of_one_and_two() -> None:
    hand = Scenario(pot_limit(1000, 1000, 1000))
    assert (hand.legal.raise_min, hand.legal.raise_max) == (4, 7)
    assert hand.refused(ActKind.RAISE, 8).code == Code.AMOUNT_TOO_LARGE
    hand.play("r7")
    # 7 + 1 + 2 in the pot; the small blind calls 6 more: 16, so to 7 + 16.
    assert hand.legal.raise_max == 23


@pytest.mark.rule("BET-20")
def test_antes_and_collected_pots_count() -> None:
    setup = pot_limit(1000, 1000, 1000, extra=antes(1, 3))
    hand = Scenario(setup)
    assert hand.legal.raise_max == 2 + (3 + 3 + 2)
    hand.play("c c k")
    assert hand.legal.bet_max == 9  # three antes and three twos
    hand.play("b9")
    assert hand.legal.raise_max == 9 + 9 + 9 + 9


@pytest.mark.rule("BET-20")
def test_pot_of_a_hundred_and_a_bet_of_fifty() -> None:
    hand = Scenario(pot_limit(1000, 1000, small=50, big=50)).play("k k b50")
    assert hand.legal.raise_max == 250


@pytest.mark.rule("BET-21")
def test_a_short_blind_counts_at_its_real_value() -> None:
    hand = Scenario(pot_limit(1000, 3, 1000, small=5, big=10))
    # In the pot 5 + 3; the call of 10 makes it 18; to 10 + 18.
    assert (hand.legal.call_to, hand.legal.raise_min, hand.legal.raise_max) == (10, 20, 28)


@pytest.mark.rule("BET-22")
def test_the_maximum_is_never_below_the_minimum() -> None:
    # Both blinds are tiny: the pot after a call is 2 + 1 + 100, but the minimum raise is to 200.
    setup = pot_limit(2, 1, 1000, 1000, small=50, big=100)
    hand = Scenario(setup)
    assert hand.seat == 3
    assert (hand.legal.raise_min, hand.legal.raise_max) == (200, 203)
    only = Scenario(pot_limit(1000, 1000, 1000, forced=antes(1, 3), min_bet_minor=10))
    assert (only.legal.bet_min, only.legal.bet_max) == (10, 10)


@pytest.mark.rule("BET-22", "BET-12")
def test_all_in_is_only_open_up_to_the_maximum() -> None:
    hand = Scenario(pot_limit(1000, 1000, 6))
    hand.play("a")  # 6 of at most 7
    assert hand.last(ActionTaken).kind == ActKind.RAISE
    deep = Scenario(pot_limit(1000, 1000, 1000))
    assert deep.legal.all_in_as is None
    refusal = deep.refused(ActKind.ALL_IN)
    assert refusal.code == Code.AMOUNT_TOO_LARGE
    assert "1000" in refusal.reason


@pytest.mark.rule("BET-30", "BET-32")
def test_one_size_a_street() -> None:
    hand = Scenario(fixed_limit(1000, 1000, 1000, small_bet=300, big_bet=600))
    assert (hand.legal.raise_min, hand.legal.raise_max) == (600, 600)
    assert hand.refused(ActKind.RAISE, 650).code == Code.AMOUNT_TOO_LARGE
    assert hand.refused(ActKind.RAISE, 599).code == Code.AMOUNT_TOO_SMALL
    hand.play("c c k")
    assert (hand.legal.bet_min, hand.legal.bet_max) == (300, 300)
    hand.play("k k k")
    assert hand.hand.setup.game.streets[2].tier is BetTier.BIG
    assert (hand.legal.bet_min, hand.legal.bet_max) == (600, 600)


@pytest.mark.rule("BET-31", "BET-32")
def test_one_bet_and_three_raises() -> None:
    hand = Scenario(fixed_limit(1000, 1000, 1000)).play("r20 r30 r40")
    assert hand.legal.raise_max == 0
    assert hand.refused(ActKind.RAISE, 50).code == Code.ACTION_NOT_ALLOWED
    hand.play("c c")
    hand.play("b10 r20 r30 r40")
    assert hand.legal.raise_max == 0


@pytest.mark.rule("BET-31")
def test_heads_up_the_cap_stays_unless_the_option_lifts_it() -> None:
    words = "r20 r30 r40"
    assert Scenario(fixed_limit(1000, 1000)).play(words).legal.raise_max == 0
    lifted = Scenario(fixed_limit(1000, 1000, heads_up_uncapped=True)).play(words)
    assert lifted.legal.raise_max == 50
    # Three become two in mid-street: the cap stays; on the next street it is gone.
    three = Scenario(fixed_limit(1000, 1000, 1000, heads_up_uncapped=True)).play("f r20 r30 r40")
    assert three.legal.raise_max == 0
    three.play("c b10 r20 r30 r40")
    assert three.legal.raise_max == 50


@pytest.mark.rule("BET-31")
def test_a_seat_that_is_all_in_is_not_counted() -> None:
    setup = fixed_limit(1000, 1000, 10, heads_up_uncapped=True)
    hand = Scenario(setup).play("c c k b10 r20 r30 r40")
    assert hand.legal.raise_max == 50


@pytest.mark.rule("BET-33")
def test_an_all_in_bet_of_at_least_half_is_a_full_bet() -> None:
    # Size 20: all-in bet of 15, raise to 35.
    hand = Scenario(fixed_limit(35, 1000, 1000, small_bet=20, big_bet=20)).play("c c k a")
    assert hand.legal.call_to == 15
    assert hand.legal.raise_min == 35


@pytest.mark.rule("BET-33")
def test_an_all_in_raise_of_at_least_half_is_a_full_raise() -> None:
    # Size 10: bet 10, all-in 16, raise to 26; it uses up one of the cap and reopens the betting.
    hand = Scenario(fixed_limit(1000, 26, 1000, 1000)).play("c c c k b10 a")
    assert hand.legal.raise_min == 26
    hand.play("c f")
    assert hand.seat == 1
    assert hand.legal.raise_min == 26
    hand.play("r26 r36")
    assert hand.legal.raise_max == 0


@pytest.mark.rule("BET-33")
def test_an_all_in_raise_of_less_than_half_may_be_raised_to_the_full_level() -> None:
    # Size 10: bet 10, all-in 13, raise to 20.
    hand = Scenario(fixed_limit(1000, 23, 1000, 1000)).play("c c c k b10 a")
    assert hand.legal.raise_min == 20
    hand.play("c f")
    assert hand.seat == 1  # has acted
    assert (hand.legal.call_to, hand.legal.raise_max) == (13, 0)


@pytest.mark.rule("BET-33")
def test_the_completed_raise_uses_up_one_of_the_cap() -> None:
    hand = Scenario(fixed_limit(1000, 23, 1000, 1000)).play("c c c k b10 a r20 r30 r40")
    assert hand.legal.raise_max == 0


@pytest.mark.rule("BET-33", "BET-12")
def test_several_short_all_ins_reopen() -> None:
    # Bet 10, all-in 13, all-in 16: six more since the bettor acted, at least half a raise.
    hand = Scenario(fixed_limit(1000, 23, 26, 1000)).play("c c c k b10 a a c")
    assert hand.seat == 1
    assert (hand.legal.call_to, hand.legal.raise_min) == (16, 20)


@pytest.mark.rule("BET-32")
def test_a_straddle_is_the_first_raise() -> None:
    setup = fixed_limit(1000, 1000, 1000, 1000, extra=(ForcedBet(3, ForcedKind.STRADDLE, 20),))
    hand = Scenario(setup)
    assert hand.seat == 4
    hand.play("r30 r40")
    assert hand.legal.raise_max == 0


def test_doubling_means_nothing_in_fixed_limit() -> None:
    setup = fixed_limit(1000, 1000, 1000)
    other = replace(setup, settings=replace(setup.settings, min_raise=MinRaise.DOUBLE))
    assert Scenario(setup).legal == Scenario(other).legal
    assert setup.forced == blinds(5, 10, 3)
