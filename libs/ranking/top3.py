"""The three-card top row of open-face Chinese: trips, pair, high card, and no more (RNK-4)."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from libs.cards import STANDARD, Card
from libs.ranking.arrange import playing_cards
from libs.ranking.categories import LADDER_52, Category
from libs.ranking.strength import base_of, category_of, pack_ranks
from libs.ranking.system import RankedHand, RankingSystem, check_cards
from libs.ranking.words import hand_name

_NAME: Final = "top3"
_SIZES: Final = (3,)
# By the number of different ranks.
_KINDS: Final = {1: Category.THREE_OF_A_KIND, 2: Category.ONE_PAIR, 3: Category.HIGH_CARD}
_BASES: Final = {n: base_of(kind, LADDER_52.index(kind)) for n, kind in _KINDS.items()}


def top_strength(cards: Sequence[Card]) -> int:
    """Return the strength of a three-card row. Raises RankingError."""
    check_cards(cards, _SIZES, STANDARD, _NAME)
    counts = Counter((card >> 2) + 2 for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    return _BASES[len(ranks)] | pack_ranks(ranks)


def _describe(cards: Sequence[Card]) -> RankedHand:
    """Return the row with its name and its cards in order. Raises RankingError."""
    strength = top_strength(cards)
    playing = playing_cards(cards, strength)
    return RankedHand(_NAME, category_of(strength), strength, hand_name(strength), playing)


TOP3: Final = RankingSystem(_NAME, _SIZES, top_strength, _describe)
