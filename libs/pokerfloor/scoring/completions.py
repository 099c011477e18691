"""What a row can still become with the cards that may come (for hints)."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

from pokerfloor.cards import RANKS, Card, is_joker
from pokerfloor.ranking import JokerUse, row_values

_RANKS: Final = range(len(RANKS))
_SUITS: Final = range(4)
_FIVE: Final = 5

Strengths = tuple[int, ...]


class _Pool(NamedTuple):
    """The cards that may come: the suits left of each rank, and the number of jokers."""

    suits: tuple[frozenset[int], ...]
    jokers: int


class _Begun(NamedTuple):
    """An unfinished row: ranks and suits of its natural cards, and its number of jokers."""

    ranks: tuple[int, ...]
    suits: frozenset[int]
    jokers: int


def completions(
    cards: Sequence[Card], size: int, pool: Collection[Card], use: JokerUse
) -> set[Strengths]:
    """Return the strengths of every way to fill a row from the pool.

    Each way has its possible strengths from the lowest up, just one without a joker. Equal ways
    occur once; there are none if the pool has too few cards.
    """
    begun = _Begun(
        tuple([card >> 2 for card in cards if not is_joker(card)]),
        frozenset([card & 3 for card in cards if not is_joker(card)]),
        sum([is_joker(card) for card in cards]),
    )
    naturals = [card for card in pool if not is_joker(card)]
    coming = _Pool(
        tuple([frozenset([c & 3 for c in naturals if c >> 2 == rank]) for rank in _RANKS]),
        len(pool) - len(naturals),
    )
    return set(_all_ways(begun, size - len(cards), coming, use))


def _all_ways(begun: _Begun, free: int, pool: _Pool, use: JokerUse) -> Iterator[Strengths]:
    for jokers in range(min(free, pool.jokers) + 1):
        in_row = begun.jokers + jokers
        for ranks in _rank_choices(free - jokers, pool):
            if _can_be_mixed(begun, ranks, pool):
                yield _strengths((*begun.ranks, *ranks), in_row, use, suited=False)
        for ranks in _suited_choices(begun, free - jokers, pool):
            yield _strengths((*begun.ranks, *ranks), in_row, use, suited=True)


def _strengths(ranks: Sequence[int], jokers: int, use: JokerUse, *, suited: bool) -> Strengths:
    # A row of three has no flush, so both ways are the same.
    flush = suited and len(ranks) + jokers == _FIVE
    return row_values(tuple(sorted(ranks)), jokers, use, suited=flush).strengths


@lru_cache(maxsize=256)
def _rank_choices(count: int, pool: _Pool) -> tuple[tuple[int, ...], ...]:
    """Return the ranks of every choice of `count` natural cards."""
    return tuple(
        [
            ranks
            for ranks in combinations_with_replacement(_RANKS, count)
            if all(ranks.count(rank) <= len(pool.suits[rank]) for rank in set(ranks))
        ]
    )


def _can_be_mixed(begun: _Begun, ranks: Sequence[int], pool: _Pool) -> bool:
    """Return whether the natural cards of the row can be of several suits."""
    if len(begun.suits) > 1 or len(set(ranks)) < len(ranks):
        return True
    suits = begun.suits.union(*[pool.suits[rank] for rank in ranks])
    return len(suits) > 1


def _suited_choices(begun: _Begun, count: int, pool: _Pool) -> Iterator[tuple[int, ...]]:
    """Yield the ranks of every choice of natural cards that keeps the row in one suit."""
    for suit in _SUITS:
        if begun.suits <= {suit}:
            held = [rank for rank in _RANKS if suit in pool.suits[rank]]
            yield from combinations(held, count)
