"""Low hands: eight or better, ace to five, deuce to seven, badugi."""

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest

from pokerfloor.cards import cards_text, parse_cards
from pokerfloor.ranking import (
    BADUGI,
    LOW8,
    LOW_27,
    LOW_A5,
    NO_LOW,
    RankingSystem,
    category_of,
)
from pokerfloor.ranking.batch import sum_batch
from tests.support.ranking.plain_rules import (
    PLAIN_27,
    PLAIN_A5,
    all_hands,
    assert_same_order,
    classes,
    plain_badugi,
    plain_low8,
    tally,
)


def kind_name(strength: int) -> str:
    return category_of(strength).value


@pytest.mark.rule("LOW-1")
def test_all_five_card_lows_have_the_exact_counts() -> None:
    strengths = sum_batch(LOW8).strengths(list(all_hands(52, 5)))
    assert tally(strengths, kind_name) == {"low": 57_344, "no_low": comb(52, 5) - 57_344}
    assert len(set(strengths.tolist()) - {NO_LOW}) == 56
    different = assert_same_order((LOW8.strength(hand), plain_low8(hand)) for hand, _ in classes(5))
    assert different == 57


@pytest.mark.slow
@pytest.mark.rule("LOW-1")
def test_all_seven_card_lows_have_the_exact_counts() -> None:
    counts: Counter[str] = Counter()
    sixes = all_hands(52, 6)
    for last in range(6, 52):
        some = sixes[:, : comb(last, 6)]
        strengths = sum_batch(LOW8).strengths([*some, last])
        # The first rank of "low, 8-..." is the whole class.
        by_name = tally(strengths, lambda strength: f"{strength >> 17}")
        counts.update(by_name)
    lowest = {f"{LOW8.strength(parse_cards(cards)) >> 17}": cards[0] for cards in LOWS}
    found = {lowest[value]: hands for value, hands in counts.items() if value != "0"}
    assert found == {"5": 781_824, "6": 3_151_360, "7": 7_426_560, "8": 13_171_200}


LOWS = ("5c4d3h2sAs", "6c4d3h2sAs", "7c4d3h2sAs", "8c4d3h2sAs")


@pytest.mark.rule("LOW-1")
@pytest.mark.parametrize("size", [6, 7])
def test_random_lows_agree_with_the_best_of_all_fives(size: int) -> None:
    rng = random.Random(size)
    hands = [rng.sample(range(52), size) for _ in range(5_000)]
    assert_same_order((LOW8.strength(hand), plain_low8(hand)) for hand in hands)
    assert_same_order((LOW_A5.strength(hand), PLAIN_A5.best(hand)) for hand in hands)


def test_ace_to_five_with_few_ranks_agrees_with_the_best_of_all_fives() -> None:
    """Random hands seldom have fewer than five ranks: here they all have four at most."""
    rng = random.Random(5)
    hands = []
    for _ in range(3_000):
        ranks = rng.sample(range(13), rng.choice([2, 3, 4]))
        hands.append(rng.sample([4 * rank + suit for rank in ranks for suit in range(4)], 7))
    assert_same_order((LOW_A5.strength(hand), PLAIN_A5.best(hand)) for hand in hands)


def test_ace_to_five_and_deuce_to_seven_agree_with_the_plain_order_on_every_class() -> None:
    hands = [hand for hand, _ in classes(5)]
    assert assert_same_order((LOW_A5.strength(hand), PLAIN_A5.key(hand)) for hand in hands) == 6_175
    assert assert_same_order((LOW_27.strength(hand), PLAIN_27.key(hand)) for hand in hands) == 7_462


def test_all_deuce_to_seven_hands_have_the_exact_counts() -> None:
    """The high hands of page 03, but for the ten straights and the wheel's flushes."""
    strengths = sum_batch(LOW_27).strengths(list(all_hands(52, 5)))
    assert tally(strengths, kind_name) == {
        "low": 1_302_540 + 1_020,
        "one_pair": 1_098_240,
        "two_pair": 123_552,
        "three_of_a_kind": 54_912,
        "straight": 10_200 - 1_020,
        "flush": 5_108 + 4,
        "full_house": 3_744,
        "four_of_a_kind": 624,
        "straight_flush": 40 - 4,
    }


@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.slow)])
def test_badugi_hands_agree_with_trying_all_subsets(step: int) -> None:
    hands = list(combinations(range(52), 4))[::step]
    assert_same_order((BADUGI.strength(hand), plain_badugi(hand)) for hand in hands)


def test_all_badugi_hands_have_the_exact_counts() -> None:
    strengths = Counter(map(BADUGI.strength, combinations(range(52), 4)))
    assert len(strengths) == 1_092
    counts: Counter[str] = Counter()
    for strength, hands in strengths.items():
        counts[kind_name(strength)] += hands
    assert counts == {
        "badugi": 17_160,
        "three_card_badugi": 154_440,
        "two_card_badugi": 96_252,
        "one_card_badugi": 2_873,
    }


HANDS = [
    (LOW8, "As2d8c5h4cKdKh", "low", "low, 8-5-4-2-A", "8c5h4c2dAs"),
    (LOW8, "As2s3s4s5s6s7s", "low", "low, 5-4-3-2-A", "5s4s3s2sAs"),
    (LOW8, "As2d9c5h4cKdKh", "no_low", "no low", ""),
    (LOW8, "AsAd2c3h4c8dKh", "low", "low, 8-4-3-2-A", "8d4c3h2cAs"),
    (LOW_A5, "9sTdJcQhKc", "low", "low, K-Q-J-T-9", "KcQhJcTd9s"),
    (LOW_A5, "2c2d2hAsAdKcKd", "two_pair", "two pair, twos and aces", "2h2dAsAdKd"),
    (LOW_A5, "AcAdAhAs2c", "four_of_a_kind", "four of a kind, aces", "AsAhAdAc2c"),
    (LOW_A5, "6h6d5c4s3h", "one_pair", "pair of sixes", "6h6d5c4s3h"),
    (LOW_27, "7s5d4c3h2c", "low", "low, 7-5-4-3-2", "7s5d4c3h2c"),
    (LOW_27, "5s4d3c2hAc", "low", "low, A-5-4-3-2", "Ac5s4d3c2h"),
    (LOW_27, "6s5s4s3s2s", "straight_flush", "straight flush, two to six", "6s5s4s3s2s"),
    (LOW_27, "AsKsQsJsTs", "straight_flush", "straight flush, ten to ace", "AsKsQsJsTs"),
    (LOW_27, "5s4s3s2sAs", "flush", "flush, ace high", "As5s4s3s2s"),
    (LOW_27, "2s2d3c4h5h", "one_pair", "pair of twos", "2s2d5h4h3c"),
    (BADUGI, "As2d3c4h", "badugi", "badugi, 4-3-2-A", "4h3c2dAs"),
    (BADUGI, "As2s3c4h", "three_card_badugi", "three-card badugi, 4-3-A", "4h3cAs"),
    (BADUGI, "AsAd3c4c", "two_card_badugi", "two-card badugi, 3-A", "3cAs"),
    (BADUGI, "KsKdKcKh", "one_card_badugi", "one-card badugi, K", "Ks"),
]


@pytest.mark.rule("LOW-1", "RNK-6")
@pytest.mark.parametrize(("system", "held", "category", "name", "playing"), HANDS)
def test_a_low_is_named_by_all_its_ranks(
    system: RankingSystem, held: str, category: str, name: str, playing: str
) -> None:
    for cards in (parse_cards(held), parse_cards(held)[::-1]):
        hand = system.describe(cards)
        assert (hand.category, hand.name) == (category, name)
        assert cards_text(hand.cards) == playing
        assert hand.strength == system.strength(cards)


@pytest.mark.rule("LOW-1", "LOW-3")
def test_no_low_is_below_every_low() -> None:
    assert LOW8.strength(parse_cards("AsAd2c3h4c9dKh")) == NO_LOW
    assert LOW8.strength(parse_cards("8s7d6c5h4c")) > NO_LOW
    assert LOW8.strength(parse_cards("8s7d6c5h4c")) < LOW8.strength(parse_cards("As8d7c6h5c"))
