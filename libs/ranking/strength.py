"""What a strength number is made of.

From the highest bits down: the kind's place on its system's ladder (4 bits), the kind itself (4
bits), and five ranks in order of importance (4 bits each; 2 to 14 for two to ace, 0 for "no card").
Place and kind go together within a system, so comparing two numbers compares place, then ranks; the
kind can be read back from any strength without knowing the system. A hand with fewer cards has
zeros where the other has kickers, which is just what RNK-4 asks of a three-card row.

A straight has one rank, its highest (5 in A-2-3-4-5). A full house has two, and so on: a rank that
follows from the kind is not repeated.
"""

from collections.abc import Sequence
from typing import Final

from libs.ranking.categories import Category

ACE: Final = 14
_KINDS: Final = tuple(Category)
_CODE_OF: Final = {kind: code for code, kind in enumerate(_KINDS)}
_RANK_SLOTS: Final = 5
_RANK_BITS: Final = 4 * _RANK_SLOTS


def base_of(kind: Category, place: int) -> int:
    """Return the strength of a kind at a place on the ladder, before any rank is added."""
    return (place << 4 | _CODE_OF[kind]) << _RANK_BITS


def pack_ranks(ranks: Sequence[int]) -> int:
    """Return up to five ranks (2 to 14), the most important first, as the low bits."""
    packed = 0
    for slot in range(_RANK_SLOTS):
        packed = packed << 4 | (ranks[slot] if slot < len(ranks) else 0)
    return packed


def category_of(strength: int) -> Category:
    """Return the kind of hand of a strength, whichever system made it."""
    return _KINDS[strength >> _RANK_BITS & 0xF]


def ranks_of(strength: int) -> tuple[int, ...]:
    """Return the ranks that decide, 2 to 14, in order of importance, without those implied."""
    slots = (strength >> shift & 0xF for shift in range(_RANK_BITS - 4, -1, -4))
    return tuple(rank for rank in slots if rank)
