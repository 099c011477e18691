"""Seats that win the same parts take turns with their odd chips (ODD-1 to ODD-3)."""

import pytest

from pokerfloor.games import Half
from pokerfloor.games.splitting import PartWinners, split_pot


def part(half: Half, *seats: int, board: int = 0) -> PartWinners:
    return PartWinners(board, half, seats)


def shares(
    chips: int, parts: list[PartWinners], high: list[int], low: list[int]
) -> list[tuple[int, str, int, int]]:
    awards = split_pot(0, chips, 1, parts, {Half.HIGH: high, Half.LOW: low})
    return [(award.board, award.half, award.seat, award.amount) for award in awards]


@pytest.mark.rule("ODD-3")
def test_the_turn_passes_to_a_seat_that_wins_the_same_and_to_no_other() -> None:
    # Nine chips: five for the high, four for the low. Seat 1 has the odd chip of the high half;
    # that of the low half would be its own again, so it is seat 2's, not seat 3's.
    parts = [part(Half.HIGH, 1, 2), part(Half.LOW, 1, 2, 3)]
    assert shares(9, parts, [1, 2, 3], [1, 3, 2]) == [
        (0, "high", 1, 3),
        (0, "high", 2, 2),
        (0, "low", 1, 1),
        (0, "low", 3, 1),
        (0, "low", 2, 2),
    ]


@pytest.mark.rule("ODD-3", "DBL-2")
def test_over_four_parts_the_turn_goes_round_and_round() -> None:
    # Twelve chips on two boards: each half is three, so that four odd chips are to be had.
    parts = [part(half, 1, 2, board=board) for board in (0, 1) for half in (Half.HIGH, Half.LOW)]
    assert shares(12, parts, [1, 2], [1, 2]) == [
        (0, "high", 1, 2),
        (0, "high", 2, 1),
        (0, "low", 1, 1),
        (0, "low", 2, 2),
        (1, "high", 1, 2),
        (1, "high", 2, 1),
        (1, "low", 1, 1),
        (1, "low", 2, 2),
    ]


@pytest.mark.rule("ODD-1", "ODD-3")
def test_two_odd_chips_of_one_half_go_to_two_seats() -> None:
    # Five chips for three: two seats get two. Then the low's odd chip is seat 3's.
    parts = [part(Half.HIGH, 1, 2, 3), part(Half.LOW, 3, 4)]
    assert shares(8, parts, [1, 2, 3, 4], [3, 4, 1, 2]) == [
        (0, "high", 1, 2),
        (0, "high", 2, 1),
        (0, "high", 3, 1),
        (0, "low", 3, 2),
        (0, "low", 4, 2),
    ]
    both = [part(Half.HIGH, 1, 2, 3), part(Half.LOW, 1, 2, 3)]
    # Ten: two odd chips of the high to 1 and 2, two of the low to 3 and 1.
    assert shares(10, both, [1, 2, 3], [1, 2, 3]) == [
        (0, "high", 1, 2),
        (0, "high", 2, 2),
        (0, "high", 3, 1),
        (0, "low", 1, 2),
        (0, "low", 2, 1),
        (0, "low", 3, 2),
    ]


def test_a_winner_alone_needs_no_order() -> None:
    awards = split_pot(3, 70, 10, [part(Half.HIGH, 5), part(Half.LOW, 2)], {})
    assert [(a.pot_no, a.half, a.seat, a.amount) for a in awards] == [
        (3, Half.HIGH, 5, 40),
        (3, Half.LOW, 2, 30),
    ]
