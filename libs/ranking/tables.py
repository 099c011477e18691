"""The table behind the high systems: from a sum of card keys to a strength.

A card's key is a counter for its rank (3 bits each, lowest bits, the two first) and a counter for
its suit (4 bits each, above them). The sum of the keys of a hand therefore *is* its multiset of
ranks and its four suit counts. The suit counters start at 3, so that five cards of a suit, and only
then, set a counter's highest bit: one AND tells a flush. Without a flush the rank half looks up the
strength; with one, the ranks held in that suit do.

No hand of five to seven cards holds a flush together with four of a kind or a full house, so where
there is a flush only a straight flush can be better.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from libs.ranking.categories import Category
from libs.ranking.strength import base_of

_RANKS: Final = 13
_SUIT_SHIFT: Final = 3 * _RANKS
_SUITS: Final = range(4)
_ODD_CARD_BIT: Final = 1 << (_SUIT_SHIFT + 4 * len(_SUITS))

RANK_HALF: Final = (1 << _SUIT_SHIFT) - 1
# Where suit counters start. It rides on the first card's key, which saves an addition a hand.
SUIT_START: Final = sum(3 << (_SUIT_SHIFT + 4 * suit) for suit in _SUITS)
# By the counter bit that tells a flush: for each card, its rank's bit if it is of that suit.
SUITED_BITS: Final = {
    8 << (_SUIT_SHIFT + 4 * suit): [(card & 3 == suit) << (card >> 2) for card in range(52)]
    for suit in _SUITS
}
# Bits set when a suit counts five or more, or when a card is not one of the 52: look closer.
CLOSER: Final = sum(SUITED_BITS) + 7 * _ODD_CARD_BIT

# Keys by card number. The two entries after the 52 are the jokers', and the last also what the
# unknown card, -1, finds: they raise the odd-card counter, so that neither passes for an ace.
KEYS: Final = [
    *(1 << 3 * (card >> 2) | 1 << (_SUIT_SHIFT + 4 * (card & 3)) for card in range(52)),
    *[_ODD_CARD_BIT] * 2,
]
FIRST_KEYS: Final = [key + SUIT_START for key in KEYS]


def _straight_top(mask: int) -> int:
    """Return the highest rank (2 to 14) of the best straight in a mask of ranks, or 0."""
    ranks = mask << 1 | mask >> 12  # the ace also stands below the two
    run = ranks & ranks << 1  # two in a row end here
    run &= run << 2  # four in a row
    return (run & ranks << 4).bit_length()


def _top(mask: int, count: int) -> int:
    """Return the `count` highest ranks of a mask, packed as strengths pack them."""
    packed = 0
    for slot in range(count):
        high = mask.bit_length()
        if high:
            mask ^= 1 << (high - 1)
            packed |= (high + 1) << (16 - 4 * slot)
    return packed


_MASKS: Final = range(1 << _RANKS)
_STRAIGHT: Final = [_straight_top(mask) for mask in _MASKS]
_TOP1: Final = [mask and (mask.bit_length() + 1) << 16 for mask in _MASKS]
_TOP2: Final = [_top(mask, 2) for mask in _MASKS]
_TOP3: Final = [_top(mask, 3) for mask in _MASKS]
_TOP5: Final = [_top(mask, 5) for mask in _MASKS]


class HighTable:
    """Strengths by rank multiset and by flush, for one ladder of kinds over the 13 ranks."""

    def __init__(self, ladder: Sequence[Category], sizes: Iterable[int]) -> None:
        """Build the tables for hands of these sizes (5 to 7 cards)."""
        self._base = {kind: base_of(kind, place) for place, kind in enumerate(ladder)}
        self.by_ranks: Final[dict[int, dict[int, int]]] = {size: {} for size in sizes}
        unsuited = self._unsuited
        for size, key, held, pairs, trips, quads in _multisets(self.by_ranks):
            self.by_ranks[size][key] = unsuited(held, pairs, trips, quads)
        # By the mask of ranks held in the flush's suit.
        self.by_flush: Final = [self._suited(mask) for mask in _MASKS]

    def _suited(self, mask: int) -> int:
        top = _STRAIGHT[mask]
        if not top:
            return self._base[Category.FLUSH] | _TOP5[mask]
        kind = Category.ROYAL_FLUSH if top == 14 else Category.STRAIGHT_FLUSH
        return self._base[kind] | top << 16

    def _unsuited(self, held: int, pairs: int, trips: int, quads: int) -> int:
        """Return the strength by ranks alone: ranks held, and those held exactly 2, 3, 4 times."""
        base = self._base
        if quads:
            return base[Category.FOUR_OF_A_KIND] | _TOP1[quads] | _TOP1[held & ~quads] >> 4
        if trips:
            best = 1 << (trips.bit_length() - 1)
            second = (pairs | trips) & ~best
            if second:
                return base[Category.FULL_HOUSE] | _TOP1[best] | _TOP1[second] >> 4
        top = _STRAIGHT[held]
        if top:
            return base[Category.STRAIGHT] | top << 16
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


def _multisets(sizes: Iterable[int]) -> Iterator[tuple[int, int, int, int, int, int]]:
    """Yield every multiset of ranks of the wanted sizes, no rank more than four times.

    Each as (size, key, ranks held, ranks held twice, three times, four times).
    """
    wanted = set(sizes)
    largest = max(wanted)
    stack = [(0, 0, 0, 0, 0, 0, 0)]
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
