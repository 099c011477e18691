"""How a pot is split among halves, boards and equal hands (ODD-1 to ODD-4)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pokerfloor.games.rows import Half
from pokerfloor.games.showdown import Award

_make = tuple.__new__  # half the time of calling the class


class PartWinners(NamedTuple):
    """The winners of one half on one board, several if their hands are equal.

    None if no hand qualifies: then the other half of the same board gets it all (LOW-3).
    """

    board: int
    half: Half
    seats: tuple[int, ...]


def split_pot(
    pot_no: int,
    amount: int,
    chip: int,
    parts: Sequence[PartWinners],
    odd_orders: Mapping[Half, Sequence[int]],
) -> tuple[Award, ...]:
    """Return the awards of one pot; they sum to `amount`, which is a whole number of chips.

    `parts` go board by board, the high half before the low. `odd_orders` give by half the order in
    which seats get odd chips (ODD-1). Seats that win the same parts take turns with their odd
    chips, so that they differ by at most one (ODD-3).
    """
    odd_chips = {seat: 0 for part in parts for seat in part.seats}
    awards: list[Award] = []
    for part, chips in _divide(parts, amount // chip):
        winners: Sequence[int] = part.seats
        if len(winners) > 1:  # else the order is not needed, and may be slow to compute
            winners = [seat for seat in odd_orders[part.half] if seat in part.seats]
        each, odd = divmod(chips, len(winners))
        lucky = _share_odd_chips(winners, odd, parts, odd_chips) if odd else set()
        for seat in winners:
            share = (each + (seat in lucky)) * chip
            if share:
                awards.append(_make(Award, (pot_no, part.board, part.half, seat, share)))
    assert sum([award.amount for award in awards]) == amount, "ODD-4: nothing is lost to rounding"
    return tuple(awards)


def _divide(parts: Sequence[PartWinners], chips: int) -> list[tuple[PartWinners, int]]:
    """Return each part that is won with its chips; boards are split first, then halves (ODD-2)."""
    if len(parts) == 1 and parts[0].seats:
        return [(parts[0], chips)]
    divided: list[tuple[PartWinners, int]] = []
    boards = sorted({part.board for part in parts})
    for nth, board in enumerate(boards):
        for_board = _piece(chips, len(boards), nth)
        halves = [part for part in parts if part.board == board and part.seats]
        divided += [(part, _piece(for_board, len(halves), mth)) for mth, part in enumerate(halves)]
    return divided


def _piece(chips: int, pieces: int, nth: int) -> int:
    """Return the size of the nth of equal pieces; odd chips go to the first ones."""
    return chips // pieces + (nth < chips % pieces)


def _share_odd_chips(
    winners: Sequence[int],
    odd: int,
    parts: Sequence[PartWinners],
    odd_chips: dict[int, int],
) -> set[int]:
    """Return the winners that get one odd chip each, and count them in `odd_chips`.

    The first of `winners` are in line; each passes its chip to the seat with the same parts that
    has had the fewest so far.
    """
    won = {seat: tuple([seat in part.seats for part in parts]) for seat in winners}
    lucky: set[int] = set()
    for pending in winners[:odd]:
        alike = [seat for seat in winners if won[seat] == won[pending] and seat not in lucky]
        seat = min(alike, key=odd_chips.__getitem__)  # the first in the order of `winners`
        lucky.add(seat)
        odd_chips[seat] += 1
    return lucky
