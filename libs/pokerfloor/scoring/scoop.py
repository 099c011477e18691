"""Scoop Hold'em: three two-card rows with one board, row against row (SCP-2 to SCP-4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from types import MappingProxyType
from typing import Final

from pokerfloor.cards import STANDARD, Card
from pokerfloor.ranking import HIGH52, Category, RankedHand
from pokerfloor.scoring.layout import (
    WRONG_NUMBER_OF_CARDS,
    WRONG_NUMBER_OF_PLAYERS,
    LayoutError,
    check_cards,
)
from pokerfloor.scoring.pair import NO_SCOOP, ROW_LOST, ROW_TIED, ROW_WON, SCOOP_LOST, SCOOP_WON
from pokerfloor.scoring.reason import Points, Reason

SCOOP_BONUS: Final = 30  # SCP-4
BOARD_SIZE: Final = 5
_PLAYERS: Final = range(2, 5)  # SCP-1
_ROW_SIZE: Final = 2

_POINTS: Final = {
    Category.HIGH_CARD: 1,
    Category.ONE_PAIR: 1,
    Category.TWO_PAIR: 2,
    Category.THREE_OF_A_KIND: 3,
    Category.STRAIGHT: 4,
    Category.FLUSH: 5,
    Category.FULL_HOUSE: 6,
    Category.FOUR_OF_A_KIND: 10,
    Category.STRAIGHT_FLUSH: 20,
    Category.ROYAL_FLUSH: 30,
}


class ScoopRow(StrEnum):
    """The rows."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"


FACTORS: Final = {ScoopRow.FIRST: 5, ScoopRow.SECOND: 3, ScoopRow.THIRD: 1}


@dataclass(frozen=True, slots=True)
class ScoopLayout:
    """The two cards in each row. The rows need not be in order of strength (SCP-2)."""

    first: tuple[Card, ...]
    second: tuple[Card, ...]
    third: tuple[Card, ...]

    @property
    def rows(self) -> tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]:
        """The rows in their order."""
        return self.first, self.second, self.third

    def places(self) -> Iterator[tuple[str, Card]]:
        """Yield every card with its field: `first[0]` and so on."""
        for row, cards in zip(ScoopRow, self.rows, strict=True):
            for index, card in enumerate(cards):
                yield f"{row}[{index}]", card


@dataclass(frozen=True, slots=True)
class ScoopRowScore:
    """What the first of two players wins in a row; negative for a loss."""

    row: ScoopRow
    score: Points


@dataclass(frozen=True, slots=True)
class ScoopPair:
    """What `first` wins from `second`, row by row; `scoop` is 30, 0 or -30."""

    first: str
    second: str
    rows: tuple[ScoopRowScore, ...]
    scoop: Points

    @property
    def total(self) -> int:
        """All points of the pair, as seen by the first player."""
        return sum([row.score.points for row in self.rows]) + self.scoop.points


@dataclass(frozen=True, slots=True)
class ScoopScore:
    """The points of a hand, as scored: three hands per player, every pair, the totals."""

    hands: Mapping[str, tuple[RankedHand, ...]]
    pairs: tuple[ScoopPair, ...]
    totals: Mapping[str, int]


def score_scoop(board: Sequence[Card], layouts: Mapping[str, ScoopLayout]) -> ScoopScore:
    """Return the score of 2 to 4 layouts on a board of five cards, keyed by player id.

    Each row plays its best five of seven cards, as in hold'em. Raises LayoutError; its field is
    `board` or begins with the player id.
    """
    _check(board, layouts)
    hands = {
        player: tuple([HIGH52.describe((*row, *board)) for row in layout.rows])
        for player, layout in layouts.items()
    }
    pairs = tuple([_pair(a, b, hands[a], hands[b]) for a, b in combinations(hands, 2)])
    totals = dict.fromkeys(hands, 0)
    for pair in pairs:
        totals[pair.first] += pair.total
        totals[pair.second] -= pair.total
    assert sum(totals.values()) == 0, "the totals must sum to zero"
    return ScoopScore(MappingProxyType(hands), pairs, MappingProxyType(totals))


def _pair(first: str, second: str, a: Sequence[RankedHand], b: Sequence[RankedHand]) -> ScoopPair:
    rows = tuple([_row(row, *hands) for row, *hands in zip(ScoopRow, a, b, strict=True)])
    won = [(row.score.points > 0) - (row.score.points < 0) for row in rows]
    return ScoopPair(first, second, rows, _scoop(sum(won)))


def _row(row: ScoopRow, a: RankedHand, b: RankedHand) -> ScoopRowScore:
    if a.strength == b.strength:
        return ScoopRowScore(row, Points(0, Reason(ROW_TIED, f"{row}: {a.name} on both sides")))
    won = a.strength > b.strength
    better = a if won else b
    points = _POINTS[better.category] * FACTORS[row]
    beats = "beats" if won else "loses to"
    text = (
        f"{row}: {a.name} {beats} {b.name}, {_POINTS[better.category]} x {FACTORS[row]} = {points}"
    )
    code = ROW_WON if won else ROW_LOST
    return ScoopRowScore(row, Points(points if won else -points, Reason(code, text)))


def _scoop(won: int) -> Points:
    if won == len(ScoopRow):
        return Points(SCOOP_BONUS, Reason(SCOOP_WON, f"all three rows won: {SCOOP_BONUS} more"))
    if won == -len(ScoopRow):
        return Points(-SCOOP_BONUS, Reason(SCOOP_LOST, f"all three rows lost: {SCOOP_BONUS} more"))
    return Points(0, Reason(NO_SCOOP, "nobody won all three rows"))


def _check(board: Sequence[Card], layouts: Mapping[str, ScoopLayout]) -> None:
    if len(layouts) not in _PLAYERS:
        reason = f"2 to 4 players are scored, not {len(layouts)}"
        raise LayoutError(WRONG_NUMBER_OF_PLAYERS, reason, "layouts")
    if len(board) != BOARD_SIZE:
        reason = f"a board has {BOARD_SIZE} cards, not {len(board)}"
        raise LayoutError(WRONG_NUMBER_OF_CARDS, reason, "board")
    for player, layout in layouts.items():
        for row, cards in zip(ScoopRow, layout.rows, strict=True):
            if len(cards) != _ROW_SIZE:
                reason = f"the {row} row takes {_ROW_SIZE} cards, not {len(cards)}"
                raise LayoutError(WRONG_NUMBER_OF_CARDS, reason, f"{player}.{row}")
    places = [(f"board[{index}]", card) for index, card in enumerate(board)]
    places += [
        (f"{player}.{field}", card)
        for player, layout in layouts.items()
        for field, card in layout.places()
    ]
    check_cards(places, STANDARD)
