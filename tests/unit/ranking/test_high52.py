"""High hands of the 52-card deck: all of them, and samples of the larger sizes."""

import random
from collections import Counter
from functools import cache
from itertools import combinations, pairwise, starmap

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.ranking import (
    CARD_NOT_RANKED,
    CARD_TWICE,
    HIGH52,
    WRONG_NUMBER_OF_CARDS,
    RankingError,
    category_of,
    high7,
    high_strength,
)
from tests.support.ranking.plain_ranking import KINDS, plain_best, plain_key

FIVE_CARD_COUNTS = {
    "royal_flush": 4,
    "straight_flush": 36,
    "four_of_a_kind": 624,
    "full_house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three_of_a_kind": 54_912,
    "two_pair": 123_552,
    "one_pair": 1_098_240,
    "high_card": 1_302_540,
}
DISTINCT = {
    "royal_flush": 1,
    "straight_flush": 9,
    "four_of_a_kind": 156,
    "full_house": 156,
    "flush": 1_277,
    "straight": 10,
    "three_of_a_kind": 858,
    "two_pair": 858,
    "one_pair": 2_860,
    "high_card": 1_277,
}


@cache
def every_five() -> tuple[Counter[int], dict[int, tuple[int, ...]]]:
    """How often each strength occurs in all five-card hands, and one hand of each."""
    counts: Counter[int] = Counter()
    example: dict[int, tuple[int, ...]] = {}
    for hand in combinations(range(52), 5):
        strength = high_strength(hand)
        counts[strength] += 1
        if strength not in example:
            example[strength] = hand
    return counts, example


def by_category(counts: Counter[int]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for strength, count in counts.items():
        found[category_of(strength).value] += count
    return dict(found)


@pytest.mark.rule("RNK-1")
def test_all_five_card_hands_have_the_exact_counts() -> None:
    counts, _ = every_five()
    assert counts.total() == 2_598_960
    assert by_category(counts) == FIVE_CARD_COUNTS


@pytest.mark.rule("RNK-1")
def test_there_are_7462_strengths() -> None:
    counts, _ = every_five()
    assert len(counts) == 7_462
    assert dict(Counter(category_of(strength).value for strength in counts)) == DISTINCT


@pytest.mark.rule("RNK-1")
def test_all_strengths_stand_in_the_plain_order() -> None:
    _, example = every_five()
    ascending = [example[strength] for strength in sorted(example)]
    keys = [plain_key(hand) for hand in ascending]
    assert all(lower < higher for lower, higher in pairwise(keys))


@pytest.mark.rule("RNK-1")
@pytest.mark.parametrize(("size", "hands"), [(5, 20_000), (6, 8_000), (7, 8_000)])
def test_random_hands_agree_with_the_best_of_all_fives(size: int, hands: int) -> None:
    rng = random.Random(size)
    strength_of_key: dict[object, int] = {}
    for _ in range(hands):
        cards = rng.sample(range(52), size)
        strength, key = high_strength(cards), plain_best(cards)
        assert strength_of_key.setdefault(key, strength) == strength
        kind = category_of(strength).value.replace("royal_flush", "straight_flush")
        assert kind == KINDS[key[0]]
    ascending = sorted(strength_of_key.items(), key=lambda pair: pair[0])  # type: ignore[arg-type,return-value]  # keys are tuples of ints
    strengths = [strength for _, strength in ascending]
    assert strengths == sorted(set(strengths))


@pytest.mark.rule("RNK-1")
def test_suited_hands_agree_with_the_best_of_all_fives() -> None:
    """Random hands are rarely flushes: here five to seven of the seven are of one suit."""
    rng = random.Random(11)
    for _ in range(4_000):
        suit, others = rng.randrange(4), rng.randrange(3)
        suited = rng.sample(range(suit, 52, 4), 7 - others)
        rest = rng.sample([card for card in range(52) if card % 4 != suit], others)
        cards = rng.sample(suited + rest, 7)
        kind, ranks = plain_best(cards)
        best = HIGH52.describe(cards)
        assert high7(*cards) == high_strength(cards) == best.strength
        assert plain_key(best.cards) == (kind, ranks)


def test_seven_fast_is_seven() -> None:
    rng = random.Random(7)
    for _ in range(20_000):
        cards = rng.sample(range(52), 7)
        assert high7(*cards) == high_strength(cards)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_agrees_with_an_independent_evaluator(size: int) -> None:
    evaluate_cards = pytest.importorskip("phevaluator").evaluate_cards
    rng = random.Random(100 + size)
    strength_of: dict[int, int] = {}
    for _ in range(40_000):
        cards = rng.sample(range(52), size)
        strength = high_strength(cards)
        assert strength_of.setdefault(evaluate_cards(*cards), strength) == strength
    best_first = [strength_of[rank] for rank in sorted(strength_of)]
    assert best_first == sorted(set(best_first), reverse=True)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.rule("RNK-1")
def test_all_seven_card_hands_have_the_exact_counts() -> None:
    counts = Counter(starmap(high7, combinations(range(52), 7)))
    assert len(counts) == 4_824
    assert by_category(counts) == {
        "royal_flush": 4_324,
        "straight_flush": 41_584 - 4_324,
        "four_of_a_kind": 224_848,
        "full_house": 3_473_184,
        "flush": 4_047_644,
        "straight": 6_180_020,
        "three_of_a_kind": 6_461_620,
        "two_pair": 31_433_400,
        "one_pair": 58_627_800,
        "high_card": 23_294_460,
    }


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.rule("RNK-1")
def test_all_six_card_hands_have_the_exact_counts() -> None:
    counts = Counter(map(high_strength, combinations(range(52), 6)))
    assert len(counts) == 6_075
    assert by_category(counts) == {
        "royal_flush": 188,
        "straight_flush": 1_844 - 188,
        "four_of_a_kind": 14_664,
        "full_house": 165_984,
        "flush": 205_792,
        "straight": 361_620,
        "three_of_a_kind": 732_160,
        "two_pair": 2_532_816,
        "one_pair": 9_730_740,
        "high_card": 6_612_900,
    }


@pytest.mark.rule("RNK-1")
def test_the_steel_wheel_beats_a_six_high_straight() -> None:
    """Public bug 25: A-2-3-4-5 of one suit lost to a straight to the six."""
    board = parse_cards("2h3h4h5hKc")
    wheel = high_strength((*parse_cards("AhKd"), *board))
    six_high = high_strength((*parse_cards("6c6d"), *board))
    assert category_of(wheel) == "straight_flush"
    assert category_of(six_high) == "straight"
    assert wheel > six_high
    assert wheel < high_strength((*parse_cards("6hKd"), *board))


@pytest.mark.rule("RNK-1")
@pytest.mark.parametrize("place", range(1, 5))
def test_flushes_compare_on_every_card(place: int) -> None:
    """Public bug 26: flushes were compared on the highest card only."""
    higher = ["As", "Js", "9s", "7s", "5s"]
    lower = list(higher)
    lower[place] = {1: "Ts", 2: "8s", 3: "6s", 4: "4s"}[place]
    strong, weak = parse_cards("".join(higher)), parse_cards("".join(lower))
    assert high_strength(strong) > high_strength(weak)
    assert high_strength((*strong, *parse_cards("2c2d"))) > high_strength(
        (*weak, *parse_cards("AcAd"))
    )


@pytest.mark.rule("RNK-1")
def test_the_ace_is_low_in_one_straight_only() -> None:
    assert category_of(high_strength(parse_cards("Ac2d3h4s5c"))) == "straight"
    assert category_of(high_strength(parse_cards("KcAd2h3s4c"))) == "high_card"
    assert category_of(high_strength(parse_cards("QcKdAh2s3c"))) == "high_card"
    assert high_strength(parse_cards("Ac2d3h4s5c")) < high_strength(parse_cards("2c3d4h5s6c"))


@pytest.mark.rule("RNK-1")
def test_a_sixth_card_and_suits_never_break_a_tie() -> None:
    board = parse_cards("AsKdQh9c9d")
    assert high_strength((*parse_cards("3c2c"), *board)) == high_strength(
        (*parse_cards("8h7h"), *board)
    )
    assert high_strength(parse_cards("AsKsQs9s2s")) == high_strength(parse_cards("AcKcQc9c2c"))


@pytest.mark.parametrize(
    ("cards", "code", "named"),
    [
        ("", WRONG_NUMBER_OF_CARDS, "0"),
        ("AsKsQsJs", WRONG_NUMBER_OF_CARDS, "4"),
        ("AsKsQsJsTs9s8s7s", WRONG_NUMBER_OF_CARDS, "8"),
        ("AsAsQsJsTs", CARD_TWICE, "As"),
        ("AsKsQsJsTs2c2c", CARD_TWICE, "2c"),
        ("AsKsQsJsXr", CARD_NOT_RANKED, "Xr"),
        ("AsKsQsJsTsXb", CARD_NOT_RANKED, "Xb"),
        ("AsKdQsJs??", CARD_NOT_RANKED, "??"),
    ],
)
def test_what_cannot_be_ranked_is_refused(cards: str, code: str, named: str) -> None:
    for refuse in (HIGH52.strength, HIGH52.describe):
        with pytest.raises(RankingError) as caught:
            refuse(parse_cards(cards))
        assert caught.value.code == code
        assert named in caught.value.reason


@pytest.mark.parametrize("strange", [-1, 52, 53])
@pytest.mark.parametrize("place", range(7))
def test_the_fast_call_takes_no_joker_or_unknown_card_for_an_ace(strange: int, place: int) -> None:
    cards = list(parse_cards("AsKsQsJsTs2c3d"))
    cards[place] = strange
    with pytest.raises(RankingError) as caught:
        high7(*cards)
    assert caught.value.code == CARD_NOT_RANKED
    assert caught.value.cards == (strange,)


@pytest.mark.parametrize("number", [-2, 54, 55, 1000])
def test_numbers_that_are_no_card_are_refused(number: int) -> None:
    with pytest.raises(RankingError, match=f"card number {number}"):
        high_strength((0, 5, 10, 15, number))
