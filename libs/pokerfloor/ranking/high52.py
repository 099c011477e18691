"""High hands of the 52-card deck: the best five of five, six or seven cards (RNK-1)."""

from collections.abc import Sequence
from typing import Final

from pokerfloor.cards import STANDARD, Card
from pokerfloor.ranking.categories import LADDER_52
from pokerfloor.ranking.system import RankingSystem, check_cards
from pokerfloor.ranking.tables import (
    CLOSER,
    FIRST_KEYS,
    KEYS,
    RANK_HALF,
    SUIT_START,
    SUITED_BITS,
    HighTable,
)

_NAME: Final = "high52"
_SIZES: Final = (5, 6, 7)
_RANKED: Final = frozenset(STANDARD.cards)
_TABLE: Final = HighTable(LADDER_52, _SIZES)
_SEVEN: Final = _TABLE.by_ranks[7]
_BY_FLUSH: Final = _TABLE.by_flush


def high_strength(cards: Sequence[Card]) -> int:
    """Return the strength of the best five of five, six or seven different cards.

    Higher is better; comparable with other `high52` strengths only. Raises RankingError.
    """
    size = len(cards)
    different = set(cards)
    if size not in _SIZES or len(different) != size or not different <= _RANKED:
        check_cards(cards, _SIZES, _RANKED, _NAME)
    return _unchecked(cards)


def _unchecked(cards: Sequence[Card]) -> int:
    if len(cards) == 7:
        return high7(*cards)
    total = sum([KEYS[card] for card in cards], SUIT_START)
    if total & CLOSER:
        return _look_closer(total, cards)
    return _TABLE.by_ranks[len(cards)][total & RANK_HALF]


def high7(
    a: Card, b: Card, c: Card, d: Card, e: Card, f: Card, g: Card
) -> int:  # seven cards, unpacked: the hot path
    """Return what `high_strength` returns for seven cards, in less than half the time.

    The caller ensures that the cards are different. Raises RankingError for jokers and unknown
    cards.
    """
    total = FIRST_KEYS[a] + KEYS[b] + KEYS[c] + KEYS[d] + KEYS[e] + KEYS[f] + KEYS[g]
    if total & CLOSER:
        return _look_closer(total, (a, b, c, d, e, f, g))
    return _SEVEN[total & RANK_HALF]


def _look_closer(total: int, cards: Sequence[Card]) -> int:
    """Return the strength of cards with at least five in a suit. Raises RankingError."""
    bits = SUITED_BITS.get(total & CLOSER)
    if bits is None:
        check_cards(cards, _SIZES, _RANKED, _NAME)
        raise AssertionError(f"no flush and no strange card in {cards}")
    suited_ranks = 0
    for card in cards:
        suited_ranks |= bits[card]
    return _BY_FLUSH[suited_ranks]


HIGH52: Final = RankingSystem(_NAME, _SIZES, STANDARD, high_strength, _unchecked, lambda: _TABLE)
