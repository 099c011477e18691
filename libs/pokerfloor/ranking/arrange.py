"""What a strength stands for: its kind, its name, and which cards play."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from pokerfloor.cards import RED_JOKER, Card
from pokerfloor.ranking.categories import Category
from pokerfloor.ranking.strength import ACE, LOW_ACE, category_of, is_of_low, ranks_of
from pokerfloor.ranking.words import hand_name

# The ranks that play (0 is the two) with the number of cards of each, most important first.
Wanted: TypeAlias = tuple[tuple[int, int], ...]

_SUITED: Final = {Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}
_STRAIGHTS: Final = {Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH}
# How many cards of each rank of the strength play, in order; kickers play once.
_GROUPS: Final = {
    Category.ONE_PAIR: (2,),
    Category.TWO_PAIR: (2, 2),
    Category.THREE_OF_A_KIND: (3,),
    Category.FULL_HOUSE: (3, 2),
    Category.FOUR_OF_A_KIND: (4,),
    Category.POKER: (5,),
}
_DOES_NOT_PLAY: Final = 13  # sorts after all ranks that do


class Making(NamedTuple):
    """What follows from a strength: kind, name, whether one suit plays, and the ranks.

    `size` cards play. `order` gives sort keys by card number that put the cards that play first,
    most important first. It is empty if more cards of a rank may be held than play, followed by
    another rank, as in a straight.
    """

    kind: Category
    name: str
    suited: bool
    wanted: Wanted
    size: int
    order: bytes


def playing_cards(cards: Sequence[Card], strength: int) -> tuple[Card, ...]:
    """Return the cards of `cards` that make `strength`, the most important first.

    Among equal ranks the higher suit (s > h > d > c) is taken, so the result does not depend on the
    order of `cards`. A joker takes the place of the card it stands for.
    """
    _, _, suited, wanted, size, order = making_of(strength)
    if max(cards) >= RED_JOKER:
        return _with_jokers(cards, wanted)
    if suited:
        cards = _longest_suit(cards)
    if order:  # fast path for all shown hands
        return tuple(sorted(cards, key=order.__getitem__)[:size])
    down = sorted(cards, reverse=True)
    return tuple([c for rank, count in wanted for c in [c for c in down if c >> 2 == rank][:count]])


def _with_jokers(cards: Sequence[Card], wanted: Wanted) -> tuple[Card, ...]:
    """Hands with jokers have five cards, so a flush has no card of another suit."""
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


# All systems together have about 20,000 strengths.
@lru_cache(maxsize=32_768)
def making_of(strength: int) -> Making:
    """Return what a strength of any system stands for."""
    kind = category_of(strength)
    ranks = ranks_of(strength)
    playing = _straight_ranks(ranks) if kind in _STRAIGHTS else ranks
    groups = _GROUPS.get(kind, ())
    counts = groups + (1,) * (len(playing) - len(groups))
    held = [(ACE if rank == LOW_ACE else rank) - 2 for rank in playing]
    suited = kind in _SUITED
    # In all other hands only the last rank can have more cards than play.
    clear = suited or not (kind is Category.STRAIGHT or is_of_low(strength))
    wanted = tuple(zip(held, counts, strict=True))
    order = _order(held) if clear else b""
    return Making(kind, hand_name(strength), suited, wanted, sum(counts), order)


def name_of(strength: int) -> str:
    """Return the name of the hand of a strength, without kickers."""
    return making_of(strength).name


def _order(ranks: Sequence[int]) -> bytes:
    """Return a sort key for each card: these ranks first, higher suits first, then the others."""
    places = [ranks.index(rank) if rank in ranks else _DOES_NOT_PLAY for rank in range(13)]
    return bytes([4 * places[card >> 2] + 3 - (card & 3) for card in range(52)])


def _straight_ranks(ranks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the five ranks of a straight; a second rank means the ace below the others."""
    top = ranks[0]
    return (*range(top, top - 4, -1), ranks[1] if len(ranks) > 1 else top - 4)
