"""How a pot is divided (ODD-1 to ODD-4)."""

import pytest

from pokerfloor.games import Award, Half
from pokerfloor.games.splitting import PartWinners, split_pot


def totals(awards: tuple[Award, ...]) -> dict[int, int]:
    sums: dict[int, int] = {}
    for award in awards:
        sums[award.seat] = sums.get(award.seat, 0) + award.amount
    return sums


def both(order: list[int]) -> dict[Half, list[int]]:
    return {Half.HIGH: order, Half.LOW: order}


def high(*seats: int, board: int = 0) -> PartWinners:
    return PartWinners(board, Half.HIGH, seats)


def low(*seats: int, board: int = 0) -> PartWinners:
    return PartWinners(board, Half.LOW, seats)


@pytest.mark.rule("ODD-1")
def test_equal_hands_share_to_the_smallest_chip() -> None:
    assert totals(split_pot(0, 30_300, 100, [high(1, 2, 3)], both([1, 2, 3]))) == {
        1: 10_100,
        2: 10_100,
        3: 10_100,
    }


@pytest.mark.rule("ODD-1")
def test_odd_chips_go_one_each_from_the_left_of_the_button() -> None:
    awards = split_pot(0, 110, 10, [high(1, 4, 6)], both([4, 6, 1]))
    assert totals(awards) == {4: 40, 6: 40, 1: 30}
    assert totals(split_pot(0, 2, 1, [high(1, 2, 3)], both([3, 1, 2]))) == {3: 1, 1: 1}


@pytest.mark.rule("ODD-2")
def test_the_odd_chip_goes_to_the_high_half_and_the_first_board() -> None:
    awards = split_pot(0, 7, 1, [high(1), low(2)], both([2, 1]))
    assert totals(awards) == {1: 4, 2: 3}
    boards = split_pot(0, 7, 1, [high(1, board=0), high(2, board=1)], both([2, 1]))
    assert totals(boards) == {1: 4, 2: 3}
    parts = [high(1, board=0), low(2, board=0), high(3, board=1), low(4, board=1)]
    # 15: 8 and 7 by board; 4 and 4, 4 and 3 by halves.
    assert totals(split_pot(0, 15, 1, parts, both([1, 2, 3, 4]))) == {1: 4, 2: 4, 3: 4, 4: 3}


@pytest.mark.rule("LOW-3", "ODD-2")
def test_without_a_low_the_high_half_takes_all() -> None:
    assert totals(split_pot(0, 7, 1, [high(1), low()], both([1, 2]))) == {1: 7}


@pytest.mark.rule("ODD-3")
def test_quartering() -> None:
    awards = split_pot(0, 100, 1, [high(1), low(1, 2)], both([1, 2]))
    assert totals(awards) == {1: 75, 2: 25}


@pytest.mark.rule("ODD-3")
def test_seats_that_win_the_same_parts_differ_by_one_chip_at_most() -> None:
    # Halves of 33: each would leave its odd chip with seat 1.
    awards = split_pot(0, 66, 1, [high(1, 2), low(1, 2)], both([1, 2]))
    assert totals(awards) == {1: 33, 2: 33}
    with_third = split_pot(0, 20, 1, [high(1, 2, 3), low(1, 2)], both([1, 2, 3]))
    # High 10: 4, 3, 3; low 10: 5, 5.
    assert totals(with_third) == {1: 9, 2: 8, 3: 3}


@pytest.mark.rule("ODD-4")
@pytest.mark.parametrize("amount", range(1, 40))
def test_nothing_is_lost(amount: int) -> None:
    parts = [high(1, 2, 3), low(2, 3), high(3, board=1), low(1, 2, 3, board=1)]
    awards = split_pot(0, amount * 5, 5, parts, both([2, 3, 1]))
    assert sum(award.amount for award in awards) == amount * 5
    assert all(award.amount > 0 and award.amount % 5 == 0 for award in awards)
