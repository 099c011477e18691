"""Joker layouts against all substitutions, by a second and slow ranking of rows (OFC-35)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product

import pytest

from pokerfloor.cards import RED_JOKER, cards_text
from pokerfloor.scoring import Layout, Mode, OfcRules, Row, ScoredLayout, score_layout

Cards = tuple[int, ...]
# Kind and ranks, compared as RNK-4 has it: equal so far, the hand with cards left over is higher.
Key = tuple[int, tuple[int, ...]]

(HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH, FIVE_ALIKE) = range(10)
SHAPES = {(4, 1): QUADS, (3, 2): FULL, (3,): TRIPS, (2, 2): TWO_PAIR, (2,): PAIR}
RUNS = {
    frozenset({12, 0, 1, 2, 3}): 3,
    **{frozenset(range(top - 4, top + 1)): top for top in range(4, 13)},
}


def key_of(cards: Sequence[int]) -> Key:
    """Rank three or five cards, which need not be different ones."""
    counts = Counter(card // 4 for card in cards)
    grouped = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = tuple(counts[rank] for rank in grouped)
    if shape == (5,):
        return FIVE_ALIKE, tuple(grouped)
    kind = SHAPES.get(shape) or SHAPES.get(tuple(n for n in shape if n > 1), HIGH)
    if len(cards) == 3:
        return kind, tuple(grouped)
    run = RUNS.get(frozenset(counts))
    if len({card % 4 for card in cards}) == 1:
        if run is not None:
            return STRAIGHT_FLUSH, (run,)
        ranks = tuple(sorted((card // 4 for card in cards), reverse=True))
        return max((FLUSH, ranks), (kind, tuple(grouped)))
    return (STRAIGHT, (run,)) if run is not None else (kind, tuple(grouped))


@lru_cache(maxsize=4096)
def all_keys(row: Cards, rules: OfcRules) -> frozenset[Key]:
    """All that a row can be: each of its jokers any card of 52 that the rules let it be."""
    naturals = tuple(card for card in row if card < RED_JOKER)
    found = set()
    for stand_ins in combinations_with_replacement(range(52), len(row) - len(naturals)):
        cards = naturals + stand_ins
        alike = len({card // 4 for card in cards}) == 1 and len(cards) == 5
        copies = len(set(cards)) < len(cards)
        if alike and not rules.five_of_a_kind:
            continue
        if copies and not (rules.own_row_copy or alike):
            continue
        found.add(key_of(cards))
    return frozenset(found)


def strongest(layout: Layout, rules: OfcRules) -> tuple[Key, Key, Key] | None:
    """Of all valid layouts the one that is highest in every row, or None when none is valid."""
    tops, middles, bottoms = (all_keys(layout.row(row), rules) for row in Row)
    valid = [
        (top, middle, bottom)
        for middle, bottom in product(middles, bottoms)
        if middle <= bottom
        for top in tops
        if top <= middle
    ]
    if not valid:
        return None
    tops_of, middles_of, bottoms_of = (max(rows) for rows in zip(*valid, strict=True))
    # It loses nothing to take the rows one after the other: the three maxima go together.
    assert (tops_of, middles_of, bottoms_of) in valid
    return tops_of, middles_of, bottoms_of


def substituted(scored: ScoredLayout) -> list[Cards]:
    """The rows with the cards that the answer says the jokers stand for."""
    rows = []
    for row in scored.rows:
        meant = dict(row.stand_ins)
        held = scored.layout.row(row.row)
        assert set(meant) == {card for card in held if card >= RED_JOKER}
        assert sorted(row.hand.cards) == sorted(held)
        rows.append(tuple(meant.get(card, card) for card in held))
    return rows


def tricky_layout(chance: random.Random) -> Layout:
    """A layout with one joker or two; often of few ranks or mostly one suit, so that rows touch."""
    deck = list(range(52))
    narrow = chance.random()
    if narrow < 0.4:
        ranks = chance.sample(range(13), 6)
        deck = [card for card in deck if card // 4 in ranks]
    elif narrow < 0.6:
        suit = chance.randrange(4)
        deck = [card for card in deck if card % 4 == suit or chance.random() < 0.15]
    jokers = chance.sample([52, 53], chance.choice([1, 2, 2]))
    if len(deck) < 13:
        return tricky_layout(chance)
    cards = chance.sample(deck, 13 - len(jokers)) + jokers
    if chance.random() < 0.5:
        chance.shuffle(cards)
    else:  # the jokers low, or together on top
        cards = cards[::-1] if chance.random() < 0.5 else cards
    top, middle, bottom = tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:])
    if chance.random() < 0.6 and max(all_keys(middle, ANY)) > max(all_keys(bottom, ANY)):
        middle, bottom = bottom, middle
    return Layout(top, middle, bottom)


ANY = OfcRules(Mode.JOKER)
OPTIONS = [
    ANY,
    OfcRules(Mode.JOKER, own_row_copy=True),
    OfcRules(Mode.JOKER, five_of_a_kind=True),
    OfcRules(Mode.JOKER, own_row_copy=True, five_of_a_kind=True),
]


def check(layout: Layout, rules: OfcRules) -> bool:
    """Compare with all substitutions; True for a live layout."""
    scored = score_layout(layout, rules)
    wanted = strongest(layout, rules)
    told = [cards_text(layout.row(row)) for row in Row]
    assert (scored.foul is None) == (wanted is not None), told
    keys = tuple(map(key_of, substituted(scored)))
    if wanted is not None:
        assert keys == wanted, told
    for row, key in zip(Row, keys, strict=True):
        assert key in all_keys(layout.row(row), rules), told
    return wanted is not None


def run(rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    for rules in OPTIONS:
        live = sum(check(tricky_layout(chance), rules) for _ in range(rounds))
        assert rounds // 10 < live < rounds - rounds // 10


@pytest.mark.rule("OFC-35", "RNK-4", "OFC-5")
def test_a_joker_layout_is_the_strongest_valid_one() -> None:
    run(rounds=150, seed=35)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.rule("OFC-35", "RNK-4", "OFC-5")
def test_many_joker_layouts_are_the_strongest_valid_ones() -> None:
    run(rounds=4000, seed=36)
