"""The bit layout of a strength.

From the highest bits down: the place of the kind on the ladder of its system (4 bits), whether low
ranks are better (1 bit), the kind (5 bits), five ranks, most important first (4 bits each; 2 to 14
for two to ace, 0 for "no card"), and one bit for a hand that wins ties because it has no joker.
Within a system place, direction and kind are equivalent, so two strengths compare by place, then by
ranks. The kind and the ranks can be read from any strength without knowing the system. A hand with
fewer cards has zeros instead of kickers, as RNK-4 requires for a three-card row. With 31 bits in
all, a strength fits a signed 32-bit number.

A straight has one rank, its highest (5 in A-2-3-4-5); if the ace is below a rank other than the
two, as in A-6-7-8-9, a second rank of 1 says so. A full house has two ranks, and so on: ranks that
follow from the kind are not repeated.

In a low system the ace may be 1, and a rank is stored as 15 minus the rank: lower is better.
"""

from collections.abc import Sequence
from typing import Final

from pokerfloor.ranking.categories import Category

ACE: Final = 14
LOW_ACE: Final = 1
NO_LOW: Final = 0  # the strength of a hand without a qualifying low: below every low
NATURAL: Final = 1  # the lowest bit: no joker, if that wins ties

_KINDS: Final = tuple(Category)
_CODE_OF: Final = {kind: code for code, kind in enumerate(_KINDS)}
_RANK_SLOTS: Final = 5
FIRST_SLOT: Final = 1 + 4 * (_RANK_SLOTS - 1)  # the lowest bit of the most important rank
_KIND_SHIFT: Final = FIRST_SLOT + 4
_LOW_SHIFT: Final = _KIND_SHIFT + 5
_LOW_BIT: Final = 1 << _LOW_SHIFT
_SLOTS: Final = range(FIRST_SLOT, 0, -4)

assert len(_KINDS) <= 1 << (_LOW_SHIFT - _KIND_SHIFT), "more kinds than fit in their bits"


def base_of(kind: Category, place: int, *, low: bool = False) -> int:
    """Return the strength of a kind at a place on the ladder, without ranks."""
    return place << (_LOW_SHIFT + 1) | low << _LOW_SHIFT | _CODE_OF[kind] << _KIND_SHIFT


def pack_ranks(ranks: Sequence[int], *, low: bool = False) -> int:
    """Return the bits of up to five ranks (1 to 14), most important first."""
    packed = 0
    for slot, rank in zip(_SLOTS, ranks, strict=False):
        packed |= (15 - rank if low else rank) << slot
    return packed


def category_of(strength: int) -> Category:
    """Return the kind of hand of a strength of any system."""
    if strength == NO_LOW:
        return Category.NO_LOW
    return _KINDS[strength >> _KIND_SHIFT & 0x1F]


def is_of_low(strength: int) -> bool:
    """Return whether the strength is of a low system, in which lower ranks are better."""
    return bool(strength & _LOW_BIT)


def ranks_of(strength: int) -> tuple[int, ...]:
    """Return the ranks of a strength (1 to 14), most important first, without implied ones."""
    ranks = [rank for slot in _SLOTS if (rank := strength >> slot & 0xF)]
    return tuple([15 - rank for rank in ranks] if strength & _LOW_BIT else ranks)
