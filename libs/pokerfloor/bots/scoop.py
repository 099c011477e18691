"""How a bot sets its three Scoop hands: the strongest first, for the first row counts five times.

Pure, and nothing is random: the same cards give the same choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from pokerfloor.cards import Card
from pokerfloor.games.placement import LayoutRow
from pokerfloor.ranking import high_strength
from pokerfloor.scoring import FACTORS, ScoopRow

_ROWS: Final = (LayoutRow.TOP, LayoutRow.MIDDLE, LayoutRow.BOTTOM)
_FACTORS: Final = tuple(FACTORS[row] for row in ScoopRow)

_Pair = tuple[int, int]


def choose_scoop(cards: Sequence[Card], flop: Sequence[Card]) -> tuple[LayoutRow, ...]:
    """Return a row for each of seven cards: two in each of three rows, one discarded (SCP-1).

    Hands are valued by what they are on the flop.
    """
    strength = {
        pair: high_strength((cards[pair[0]], cards[pair[1]], *flop))
        for pair in combinations(range(len(cards)), 2)
    }
    ordered = (sorted(pairs, key=strength.__getitem__, reverse=True) for pairs in _pairs(cards))
    best = max(ordered, key=lambda pairs: _worth(pairs, strength))
    rows = [LayoutRow.DISCARD] * len(cards)
    for row, pair in zip(_ROWS, best, strict=True):
        for index in pair:
            rows[index] = row
    return tuple(rows)


def _worth(pairs: Sequence[_Pair], strength: dict[_Pair, int]) -> int:
    return sum(factor * strength[pair] for factor, pair in zip(_FACTORS, pairs, strict=True))


def _pairs(cards: Sequence[Card]) -> Iterator[tuple[_Pair, _Pair, _Pair]]:
    """Yield each way to make three pairs of six of the cards, in any order."""
    for first, second, third in combinations(combinations(range(len(cards)), 2), 3):
        if len({*first, *second, *third}) == 2 * len(_ROWS):
            yield first, second, third
