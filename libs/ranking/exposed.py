"""Exposed hands of stud: what the cards that lie open make, to tell who acts first.

High (RNK-5): of one to four cards pairs and the like only, on the ladder of five-card hands; with a
common card the five are ranked by RNK-1 (STD-6). Low, for razz: the same turned round, ace low.
"""

from collections.abc import Sequence
from typing import Final

from libs.cards import STANDARD, Card
from libs.ranking.arrange import playing_cards
from libs.ranking.categories import LADDER_52, LADDER_LOW_A5
from libs.ranking.high52 import high_strength
from libs.ranking.rank_only import Grouped, RankOnlyTable
from libs.ranking.sum_ranking import SumRanking
from libs.ranking.system import RankedHand, RankingSystem, check_cards, described

_NAME: Final = "exposed"
_UP_TO_FOUR: Final = (1, 2, 3, 4)
_SIZES: Final = (*_UP_TO_FOUR, 5)

_FOUR: Final = SumRanking(
    _NAME, _UP_TO_FOUR, STANDARD, lambda: RankOnlyTable(_UP_TO_FOUR, Grouped(LADDER_52))
)


def exposed_strength(cards: Sequence[Card]) -> int:
    """Return the strength of one to five open cards. Raises RankingError."""
    if len(cards) in _UP_TO_FOUR:
        return _FOUR.strength(cards)
    check_cards(cards, _SIZES, STANDARD, _NAME)
    return high_strength(cards)


def _describe(cards: Sequence[Card]) -> RankedHand:
    strength = exposed_strength(cards)
    return described(_NAME, strength, playing_cards(cards, strength))


EXPOSED: Final = RankingSystem(_NAME, _SIZES, STANDARD, exposed_strength, _describe)

EXPOSED_A5: Final = SumRanking(
    "exposed_a5", _SIZES, STANDARD, lambda: RankOnlyTable(_SIZES, Grouped(LADDER_LOW_A5, low=True))
).system()
