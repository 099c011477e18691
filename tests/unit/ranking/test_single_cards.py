"""One card by itself: its name, and its order among others (STD-2, ODD-1)."""

import pytest

from pokerfloor.cards import RED_JOKER, CardError, parse_cards
from pokerfloor.ranking import card_name, card_order
from pokerfloor.ranking.batch.by_sum import sum_of_keys
from pokerfloor.ranking.batch.keys import CARD_KEYS


@pytest.mark.rule("RNK-6")
@pytest.mark.parametrize(
    ("card", "name"),
    [("2c", "two of clubs"), ("Td", "ten of diamonds"), ("Qh", "queen of hearts")],
)
def test_a_card_has_a_name(card: str, name: str) -> None:
    assert card_name(parse_cards(card)[0]) == name


@pytest.mark.rule("STD-2", "ODD-1")
def test_cards_compare_by_rank_then_by_suit() -> None:
    high = [card_order(card) for card in parse_cards("2c2d2h2s3cKsAcAs")]
    assert high == sorted(set(high))
    low = [card_order(card, ace_low=True) for card in parse_cards("AcAdAs2c3cKs")]
    assert low == sorted(set(low))
    with pytest.raises(CardError):
        card_order(RED_JOKER)


def test_the_keys_of_cards_add_up_from_nothing() -> None:
    cards = parse_cards("2cAs")
    assert sum_of_keys(cards, []).tolist() == [sum([int(CARD_KEYS[card]) for card in cards])]
