"""Tables of the systems that rank by ranks alone: exposed hands, and lows without flushes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from pokerfloor.ranking.categories import Category
from pokerfloor.ranking.strength import ACE, LOW_ACE, base_of, pack_ranks
from pokerfloor.ranking.tables import multisets

# By how often each rank is held, the most often first. Without straights and flushes this is the
# kind of one to five cards.
_KIND_OF_SHAPE: Final = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (4,): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (3, 1): Category.THREE_OF_A_KIND,
    (3,): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 2): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.ONE_PAIR,
    (2, 1, 1): Category.ONE_PAIR,
    (2, 1): Category.ONE_PAIR,
    (2,): Category.ONE_PAIR,
}
_MOST_LOOKED_AT: Final = 5


class RankOnlyTable:
    """Strengths by rank multiset; for six and seven cards, of the best five."""

    by_flush: Final[Sequence[int]] = ()

    def __init__(
        self, sizes: Collection[int], strength_of: Callable[[Mapping[int, int]], int]
    ) -> None:
        """Build the table; `strength_of` ranks cards given as counts by rank (2 to 14)."""
        self.by_ranks: Final[dict[int, dict[int, int]]] = {
            size: {} for size in range(min(sizes), max(sizes) + 1)
        }
        for size, key, held, *_ in multisets(self.by_ranks):
            if size <= _MOST_LOOKED_AT:
                self.by_ranks[size][key] = strength_of(_counts(key, held))
            else:
                self.by_ranks[size][key] = 0
        for size in range(_MOST_LOOKED_AT + 1, max(sizes) + 1):
            self._keep_best_of_one_card_less(size)

    def _keep_best_of_one_card_less(self, size: int) -> None:
        fewer = self.by_ranks[size - 1]
        ones = [1 << 3 * rank for rank in range(ACE - 1)]
        table = self.by_ranks[size]
        for key in table:
            table[key] = max([fewer[key - one] for one in ones if key & 7 * one])


def _counts(key: int, held: int) -> dict[int, int]:
    return {rank + 2: key >> 3 * rank & 7 for rank in range(ACE - 1) if held >> rank & 1}


class Grouped:
    """The strength of one to five cards by pairs and the like, on one ladder.

    In a low system lower ranks are better, the ace is the lowest, and up to five cards of different
    ranks are a `low`.
    """

    def __init__(self, ladder: Sequence[Category], *, low: bool = False) -> None:
        self._low = low
        self._bases = {kind: base_of(kind, place, low=low) for place, kind in enumerate(ladder)}
        self._no_pair = self._bases[Category.LOW if low else Category.HIGH_CARD]

    def __call__(self, counts: Mapping[int, int]) -> int:
        """Return the strength of cards given as counts by rank (2 to 14)."""
        if self._low:
            counts = {LOW_ACE if rank == ACE else rank: n for rank, n in counts.items()}
        ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
        kind = _KIND_OF_SHAPE.get(tuple([counts[rank] for rank in ranks]))
        base = self._bases[kind] if kind else self._no_pair
        return base | pack_ranks(ranks, low=self._low)
