"""Hints against every way that a layout can end: what is said of it is sure."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest

from pokerfloor.cards import cards_text
from pokerfloor.scoring import (
    ROW_SIZES,
    Layout,
    Mode,
    OfcRules,
    Row,
    Standing,
    hint,
    score_layout,
)

OPEN = OfcRules(Mode.ULTIMATE)
JOKER = OfcRules(Mode.JOKER)


def endings(layout: Layout, pool: list[int], rules: OfcRules) -> Counter[bool]:
    """How often a layout ends valid, over all ways to fill its free places in turn."""
    free = [
        row for row, size in ROW_SIZES.items() for _ in range(size - len(layout.row(row)))
    ]  # fmt: skip
    found: Counter[bool] = Counter()
    for cards in permutations(pool, len(free)):
        rows = {row: list(layout.row(row)) for row in Row}
        for row, card in zip(free, cards, strict=True):
            rows[row].append(card)
        top, middle, bottom = (tuple(rows[row]) for row in Row)
        filled = Layout(top, middle, bottom)
        found[score_layout(filled, rules).foul is None] += 1
    return found


def begun_layout(chance: random.Random, free: list[Row], rules: OfcRules) -> Layout:
    """A layout of cards of few ranks, so that its rows contend, with these places free."""
    ranks = chance.sample(range(13), chance.choice([5, 7, 13]))
    deck = [card for card in rules.deck.cards if card // 4 in ranks or card > 51]
    cards = chance.sample(deck, 13)
    cards.sort(key=lambda card: chance.random() < 0.5 and card)
    if rules is JOKER and chance.random() < 0.7 and 52 not in cards:
        cards[chance.randrange(13)] = 52
    rows = {}
    for row, size in ROW_SIZES.items():
        rows[row] = tuple(cards[: size - free.count(row)])
        del cards[:size]
    return Layout(rows[Row.TOP], rows[Row.MIDDLE], rows[Row.BOTTOM])


def check(layout: Layout, pool: list[int], rules: OfcRules, *, exact: bool) -> Standing:
    ways = endings(layout, pool, rules)
    told = hint(layout, pool, rules)
    named = [cards_text(layout.row(row)) for row in Row], cards_text(pool)
    if told.standing is Standing.FOULED:
        assert not ways[True], named
        assert (told.royalties, told.fantasyland.cards) == (0, 0)
    elif told.standing is Standing.VALID:
        assert not ways[False], named
    elif exact:
        assert ways[True], named
        assert ways[False], named
    return told.standing


@pytest.mark.rule("OFC-5", "OFC-35")
@pytest.mark.parametrize("rules", [OPEN, JOKER], ids=["open", "joker"])
@pytest.mark.parametrize("row", list(Row))
def test_with_one_row_to_fill_the_standing_is_exact(row: Row, rules: OfcRules) -> None:
    chance = random.Random(str((row, rules.mode)))
    seen: Counter[Standing] = Counter()
    for _ in range(120):
        layout = begun_layout(chance, [row] * chance.choice([1, 1, 1, 2]), rules)
        held = {card for _, card in layout.places()}
        unseen = [card for card in rules.deck.cards if card not in held]
        pool = unseen if chance.random() < 0.2 else chance.sample(unseen, chance.randint(2, 9))
        seen[check(layout, pool, rules, exact=True)] += 1
    assert min(seen[standing] for standing in Standing) > 3


@pytest.mark.rule("OFC-5", "OFC-35")
@pytest.mark.parametrize("rules", [OPEN, JOKER], ids=["open", "joker"])
def test_what_is_said_is_sure_with_places_free_in_several_rows(rules: OfcRules) -> None:
    chance = random.Random(str(rules.mode))
    seen: Counter[Standing] = Counter()
    for _ in range(150):
        layout = begun_layout(chance, chance.sample(list(Row) * 2, chance.choice([2, 2, 3])), rules)
        held = {card for _, card in layout.places()}
        unseen = [card for card in rules.deck.cards if card not in held]
        pool = chance.sample(unseen, chance.randint(3, 7))
        seen[check(layout, pool, rules, exact=False)] += 1
    assert min(seen[standing] for standing in Standing) > 2


@pytest.mark.rule("OFC-5", "OFC-12", "OFC-30")
@pytest.mark.parametrize("rules", [OPEN, JOKER], ids=["open", "joker"])
def test_of_a_finished_layout_the_hint_is_its_score(rules: OfcRules) -> None:
    chance = random.Random(13)
    standings: Counter[Standing] = Counter()
    for _ in range(300):
        layout = begun_layout(chance, [], rules)
        playing = chance.choice([0, 14, 17])
        layout = Layout(layout.top, layout.middle, layout.bottom, playing)
        told, scored = hint(layout, (), rules), score_layout(layout, rules)
        assert told.standing is (Standing.FOULED if scored.foul else Standing.VALID)
        assert told.royalties == scored.royalties
        assert told.fantasyland == scored.fantasyland
        assert [(row.row, row.hand, row.royalty) for row in told.rows] == [
            (row.row, row.hand, row.royalty) for row in scored.rows
        ]
        standings[told.standing] += 1
    assert min(standings[Standing.FOULED], standings[Standing.VALID]) > 20
