"""The fast way through exactly two hole cards and three of the board (OMA-1).

The strength of two ranks with three is looked up in one table: a row for each three, in it a place
for each two. So what is needed of hole cards is the places of their pairs, and of a board the rows
of its threes; both are kept while hands and boards come again. Rows and places that give no
strength at all are left out: so most of what is no low is never looked up. A flush needs two own
cards of a suit of which the board has three.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from operator import itemgetter
from typing import Final, NamedTuple

from pokerfloor.cards import Card
from pokerfloor.ranking.arrange import Wanted, making_of
from pokerfloor.ranking.system import (
    WRONG_NUMBER_OF_CARDS,
    RankingError,
    RankingSystem,
    check_cards,
)
from pokerfloor.ranking.tables import KEYS, RANK_HALF, SumTable

MOST_HOLE: Final = 10
MOST_BOARD: Final = 7
_KEPT: Final = 1024
_RANKS: Final = range(13)
_RANK_KEYS: Final = [key & RANK_HALF for key in KEYS]

_Row = list[int]


class _Hole(NamedTuple):
    """What is kept of hole cards.

    `held` has the cards; `pairs` takes from a row the strengths of all pairs, None if they have
    none.
    """

    held: frozenset[Card]
    pairs: Callable[[_Row], tuple[int, ...]] | None


class _Board(NamedTuple):
    """What is kept of a board: the rows of its threes, and by suit the masks of those in it."""

    rows: list[_Row]
    suited: list[tuple[int, list[int]]]


class TwoHoleCards:
    """Hole cards with boards, by a system's table of five-card sums.

    In the system, a flush must not be worth less than its ranks are without it.
    """

    def __init__(self, system: RankingSystem, table: SumTable) -> None:
        """Lay out the rows, in some tens of milliseconds."""
        self._system = system
        self._rows = _rows(table.by_ranks[5])
        self._places = {
            place for row in self._rows.values() for place, strength in enumerate(row) if strength
        }
        self._by_flush = table.by_flush
        self._hole = lru_cache(maxsize=_KEPT)(self._read_hole)
        self._board = lru_cache(maxsize=_KEPT)(self._read_board)

    def strength(self, hole: Sequence[Card], board: Sequence[Card]) -> int:
        """Return the strength of hole cards with a board.

        Raises RankingError for too few or too many cards, and for cards that are not different or
        not in the system's deck.
        """
        held, pairs = self._hole(tuple(hole))
        rows, suited = self._board(tuple(board))
        if not held.isdisjoint(board):
            _check(self._system, (*hole, *board), 0, MOST_HOLE + MOST_BOARD)
        best = max(map(max, map(pairs, rows)), default=0) if pairs else 0
        for suit, threes in suited:
            twos = _masks(hole, suit, 2)
            best = max([best, *[self._by_flush[a | b] for a in twos for b in threes]])
        return best

    def playing(
        self, hole: Sequence[Card], board: Sequence[Card], strength: int
    ) -> tuple[Card, ...]:
        """Return the cards that make a strength found, the most important first.

        Where several choices do, it is the one with the highest cards, whatever the order given.
        """
        making = making_of(strength)
        if making.suited:
            return _suited(hole, board, making.wanted)
        return _unsuited(hole, board, making.wanted) if making.wanted else ()

    def _read_hole(self, hole: tuple[Card, ...]) -> _Hole:
        _check(self._system, hole, 2, MOST_HOLE)
        pairs = combinations([card >> 2 for card in hole], 2)
        places = {a * len(_RANKS) + b for a, b in pairs} & self._places
        if not places:
            return _Hole(frozenset(hole), None)
        # A getter of one place gives no tuple, and a place twice does no harm.
        return _Hole(frozenset(hole), itemgetter(*places, min(places)))

    def _read_board(self, board: tuple[Card, ...]) -> _Board:
        _check(self._system, board, 3, MOST_BOARD)
        sums = set(map(sum, combinations([_RANK_KEYS[card] for card in board], 3)))
        rows = [self._rows[three] for three in sums if three in self._rows]
        suited = [(suit, masks) for suit in range(4) if (masks := _masks(board, suit, 3))]
        return _Board(rows, suited if self._by_flush else [])


def _check(system: RankingSystem, cards: tuple[Card, ...], fewest: int, most: int) -> None:
    if not fewest <= len(cards) <= most:
        reason = f"{system.name} takes {fewest} of {fewest} to {most} cards, not of {len(cards)}"
        raise RankingError(WRONG_NUMBER_OF_CARDS, reason, cards)
    check_cards(cards, (len(cards),), system.deck, system.name)


def _rows(by_ranks: dict[int, int]) -> dict[int, _Row]:
    """Return the rows by the sum of the keys of three ranks, without those of no strength.

    In a row stands at 13 times one rank and the other, in both orders, the strength of the five
    cards, or 0 where there are no such five.
    """
    twos = [(a, b, 1 << 3 * a, 1 << 3 * b) for a, b in combinations_with_replacement(_RANKS, 2)]
    rows: dict[int, _Row] = {}
    for ranks in combinations_with_replacement(_RANKS, 3):
        three = sum([1 << 3 * rank for rank in ranks])
        row = [0] * len(_RANKS) ** 2
        for a, b, key_a, key_b in twos:
            strength = by_ranks.get(three + key_a + key_b, 0)
            row[a * len(_RANKS) + b] = row[b * len(_RANKS) + a] = strength
        if any(row):
            rows[three] = row
    return rows


def _masks(cards: Sequence[Card], suit: int, size: int) -> list[int]:
    """Return the masks of ranks of all choices of `size` cards of the suit."""
    ranks = [1 << (card >> 2) for card in cards if card & 3 == suit]
    return list(map(sum, combinations(ranks, size))) if len(ranks) >= size else []


def _suited(hole: Sequence[Card], board: Sequence[Card], wanted: Wanted) -> tuple[Card, ...]:
    """Return the cards of these ranks and one suit of which two are own and three on the board."""
    for suit in (3, 2, 1, 0):
        playing = [4 * rank + suit for rank, _ in wanted]
        if [card in hole for card in playing].count(True) == 2 and all(
            card in hole or card in board for card in playing
        ):
            return tuple(playing)
    raise AssertionError("no such flush in these cards")


def _unsuited(hole: Sequence[Card], board: Sequence[Card], wanted: Wanted) -> tuple[Card, ...]:
    """Return the highest cards of these ranks of which two are own and three on the board."""
    of_hole, of_board = _by_rank(hole), _by_rank(board)
    ways: list[list[tuple[int, list[Card]]]] = []  # by rank: how many hole cards, and the cards
    for rank, count in wanted:
        mine, others = of_hole.get(rank, []), of_board.get(rank, [])
        numbers = range(max(0, count - len(others)), min(count, len(mine)) + 1)
        ways.append([(number, mine[:number] + others[: count - number]) for number in numbers])
    hands = [
        [card for _, cards in way for card in sorted(cards, reverse=True)]
        for way in product(*ways)
        if sum([number for number, _ in way]) == 2
    ]
    return tuple(max(hands, key=lambda cards: sorted(cards, reverse=True)))


def _by_rank(cards: Sequence[Card]) -> dict[int, list[Card]]:
    """Return the cards by rank, the higher suits first."""
    by_rank: dict[int, list[Card]] = {}
    for card in sorted(cards, reverse=True):
        by_rank.setdefault(card >> 2, []).append(card)
    return by_rank
