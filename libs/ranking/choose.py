"""Which own and board cards may play: any, two own (OMA-1), at most one of the board (MAT-5).

A choice binds a ranking system to such a rule, and ranks own cards with a board.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations

from libs.cards import Card
from libs.ranking.system import (
    WRONG_NUMBER_OF_CARDS,
    RankedHand,
    RankingError,
    RankingSystem,
    check_cards,
)
from libs.ranking.tables import KEYS, RANK_HALF, SumTable
from libs.ranking.two_of_own import MOST_BOARD, MOST_OWN, two_of_own


class Use(StrEnum):
    """How many own and board cards a hand is made of."""

    ANY = "any"  # the best five of all (HLD-4)
    EXACTLY_TWO = "exactly_two"  # two own and three of the board (OMA-1)
    AT_MOST_ONE_OF_BOARD = "at_most_one_of_board"  # five own, or four own and one more (MAT-5)


@dataclass(frozen=True, slots=True)
class Choice:
    """A ranking system under a rule of use. Both calls take the own cards, then the board.

    They raise RankingError, as the system does.
    """

    use: Use
    system: RankingSystem
    strength: Callable[[Sequence[Card], Sequence[Card]], int]
    describe: Callable[[Sequence[Card], Sequence[Card]], RankedHand]


@lru_cache(maxsize=256)  # systems by uses
def choose(system: RankingSystem, use: Use) -> Choice:
    """Return how `system` ranks own cards with a board under a rule of use."""
    if use is Use.ANY:
        return Choice(
            use,
            system,
            lambda own, board: system.strength((*own, *board)),
            lambda own, board: system.describe((*own, *board)),
        )
    hands = _two_and_three if use is Use.EXACTLY_TWO else _one_of_board

    def strength(own: Sequence[Card], board: Sequence[Card]) -> int:
        return max(map(system.strength, hands(system, own, board)))

    def describe(own: Sequence[Card], board: Sequence[Card]) -> RankedHand:
        best = max(
            hands(system, own, board), key=lambda hand: (system.strength(hand), sorted(hand)[::-1])
        )
        return system.describe(best)

    if use is Use.EXACTLY_TWO and system.table:
        fast = two_of_own(system, system.table)
        return Choice(use, system, fast, _describe_two(system, system.table, fast))
    return Choice(use, system, strength, describe)


def _describe_two(
    system: RankingSystem,
    get_table: Callable[[], SumTable],
    strength: Callable[[Sequence[Card], Sequence[Card]], int],
) -> Callable[[Sequence[Card], Sequence[Card]], RankedHand]:
    """Return how to name two own cards with three of a board, by the system's table of sums."""

    def describe(own: Sequence[Card], board: Sequence[Card]) -> RankedHand:
        best = strength(own, board)
        table = get_table()
        by_ranks, by_flush = table.by_ranks[5], table.by_flush
        threes = [(three, _rank_sum(three)) for three in combinations(board, 3)]
        equal = [
            (*two, *three)
            for two in combinations(own, 2)
            for three, of_three in threes
            if by_ranks.get(_rank_sum(two) + of_three, 0) == best
        ]
        if not equal:  # ranks alone do not make it: a flush
            equal = [
                (*two, *three)
                for two in combinations(own, 2)
                for three, _ in threes
                if len({card & 3 for card in (*two, *three)}) == 1
                and by_flush[sum([1 << (card >> 2) for card in (*two, *three)])] == best
            ]
        return system.describe(max(equal, key=lambda hand: sorted(hand, reverse=True)))

    return describe


def _rank_sum(cards: Sequence[Card]) -> int:
    return sum([KEYS[card] & RANK_HALF for card in cards])


def _two_and_three(
    system: RankingSystem, own: Sequence[Card], board: Sequence[Card]
) -> list[tuple[Card, ...]]:
    """Return every hand of two own cards and three of the board."""
    _check(system, own, board, enough=len(own) >= 2 and len(board) >= 3)
    return [(*two, *three) for two in combinations(own, 2) for three in combinations(board, 3)]


def _one_of_board(
    system: RankingSystem, own: Sequence[Card], board: Sequence[Card]
) -> list[tuple[Card, ...]]:
    """Return the own cards by themselves or with each card of the board.

    The best five of these six cards are the five own or four of them and the one.
    """
    _check(system, own, board, enough=len(own) >= 4 and len(own) + len(board) >= 5)
    if board and len(own) + 1 in system.sizes:
        return [(*own, card) for card in board]
    four_and_one = [(*four, card) for four in combinations(own, 4) for card in board]
    return [*combinations(own, 5), *four_and_one]


def _check(
    system: RankingSystem, own: Sequence[Card], board: Sequence[Card], *, enough: bool
) -> None:
    if not enough or len(own) > MOST_OWN or len(board) > MOST_BOARD:
        reason = f"{system.name} finds no hand in {len(own)} own cards and {len(board)} of a board"
        raise RankingError(WRONG_NUMBER_OF_CARDS, reason, (*own, *board))
    cards = (*own, *board)
    check_cards(cards, (len(cards),), system.deck, system.name)
