"""What a row with jokers can be, told by its ranks (OFC-35)."""

import pytest

from pokerfloor.cards import cards_text, parse_cards
from pokerfloor.ranking import (
    WRONG_NUMBER_OF_CARDS,
    JokerUse,
    RankingError,
    row_hand,
    row_order_key,
    row_values,
)


@pytest.mark.rule("OFC-35")
def test_a_row_is_of_several_suits_unless_told_otherwise() -> None:
    values = row_values((0, 2, 4, 6), 1, JokerUse())
    assert set(values.suited) == {False}
    assert set(row_values((0, 2, 4, 6), 1, JokerUse(), suited=True).suited) == {False, True}


@pytest.mark.rule("OFC-35")
@pytest.mark.parametrize(
    ("row", "stand_in"),
    [("KdKcXr", "Ks"), ("KsKdXr", "Kh"), ("KsKhXr", "Kd"), ("KsKhKdXr2c", "Kc")],
)
def test_a_joker_stands_for_the_highest_suit_that_is_free(row: str, stand_in: str) -> None:
    found = row_hand(parse_cards(row))
    assert found is not None
    assert cards_text([card for _, card in found.stand_ins]) == stand_in


@pytest.mark.rule("RNK-4")
@pytest.mark.parametrize("size", [0, 2, 4, 6])
def test_what_is_no_row_is_told(size: int) -> None:
    cards = tuple(range(size))
    with pytest.raises(RankingError) as caught:
        row_order_key(cards)
    assert (caught.value.code, caught.value.cards) == (WRONG_NUMBER_OF_CARDS, cards)
    assert caught.value.reason == f"a row has 3 or 5 cards, not {size}"
