"""Arrays of hands: what is refused, how large they may be, and of what type the tables are."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from pokerfloor.cards import parse_cards
from pokerfloor.ranking import (
    CARD_NOT_RANKED,
    HIGH52,
    LOW8,
    WRONG_NUMBER_OF_CARDS,
    RankingError,
    Use,
    choose,
)
from pokerfloor.ranking.batch import sum_batch, two_hole_cards_batch

Refused = tuple[str, str, tuple[int, ...]]
Places = list[NDArray[np.integer] | int]


def refused(call: Callable[[], object]) -> Refused:
    with pytest.raises(RankingError) as caught:
        call()
    return caught.value.code, caught.value.reason, caught.value.cards


@pytest.mark.parametrize(("wrong", "other"), [(52, 0), (-1, 51)])
def test_a_card_that_is_none_is_named(wrong: int, other: int) -> None:
    places: Places = [*parse_cards("AhKhQhJh"), np.array([other, wrong])]
    named = (CARD_NOT_RANKED, f"high52 does not rank card number {wrong}", (wrong,))
    assert refused(lambda: sum_batch(HIGH52).strengths(places)) == named
    for hole, board in ((places[3:], places[:3]), (places[:2], places[2:])):
        assert refused(lambda: two_hole_cards_batch(HIGH52, hole, board)) == named  # noqa: B023  called at once


def test_a_card_given_once_for_all_hands_is_named_too() -> None:
    places: Places = [*parse_cards("AhKhQhXr"), np.array([0, 1])]
    named = (CARD_NOT_RANKED, "high52 does not rank Xr", parse_cards("Xr"))
    assert refused(lambda: sum_batch(HIGH52).strengths(places)) == named


def test_a_wrong_number_of_places_is_told() -> None:
    four = [np.array([card]) for card in range(4)]
    code, reason, cards = refused(lambda: sum_batch(HIGH52).strengths(four))
    assert (code, cards) == (WRONG_NUMBER_OF_CARDS, ())
    assert reason == "high52 has no table for 4 cards"
    code, reason, cards = refused(lambda: two_hole_cards_batch(LOW8, four[:1], four[1:]))
    assert (code, cards) == (WRONG_NUMBER_OF_CARDS, ())
    assert reason == "low8 takes two of 1 hole and three of 3 board cards"


def test_places_of_several_lengths_are_a_mistake() -> None:
    places = [np.arange(card, card + 3) for card in range(0, 20, 4)]
    places[2] = places[2][:2]
    with pytest.raises(AssertionError):
        sum_batch(HIGH52).strengths(places)
    with pytest.raises(AssertionError):
        two_hole_cards_batch(HIGH52, places[:2], places[2:])


def test_strengths_lie_in_32_bits() -> None:
    batch = sum_batch(HIGH52)
    tables = [batch.by_flush, *[dense.strengths for dense in batch.dense.values()]]
    assert {table.dtype for table in tables} == {np.dtype(np.int32)}
    alone = batch.strengths(parse_cards("AsKsQsJsTs"))
    pairs = two_hole_cards_batch(HIGH52, parse_cards("AsKs"), parse_cards("QsJsTs2c3d"))
    assert {alone.dtype, pairs.dtype} == {np.dtype(np.int32)}
    assert alone.tolist() == pairs.tolist()


@pytest.mark.rule("OMA-1")
def test_two_hole_cards_and_three_of_the_board_are_enough() -> None:
    hole, board = parse_cards("AsKs"), parse_cards("QsJsTs")
    for system in (HIGH52, LOW8):
        assert two_hole_cards_batch(system, hole, board).tolist() == [
            system.strength((*hole, *board))
        ]


@pytest.mark.rule("OMA-1")
@pytest.mark.parametrize("hands", [4_096, 4_097, 8_195])
def test_any_number_of_boards_for_hole_cards_given_once(hands: int) -> None:
    hole = parse_cards("AhAs")
    rng = np.random.default_rng(hands)
    boards = rng.random((hands, 50)).argsort(axis=1)[:, :5]  # of the cards below these aces
    places = list(boards.T)
    strengths = two_hole_cards_batch(HIGH52, hole, places)
    parts = [
        two_hole_cards_batch(HIGH52, hole, [place[part] for place in places])
        for part in (slice(0, 2_000), slice(2_000, 5_000), slice(5_000, hands))
        if part.start < hands
    ]
    assert strengths.tolist() == np.concatenate(parts).tolist()
    assert strengths[-1] == choose(HIGH52, Use.EXACTLY_TWO).strength(hole, boards[-1].tolist())
