"""The fast way through exactly two own cards and three of the board (OMA-1).

The strength of two ranks with three is looked up in one table: a row for each three, in it a place
for each two. So what is needed of own cards is the places of their pairs, and of a board the rows
of its threes; both are kept while hands and boards come again. A flush needs two own cards of a
suit of which the board has three.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from operator import itemgetter
from typing import Final, NamedTuple

from libs.cards import Card
from libs.ranking.system import WRONG_NUMBER_OF_CARDS, RankingError, RankingSystem, check_cards
from libs.ranking.tables import KEYS, RANK_HALF, SumTable

MOST_OWN: Final = 10
MOST_BOARD: Final = 7
_KEPT: Final = 1024
_RANKS: Final = range(13)
_RANK_KEYS: Final = [key & RANK_HALF for key in KEYS]

_Row = list[int]


class _Own(NamedTuple):
    """What is kept of own cards.

    `held` has the cards; `pairs` takes from a row the strengths of all pairs.
    """

    held: frozenset[Card]
    pairs: Callable[[_Row], tuple[int, ...]]


class _Board(NamedTuple):
    """What is kept of a board: the rows of its threes, and by suit the masks of those in it."""

    rows: list[_Row]
    suited: list[tuple[int, list[int]]]


def two_of_own(
    system: RankingSystem, get_table: Callable[[], SumTable]
) -> Callable[[Sequence[Card], Sequence[Card]], int]:
    """Return the strength of own cards and a board, by a system's table of five-card sums.

    What it returns raises RankingError for too few or too many cards, and for cards that are not
    different or not in the system's deck.
    """

    @cache
    def tables() -> tuple[dict[int, _Row], Sequence[int]]:
        return _rows(get_table().by_ranks[5]), get_table().by_flush

    @lru_cache(maxsize=_KEPT)
    def own_kept(own: tuple[Card, ...]) -> _Own:
        _check(system, own, 2, MOST_OWN)
        places = {(a >> 2) * len(_RANKS) + (b >> 2) for a, b in combinations(own, 2)}
        # A getter of one place gives no tuple, and a place twice does no harm.
        return _Own(frozenset(own), itemgetter(*places, min(places)))

    @lru_cache(maxsize=_KEPT)
    def board_kept(board: tuple[Card, ...]) -> _Board:
        _check(system, board, 3, MOST_BOARD)
        rows, by_flush = tables()
        sums = set(map(sum, combinations([_RANK_KEYS[card] for card in board], 3)))
        suited = [(suit, masks) for suit in range(4) if (masks := _masks(board, suit, 3))]
        return _Board([rows[three] for three in sums], suited if by_flush else [])

    def strength(own: Sequence[Card], board: Sequence[Card]) -> int:
        two, three = own_kept(tuple(own)), board_kept(tuple(board))
        if not two.held.isdisjoint(board):
            _check(system, (*own, *board), 0, MOST_OWN + MOST_BOARD)
        best = max(map(max, map(two.pairs, three.rows)))
        for suit, threes in three.suited:
            by_flush, twos = tables()[1], _masks(own, suit, 2)
            best = max([best, *[by_flush[a | b] for a in twos for b in threes]])
        return best

    return strength


def _check(system: RankingSystem, cards: tuple[Card, ...], fewest: int, most: int) -> None:
    if not fewest <= len(cards) <= most:
        reason = f"{system.name} takes {fewest} of {fewest} to {most} cards, not of {len(cards)}"
        raise RankingError(WRONG_NUMBER_OF_CARDS, reason, cards)
    check_cards(cards, (len(cards),), system.deck, system.name)


def _rows(by_ranks: dict[int, int]) -> dict[int, _Row]:
    """Return the rows by the sum of the keys of three ranks.

    In a row stands at 13 times one rank and the other, in both orders, the strength of the five
    cards, or 0 where there are no such five.
    """
    twos = [(a, b, 1 << 3 * a, 1 << 3 * b) for a, b in combinations_with_replacement(_RANKS, 2)]
    rows: dict[int, _Row] = {}
    for ranks in combinations_with_replacement(_RANKS, 3):
        three = sum([1 << 3 * rank for rank in ranks])
        row = rows[three] = [0] * len(_RANKS) ** 2
        for a, b, key_a, key_b in twos:
            strength = by_ranks.get(three + key_a + key_b, 0)
            row[a * len(_RANKS) + b] = row[b * len(_RANKS) + a] = strength
    return rows


def _masks(cards: Sequence[Card], suit: int, size: int) -> list[int]:
    """Return the masks of ranks of all choices of `size` cards of the suit."""
    ranks = [1 << (card >> 2) for card in cards if card & 3 == suit]
    return list(map(sum, combinations(ranks, size))) if len(ranks) >= size else []
