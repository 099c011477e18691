"""The short deck, in both orders: all hands."""

import random
from collections import Counter
from itertools import combinations

import pytest

from pokerfloor.cards import cards_text, parse_cards
from pokerfloor.ranking import (
    CARD_NOT_RANKED,
    SHORT36,
    SHORT36_TRIPS,
    RankingError,
    RankingSystem,
    category_of,
)
from pokerfloor.ranking.batch import sum_batch
from tests.support.ranking.plain_rules import (
    PLAIN_SHORT,
    PLAIN_SHORT_TRIPS,
    Rules,
    all_hands,
    assert_same_order,
    classes,
    tally,
)

BOTH = [(SHORT36, PLAIN_SHORT), (SHORT36_TRIPS, PLAIN_SHORT_TRIPS)]
SHORT_CARDS = range(16, 52)
FIVE_CARD_COUNTS = {
    "royal_flush": 4,
    "straight_flush": 20,
    "four_of_a_kind": 288,
    "flush": 480,
    "full_house": 1_728,
    "straight": 6_120,
    "three_of_a_kind": 16_128,
    "two_pair": 36_288,
    "one_pair": 193_536,
    "high_card": 122_400,
}
SEVEN_CARD_COUNTS = {
    "royal_flush": 1_860,
    "straight_flush": 10_560 - 1_860,
    "four_of_a_kind": 44_640,
    "full_house": 633_024,
    "flush": 175_560,
    "two_pair": 3_157_056,
    "one_pair": 2_316_600,
    "high_card": 233_100,
}
STRAIGHTS_AND_TRIPS = {"short36": (1_169_940, 607_200), "short36_trips": (1_139_580, 637_560)}


def kind_name(strength: int) -> str:
    return category_of(strength).value


@pytest.mark.rule("RNK-2")
@pytest.mark.parametrize(("system", "plain"), BOTH)
def test_all_five_card_hands_have_the_exact_counts(system: RankingSystem, plain: Rules) -> None:
    counts: Counter[str] = Counter()
    strengths = Counter(map(system.strength, combinations(SHORT_CARDS, 5)))
    for strength, hands in strengths.items():
        counts[kind_name(strength)] += hands
    assert counts == FIVE_CARD_COUNTS
    assert len(strengths) == 1_404
    different = assert_same_order(
        (system.strength(hand), plain.key(hand)) for hand, _ in classes(5, lowest=4)
    )
    assert different == 1_404


@pytest.mark.rule("RNK-2")
@pytest.mark.parametrize(("system", "plain"), BOTH)
@pytest.mark.parametrize("size", [6, 7])
def test_random_hands_agree_with_the_best_of_all_fives(
    system: RankingSystem, plain: Rules, size: int
) -> None:
    rng = random.Random(size)
    hands = [rng.sample(SHORT_CARDS, size) for _ in range(4_000)]
    assert_same_order((system.strength(hand), plain.best(hand)) for hand in hands)


@pytest.mark.rule("RNK-2")
@pytest.mark.parametrize(("system", "different"), [(SHORT36, 752), (SHORT36_TRIPS, 762)])
def test_all_seven_card_hands_have_the_exact_counts(system: RankingSystem, different: int) -> None:
    hands = all_hands(36, 7) + 16
    strengths = sum_batch(system).strengths(list(hands))
    straights, trips = STRAIGHTS_AND_TRIPS[system.name]
    counts = tally(strengths, kind_name)
    assert counts == {**SEVEN_CARD_COUNTS, "straight": straights, "three_of_a_kind": trips}
    assert len(set(strengths.tolist())) == different


@pytest.mark.rule("RNK-2", "RNK-6")
def test_the_ace_stands_below_the_six_and_nowhere_else() -> None:
    lowest = SHORT36.describe(parse_cards("As9h8d7c6sKhKd"))
    assert (lowest.category, lowest.name) == ("straight", "straight, ace to nine")
    assert cards_text(lowest.cards) == "9h8d7c6sAs"
    assert lowest.strength < SHORT36.strength(parse_cards("6c7d8h9sTc"))
    suited = SHORT36.describe(parse_cards("9h8h7h6hAh"))
    assert (suited.name, cards_text(suited.cards)) == ("straight flush, ace to nine", "9h8h7h6hAh")
    around = SHORT36.describe(parse_cards("KsAh6d7c8s"))
    assert around.category == "high_card"


@pytest.mark.rule("RNK-2")
def test_a_flush_beats_a_full_house_and_trips_may_beat_a_straight() -> None:
    flush, full = parse_cards("AsQs9s8s6s"), parse_cards("AhAdAcKhKd")
    straight, trips = parse_cards("TsJhQdKcAs"), parse_cards("6s6h6d7c8s")
    for system in (SHORT36, SHORT36_TRIPS):
        assert system.strength(flush) > system.strength(full)
    assert SHORT36.strength(straight) > SHORT36.strength(trips)
    assert SHORT36_TRIPS.strength(straight) < SHORT36_TRIPS.strength(trips)


@pytest.mark.rule("RNK-2")
def test_a_straight_with_trips_in_seven_is_read_by_the_order() -> None:
    both = parse_cards("TsJhQdKcAsAhAd")
    assert SHORT36.describe(both).category == "straight"
    trips = SHORT36_TRIPS.describe(both)
    assert (trips.category, cards_text(trips.cards)) == ("three_of_a_kind", "AsAhAdKcQd")


@pytest.mark.rule("RNK-2")
def test_cards_below_the_six_are_refused() -> None:
    with pytest.raises(RankingError) as caught:
        SHORT36.strength(parse_cards("AsKsQsJs5s"))
    assert (caught.value.code, caught.value.cards) == (CARD_NOT_RANKED, parse_cards("5s"))
