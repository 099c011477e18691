"""Exposed hands of stud, and one card against another."""

from itertools import combinations_with_replacement

import pytest

from pokerfloor.cards import CardError, cards_text, parse_card, parse_cards
from pokerfloor.ranking import (
    EXPOSED,
    EXPOSED_A5,
    HIGH52,
    LOW_A5,
    card_order,
    category_of,
    exposed_strengths,
)
from tests.support.ranking.plain_rules import HIGH, PLAIN_A5, Rules, assert_same_order, classes

PLAIN_EXPOSED = Rules(HIGH, suits_and_straights=False)


def every_hand(size: int) -> list[tuple[int, ...]]:
    """One for each multiset of ranks."""
    hands = []
    for ranks in combinations_with_replacement(range(13), size):
        if max(ranks.count(rank) for rank in ranks) <= 4:
            suits = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
            hands.append(tuple(4 * r + s for r, s in zip(ranks, suits, strict=True)))
    return hands


@pytest.mark.rule("RNK-5")
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_all_exposed_hands_are_in_the_plain_order(size: int) -> None:
    hands = every_hand(size)
    high = [(EXPOSED.strength(hand), PLAIN_EXPOSED.key(hand)) for hand in hands]
    assert assert_same_order(high) == len(hands)
    low = [(EXPOSED_A5.strength(hand), PLAIN_A5.key(hand)) for hand in hands]
    assert assert_same_order(low) == len(hands)


@pytest.mark.rule("RNK-5")
def test_many_exposed_hands_at_once_are_ranked_as_one_by_one() -> None:
    hands = [hand for size in (1, 2, 3, 4) for hand in every_hand(size)]
    assert exposed_strengths(hands, low=False) == list(map(EXPOSED.strength, hands))
    assert exposed_strengths(hands, low=True) == list(map(EXPOSED_A5.strength, hands))


@pytest.mark.rule("RNK-5", "STD-6")
def test_exposed_hands_of_five_cards_are_ranked_at_once_as_well() -> None:
    hands = [parse_cards(text) for text in ("As2s3s4s9s", "KsKd9c9hKc", "2c3d4h5s7c", "AsAd2h")]
    assert exposed_strengths(hands[:3], low=False) == list(map(EXPOSED.strength, hands[:3]))
    assert exposed_strengths(hands, low=True) == list(map(EXPOSED_A5.strength, hands))


@pytest.mark.rule("RNK-5")
def test_no_straights_or_flushes_and_no_suits() -> None:
    assert EXPOSED.strength(parse_cards("AsKsQsJs")) == EXPOSED.strength(parse_cards("AcKdQhJc"))
    assert EXPOSED.strength(parse_cards("AsKsQsJs")) < EXPOSED.strength(parse_cards("2c2d3h4c"))
    assert EXPOSED.strength(parse_cards("As")) == EXPOSED.strength(parse_cards("Ac"))


@pytest.mark.rule("STD-6")
def test_five_with_the_community_card_are_ranked_as_five_cards() -> None:
    hands = [hand for hand, _ in classes(5)]
    assert_same_order((EXPOSED.strength(hand), HIGH52.strength(hand)) for hand in hands)
    assert_same_order((EXPOSED_A5.strength(hand), LOW_A5.strength(hand)) for hand in hands)
    assert category_of(EXPOSED.strength(parse_cards("AsKsQsJs9s"))) == "flush"


@pytest.mark.rule("RNK-5", "RNK-6")
@pytest.mark.parametrize(
    ("held", "name", "playing"),
    [
        ("7d", "high card, seven", "7d"),
        ("7d7s", "pair of sevens", "7s7d"),
        ("2cKd2s9h", "pair of twos", "2s2cKd9h"),
        ("KsAdAcKh", "two pair, aces and kings", "AdAcKsKh"),
        ("QsQdQcQh", "four of a kind, queens", "QsQhQdQc"),
        ("2s3s4s5sAs", "straight flush, ace to five", "5s4s3s2sAs"),
    ],
)
def test_what_lies_open_is_named(held: str, name: str, playing: str) -> None:
    hand = EXPOSED.describe(parse_cards(held))
    assert (hand.system, hand.name, cards_text(hand.cards)) == ("exposed", name, playing)


@pytest.mark.rule("STD-2", "ODD-1")
def test_single_cards_compare_by_rank_then_clubs_diamonds_hearts_spades() -> None:
    mixed = parse_cards("As2sAd3cAcAhKs2d2h2c")
    assert cards_text(sorted(mixed, key=card_order)) == "2c2d2h2s3cKsAcAdAhAs"
    razz = sorted(mixed, key=lambda card: card_order(card, ace_low=True))
    assert cards_text(razz) == "AcAdAhAs2c2d2h2s3cKs"
    with pytest.raises(CardError):
        card_order(parse_card("Xr"))
