"""How bots lay out: always legally, seldom a fouled hand, now and then into Fantasyland."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from pokerfloor.bots import choose_layout, choose_scoop
from pokerfloor.cards import STANDARD, Card
from pokerfloor.games.placement import LayoutRow
from pokerfloor.scoring import Layout, Mode, OfcRules, ScoredLayout, score_layout

_SIZES = {LayoutRow.TOP: 3, LayoutRow.MIDDLE: 5, LayoutRow.BOTTOM: 5}
_STREETS = ((5, 5), (3, 2), (3, 2), (3, 2), (3, 2))


def play(rules: OfcRules, seed: int) -> ScoredLayout:
    """Lay out one main hand; every choice is asserted to be legal."""
    dice = random.Random(seed)
    deck = list(rules.deck.cards)
    dice.shuffle(deck)
    rows: dict[LayoutRow, tuple[Card, ...]] = dict.fromkeys(_SIZES, ())
    for count, to_place in _STREETS:
        cards, deck = deck[:count], deck[count:]
        choice = choose_layout(rows, cards, to_place, rules, dice)
        assert len(choice) == count
        assert choice.count(LayoutRow.DISCARD) == count - to_place
        for row, size in _SIZES.items():
            laid = [card for card, to in zip(cards, choice, strict=True) if to is row]
            rows[row] = (*rows[row], *laid)
            assert len(rows[row]) <= size
    top, middle, bottom = rows.values()
    return score_layout(Layout(top, middle, bottom), rules)


@pytest.mark.parametrize(("mode", "hands"), [(Mode.PROGRESSIVE, 100), (Mode.JOKER, 40)])
def test_few_hands_are_fouled_and_some_make_fantasyland(mode: Mode, hands: int) -> None:
    scores = [play(OfcRules(mode=mode), seed) for seed in range(hands)]
    fouled = sum(score.foul is not None for score in scores)
    fantasyland = sum(bool(score.fantasyland.cards) for score in scores)
    assert fouled / hands < 0.4
    assert fantasyland >= 3


@pytest.mark.parametrize("mode", [Mode.ULTIMATE, Mode.JOKER])
@pytest.mark.parametrize("count", [14, 17])
def test_fantasyland_is_laid_out_whole_and_not_fouled(mode: Mode, count: int) -> None:
    rules = OfcRules(mode=mode)
    alive = 0
    for seed in range(3):
        cards = random.Random(seed).sample(rules.deck.cards, count)
        choice = choose_layout({}, cards, 13, rules, random.Random(seed))
        assert len(choice) == count
        top, middle, bottom = (_of(cards, choice, row) for row in _SIZES)
        assert [len(row) for row in (top, middle, bottom)] == [*_SIZES.values()]
        alive += score_layout(Layout(top, middle, bottom, count), rules).foul is None
    assert alive == 3


def _of(cards: Sequence[Card], choice: Sequence[LayoutRow], row: LayoutRow) -> tuple[Card, ...]:
    return tuple(card for card, to in zip(cards, choice, strict=True) if to is row)


def test_the_same_source_gives_the_same_choices() -> None:
    rules = OfcRules()
    cards = random.Random(9).sample(rules.deck.cards, 5)
    one = choose_layout({}, cards, 5, rules, random.Random(1))
    assert one == choose_layout({}, cards, 5, rules, random.Random(1))


def test_scoop_sets_two_cards_in_each_row() -> None:
    for seed in range(40):
        cards = random.Random(seed).sample(STANDARD.cards, 10)
        choice = choose_scoop(cards[:7], cards[7:])
        assert len(choice) == 7
        for row in _SIZES:
            assert choice.count(row) == 2
        assert choice.count(LayoutRow.DISCARD) == 1
