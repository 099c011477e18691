"""Three-card rows, by themselves and against five cards."""

from collections import Counter
from itertools import combinations

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.ranking import (
    CARD_NOT_RANKED,
    CARD_TWICE,
    TOP3,
    WRONG_NUMBER_OF_CARDS,
    RankingError,
    category_of,
    row_order_key,
)
from tests.support.ranking.plain_ranking import plain_key


def key(text: str) -> int:
    return row_order_key(parse_cards(text))


@pytest.mark.rule("RNK-4")
def test_all_tops_have_the_exact_counts_and_the_plain_order() -> None:
    strength_of: dict[tuple[int, tuple[int, ...]], int] = {}
    kinds: Counter[str] = Counter()
    for cards in combinations(range(52), 3):
        strength = TOP3.strength(cards)
        kinds[category_of(strength).value] += 1
        assert strength_of.setdefault(plain_key(cards), strength) == strength
    assert kinds == {"three_of_a_kind": 52, "one_pair": 3_744, "high_card": 18_304}
    ascending = [strength_of[plain] for plain in sorted(strength_of)]
    assert ascending == sorted(set(ascending))


@pytest.mark.rule("RNK-4")
@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("QsQh9d8c7c", "QcQdKs"),
        ("QcQdKs", "QsQhKd2c3c"),
        ("AsAhAd", "AcAdAh3c2c"),
        ("KsKhAd", "AsAhAd"),
        ("AsKhQd", "2s2h3d"),
        ("AsAhAd", "2s3h4d5c6c"),
        ("AsAhKd", "2s2h3d3c4c"),
        ("2s2h2d", "2c3h3d3c4c"),
        ("AsKhQd", "AcKdQhJc9c"),
    ],
)
def test_the_row_with_cards_left_over_is_higher(lower: str, higher: str) -> None:
    assert key(lower) < key(higher)


@pytest.mark.rule("RNK-4")
def test_no_straights_or_flushes_on_top() -> None:
    assert key("AsKsQs") == key("AcKdQh")
    assert key("AsKsQs") < key("2c2d3h")


def test_five_cards_on_this_scale_stand_as_ever() -> None:
    assert key("2s3s4s5s7s") > key("2c3d4h5c6d") > key("AsAdAcKdQd")


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ("AsKs", WRONG_NUMBER_OF_CARDS),
        ("AsKsQsJs", WRONG_NUMBER_OF_CARDS),
        ("AsKsQsJsTs9s", WRONG_NUMBER_OF_CARDS),
        ("AsAsKd", CARD_TWICE),
        ("AsKdXr", CARD_NOT_RANKED),
        ("AsKd??", CARD_NOT_RANKED),
    ],
)
def test_what_is_no_row_is_refused(cards: str, code: str) -> None:
    with pytest.raises(RankingError) as caught:
        key(cards)
    assert caught.value.code == code
