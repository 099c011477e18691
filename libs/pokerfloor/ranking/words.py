"""Names of hands: "full house, aces over kings"."""

from collections.abc import Callable
from typing import Final

from pokerfloor.cards import RANKS
from pokerfloor.ranking.card_names import RANK_NAMES
from pokerfloor.ranking.categories import Category
from pokerfloor.ranking.strength import LOW_ACE, category_of, ranks_of

_ONE: Final = ("ace", *RANK_NAMES)


def _one(rank: int) -> str:
    return _ONE[rank - 1]


def _many(rank: int) -> str:
    word = _one(rank)
    return f"{word}es" if word.endswith("x") else f"{word}s"


def _run(ranks: tuple[int, ...]) -> str:
    """Name a straight from its lowest to its highest card; the ace may be below the two."""
    top, low = ranks[0], ranks[1] if len(ranks) > 1 else ranks[0] - 4
    return f"{_one(low)} to {_one(top)}"


def _each(ranks: tuple[int, ...]) -> str:
    """Name every rank: any of them may decide between low hands."""
    return "-".join("A" if rank == LOW_ACE else RANKS[rank - 2] for rank in ranks)


_PHRASE: Final[dict[Category, Callable[[tuple[int, ...]], str]]] = {
    Category.HIGH_CARD: lambda ranks: f"high card, {_one(ranks[0])}",
    Category.ONE_PAIR: lambda ranks: f"pair of {_many(ranks[0])}",
    Category.TWO_PAIR: lambda ranks: f"two pair, {_many(ranks[0])} and {_many(ranks[1])}",
    Category.THREE_OF_A_KIND: lambda ranks: f"three of a kind, {_many(ranks[0])}",
    Category.STRAIGHT: lambda ranks: f"straight, {_run(ranks)}",
    Category.FLUSH: lambda ranks: f"flush, {_one(ranks[0])} high",
    Category.FULL_HOUSE: lambda ranks: f"full house, {_many(ranks[0])} over {_many(ranks[1])}",
    Category.FOUR_OF_A_KIND: lambda ranks: f"four of a kind, {_many(ranks[0])}",
    Category.STRAIGHT_FLUSH: lambda ranks: f"straight flush, {_run(ranks)}",
    Category.ROYAL_FLUSH: lambda _: "royal flush",
    Category.POKER: lambda ranks: f"poker, {_many(ranks[0])}",
    Category.NO_LOW: lambda _: "no low",
    Category.LOW: lambda ranks: f"low, {_each(ranks)}",
    Category.ONE_CARD_BADUGI: lambda ranks: f"one-card badugi, {_each(ranks)}",
    Category.TWO_CARD_BADUGI: lambda ranks: f"two-card badugi, {_each(ranks)}",
    Category.THREE_CARD_BADUGI: lambda ranks: f"three-card badugi, {_each(ranks)}",
    Category.BADUGI: lambda ranks: f"badugi, {_each(ranks)}",
}


def hand_name(strength: int) -> str:
    """Return the name of the hand of a strength, without kickers."""
    return _PHRASE[category_of(strength)](ranks_of(strength))
