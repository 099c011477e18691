"""Which of the cards held are the ones that play, in order of importance."""

from collections.abc import Sequence
from typing import Final

from libs.cards import Card
from libs.ranking.categories import Category
from libs.ranking.strength import ACE, category_of, ranks_of

_SUITED: Final = {Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}
_STRAIGHTS: Final = {Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}
# How many cards of each rank play, in the order of the strength's ranks; kickers play once.
_GROUPS: Final = {
    Category.ONE_PAIR: (2,),
    Category.TWO_PAIR: (2, 2),
    Category.THREE_OF_A_KIND: (3,),
    Category.FULL_HOUSE: (3, 2),
    Category.FOUR_OF_A_KIND: (4,),
}


def playing_cards(cards: Sequence[Card], strength: int) -> tuple[Card, ...]:
    """Return the cards of `cards` that make `strength`, the most important first.

    Among cards of one rank that would do equally, the higher suit (s > h > d > c) is taken, so that
    the choice does not depend on the order given.
    """
    kind = category_of(strength)
    pool = sorted(cards, reverse=True)
    if kind in _SUITED:
        pool = max(([c for c in pool if c & 3 == suit] for suit in range(4)), key=len)
    wanted = _straight_ranks(ranks_of(strength)[0]) if kind in _STRAIGHTS else ranks_of(strength)
    groups = _GROUPS.get(kind, ())
    playing: list[Card] = []
    for slot, rank in enumerate(wanted):
        of_rank = [card for card in pool if card >> 2 == rank - 2]
        playing += of_rank[: groups[slot] if slot < len(groups) else 1]
    return tuple(playing)


def _straight_ranks(top: int) -> tuple[int, ...]:
    return tuple(rank if rank > 1 else ACE for rank in range(top, top - 5, -1))
