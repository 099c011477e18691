"""Deuce-to-seven low: the lowest five cards by high-hand rules, the ace always high.

So 7-5-4-3-2 of several suits is the best, and A-2-3-4-5 is not a straight but an ace-high hand.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pokerfloor.cards import STANDARD
from pokerfloor.ranking.categories import LADDER_52, LADDER_LOW_27, Category
from pokerfloor.ranking.strength import base_of, category_of, pack_ranks, ranks_of
from pokerfloor.ranking.sum_ranking import SumRanking
from pokerfloor.ranking.tables import HighTable

_SIZES: Final = (5,)
_NAME_IN_LOW: Final = {
    Category.HIGH_CARD: Category.LOW,
    Category.ROYAL_FLUSH: Category.STRAIGHT_FLUSH,
}


class _ReversedTable:
    """The table of high hands in reverse order."""

    def __init__(self) -> None:
        high = HighTable(LADDER_52, _SIZES, ace_below=False)
        reverse = lru_cache(maxsize=None)(_reversed)
        self.by_ranks: Final[dict[int, dict[int, int]]] = {
            size: {key: reverse(strength) for key, strength in strengths.items()}
            for size, strengths in high.by_ranks.items()
        }
        self.by_flush: Final[Sequence[int]] = [reverse(strength) for strength in high.by_flush]


def _reversed(strength: int) -> int:
    kind = category_of(strength)
    kind = _NAME_IN_LOW.get(kind, kind)
    place = LADDER_LOW_27.index(kind)
    return base_of(kind, place, low=True) | pack_ranks(ranks_of(strength), low=True)


LOW_27: Final = SumRanking("low_27", _SIZES, STANDARD, _ReversedTable).system()
