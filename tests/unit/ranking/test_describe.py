"""Hands in words, and the cards that play."""

import pytest

from pokerfloor.cards import cards_text, parse_cards
from pokerfloor.ranking import HIGH52, RANKINGS, TOP3, category_of

HANDS = [
    ("2c2dAsKsQsJsTs", "royal_flush", "royal flush", "AsKsQsJsTs"),
    ("9h8h7h6h5h4h2c", "straight_flush", "straight flush, five to nine", "9h8h7h6h5h"),
    ("Ah2h3h4h5h6sKd", "straight_flush", "straight flush, ace to five", "5h4h3h2hAh"),
    ("6h6d6c6sTdTcTs", "four_of_a_kind", "four of a kind, sixes", "6s6h6d6cTs"),
    ("AsAdAcKdKhQcQd", "full_house", "full house, aces over kings", "AsAdAcKhKd"),
    ("2s2d2c3d3h3cQd", "full_house", "full house, threes over twos", "3h3d3c2s2d"),
    ("2d4d9dJdAd3dAs", "flush", "flush, ace high", "AdJd9d4d3d"),
    ("As2d3c4h5s9d9c", "straight", "straight, ace to five", "5s4h3c2dAs"),
    ("AsKdQcJhTs9d9c", "straight", "straight, ten to ace", "AsKdQcJhTs"),
    ("9d9c9s2hAdKs4c", "three_of_a_kind", "three of a kind, nines", "9s9d9cAdKs"),
    ("QdQcJsJh4c4dAs", "two_pair", "two pair, queens and jacks", "QdQcJsJhAs"),
    ("QdQcJsJh4c4d4s", "full_house", "full house, fours over queens", "4s4d4cQdQc"),
    ("TdTcJsJh4c4d2s", "two_pair", "two pair, jacks and tens", "JsJhTdTc4d"),
    ("QdQc9h8s7d", "one_pair", "pair of queens", "QdQc9h8s7d"),
    ("7c5d4h3s2c", "high_card", "high card, seven", "7c5d4h3s2c"),
]


@pytest.mark.rule("RNK-6")
@pytest.mark.parametrize(("held", "category", "name", "playing"), HANDS)
def test_a_hand_is_named_and_its_cards_ordered(
    held: str, category: str, name: str, playing: str
) -> None:
    for cards in (parse_cards(held), parse_cards(held)[::-1]):
        hand = HIGH52.describe(cards)
        assert (hand.system, hand.category, hand.name) == ("high52", category, name)
        assert cards_text(hand.cards) == playing
        assert hand.strength == HIGH52.strength(cards)
        assert category_of(hand.strength) == category


@pytest.mark.rule("RNK-4", "RNK-6")
@pytest.mark.parametrize(
    ("held", "category", "name", "playing"),
    [
        ("2c2s2d", "three_of_a_kind", "three of a kind, twos", "2s2d2c"),
        ("QsKdQc", "one_pair", "pair of queens", "QsQcKd"),
        ("TsKsAs", "high_card", "high card, ace", "AsKsTs"),
        ("QsKsAs", "high_card", "high card, ace", "AsKsQs"),
    ],
)
def test_a_top_row_is_named(held: str, category: str, name: str, playing: str) -> None:
    hand = TOP3.describe(parse_cards(held))
    assert (hand.system, hand.category, hand.name) == ("top3", category, name)
    assert cards_text(hand.cards) == playing


SIZES = {
    "high52": (5, 6, 7),
    "top3": (3,),
    "short36": (5, 6, 7),
    "short36_trips": (5, 6, 7),
    "joker_wild": (5,),
    "joker_wild_natural": (5,),
    "joker_bug": (5,),
    "joker_bug_natural": (5,),
    "low8": (5, 6, 7),
    "low_a5": (5, 6, 7),
    "low_27": (5,),
    "badugi": (4,),
    "exposed": (1, 2, 3, 4, 5),
    "exposed_a5": (1, 2, 3, 4, 5),
}


@pytest.mark.rule("RNK-6")
def test_systems_by_stable_name() -> None:
    assert {name: system.sizes for name, system in RANKINGS.items()} == SIZES
    assert all(system.name == name for name, system in RANKINGS.items())
    assert (RANKINGS["high52"], RANKINGS["top3"]) == (HIGH52, TOP3)


@pytest.mark.rule("RNK-6")
@pytest.mark.parametrize("name", list(SIZES))
def test_strengths_fit_a_signed_32_bit_number(name: str) -> None:
    """The last cards of the deck, in order, have the highest ranks there are."""
    system = RANKINGS[name]
    for size in system.sizes:
        for start in range(0, len(system.deck) - size, 3):
            assert 0 <= system.strength(system.deck.cards[start : start + size]) < 1 << 31
