"""Exposed hands of stud, which decide who acts first.

High (RNK-5): one to four cards make pairs and the like only, on the ladder of five-card hands; with
a community card the five cards are ranked by RNK-1 (STD-6). Low, for razz: reversed, ace low.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from pokerfloor.cards import STANDARD, Card
from pokerfloor.ranking.categories import LADDER_52, LADDER_LOW_A5
from pokerfloor.ranking.high52 import HIGH52, high_strength
from pokerfloor.ranking.rank_only import Grouped, RankOnlyTable
from pokerfloor.ranking.sum_ranking import SumRanking
from pokerfloor.ranking.system import RankingSystem, check_cards
from pokerfloor.ranking.tables import KEYS, RANK_HALF

_NAME: Final = "exposed"
_UP_TO_FOUR: Final = (1, 2, 3, 4)
_SIZES: Final = (*_UP_TO_FOUR, 5)
_rank_key: Final = [key & RANK_HALF for key in KEYS].__getitem__

_FOUR: Final = SumRanking(
    _NAME, _UP_TO_FOUR, STANDARD, lambda: RankOnlyTable(_UP_TO_FOUR, Grouped(LADDER_52))
)


def exposed_strength(cards: Sequence[Card]) -> int:
    """Return the strength of one to five exposed cards. Raises RankingError."""
    if len(cards) in _UP_TO_FOUR:
        return _FOUR.strength(cards)
    check_cards(cards, _SIZES, STANDARD, _NAME)
    return high_strength(cards)


def _unchecked(cards: Sequence[Card]) -> int:
    return _FOUR.unchecked(cards) if len(cards) in _UP_TO_FOUR else HIGH52.unchecked(cards)


EXPOSED: Final = RankingSystem(_NAME, _SIZES, STANDARD, exposed_strength, _unchecked)

_A5: Final = SumRanking(
    "exposed_a5", _SIZES, STANDARD, lambda: RankOnlyTable(_SIZES, Grouped(LADDER_LOW_A5, low=True))
)
EXPOSED_A5: Final = _A5.system()


def exposed_strengths(hands: Sequence[Sequence[Card]], *, low: bool) -> list[int]:
    """Return the strengths of exposed hands at once, in `EXPOSED`, or `EXPOSED_A5` for `low`.

    The caller ensures that each hand is one to five different cards of the deck.
    """
    if max(map(len, hands)) > _UP_TO_FOUR[-1]:
        system = EXPOSED_A5 if low else EXPOSED
        return [system.unchecked(hand) for hand in hands]
    by_sum = _by_sum(low)
    return [by_sum[sum(map(_rank_key, hand))] for hand in hands]


@cache
def _by_sum(low: bool) -> dict[int, int]:
    """Return the strengths by the sum of keys, which also encodes the number of cards."""
    by_ranks = (_A5 if low else _FOUR).table.by_ranks
    return {key: strength for size in _UP_TO_FOUR for key, strength in by_ranks[size].items()}
