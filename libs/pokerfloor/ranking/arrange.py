"""What a strength is made of: its kind, its name, and which of the cards held play."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from pokerfloor.cards import RED_JOKER, Card
from pokerfloor.ranking.categories import Category
from pokerfloor.ranking.strength import ACE, LOW_ACE, category_of, is_of_low, ranks_of
from pokerfloor.ranking.words import hand_name

# The ranks that play (0 is the two) with how many cards of each, in order of importance.
Wanted: TypeAlias = tuple[tuple[int, int], ...]

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
_DOES_NOT_PLAY: Final = 13  # behind all ranks that do


class Making(NamedTuple):
    """All that follows from a strength: kind, name, whether one suit plays, and the ranks.

    `size` cards play. `order` sorts cards, by their numbers, so that the first are those that play,
    in the order of importance; it is empty where more cards of a rank may be held than play of it
    with a card of another rank after them, as in a straight.
    """

    kind: Category
    name: str
    suited: bool
    wanted: Wanted
    size: int
    order: bytes


def playing_cards(cards: Sequence[Card], strength: int) -> tuple[Card, ...]:
    """Return the cards of `cards` that make `strength`, the most important first.

    Among cards of one rank that would do equally, the higher suit (s > h > d > c) is taken, so that
    the choice does not depend on the order given. A joker stands where the card is missing that it
    plays for.
    """
    _, _, suited, wanted, size, order = making_of(strength)
    if max(cards) >= RED_JOKER:
        return _with_jokers(cards, wanted)
    if suited:
        cards = _longest_suit(cards)
    if order:  # written for speed: every hand shown comes here
        return tuple(sorted(cards, key=order.__getitem__)[:size])
    down = sorted(cards, reverse=True)
    return tuple([c for rank, count in wanted for c in [c for c in down if c >> 2 == rank][:count]])


def _with_jokers(cards: Sequence[Card], wanted: Wanted) -> tuple[Card, ...]:
    """Hands with jokers are of five cards: a flush has no card of another suit."""
    jokers = sorted([card for card in cards if card >= RED_JOKER])
    down = sorted([card for card in cards if card < RED_JOKER], reverse=True)
    playing: list[Card] = []
    for rank, count in wanted:
        found = [card for card in down if card >> 2 == rank][:count]
        missing = min(len(jokers), count - len(found))
        playing += [*found, *[jokers.pop(0) for _ in range(missing)]]
    return tuple(playing)


def _longest_suit(cards: Sequence[Card]) -> list[Card]:
    return max([[card for card in cards if card & 3 == suit] for suit in range(4)], key=len)


# It is asked of strengths only, and all systems together have some 20,000.
@lru_cache(maxsize=32_768)
def making_of(strength: int) -> Making:
    """Return what makes a strength, whichever system it is of."""
    kind = category_of(strength)
    ranks = ranks_of(strength)
    playing = _straight_ranks(ranks) if kind in _STRAIGHTS else ranks
    groups = _GROUPS.get(kind, ())
    counts = groups + (1,) * (len(playing) - len(groups))
    held = [(ACE if rank == LOW_ACE else rank) - 2 for rank in playing]
    suited = kind in _SUITED
    # Of no other hand could more of a rank be held than plays, were it not the last rank.
    clear = suited or not (kind is Category.STRAIGHT or is_of_low(strength))
    wanted = tuple(zip(held, counts, strict=True))
    order = _order(held) if clear else b""
    return Making(kind, hand_name(strength), suited, wanted, sum(counts), order)


def name_of(strength: int) -> str:
    """Return the name of the hand of a strength, kickers left out."""
    return making_of(strength).name


def _order(ranks: Sequence[int]) -> bytes:
    """Return for each card its place: by these ranks, the higher suit first, then all others."""
    places = [ranks.index(rank) if rank in ranks else _DOES_NOT_PLAY for rank in range(13)]
    return bytes([4 * places[card >> 2] + 3 - (card & 3) for card in range(52)])


def _straight_ranks(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the five ranks of a straight; a second rank given is the ace below the others."""
    top = ranks[0]
    return (*range(top, top - 4, -1), ranks[1] if len(ranks) > 1 else top - 4)
