"""The tables for five cards with jokers: the best hand the jokers can make (RNK-3).

A hand has natural cards and a number of jokers. Without a flush the ranks of the natural cards
decide what the jokers stand for. If all natural cards have one suit, a flush is possible, and only
a straight flush (or "poker") is better.
"""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from typing import Final

from pokerfloor.ranking.categories import LADDER_JOKER, Category
from pokerfloor.ranking.strength import ACE, base_of, category_of, pack_ranks
from pokerfloor.ranking.tables import HighTable, multisets

_RANKS: Final = range(13)
_CARDS: Final = 5
_MOST_JOKERS: Final = 2
_ACE_RANK: Final = ACE - 2
_POKER: Final = base_of(Category.POKER, LADDER_JOKER.index(Category.POKER))


class JokerTable:
    """Strengths by the number of jokers and the natural cards.

    `by_ranks[jokers]` is by the rank half of the naturals' keys, `by_flush[jokers]` by the mask of
    ranks held when all naturals are of one suit.
    """

    def __init__(self, *, bug: bool) -> None:
        """Build the tables for jokers as bugs, or wild."""
        self._plain = HighTable(LADDER_JOKER, (_CARDS,))
        self._bug = bug
        self.by_ranks: Final[list[dict[int, int]]] = [
            {key: self._unsuited(key, jokers) for _, key, *_ in multisets((_CARDS - jokers,))}
            for jokers in range(_MOST_JOKERS + 1)
        ]
        self.by_flush: Final[list[dict[int, int]]] = [
            {mask: self._suited(mask, jokers) for mask in _masks(_CARDS - jokers)}
            for jokers in range(_MOST_JOKERS + 1)
        ]

    def _unsuited(self, key: int, jokers: int) -> int:
        """Return the best hand of these ranks with jokers, without flushes."""
        found = [
            strength
            for stand_ins in combinations_with_replacement(_RANKS, jokers)
            if (strength := self._standing_in(key, stand_ins))
        ]
        return max(found)

    def _standing_in(self, key: int, stand_ins: tuple[int, ...]) -> int:
        """Return the strength with these ranks for the jokers, 0 if they are not allowed."""
        total = key + sum([1 << 3 * rank for rank in stand_ins])
        for rank in stand_ins:
            if total >> 3 * rank & 7 == _CARDS:
                aces_only = self._bug and rank != _ACE_RANK
                return 0 if aces_only else _POKER | pack_ranks((rank + 2,))
        strength = self._plain.by_ranks[_CARDS][total]
        if self._bug and any(rank != _ACE_RANK for rank in stand_ins):
            # A bug is an ace, or what completes a straight.
            return strength if category_of(strength) is Category.STRAIGHT else 0
        return strength

    def _suited(self, mask: int, jokers: int) -> int:
        """Return the best flush or straight flush: a joker stands for a card not held."""
        missing = [1 << rank for rank in _RANKS if not mask >> rank & 1]
        by_flush = self._plain.by_flush
        return max([by_flush[mask + sum(some)] for some in combinations(missing, jokers)])


def _masks(count: int) -> Iterator[int]:
    return (sum([1 << rank for rank in ranks]) for ranks in combinations(_RANKS, count))
