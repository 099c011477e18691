"""Which hole and board cards play: any, two hole cards (OMA-1), at most one board card (MAT-5).

A choice binds a ranking system to such a rule and ranks hole cards with a board.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations

from pokerfloor.cards import Card
from pokerfloor.ranking.low27 import LOW_27
from pokerfloor.ranking.system import (
    WRONG_NUMBER_OF_CARDS,
    RankedHand,
    RankingError,
    RankingSystem,
    check_cards,
)
from pokerfloor.ranking.two_hole_cards import MOST_BOARD, MOST_HOLE, TwoHoleCards


class Use(StrEnum):
    """How many hole and board cards make a hand."""

    ANY = "any"  # the best five of all (HLD-4)
    EXACTLY_TWO = "exactly_two"  # two hole cards and three of the board (OMA-1)
    AT_MOST_ONE_OF_BOARD = "at_most_one_of_board"  # five hole cards, or four and one more (MAT-5)


@dataclass(frozen=True, slots=True)
class Choice:
    """A ranking system with a rule of use. All functions take the hole cards, then the board.

    `strength` raises RankingError like the system. `unchecked` is faster; the caller ensures a
    valid number of different cards of the deck. `playing` returns the cards that make a strength
    found in these cards.
    """

    use: Use
    system: RankingSystem
    strength: Callable[[Sequence[Card], Sequence[Card]], int]
    unchecked: Callable[[Sequence[Card], Sequence[Card]], int]
    playing: Callable[[Sequence[Card], Sequence[Card], int], tuple[Card, ...]]

    def describe(self, hole: Sequence[Card], board: Sequence[Card]) -> RankedHand:
        """Return the best hand from hole cards and a board. Raises RankingError."""
        return self.hand(hole, board, self.strength(hole, board))

    def hand(self, hole: Sequence[Card], board: Sequence[Card], strength: int) -> RankedHand:
        """Return the hand of a strength found in these cards."""
        return self.system.hand(strength, self.playing(hole, board, strength))


@lru_cache(maxsize=256)  # systems by uses
def choose(system: RankingSystem, use: Use) -> Choice:
    """Return how `system` ranks hole cards with a board under a rule of use."""
    if use is Use.ANY:
        unchecked, which = system.unchecked, system.playing
        return Choice(
            use,
            system,
            lambda hole, board: system.strength((*hole, *board)),
            lambda hole, board: unchecked((*hole, *board)),
            lambda hole, board, strength: which((*hole, *board), strength),
        )
    # In LOW_27 a flush is worth less than its ranks, which the fast path does not support.
    if use is Use.EXACTLY_TWO and system.table and system is not LOW_27:
        fast = TwoHoleCards(system, system.table())
        return Choice(use, system, fast.strength, fast.strength, fast.playing)
    hands = _two_and_three if use is Use.EXACTLY_TWO else _one_of_board

    def strength(hole: Sequence[Card], board: Sequence[Card]) -> int:
        return max(map(system.strength, hands(system, hole, board)))

    def playing(hole: Sequence[Card], board: Sequence[Card], strength: int) -> tuple[Card, ...]:
        equal = [hand for hand in hands(system, hole, board) if system.strength(hand) == strength]
        return system.playing(max(equal, key=lambda hand: sorted(hand, reverse=True)), strength)

    return Choice(use, system, strength, strength, playing)


def _two_and_three(
    system: RankingSystem, hole: Sequence[Card], board: Sequence[Card]
) -> list[tuple[Card, ...]]:
    """Return every hand of two hole cards and three of the board."""
    _check(system, hole, board, enough=len(hole) >= 2 and len(board) >= 3)
    return [(*two, *three) for two in combinations(hole, 2) for three in combinations(board, 3)]


def _one_of_board(
    system: RankingSystem, hole: Sequence[Card], board: Sequence[Card]
) -> list[tuple[Card, ...]]:
    """Return the hole cards alone and with each card of the board.

    The best five of six cards are the five hole cards, or four of them and the board card.
    """
    _check(system, hole, board, enough=len(hole) >= 4 and len(hole) + len(board) >= 5)
    if board and len(hole) + 1 in system.sizes:
        return [(*hole, card) for card in board]
    four_and_one = [(*four, card) for four in combinations(hole, 4) for card in board]
    return [*combinations(hole, 5), *four_and_one]


def _check(
    system: RankingSystem, hole: Sequence[Card], board: Sequence[Card], *, enough: bool
) -> None:
    if not enough or len(hole) > MOST_HOLE or len(board) > MOST_BOARD:
        reason = (
            f"{system.name} finds no hand in {len(hole)} hole cards and {len(board)} of a board"
        )
        raise RankingError(WRONG_NUMBER_OF_CARDS, reason, (*hole, *board))
    cards = (*hole, *board)
    check_cards(cards, (len(cards),), system.deck, system.name)
