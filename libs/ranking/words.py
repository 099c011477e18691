"""Names of hands for people: "full house, aces over kings"."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from libs.ranking.categories import Category
from libs.ranking.strength import category_of, ranks_of

_ONE: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "jack", "queen", "king", "ace"),
)


def _one(rank: int) -> str:
    return _ONE[rank - 2]


def _many(rank: int) -> str:
    word = _one(rank)
    return f"{word}es" if word.endswith("x") else f"{word}s"


def _run(top: int) -> str:
    """Name a straight from its lowest card to its highest; below the two stands the ace."""
    low = top - 4
    return f"{_one(low) if low > 1 else 'ace'} to {_one(top)}"


_PHRASE: Final[dict[Category, Callable[[tuple[int, ...]], str]]] = {
    Category.HIGH_CARD: lambda ranks: f"high card, {_one(ranks[0])}",
    Category.ONE_PAIR: lambda ranks: f"pair of {_many(ranks[0])}",
    Category.TWO_PAIR: lambda ranks: f"two pair, {_many(ranks[0])} and {_many(ranks[1])}",
    Category.THREE_OF_A_KIND: lambda ranks: f"three of a kind, {_many(ranks[0])}",
    Category.STRAIGHT: lambda ranks: f"straight, {_run(ranks[0])}",
    Category.FLUSH: lambda ranks: f"flush, {_one(ranks[0])} high",
    Category.FULL_HOUSE: lambda ranks: f"full house, {_many(ranks[0])} over {_many(ranks[1])}",
    Category.FOUR_OF_A_KIND: lambda ranks: f"four of a kind, {_many(ranks[0])}",
    Category.STRAIGHT_FLUSH: lambda ranks: f"straight flush, {_run(ranks[0])}",
    Category.ROYAL_FLUSH: lambda _: "royal flush",
}


@lru_cache(maxsize=16_384)  # more than there are strengths in any system
def hand_name(strength: int) -> str:
    """Return the name of the hand of a strength, kickers left out."""
    return _PHRASE[category_of(strength)](ranks_of(strength))
