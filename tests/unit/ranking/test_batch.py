"""Arrays of hands: the same strengths as one by one."""

from collections import Counter
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from pokerfloor.cards import parse_cards
from pokerfloor.ranking import (
    BADUGI,
    CARD_NOT_RANKED,
    CARD_TWICE,
    HIGH52,
    LOW8,
    RANKINGS,
    SHORT36,
    WRONG_NUMBER_OF_CARDS,
    RankingError,
    RankingSystem,
    Use,
    category_of,
    choose,
)
from pokerfloor.ranking.batch import SumBatch, sum_batch, two_hole_cards_batch
from tests.support.ranking.plain_rules import all_hands, tally

WITH_TABLES = [system for system in RANKINGS.values() if system.table]


def random_hands(system: RankingSystem, size: int, hands: int, seed: int) -> NDArray[np.uint8]:
    deck = np.array(system.deck.cards, np.uint8)
    rng = np.random.default_rng(seed)
    picked = np.argsort(rng.random((hands, len(deck))), axis=1)[:, :size]
    return np.ascontiguousarray(deck[picked].T)


@pytest.mark.parametrize("system", WITH_TABLES, ids=lambda system: system.name)
def test_random_hands_as_one_by_one(system: RankingSystem) -> None:
    for size in system.sizes:
        hands = random_hands(system, size, 20_000, size)
        strengths = sum_batch(system).strengths(list(hands))
        assert strengths.dtype == np.int32
        assert strengths.tolist() == [system.strength(hand) for hand in hands.T.tolist()]


@pytest.mark.parametrize("hands", [0, 1, 16_383, 16_384, 16_385])
def test_any_number_of_hands(hands: int) -> None:
    cards = random_hands(HIGH52, 7, hands, hands)
    one_by_one = [HIGH52.strength(hand) for hand in cards.T.tolist()]
    assert sum_batch(HIGH52).strengths(list(cards)).tolist() == one_by_one


def test_hole_cards_given_once_for_all_boards() -> None:
    hole = parse_cards("AsAh")
    boards = all_hands(48, 5)[:, ::200]  # below the aces
    strengths = sum_batch(HIGH52).strengths([*hole, *boards])
    assert strengths.tolist() == [HIGH52.strength((*hole, *b)) for b in boards.T.tolist()]
    alone = sum_batch(HIGH52).strengths(parse_cards("AsKsQsJsTs"))
    assert alone.tolist() == [HIGH52.strength(parse_cards("AsKsQsJsTs"))]


@pytest.mark.rule("OMA-1", "OMA-2", "LOW-2")
@pytest.mark.parametrize("system", [HIGH52, LOW8, SHORT36], ids=lambda system: system.name)
@pytest.mark.parametrize("hole", [2, 4, 5, 6])
def test_two_hole_cards_as_one_by_one(system: RankingSystem, hole: int) -> None:
    cards = random_hands(system, hole + 5, 5_000, hole)
    choice = choose(system, Use.EXACTLY_TWO)
    strengths = two_hole_cards_batch(system, list(cards[:hole]), list(cards[hole:]))
    one_by_one = [choice.strength(hand[:hole], hand[hole:]) for hand in cards.T.tolist()]
    assert strengths.tolist() == one_by_one
    held, free = cards[:hole, 0].tolist(), cards[:, 1:]
    free = free[hole:, ~np.isin(free[hole:], held).any(axis=0)]
    strengths = two_hole_cards_batch(system, held, list(free))
    assert strengths.tolist() == [choice.strength(held, board) for board in free.T.tolist()]


@pytest.mark.parametrize("strange", [-1, 52, 53, 200])
@pytest.mark.parametrize("place", [0, 3, 6])
def test_cards_not_ranked_are_refused(strange: int, place: int) -> None:
    hands = random_hands(HIGH52, 7, 10, 1).astype(np.int64)
    hands[place, 7] = strange
    with pytest.raises(RankingError) as caught:
        sum_batch(HIGH52).strengths(list(hands))
    assert (caught.value.code, caught.value.cards) == (CARD_NOT_RANKED, (strange,))
    with pytest.raises(RankingError) as caught:
        two_hole_cards_batch(HIGH52, list(hands[:2]), list(hands[2:]))
    assert caught.value.code == CARD_NOT_RANKED


def test_low_cards_and_repeated_constants_are_refused() -> None:
    with pytest.raises(RankingError) as caught:
        sum_batch(SHORT36).strengths([*parse_cards("AsKsQsJs"), np.array([15, 16])])
    assert (caught.value.code, caught.value.cards) == (CARD_NOT_RANKED, (15,))
    with pytest.raises(RankingError) as caught:
        sum_batch(HIGH52).strengths([*parse_cards("AsAsQsJs"), np.array([15, 16])])
    assert caught.value.code == CARD_TWICE


@pytest.mark.parametrize("size", [0, 1, 4, 8])
def test_wrong_numbers_of_cards_are_refused(size: int) -> None:
    with pytest.raises(RankingError) as caught:
        sum_batch(HIGH52).strengths([np.array([card]) for card in range(size)])
    assert caught.value.code == WRONG_NUMBER_OF_CARDS


@pytest.mark.parametrize(("hole", "board"), [(1, 5), (4, 2)])
def test_too_few_to_take_two_and_three_are_refused(hole: int, board: int) -> None:
    cards = [np.array([card]) for card in range(hole + board)]
    with pytest.raises(RankingError) as caught:
        two_hole_cards_batch(HIGH52, cards[:hole], cards[hole:])
    assert caught.value.code == WRONG_NUMBER_OF_CARDS


def test_a_system_without_a_table_has_no_batch() -> None:
    with pytest.raises(ValueError, match="badugi has no table"):
        SumBatch(BADUGI)


@pytest.mark.slow
@pytest.mark.rule("RNK-1")
def test_all_seven_card_hands_have_the_exact_counts() -> None:
    counts: Counter[str] = Counter()
    sixes = all_hands(52, 6)
    batch = sum_batch(HIGH52)
    for last in range(6, 52):
        strengths = batch.strengths([*sixes[:, : comb(last, 6)], last])
        counts.update(tally(strengths, lambda strength: category_of(strength).value))
    assert counts == {
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
