"""What a strength number is made of.

From the highest bits down: the kind's place on its system's ladder (4 bits), whether low ranks are
the better ones (1 bit), the kind itself (5 bits), five ranks in order of importance (4 bits each; 2
to 14 for two to ace, 0 for "no card"), and one bit for a hand that wins ties by holding no joker.
Place, direction and kind go together within a system, so comparing two numbers compares place, then
ranks; the kind and the ranks can be read back from any strength without knowing the system. A hand
with fewer cards has zeros where the other has kickers, which is just what RNK-4 asks of a
three-card row. 31 bits in all: a strength fits a signed 32-bit number.

A straight has one rank, its highest (5 in A-2-3-4-5); where the ace stands below another rank than
the two, as in A-6-7-8-9, a second rank of 1 says so. A full house has two ranks, and so on: a rank
that follows from the kind is not repeated.

In a low system the ace may be 1, and a rank stands as 15 less the rank: the lower, the better.
"""

from collections.abc import Sequence
from typing import Final

from pokerfloor.ranking.categories import Category

ACE: Final = 14
LOW_ACE: Final = 1
NO_LOW: Final = 0  # the strength of a hand without a qualifying low: below every low
NATURAL: Final = 1  # the lowest bit: no joker, where that wins ties

_KINDS: Final = tuple(Category)
_CODE_OF: Final = {kind: code for code, kind in enumerate(_KINDS)}
_RANK_SLOTS: Final = 5
FIRST_SLOT: Final = 1 + 4 * (_RANK_SLOTS - 1)  # where the bits of the most important rank begin
_KIND_SHIFT: Final = FIRST_SLOT + 4
_LOW_SHIFT: Final = _KIND_SHIFT + 5
_LOW_BIT: Final = 1 << _LOW_SHIFT
_SLOTS: Final = range(FIRST_SLOT, 0, -4)

assert len(_KINDS) <= 1 << (_LOW_SHIFT - _KIND_SHIFT), "more kinds than their bits can tell apart"


def base_of(kind: Category, place: int, *, low: bool = False) -> int:
    """Return the strength of a kind at a place on the ladder, before any rank is added."""
    return place << (_LOW_SHIFT + 1) | low << _LOW_SHIFT | _CODE_OF[kind] << _KIND_SHIFT


def pack_ranks(ranks: Sequence[int], *, low: bool = False) -> int:
    """Return up to five ranks (1 to 14), the most important first, as the bits of a strength."""
    packed = 0
    for slot, rank in zip(_SLOTS, ranks, strict=False):
        packed |= (15 - rank if low else rank) << slot
    return packed


def category_of(strength: int) -> Category:
    """Return the kind of hand of a strength, whichever system made it."""
    if strength == NO_LOW:
        return Category.NO_LOW
    return _KINDS[strength >> _KIND_SHIFT & 0x1F]


def is_of_low(strength: int) -> bool:
    """Tell whether a low system made it, in which the lower ranks are the better ones."""
    return bool(strength & _LOW_BIT)


def ranks_of(strength: int) -> tuple[int, ...]:
    """Return the ranks that decide, 1 to 14, in order of importance, without those implied."""
    ranks = [rank for slot in _SLOTS if (rank := strength >> slot & 0xF)]
    return tuple([15 - rank for rank in ranks] if strength & _LOW_BIT else ranks)
