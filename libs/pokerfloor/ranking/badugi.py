"""Badugi: of four cards, the most with different ranks and suits, then the lowest.

More cards beat fewer; equal numbers compare from the highest card down, the ace low.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final

from pokerfloor.cards import STANDARD, Card
from pokerfloor.ranking.categories import LADDER_BADUGI
from pokerfloor.ranking.strength import base_of, pack_ranks
from pokerfloor.ranking.system import RankingSystem, check_cards

_NAME: Final = "badugi"
_SIZES: Final = (4,)
_RANKED: Final = frozenset(STANDARD.cards)
# For each card the bit of its rank, the ace lowest, and above them the bit of its suit.
_BITS: Final = [1 << (card // 4 + 1) % 13 | 1 << (13 + card % 4) for card in range(52)]
_RANKS_HALF: Final = (1 << 13) - 1


def badugi_strength(cards: Sequence[Card]) -> int:
    """Return the strength of four different cards. Raises RankingError."""
    if len(cards) != 4 or len(set(cards)) != 4 or not _RANKED.issuperset(cards):
        check_cards(cards, _SIZES, STANDARD, _NAME)
    return _unchecked(cards)


def _unchecked(cards: Sequence[Card]) -> int:
    return _best(cards)[0]


def _best(cards: Sequence[Card]) -> tuple[int, tuple[Card, ...]]:
    """Return the strength and its cards, with the higher suits if several choices are equal."""
    high_first = sorted(cards, reverse=True)
    strengths = _strengths()
    for size in (4, 3, 2):
        found: tuple[int, tuple[Card, ...]] = (0, ())
        for some in combinations(high_first, size):
            bits = 0
            for card in some:
                bits |= _BITS[card]
            if bits.bit_count() == 2 * size:
                found = max(found, (strengths[bits & _RANKS_HALF], some))
        if found[0]:
            return found
    return max([(strengths[_BITS[card] & _RANKS_HALF], (card,)) for card in high_first])


@cache
def _strengths() -> dict[int, int]:
    """Return the strength of one to four ranks."""
    bases = [base_of(kind, place, low=True) for place, kind in enumerate(LADDER_BADUGI)]
    return {
        sum(1 << (rank - 1) for rank in ranks): bases[size - 1] | pack_ranks(ranks, low=True)
        for size in range(1, 5)
        for ranks in combinations(range(13, 0, -1), size)
    }


def _playing(cards: Sequence[Card], _strength: int) -> tuple[Card, ...]:
    _, playing = _best(cards)
    return tuple(sorted(playing, key=lambda card: _BITS[card] & _RANKS_HALF, reverse=True))


BADUGI: Final = RankingSystem(
    _NAME, _SIZES, STANDARD, badugi_strength, _unchecked, playing=_playing
)
