"""Low hands by ranks alone, the ace low: eight or better (LOW-1), and ace to five for razz.

Straights and flushes do not count. Lows compare from the highest card down.
"""

from collections.abc import Mapping
from typing import Final

from pokerfloor.cards import STANDARD
from pokerfloor.ranking.categories import LADDER_LOW_A5
from pokerfloor.ranking.rank_only import Grouped, RankOnlyTable
from pokerfloor.ranking.strength import ACE, NO_LOW
from pokerfloor.ranking.sum_ranking import SumRanking

_SIZES: Final = (5, 6, 7)
_EIGHT: Final = 8


def _low_a5_table() -> RankOnlyTable:
    return RankOnlyTable(_SIZES, Grouped(LADDER_LOW_A5, low=True))


def _low8_table() -> RankOnlyTable:
    any_low = Grouped(LADDER_LOW_A5, low=True)

    def qualified(counts: Mapping[int, int]) -> int:
        if len(counts) == 5 and all(rank <= _EIGHT or rank == ACE for rank in counts):
            return any_low(counts)
        return NO_LOW

    return RankOnlyTable(_SIZES, qualified)


LOW_A5: Final = SumRanking("low_a5", _SIZES, STANDARD, _low_a5_table).system()
LOW8: Final = SumRanking("low8", _SIZES, STANDARD, _low8_table).system()
