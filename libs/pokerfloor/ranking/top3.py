"""The three-card top row of open-face Chinese: trips, pair, high card, and no more (RNK-4)."""

from typing import Final

from pokerfloor.cards import STANDARD
from pokerfloor.ranking.categories import LADDER_52
from pokerfloor.ranking.rank_only import Grouped, RankOnlyTable
from pokerfloor.ranking.sum_ranking import SumRanking

_SIZES: Final = (3,)

TOP3: Final = SumRanking(
    "top3", _SIZES, STANDARD, lambda: RankOnlyTable(_SIZES, Grouped(LADDER_52))
).system()
