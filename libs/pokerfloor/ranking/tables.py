"""The table of the high systems: from a sum of card keys to a strength.

The key of a card counts its rank (3 bits each, in the low bits, the two first) and its suit (4 bits
each, above them). So the sum of the keys of a hand is its multiset of ranks and its four suit
counts. The suit counters start at 3, so exactly five cards of a suit or more set the highest bit of
a counter: one AND detects a flush. Without a flush the rank half looks up the strength; with one,
the ranks of that suit do.

No hand of five to seven cards has a flush together with four of a kind or a full house, so only a
straight flush can be better than a flush, whichever of flush and full house is higher.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Protocol

from pokerfloor.ranking.categories import Category
from pokerfloor.ranking.strength import ACE, FIRST_SLOT, LOW_ACE, base_of

_RANKS: Final = 13
_SUIT_SHIFT: Final = 3 * _RANKS
_SUITS: Final = range(4)
_ODD_CARD_BIT: Final = 1 << (_SUIT_SHIFT + 4 * len(_SUITS))

RANK_HALF: Final = (1 << _SUIT_SHIFT) - 1
# The start of the suit counters, included in the key of the first card to save an addition.
SUIT_START: Final = sum(3 << (_SUIT_SHIFT + 4 * suit) for suit in _SUITS)
# By the counter bit of a flush: for each card, the bit of its rank if it is of that suit.
SUITED_BITS: Final = {
    8 << (_SUIT_SHIFT + 4 * suit): [(card & 3 == suit) << (card >> 2) for card in range(52)]
    for suit in _SUITS
}
# Bits set if a suit counts five or more, or if a card is not one of the 52.
CLOSER: Final = sum(SUITED_BITS) + 7 * _ODD_CARD_BIT

# Keys by card number. The two entries after the 52 are those of the jokers; the last is also that
# of the unknown card, -1. They raise the odd-card counter, so that none of them passes for an ace.
KEYS: Final = [
    *(1 << 3 * (card >> 2) | 1 << (_SUIT_SHIFT + 4 * (card & 3)) for card in range(52)),
    *[_ODD_CARD_BIT] * 2,
]
FIRST_KEYS: Final = [key + SUIT_START for key in KEYS]


class SumTable(Protocol):
    """Strengths by the sum of keys, as used by the fast paths."""

    @property
    def by_ranks(self) -> Mapping[int, dict[int, int]]:
        """By number of cards, then by the rank half of the sum: the strength without a flush."""

    @property
    def by_flush(self) -> Sequence[int]:
        """By the mask of ranks in the suit of the flush; empty if flushes do not count."""


@lru_cache(maxsize=8)
def _straights(lowest: int, *, ace_below: bool) -> list[int]:
    """Return, by mask of ranks, the packed best straight, or 0.

    `lowest` is the lowest rank of the deck (0 is the two); with `ace_below` the ace also counts
    below it.
    """
    return [_straight(mask, lowest, ace_below=ace_below) for mask in _MASKS]


def _straight(mask: int, lowest: int, *, ace_below: bool) -> int:
    ranks = mask >> lowest << 1 | (mask >> 12 if ace_below else 0)
    run = ranks & ranks << 1  # two in a row end here
    run &= run << 2  # four in a row
    place = (run & ranks << 4).bit_length()
    if not place:
        return 0
    gap = LOW_ACE if place == 5 and lowest and ace_below else 0
    return place + lowest << FIRST_SLOT | gap << (FIRST_SLOT - 4)


def _top(mask: int, count: int) -> int:
    """Return the `count` highest ranks of a mask, packed."""
    packed = 0
    for slot in range(count):
        high = mask.bit_length()
        if high:
            mask ^= 1 << (high - 1)
            packed |= (high + 1) << (FIRST_SLOT - 4 * slot)
    return packed


_MASKS: Final = range(1 << _RANKS)
_TOP1: Final = [mask and (mask.bit_length() + 1) << FIRST_SLOT for mask in _MASKS]
_TOP2: Final = [_top(mask, 2) for mask in _MASKS]
_TOP3: Final = [_top(mask, 3) for mask in _MASKS]
_TOP5: Final = [_top(mask, 5) for mask in _MASKS]


class HighTable:
    """Strengths by rank multiset and by flush, for one ladder of kinds."""

    def __init__(
        self,
        ladder: Sequence[Category],
        sizes: Iterable[int],
        lowest: int = 0,
        *,
        ace_below: bool = True,
    ) -> None:
        """Build the tables for hands of these sizes (5 to 7 cards).

        `lowest` is the lowest rank of the deck (0 is the two); with `ace_below` the ace also counts
        below it in a straight.
        """
        self._base = {kind: base_of(kind, place) for place, kind in enumerate(ladder)}
        self._trips_first = ladder.index(Category.THREE_OF_A_KIND) > ladder.index(Category.STRAIGHT)
        self._straight = _straights(lowest, ace_below=ace_below)
        self.by_ranks: Final[dict[int, dict[int, int]]] = {size: {} for size in sizes}
        unsuited = self._unsuited
        for size, key, held, pairs, trips, quads in multisets(self.by_ranks, lowest):
            self.by_ranks[size][key] = unsuited(held, pairs, trips, quads)
        # By the mask of ranks in the suit of the flush.
        self.by_flush: Final = [self._suited(mask) for mask in _MASKS]

    def _suited(self, mask: int) -> int:
        straight = self._straight[mask]
        if not straight:
            return self._base[Category.FLUSH] | _TOP5[mask]
        royal = straight == ACE << FIRST_SLOT and Category.ROYAL_FLUSH in self._base
        return self._base[Category.ROYAL_FLUSH if royal else Category.STRAIGHT_FLUSH] | straight

    def _unsuited(self, held: int, pairs: int, trips: int, quads: int) -> int:
        """Return the strength by ranks alone, from masks of ranks held, and held 2, 3, 4 times."""
        base = self._base
        if quads:
            return base[Category.FOUR_OF_A_KIND] | _TOP1[quads] | _TOP1[held & ~quads] >> 4
        if trips:
            best = 1 << (trips.bit_length() - 1)
            second = (pairs | trips) & ~best
            if second:
                return base[Category.FULL_HOUSE] | _TOP1[best] | _TOP1[second] >> 4
        straight = self._straight[held]
        if straight and not (trips and self._trips_first):
            return base[Category.STRAIGHT] | straight
        if trips:
            return base[Category.THREE_OF_A_KIND] | _TOP1[trips] | _TOP2[held & ~trips] >> 4
        if pairs & (pairs - 1):
            best_two = _TOP2[pairs]
            high = 1 << (pairs.bit_length() - 1)
            both = high | 1 << ((pairs & ~high).bit_length() - 1)
            return base[Category.TWO_PAIR] | best_two | _TOP1[held & ~both] >> 8
        if pairs:
            return base[Category.ONE_PAIR] | _TOP1[pairs] | _TOP3[held & ~pairs] >> 4
        return base[Category.HIGH_CARD] | _TOP5[held]


def multisets(
    sizes: Iterable[int], lowest: int = 0
) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Yield every multiset of ranks from `lowest` up of these sizes, none over four times.

    Each as (size, key, ranks held, ranks held twice, three times, four times).
    """
    wanted = set(sizes)
    largest = max(wanted)
    stack = [(lowest, 0, 0, 0, 0, 0, 0)]
    while stack:
        rank, size, key, held, pairs, trips, quads = stack.pop()
        if size in wanted:
            yield size, key, held, pairs, trips, quads
        for other in range(rank, _RANKS if size < largest else 0):
            bit, one = 1 << other, 1 << 3 * other
            room = largest - size
            stack.append((other + 1, size + 1, key + one, held | bit, pairs, trips, quads))
            if room > 1:
                twice = pairs | bit
                stack.append((other + 1, size + 2, key + 2 * one, held | bit, twice, trips, quads))
            if room > 2:
                thrice = trips | bit
                stack.append((other + 1, size + 3, key + 3 * one, held | bit, pairs, thrice, quads))
            if room > 3:
                four = quads | bit
                stack.append((other + 1, size + 4, key + 4 * one, held | bit, pairs, trips, four))
