"""How a bot lays out open-face Chinese: for good rows, and against a fouled hand.

Lively, not good, but good enough to reach Fantasyland now and then. Pure: the random source comes
in, and the same source gives the same choices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from random import Random
from typing import Final

from pokerfloor.bots.fantasyland import lay_out_fantasyland
from pokerfloor.cards import Card, is_joker, rank_of, suit_of
from pokerfloor.games.placement import LayoutRow
from pokerfloor.scoring import Layout, OfcRules, ScoredLayout, score_layout

Rows = Mapping[LayoutRow, tuple[Card, ...]]

_SIZES: Final = {LayoutRow.TOP: 3, LayoutRow.MIDDLE: 5, LayoutRow.BOTTOM: 5}
_ALL: Final = sum(_SIZES.values())
_QUEEN: Final = 10

# Points, roughly. By how many cards of a row are of one suit, or within one straight.
_FLUSH_HOPES: Final = (0.0, 0.1, 0.5, 1.6, 3.2, 5.0)
_STRAIGHT_HOPES: Final = (0.0, 0.0, 0.2, 0.8, 1.8, 3.5)
# By how often a rank stands in a row.
_RANK_HOPES: Final = (0.0, 0.05, 1.3, 4.5, 10.0, 10.0)
_HIGH_PAIR_ON_TOP: Final = 12.0
_FANTASYLAND_POINTS: Final = 25.0
_FOULED_POINTS: Final = -15.0
_DISORDER_POINTS: Final = -5.0
# How many of the most promising layouts are tried, and how often each is filled at random.
_MOST_CHOICES: Final = 10
_TRIALS: Final = 16


def choose_layout(
    laid: Rows, cards: Sequence[Card], to_place: int, rules: OfcRules, random: Random
) -> tuple[LayoutRow, ...]:
    """Return a row for each of `cards`, DISCARD for a card to discard; always a legal layout.

    `laid` are the rows as they stand; `to_place` is how many of `cards` are to be placed, all
    thirteen in Fantasyland.
    """
    if to_place == _ALL:
        return lay_out_fantasyland(cards, rules)

    choices = list(_choices(laid, len(cards), to_place))
    layouts = {choice: _with(laid, cards, choice) for choice in choices}
    choices.sort(key=lambda choice: _hope(layouts[choice]), reverse=True)
    seen = {*cards, *[card for row in laid.values() for card in row]}
    unseen = [card for card in rules.deck.cards if card not in seen]

    def worth(choice: tuple[LayoutRow, ...]) -> float:
        return _hope(layouts[choice]) + _outlook(layouts[choice], unseen, rules, random)

    return max(choices[:_MOST_CHOICES], key=worth)


def _choices(laid: Rows, count: int, to_place: int) -> Iterator[tuple[LayoutRow, ...]]:
    """Yield each legal way to lay `count` cards, `to_place` of them in rows."""
    room = {row: size - len(laid.get(row, ())) for row, size in _SIZES.items()}
    for choice in product(LayoutRow, repeat=count):
        if choice.count(LayoutRow.DISCARD) == count - to_place and all(
            choice.count(row) <= free for row, free in room.items()
        ):
            yield choice


def _with(laid: Rows, cards: Sequence[Card], choice: Sequence[LayoutRow]) -> Layout:
    top, middle, bottom = (
        (*laid.get(row, ()), *[card for card, to in zip(cards, choice, strict=True) if to is row])
        for row in _SIZES
    )
    return Layout(top, middle, bottom)


def _hope(layout: Layout) -> float:
    """Return what a layout promises by the look of its rows, in points."""
    hopes = _row_hope(layout.bottom) + _row_hope(layout.middle) + _top_hope(layout.top)
    return hopes + _order(layout)


def _outlook(layout: Layout, unseen: Sequence[Card], rules: OfcRules, random: Random) -> float:
    """Return the mean worth of a layout that is filled at random."""
    rows = (layout.top, layout.middle, layout.bottom)
    free = _ALL - sum(map(len, rows))
    trials = _TRIALS if free else 1
    total = 0.0
    for _ in range(trials):
        coming = iter(random.sample(unseen, free))
        top, middle, bottom = (
            (*row, *islice(coming, size - len(row)))
            for row, size in zip(rows, _SIZES.values(), strict=True)
        )
        total += _points(score_layout(Layout(top, middle, bottom), rules))
    return total / trials


def _points(scored: ScoredLayout) -> float:
    if scored.foul is not None:
        return _FOULED_POINTS
    return scored.royalties + (_FANTASYLAND_POINTS if scored.fantasyland.cards else 0.0)


def _row_hope(row: Sequence[Card]) -> float:
    """Return what five places with these cards in them promise."""
    natural = [card for card in row if not is_joker(card)]
    jokers = len(row) - len(natural)
    if not natural:
        return 3.0 * jokers
    counts = sorted(Counter(map(rank_of, natural)).values(), reverse=True)
    counts[0] += jokers
    ranks = sum(_RANK_HOPES[min(count, 5)] for count in counts)
    if counts[0] == 1:  # nothing paired yet: a straight or a flush may come
        suits = Counter(map(suit_of, natural))
        flush = _FLUSH_HOPES[len(row)] if len(suits) == 1 else 0.0
        return max(ranks, flush, _straight_hope(natural, len(row)))
    return ranks


def _straight_hope(natural: Sequence[Card], cards: int) -> float:
    ranks = {rank_of(card) for card in natural}
    within = max(ranks) - min(ranks) <= 4 and len(ranks) == len(natural)
    return _STRAIGHT_HOPES[cards] if within else 0.0


def _top_hope(row: Sequence[Card]) -> float:
    """Return what the top row promises: a pair of queens or better leads to Fantasyland."""
    natural = [card for card in row if not is_joker(card)]
    jokers = len(row) - len(natural)
    if not natural:
        return 4.0 * jokers
    rank, count = Counter(map(rank_of, natural)).most_common(1)[0]
    if count + jokers > 1:
        rank = max(map(rank_of, natural)) if count == 1 else rank
        return _HIGH_PAIR_ON_TOP if rank >= _QUEEN else max(0.0, (rank - 3) * 0.5)
    return 1.5 * sum(rank_of(card) >= _QUEEN for card in natural)


def _order(layout: Layout) -> float:
    """Return the points lost by rows that beat the row below them already."""
    top, middle, bottom = (_made(row) for row in (layout.top, layout.middle, layout.bottom))
    points = 0.0
    for upper, lower, free in (
        (top, middle, 5 - len(layout.middle)),
        (middle, bottom, 5 - len(layout.bottom)),
    ):
        if upper > lower:
            # The more free places below, the easier it is to restore the order.
            points += _DISORDER_POINTS * 3.0 / (1 + free) if upper[0] > 1 else 0.0
    return points


def _made(row: Sequence[Card]) -> tuple[int, int]:
    """Return how often the most frequent rank of a row stands there, and the rank."""
    natural = [card for card in row if not is_joker(card)]
    if not natural:
        return (len(row), 0)
    counts = Counter(map(rank_of, natural))
    count, rank = max((count, rank) for rank, count in counts.items())
    return count + len(row) - len(natural), rank
