"""Keys of cards for arrays, and the dense tables indexed by their sums.

A card's key counts its rank in base 5 (no rank is held five times), the six low ranks in one field
and the seven high ranks in another, and its suit as in the scalar tables: a counter that starts at
3, so that five cards of a suit set its highest bit.

Multisets of one size with the same low part are adjacent: the low part gives their start, the high
part the offset. So two small look-ups lead to the strength, and the table has no holes.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pokerfloor.ranking.tables import SumTable

Keys = NDArray[np.int64]
Strengths = NDArray[np.int32]

_RANKS: Final = 13
_LOW_RANKS: Final = 6
_LOW_BITS: Final = 14  # 5 ** 6 < 2 ** 14
_HIGH_BITS: Final = 17  # 5 ** 7 < 2 ** 17
_SUITS_AT: Final = _LOW_BITS + _HIGH_BITS
LOW_MASK: Final = (1 << _LOW_BITS) - 1
HIGH_MASK: Final = (1 << _HIGH_BITS) - 1
SUIT_START: Final = sum(3 << (_SUITS_AT + 4 * suit) for suit in range(4))
FLUSH: Final = sum(8 << (_SUITS_AT + 4 * suit) for suit in range(4))
CARDS: Final = 52


def _rank_key(rank: int) -> int:
    in_field = rank if rank < _LOW_RANKS else rank - _LOW_RANKS
    count: int = 5**in_field
    return count if rank < _LOW_RANKS else count << _LOW_BITS


CARD_KEYS: Final = np.array(
    [_rank_key(card >> 2) + (1 << (_SUITS_AT + 4 * (card & 3))) for card in range(CARDS)], np.int64
)
# By suit and card: the bit of the rank if the card is of that suit.
SUITED_BITS: Final = np.array(
    [[(card & 3 == suit) << (card >> 2) for card in range(CARDS)] for suit in range(4)], np.int16
)


def high_part(keys: Keys) -> Keys:
    """Return the field of the seven high ranks."""
    return keys >> _LOW_BITS & HIGH_MASK


def flush_suit(keys: Keys) -> NDArray[np.int64]:
    """Return the suit (0 to 3) with five or more cards, for keys that show a flush."""
    bits = (keys & FLUSH) >> (_SUITS_AT + 3)
    return np.select([bits == 1 << 4 * suit for suit in range(4)], range(4)).astype(np.int64)


class Dense:
    """The strengths of one size of hand, without flushes: `strengths[begin[low] + place[high]]`."""

    def __init__(self, by_ranks: Mapping[int, int]) -> None:
        """Build from a scalar table by rank multiset, which must have all multisets."""
        scalar_keys = np.fromiter(by_ranks.keys(), np.int64, len(by_ranks))
        keys = np.zeros_like(scalar_keys)
        for rank in range(_RANKS):
            keys += (scalar_keys >> 3 * rank & 7) * _rank_key(rank)
        low, high = keys & LOW_MASK, high_part(keys)
        order = np.lexsort((high, low))
        low, high = low[order], high[order]
        unsorted = np.fromiter(by_ranks.values(), np.int32, len(by_ranks))
        self.strengths: Final[Strengths] = unsorted[order]
        first = np.flatnonzero(np.r_[True, low[1:] != low[:-1]])
        self.begin: Final[Keys] = np.zeros(LOW_MASK + 1, np.int64)
        self.begin[low[first]] = first
        self.place: Final[Keys] = np.zeros(HIGH_MASK + 1, np.int64)
        self.place[high] = np.arange(len(high)) - self.begin[low]
        assert (self.begin[low] + self.place[high] == np.arange(len(high))).all()

    def look_up(self, keys: Keys) -> Strengths:
        """Return the strengths by the rank parts of the keys."""
        # "wrap" skips a check that valid keys cannot fail.
        at = self.begin.take(keys & LOW_MASK, mode="wrap")
        at += self.place.take(high_part(keys), mode="wrap")
        return self.strengths.take(at, mode="wrap")


def dense_tables(table: SumTable) -> dict[int, Dense]:
    """Return the dense table of each size of hand."""
    return {size: Dense(by_ranks) for size, by_ranks in table.by_ranks.items()}
