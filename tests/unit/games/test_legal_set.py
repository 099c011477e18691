"""What a seat in turn may do, at the edges: nothing to call, one size only, blinds posted short."""

from typing import Any

import pytest

from pokerfloor.games import (
    GAMES,
    ActionTaken,
    ForcedBet,
    ForcedKind,
    HandSetup,
    LegalSet,
    Structure,
)
from tests.support.games.scenario import Scenario, antes, table


def pot_limit(*stacks: int, **settings: Any) -> HandSetup:
    return table(*stacks, structure=Structure.POT_LIMIT, **settings)


@pytest.mark.rule("BET-2")
@pytest.mark.parametrize(("ante", "turns"), [(50, 0), (49, 1)])
def test_nothing_is_owed_to_an_opponent_who_could_post_nothing(ante: int, turns: int) -> None:
    # Heads-up, the ante takes all that the big blind has, or all but one chip.
    big_blind = ForcedBet(1, ForcedKind.BIG_BLIND, 10)
    hand = Scenario(table(50, 1000, big=10, forced=(big_blind, *antes(ante, 2))))
    if turns:
        assert (hand.seat, hand.legal.call_by, hand.legal.call_to) == (2, 1, 1)
        hand.play("c")
    assert len(hand.of(ActionTaken)) == turns
    assert sum(pot.amount for pot in hand.over.result.pots) == 100


@pytest.mark.rule("BET-1", "BET-31")
def test_who_may_only_check_has_no_all_in() -> None:
    # The cap is reached before the big blind has its option: a blind, a straddle and one raise.
    straddle = ForcedBet(3, ForcedKind.STRADDLE, 20)
    setup = table(
        *[1000] * 4,
        small=5,
        big=10,
        big_bet_minor=20,
        raise_cap=1,
        structure=Structure.FIXED_LIMIT,
        extra=(straddle,),
    )
    hand = Scenario(setup).play("c c c")
    assert hand.seat == 3
    assert hand.legal == LegalSet(
        can_fold=True,
        can_check=True,
        call_by=0,
        call_to=0,
        bet_min=0,
        bet_max=0,
        raise_min=0,
        raise_max=0,
        step=1,
        all_in_as=None,
        all_in_to=0,
        sizes_to=(),
        swap_slots=(),
    )


@pytest.mark.rule("BET-22")
def test_an_all_in_that_is_too_large_is_named_by_no_amount() -> None:
    legal = Scenario(pot_limit(1000, 1000, 1000)).legal
    assert (legal.all_in_as, legal.all_in_to, legal.raise_max) == (None, 0, 7)


@pytest.mark.rule("STD-4")
@pytest.mark.parametrize(("stack", "sizes"), [(41, (10, 20)), (25, (10, 14)), (21, ()), (15, ())])
def test_two_sizes_are_named_only_where_the_stack_has_more_than_the_smaller(
    stack: int, sizes: tuple[int, ...]
) -> None:
    # Seat 1 opens for 10, all call; seat 2 shows nines on fourth street, with what it has left.
    hole = {1: "AcAd4c5c", 2: "2c3d9h9d", 3: "KcKd7c8c"}
    setup = table(
        200,
        stack,
        200,
        game=GAMES["stud7"],
        structure=Structure.FIXED_LIMIT,
        forced=antes(1, 3),
        big=10,
        big_bet_minor=20,
    )
    hand = Scenario(setup, hole).play("c c")
    assert hand.seat == 2
    assert hand.legal.sizes_to == sizes


@pytest.mark.rule("SWP-1")
def test_the_slots_that_may_be_swapped_are_those_held() -> None:
    hand = Scenario(table(100, 100, 100, game=GAMES["swap_holdem"]))
    hand.play("c c k")
    while not hand.legal.swap_slots:
        hand.play("k")
    assert hand.legal.swap_slots == (1, 2)


# --- the largest raise when blinds were posted short (BET-21)


@pytest.mark.rule("BET-21")
def test_by_option_every_blind_posted_short_counts_in_full() -> None:
    # Small blind 3 of 5, big blind 4 of 10: with the option as if 15 lay there.
    setup = pot_limit(3, 4, 1000, 1000, small=5, big=10)
    assert Scenario(setup).legal.raise_max == 10 + 10 + 3 + 4
    full = pot_limit(3, 4, 1000, 1000, small=5, big=10, short_blind_counts_full=True)
    assert Scenario(full).legal.raise_max == 10 + 10 + 5 + 10


@pytest.mark.rule("BET-21")
def test_a_blind_that_takes_the_last_chip_is_not_short() -> None:
    exact = pot_limit(5, 10, 1000, 1000, small=5, big=10, short_blind_counts_full=True)
    assert Scenario(exact).legal.raise_max == 10 + 10 + 5 + 10


@pytest.mark.rule("BET-21")
def test_a_short_ante_does_not_count_in_full() -> None:
    setup = pot_limit(
        1000, 1000, 1000, 2, small=5, big=10, extra=antes(3, 4), short_blind_counts_full=True
    )
    hand = Scenario(setup)
    assert hand.seat == 3
    assert hand.legal.raise_max == 10 + 10 + (5 + 10) + (3 + 3 + 3 + 2)


@pytest.mark.rule("BET-21", "BET-20")
def test_after_the_first_street_only_what_lies_there_counts() -> None:
    setup = pot_limit(1000, 7, 1000, 1000, small=5, big=10, short_blind_counts_full=True)
    hand = Scenario(setup).play("c c c")
    assert hand.seat == 1
    assert hand.legal.bet_max == 37
