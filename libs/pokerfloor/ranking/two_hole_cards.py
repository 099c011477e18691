"""The fast path for exactly two hole cards and three board cards (OMA-1).

One table has the strength of two ranks with three: a row for each three ranks, an entry for each
two. So hole cards are reduced to the entries of their pairs, and a board to the rows of its threes;
both are cached. Rows and entries without any strength are left out, so that most hands without a
low are never looked up. A flush needs two hole cards of a suit of which the board has three.
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
    """Cached data of hole cards.

    `held` are the cards; `pairs` gets the strengths of all pairs from a row, None if there are
    none.
    """

    held: frozenset[Card]
    pairs: Callable[[_Row], tuple[int, ...]] | None


class _Board(NamedTuple):
    """Cached data of a board: the rows of its threes, and by suit the masks of its threes."""

    rows: list[_Row]
    suited: list[tuple[int, list[int]]]


class TwoHoleCards:
    """Ranks hole cards with boards, by the table of five-card sums of a system.

    In that system a flush must not be worth less than its ranks without it.
    """

    def __init__(self, system: RankingSystem, table: SumTable) -> None:
        """Build the rows, in some 10 ms."""
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

        Raises RankingError for too few or too many cards, for duplicates and for cards that are not
        in the deck of the system.
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
        """Return the cards that make a strength, most important first.

        Of several choices it is the one with the highest cards, whatever the order of the input.
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
        # A getter of one entry returns no tuple; a repeated entry does no harm.
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
    """Return the rows by the sum of the keys of three ranks, without rows of no strength.

    A row has at index 13 * rank + rank, in both orders, the strength of the five cards, or 0 if
    there are no such five cards.
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
    """Return the rank masks of all choices of `size` cards of the suit."""
    ranks = [1 << (card >> 2) for card in cards if card & 3 == suit]
    return list(map(sum, combinations(ranks, size))) if len(ranks) >= size else []


def _suited(hole: Sequence[Card], board: Sequence[Card], wanted: Wanted) -> tuple[Card, ...]:
    """Return the cards of these ranks and one suit with two hole cards and three of the board."""
    for suit in (3, 2, 1, 0):
        playing = [4 * rank + suit for rank, _ in wanted]
        if [card in hole for card in playing].count(True) == 2 and all(
            card in hole or card in board for card in playing
        ):
            return tuple(playing)
    raise AssertionError("no such flush in these cards")


def _unsuited(hole: Sequence[Card], board: Sequence[Card], wanted: Wanted) -> tuple[Card, ...]:
    """Return the highest cards of these ranks with two hole cards and three of the board."""
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
    """Return the cards by rank, higher suits first."""
    by_rank: dict[int, list[Card]] = {}
    for card in sorted(cards, reverse=True):
        by_rank.setdefault(card >> 2, []).append(card)
    return by_rank
