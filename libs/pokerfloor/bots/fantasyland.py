"""How a bot sets a Fantasyland hand: the best of the most promising rows, from the bottom up.

Pure, and nothing is random: the same cards give the same layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice
from typing import Final

from pokerfloor.cards import Card
from pokerfloor.games.placement import LayoutRow
from pokerfloor.ranking import row_strengths
from pokerfloor.scoring import Layout, OfcRules, ScoredLayout, score_layout

_MOST_BOTTOMS: Final = 20
_MOST_MIDDLES: Final = 6
_MOST_TOPS: Final = 6
# What staying in Fantasyland is worth, beside the points of a hand.
_STAYING_POINTS: Final = 12


def lay_out_fantasyland(cards: Sequence[Card], rules: OfcRules) -> tuple[LayoutRow, ...]:
    """Return a row for each of 14 to 17 cards: thirteen are placed, the others discarded (OFC-31).

    The strongest bottoms are tried, on each of them the strongest middles that are not above it,
    and on these the strongest tops; the best of all these layouts is taken.
    """
    best, chosen = -1, _in_order(cards)
    for bottom in _strongest(cards, 5, rules, _MOST_BOTTOMS):
        left = _without(cards, bottom)
        for middle in _strongest(left, 5, rules, _MOST_MIDDLES, below=bottom):
            for top in _strongest(_without(left, middle), 3, rules, _MOST_TOPS, below=middle):
                layout = Layout(top, middle, bottom, len(cards))
                worth = _worth(score_layout(layout, rules))
                if worth > best:
                    best, chosen = worth, layout
    return tuple([_row_of(chosen, card) for card in cards])


def _strongest(
    cards: Sequence[Card],
    size: int,
    rules: OfcRules,
    most: int,
    below: Sequence[Card] | None = None,
) -> list[tuple[Card, ...]]:
    """Return the strongest rows of these cards that are not above `below`, strongest first."""
    bound = row_strengths(below, rules.joker_use)[-1] if below else None
    found: list[tuple[int, tuple[Card, ...]]] = []
    for row in combinations(cards, size):
        strength = row_strengths(row, rules.joker_use)[-1]
        if bound is None or strength <= bound:
            found.append((strength, row))
    found.sort(reverse=True)
    return [row for _, row in islice(found, most)]


def _without(cards: Sequence[Card], row: Sequence[Card]) -> list[Card]:
    return [card for card in cards if card not in row]


def _worth(scored: ScoredLayout) -> int:
    if scored.foul is not None:
        return -1
    return scored.royalties + (_STAYING_POINTS if scored.fantasyland.cards else 0)


def _in_order(cards: Sequence[Card]) -> Layout:
    return Layout(tuple(cards[10:13]), tuple(cards[5:10]), tuple(cards[:5]), len(cards))


def _row_of(layout: Layout, card: Card) -> LayoutRow:
    if card in layout.top:
        return LayoutRow.TOP
    if card in layout.middle:
        return LayoutRow.MIDDLE
    return LayoutRow.BOTTOM if card in layout.bottom else LayoutRow.DISCARD
