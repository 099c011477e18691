"""To whom a bet or raise is open again, to the chip (BET-11, BET-12, BET-33)."""

import pytest

from pokerfloor.games import HandSetup, MinRaise, Structure
from tests.support.games.scenario import Scenario, table


def limit(*stacks: int) -> HandSetup:
    """Bets of 10 on every street, blinds of 5 and 10."""
    return table(
        *stacks, small=5, big=10, big_bet_minor=10, structure=Structure.FIXED_LIMIT, raise_cap=9
    )


def doubling(*stacks: int) -> HandSetup:
    return table(*stacks, small=5, big=10, min_raise=MinRaise.DOUBLE)


@pytest.mark.rule("BET-12")
def test_the_smallest_full_raise_reopens_the_betting() -> None:
    hand = Scenario(table(1000, 1000, 1000)).play("c c k b5 c r10")
    assert hand.seat == 1
    assert (hand.legal.raise_min, hand.legal.raise_max) == (15, 998)


@pytest.mark.rule("BET-12")
@pytest.mark.parametrize(("stack", "open_to"), [(199, 0), (200, 998)])
def test_short_all_ins_that_make_exactly_a_full_raise_reopen(stack: int, open_to: int) -> None:
    # Bet 100, all-in 150, all-in 199 or 200: the bettor faces 99 or 100 more.
    hand = Scenario(table(1000, 152, stack + 2, 1000)).play("c c c k b100 a a c")
    assert hand.seat == 1
    assert (hand.legal.call_to, hand.legal.raise_max) == (stack, open_to)


@pytest.mark.rule("BET-11", "BET-12")
@pytest.mark.parametrize(("stack", "open_to"), [(39, 0), (40, 990)])
def test_with_doubling_short_all_ins_reopen_at_twice_what_was_acted_on(
    stack: int, open_to: int
) -> None:
    # Bet 20, all-in 30, all-in 39 or 40: 40 is twice the 20 that the bettor made it.
    hand = Scenario(doubling(1000, 40, stack + 10, 1000)).play("c c c k b20 a a c")
    assert hand.seat == 1
    assert (hand.legal.call_to, hand.legal.raise_max) == (stack, open_to)


@pytest.mark.rule("BET-11", "BET-12")
@pytest.mark.parametrize(("stack", "open_to"), [(9, 0), (10, 990)])
def test_with_doubling_a_check_is_reopened_by_a_whole_minimum_bet(stack: int, open_to: int) -> None:
    # A check, all-in 6, all-in 9 or 10: neither is a full bet, ten together is.
    hand = Scenario(doubling(1000, 16, stack + 10, 1000)).play("c c c k k a a c")
    assert hand.seat == 1
    assert (hand.legal.call_to, hand.legal.raise_max) == (stack, open_to)


@pytest.mark.rule("BET-10", "BET-11")
def test_with_doubling_the_least_bet_is_the_minimum_bet_and_so_is_the_least_raise() -> None:
    hand = Scenario(doubling(1000, 14, 1000)).play("c c k k")
    assert (hand.seat, hand.legal.bet_max, hand.legal.all_in_to) == (2, 4, 4)
    assert Scenario(doubling(1000, 1000, 1000)).play("c c k").legal.bet_min == 10
    hand.play("a")  # all-in for 4: a raise is by ten at least
    assert hand.legal.raise_min == 14


@pytest.mark.rule("BET-33")
def test_an_all_in_raise_of_exactly_half_is_a_full_raise_and_less_is_not() -> None:
    half = Scenario(limit(1000, 25, 1000, 1000)).play("c c c k b10 a c c")
    assert half.seat == 1
    assert (half.legal.call_to, half.legal.raise_min) == (15, 25), "reopened to the bettor"
    less = Scenario(limit(1000, 24, 1000, 1000)).play("c c c k b10 a c c")
    assert less.seat == 1
    assert (less.legal.call_to, less.legal.raise_max) == (14, 0)


@pytest.mark.rule("BET-33", "BET-12")
@pytest.mark.parametrize(("stack", "raise_min"), [(14, 0), (15, 20)])
def test_in_limit_short_all_ins_reopen_from_half_a_raise_on(stack: int, raise_min: int) -> None:
    # Bet 10, all-in 12, all-in 14 or 15: four more is less than half a raise, five is half.
    hand = Scenario(limit(1000, 22, stack + 10, 1000)).play("c c c k b10 a a c")
    assert hand.seat == 1
    assert (hand.legal.call_to, hand.legal.raise_min) == (stack, raise_min)


@pytest.mark.rule("BET-33")
def test_a_raise_to_the_full_level_is_open_to_those_who_face_half_a_raise() -> None:
    # Bet 10, all-in 14, all-in 18, a call of 18, and a raise to 20: full, but two more to a caller.
    hand = Scenario(limit(1000, 24, 28, 1000, 1000, 1000))
    hand.play("c c c c c k b10 a a c r20")
    assert hand.seat == 6
    assert hand.legal.raise_min == 30
    hand.play("c")
    assert hand.seat == 1
    assert hand.legal.raise_min == 30, "the bettor may raise again"
    hand.play("c")
    assert hand.seat == 4
    assert (hand.legal.call_to, hand.legal.raise_max) == (20, 0), "the caller of 18 faces two"


@pytest.mark.rule("BET-33")
def test_an_all_in_to_the_full_level_is_no_raise_to_who_called_nearly_all_of_it() -> None:
    hand = Scenario(limit(20, 500, 13, 16, 500, 500)).play("a a c c a")
    assert hand.seat == 2
    assert hand.legal.raise_min == 30, "the big blind has not acted"
    hand.play("f")
    assert hand.seat == 5
    assert (hand.legal.call_by, hand.legal.raise_max) == (4, 0)
