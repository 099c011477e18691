"""Which of the cards held are the ones that play, in order of importance."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from libs.cards import Card, is_joker
from libs.ranking.categories import Category
from libs.ranking.strength import ACE, LOW_ACE, category_of, ranks_of

_SUITED: Final = {Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}
_STRAIGHTS: Final = {Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}
# How many cards of each rank play, in the order of the strength's ranks; kickers play once.
_GROUPS: Final = {
    Category.ONE_PAIR: (2,),
    Category.TWO_PAIR: (2, 2),
    Category.THREE_OF_A_KIND: (3,),
    Category.FULL_HOUSE: (3, 2),
    Category.FOUR_OF_A_KIND: (4,),
    Category.POKER: (5,),
}


def playing_cards(cards: Sequence[Card], strength: int) -> tuple[Card, ...]:
    """Return the cards of `cards` that make `strength`, the most important first.

    Among cards of one rank that would do equally, the higher suit (s > h > d > c) is taken, so that
    the choice does not depend on the order given. A joker stands where the card is missing that it
    plays for.
    """
    suited, wanted = _recipe(strength)
    pool = sorted(cards, reverse=True)
    jokers: list[Card] = []
    while is_joker(pool[0]):  # their numbers are the highest
        jokers.append(pool.pop(0))
    if suited:
        pool = max([[c for c in pool if c & 3 == suit] for suit in range(4)], key=len)
    playing: list[Card] = []
    for rank, count in wanted:
        found = [card for card in pool if card >> 2 == rank][:count]
        playing += found
        if jokers:
            playing += [jokers.pop() for _ in range(min(len(jokers), count - len(found)))]
    return tuple(playing)


@lru_cache(maxsize=16_384)  # more than there are strengths in any system
def _recipe(strength: int) -> tuple[bool, tuple[tuple[int, int], ...]]:
    """Return whether one suit plays, and how many cards of which rank (0 is the two), in order."""
    kind = category_of(strength)
    ranks = ranks_of(strength)
    wanted = _straight_ranks(ranks) if kind in _STRAIGHTS else ranks
    groups = _GROUPS.get(kind, ())
    counts = groups + (1,) * (len(wanted) - len(groups))
    held = [ACE if rank == LOW_ACE else rank for rank in wanted]
    pairs = zip(held, counts, strict=True)
    return kind in _SUITED, tuple([(rank - 2, count) for rank, count in pairs])


def _straight_ranks(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the five ranks of a straight; a second rank given is the ace below the others."""
    top = ranks[0]
    return (*range(top, top - 4, -1), ranks[1] if len(ranks) > 1 else top - 4)
