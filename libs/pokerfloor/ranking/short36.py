"""High hands of the short deck: the best five of five, six or seven of 36 cards (RNK-2)."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from pokerfloor.cards import SHORT
from pokerfloor.ranking.categories import LADDER_SHORT, LADDER_SHORT_TRIPS, Category
from pokerfloor.ranking.sum_ranking import SumRanking
from pokerfloor.ranking.tables import HighTable

_SIZES: Final = (5, 6, 7)
_LOWEST: Final = SHORT.cards[0] >> 2


def _table(ladder: Sequence[Category]) -> HighTable:
    return HighTable(ladder, _SIZES, _LOWEST)


SHORT36: Final = SumRanking("short36", _SIZES, SHORT, partial(_table, LADDER_SHORT)).system()
# With the option trips_beat_straight.
SHORT36_TRIPS: Final = SumRanking(
    "short36_trips", _SIZES, SHORT, partial(_table, LADDER_SHORT_TRIPS)
).system()
