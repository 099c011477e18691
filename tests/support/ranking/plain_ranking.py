"""A second ranking of high hands, slow and obvious, that shares nothing with the tables.

A key is (kind, ranks in order of importance); Python's tuple order is RNK-1's, and for rows of
three against five RNK-4's, where the one with cards left over is higher.
"""

from collections.abc import Sequence
from itertools import combinations

KINDS = (
    "high_card",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
)
Key = tuple[int, tuple[int, ...]]


def plain_key(cards: Sequence[int]) -> Key:
    """The key of exactly five cards, or of the three of a top row."""
    ranks = sorted((card // 4 + 2 for card in cards), reverse=True)
    suits = {card % 4 for card in cards}
    groups = sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)
    shape = tuple(count for count, _ in groups)
    by_group = tuple(rank for _, rank in groups)
    if shape == (1, 1, 1, 1, 1):
        return _five_different(ranks, flush=len(suits) == 1)
    kind = {
        (4, 1): "four_of_a_kind",
        (3, 2): "full_house",
        (3, 1, 1): "three_of_a_kind",
        (2, 2, 1): "two_pair",
        (2, 1, 1, 1): "one_pair",
        (3,): "three_of_a_kind",
        (2, 1): "one_pair",
        (1, 1, 1): "high_card",
    }[shape]
    return KINDS.index(kind), by_group


def _five_different(ranks: list[int], *, flush: bool) -> Key:
    wheel = ranks == [14, 5, 4, 3, 2]
    if wheel or ranks[0] - ranks[4] == 4:
        kind = "straight_flush" if flush else "straight"
        return KINDS.index(kind), (5 if wheel else ranks[0],)
    return KINDS.index("flush" if flush else "high_card"), tuple(ranks)


def plain_best(cards: Sequence[int]) -> Key:
    """The key of the best five of any number of cards."""
    return max(plain_key(five) for five in combinations(cards, 5))
