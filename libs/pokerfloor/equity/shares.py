"""Who wins how often: strengths over run-outs, counted in integers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokerfloor.games import Half
from pokerfloor.ranking import NO_LOW

PPM: Final = 1_000_000
# Pieces of one run-out: divisible by any number of equal hands and halves.
_PIECES: Final = 2 * lcm(*range(1, 11))

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PartShare:
    """The share of a hand in one half on one board, as counts of run-outs and in ppm.

    `wins` are run-outs that it wins alone, `ties` those that it shares. `share` is its part of all
    run-outs (including those that nobody wins), with ties divided among their hands.
    """

    wins: int
    ties: int
    share: Fraction
    win_ppm: int
    tie_ppm: int
    share_ppm: int


@dataclass(frozen=True, slots=True)
class PartEquity:
    """One half on one board (from 0): the number of run-outs, and the share of each hand.

    `nobody` are the run-outs where no hand qualifies. `exact`: these are all run-outs; else they
    are samples.
    """

    board: int
    half: Half
    runouts: int
    exact: bool
    nobody: int
    shares: tuple[PartShare, ...]


@dataclass(frozen=True, slots=True)
class HandEquity:
    """The share of a hand in the whole pot, without odd chips; the shares sum to one.

    `by_half` is the part of `share` from each half, in the order of the parts.
    `standard_error_ppm` is the standard error of `share` if any board was sampled, 0 if it is
    exact. It is estimated from the samples, so it is also 0 if all of them are equal.
    """

    share: Fraction
    share_ppm: int
    standard_error_ppm: int
    by_half: tuple[tuple[Half, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Equity:
    """The equity: the whole pot by hand, and its parts board by board, high before low."""

    hands: tuple[HandEquity, ...]
    parts: tuple[PartEquity, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class BoardEquity:
    """One board: its parts, the share of each hand by half, and the variance of that share."""

    parts: tuple[PartEquity, ...]
    halves: Mapping[Half, tuple[Fraction, ...]]
    variances: tuple[float, ...]


def count_board(
    board: int,
    strengths: Mapping[Half, Sequence[NDArray[np.int32]]],
    weights: Ints,
    *,
    exact: bool,
) -> BoardEquity:
    """Return the equity on one board from the strengths by half and hand, over its run-outs.

    A half that nobody qualifies for goes to the other half (LOW-3).
    """
    runouts = int(weights.sum())
    parts: list[PartEquity] = []
    pieces: list[Ints] = []
    won: list[NDArray[np.bool_]] = []
    for half, by_hand in strengths.items():
        part, of_part, qualified = _count_part(board, half, by_hand, weights, exact=exact)
        parts.append(part)
        pieces.append(of_part)
        won.append(qualified)
    halves = np.add.reduce([qualified.astype(np.int64) for qualified in won])
    assert (halves > 0).all(), "somebody must win a half in every run-out"
    by_half = [of_part // halves for of_part in pieces]
    whole = np.add.reduce(by_half)
    assert (whole.sum(axis=0) == _PIECES).all(), "a pot must be divided without remainder"
    shares = {
        half: tuple([Fraction(int(total), runouts * _PIECES) for total in of_half @ weights])
        for half, of_half in zip(strengths, by_half, strict=True)
    }
    variances = [0.0] * len(whole)
    if not exact and runouts > 1:
        deviations = (whole / _PIECES).std(axis=1, ddof=1)
        variances = [float(deviation**2) / runouts for deviation in deviations]
    return BoardEquity(tuple(parts), shares, tuple(variances))


def _count_part(
    board: int, half: Half, by_hand: Sequence[NDArray[np.int32]], weights: Ints, *, exact: bool
) -> tuple[PartEquity, Ints, NDArray[np.bool_]]:
    """Return the part, the pieces of each hand in each run-out, and where anybody wins it."""
    best = np.maximum.reduce(list(by_hand))
    qualified = best != NO_LOW
    wins = [(strengths == best) & qualified for strengths in by_hand]
    winners = np.add.reduce([won.astype(np.int64) for won in wins])
    alone = winners == 1
    each = _PIECES // np.maximum(winners, 1)
    pieces = np.stack([won * each for won in wins])
    runouts = int(weights.sum())
    shares: list[PartShare] = []
    for won, of_hand in zip(wins, pieces, strict=True):
        by_itself = int(weights[won & alone].sum())
        tied = int(weights[won].sum()) - by_itself
        share = Fraction(int(of_hand @ weights), runouts * _PIECES)
        ppm = [in_ppm(Fraction(count, runouts)) for count in (by_itself, tied)]
        shares.append(PartShare(by_itself, tied, share, ppm[0], ppm[1], in_ppm(share)))
    nobody = runouts - int(weights[qualified].sum())
    part = PartEquity(board, half, runouts, exact, nobody, tuple(shares))
    return part, pieces, qualified


def whole_pot(boards: Sequence[BoardEquity]) -> Equity:
    """Return the equity of the pot, which the boards share equally (DBL-2)."""
    hands: list[HandEquity] = []
    for number in range(len(boards[0].variances)):
        by_half = tuple(
            [
                (
                    half,
                    sum([board.halves[half][number] for board in boards], Fraction()) / len(boards),
                )
                for half in boards[0].halves
            ]
        )
        share = sum([part for _, part in by_half], Fraction())
        variance = sum([board.variances[number] for board in boards]) / len(boards) ** 2
        hands.append(HandEquity(share, in_ppm(share), round(sqrt(variance) * PPM), by_half))
    assert sum([hand.share for hand in hands]) == 1, "the shares must sum to one"
    parts = tuple([part for board in boards for part in board.parts])
    return Equity(tuple(hands), parts, all(part.exact for part in parts))


def in_ppm(share: Fraction) -> int:
    """Return a share in parts of a million, rounded to the nearest."""
    return round(share * PPM)
