"""Which of the cards held play, where several of a rank are held."""

import pytest

from pokerfloor.cards import cards_text, parse_cards
from pokerfloor.ranking import BADUGI, HIGH52, LOW8, LOW_A5, RankingSystem


@pytest.mark.rule("RNK-6")
@pytest.mark.parametrize(
    ("system", "held", "playing"),
    [
        (HIGH52, "5s5d4h3c2dAs9c", "5s4h3c2dAs"),
        (HIGH52, "AsKdQcJhTsTdTh", "AsKdQcJhTs"),
        (HIGH52, "AsAhAd5d4h3c2d", "5d4h3c2dAs"),
        (LOW8, "8s8h7d4c4d2sAh", "8s7d4d2sAh"),
        (LOW_A5, "KsKhQdQc9s4d2c", "KsQd9s4d2c"),
    ],
)
def test_of_ranks_that_all_count_once_the_highest_suit_plays(
    system: RankingSystem, held: str, playing: str
) -> None:
    for cards in (parse_cards(held), parse_cards(held)[::-1]):
        assert cards_text(system.describe(cards).cards) == playing


@pytest.mark.parametrize(("held", "playing"), [("KsKh2s2h", "Ks2h"), ("KcKd5h2s", "Kd5h2s")])
def test_of_equal_badugi_hands_the_one_with_the_higher_suits_from_the_top_plays(
    held: str, playing: str
) -> None:
    for cards in (parse_cards(held), parse_cards(held)[::-1]):
        assert cards_text(BADUGI.describe(cards).cards) == playing
