"""Five cards with jokers, wild and as bugs: every class of hand, and the rules one by one."""

from collections import Counter
from collections.abc import Iterator
from math import comb

import pytest

from pokerfloor.cards import cards_text, parse_cards
from pokerfloor.ranking import (
    JOKER_BUG,
    JOKER_BUG_NATURAL,
    JOKER_WILD,
    JOKER_WILD_NATURAL,
    RankingSystem,
    category_of,
)
from tests.support.ranking.plain_rules import JOKERS, assert_same_order, classes, plain_jokers

KINDS = (
    *("poker", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"),
    *("three_of_a_kind", "two_pair", "one_pair", "high_card"),
)
# By system and number of jokers in the deck.
COUNTS = {
    ("joker_wild", 1): (0 + 13, 204, 3_120, 6_552, 7_804, 20_532, 137_280, 123_552, 1_268_088),
    ("joker_wild", 2): (78, 624, 9_360, 9_360, 11_388, 34_704, 232_968, 123_552, 1_437_936),
    ("joker_bug", 1): (1, 204, 828, 4_368, 7_804, 20_532, 63_360, 138_600, 1_215_024),
    ("joker_bug", 2): (6, 624, 1_320, 5_328, 11_388, 34_704, 75_048, 156_816, 1_341_888),
    ("joker_wild", 0): (0, 40, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240),
}
HIGH_CARDS = {
    ("joker_wild", 1): 1_302_540,
    ("joker_wild", 2): 1_302_540,
    ("joker_bug", 1): 1_418_964,
    ("joker_bug", 2): 1_535_388,
    ("joker_wild", 0): 1_302_540,
}


def all_classes(jokers: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """A hand of each class of a deck with so many jokers, and how many hands are in it."""
    for held in range(jokers + 1):
        for naturals, hands in classes(5 - held):
            yield (*naturals, *JOKERS[:held]), hands * comb(jokers, held)


@pytest.mark.rule("RNK-3")
@pytest.mark.parametrize(("name", "jokers"), list(COUNTS))
def test_all_hands_have_the_exact_counts(name: str, jokers: int) -> None:
    system = {"joker_wild": JOKER_WILD, "joker_bug": JOKER_BUG}[name]
    counts: Counter[str] = Counter(dict.fromkeys(KINDS, 0))
    for cards, hands in all_classes(jokers):
        counts[category_of(system.strength(cards)).value] += hands
    expected = (*COUNTS[name, jokers], HIGH_CARDS[name, jokers])
    assert tuple(counts[kind] for kind in KINDS) == expected
    assert sum(counts.values()) == comb(52 + jokers, 5)


@pytest.mark.rule("RNK-3")
@pytest.mark.parametrize("system", [JOKER_WILD, JOKER_BUG])
@pytest.mark.parametrize(
    "step", [pytest.param(12, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)]
)
def test_every_class_agrees_with_trying_all_stand_ins(system: RankingSystem, step: int) -> None:
    bug = system is JOKER_BUG
    hands = [cards for cards, _ in all_classes(2)][::step]
    assert_same_order((system.strength(cards), plain_jokers(cards, bug=bug)) for cards in hands)


@pytest.mark.rule("RNK-3")
@pytest.mark.parametrize(
    ("tying", "natural_first"), [(JOKER_WILD, JOKER_WILD_NATURAL), (JOKER_BUG, JOKER_BUG_NATURAL)]
)
def test_natural_hands_win_ties_where_asked_for_and_change_nothing_else(
    tying: RankingSystem, natural_first: RankingSystem
) -> None:
    assert_same_order(
        (
            natural_first.strength(cards),
            (tying.strength(cards), not set(JOKERS) & set(cards)),
        )
        for cards, _ in all_classes(2)
    )


HANDS = [
    (JOKER_WILD, "AsAhAdAcXr", "poker", "poker, aces", "AsAhAdAcXr"),
    (JOKER_WILD, "KsKhKdXrXb", "poker", "poker, kings", "KsKhKdXrXb"),
    (JOKER_BUG, "KsKhKdXrXb", "full_house", "full house, kings over aces", "KsKhKdXrXb"),
    (JOKER_BUG, "AsAhAdXrXb", "poker", "poker, aces", "AsAhAdXrXb"),
    (JOKER_BUG, "KsKhKdKcXr", "four_of_a_kind", "four of a kind, kings", "KsKhKdKcXr"),
    (JOKER_WILD, "QsQh2d7cXb", "three_of_a_kind", "three of a kind, queens", "QsQhXb7c2d"),
    (JOKER_BUG, "QsQh2d7cXb", "one_pair", "pair of queens", "QsQhXb7c2d"),
    (JOKER_BUG, "KhKd5cXrXb", "two_pair", "two pair, aces and kings", "XrXbKhKd5c"),
    (JOKER_WILD, "QsQh7d7cXb", "full_house", "full house, queens over sevens", "QsQhXb7d7c"),
    (JOKER_WILD, "AsQs7s4sXb", "flush", "flush, ace high", "AsXbQs7s4s"),
    (JOKER_BUG, "KsQs7s4sXb", "flush", "flush, ace high", "XbKsQs7s4s"),
    (JOKER_WILD, "KsQsJsTsXb", "straight_flush", "straight flush, ten to ace", "XbKsQsJsTs"),
    (JOKER_WILD, "AsKsQsJsTs", "straight_flush", "straight flush, ten to ace", "AsKsQsJsTs"),
    (JOKER_BUG, "Ah2d4c5sXr", "straight", "straight, ace to five", "5s4cXr2dAh"),
    (JOKER_BUG, "2h3d4c5sXr", "straight", "straight, two to six", "Xr5s4c3d2h"),
    (JOKER_BUG, "9h8d7c6sXr", "straight", "straight, six to ten", "Xr9h8d7c6s"),
    (JOKER_BUG, "9h8d5c2sXr", "high_card", "high card, ace", "Xr9h8d5c2s"),
    (JOKER_WILD, "9h8d5c2sXr", "one_pair", "pair of nines", "9hXr8d5c2s"),
]


@pytest.mark.rule("RNK-3", "RNK-6")
@pytest.mark.parametrize(("system", "held", "category", "name", "playing"), HANDS)
def test_a_hand_is_named_and_the_joker_stands_where_it_plays(
    system: RankingSystem, held: str, category: str, name: str, playing: str
) -> None:
    for cards in (parse_cards(held), parse_cards(held)[::-1]):
        hand = system.describe(cards)
        assert (hand.category, hand.name) == (category, name)
        assert cards_text(hand.cards) == playing


@pytest.mark.rule("RNK-3")
def test_no_double_ace_flush() -> None:
    """A joker in an ace-high flush is the next card down, as if it were natural."""
    with_joker, natural = parse_cards("AsQs7s4sXb"), parse_cards("AhKhQh7h4h")
    assert JOKER_WILD.strength(with_joker) == JOKER_WILD.strength(natural)
    assert JOKER_WILD_NATURAL.strength(with_joker) < JOKER_WILD_NATURAL.strength(natural)
