"""Two layouts against each other."""

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.scoring import (
    CARD_TWICE,
    Layout,
    LayoutError,
    PairScore,
    ScoredLayout,
    compare,
    score_layout,
)


def scored(top: str, middle: str, bottom: str) -> ScoredLayout:
    return score_layout(Layout(parse_cards(top), parse_cards(middle), parse_cards(bottom)))


def numbers(pair: PairScore) -> tuple[list[int], int, int, int]:
    rows = [row.score.points for row in pair.rows]
    return rows, pair.scoop.points, pair.royalties.points, pair.total


def codes(pair: PairScore) -> list[str]:
    return [row.score.reason.code for row in pair.rows] + [pair.scoop.reason.code]


# Bottom flush 4, middle three of a kind 2, top QQ 7: the winner of OFC-13.
WINNER = scored("QsQh2d", "8s8h8d3c4c", "AdJd9d6d3d")
PLAIN_LOSER = scored("AsKh7c", "JsJh2s3h5h", "AcAh4s4h6c")
FOULED = scored("AsAh7c", "KsKh2s3h5h", "JcJh4s4h6c")
OTHER_FOULED = scored("AcAd5c", "9c9sTc7s6s", "QcTsTh9h8c")


@pytest.mark.rule("OFC-13", "OFC-10", "OFC-12")
def test_worked_example_against_a_valid_hand() -> None:
    assert WINNER.royalties == 4 + 2 + 7
    assert PLAIN_LOSER.foul is None
    assert PLAIN_LOSER.royalties == 0
    pair = compare(WINNER, PLAIN_LOSER)
    assert numbers(pair) == ([1, 1, 1], 3, 13, 19)
    assert codes(pair) == ["row_won", "row_won", "row_won", "scoop_won"]
    assert numbers(compare(PLAIN_LOSER, WINNER)) == ([-1, -1, -1], -3, -13, -19)


@pytest.mark.rule("OFC-13", "OFC-11")
def test_worked_example_against_a_fouled_hand() -> None:
    assert FOULED.foul is not None
    pair = compare(WINNER, FOULED)
    assert numbers(pair) == ([1, 1, 1], 3, 13, 19)
    assert codes(pair) == ["row_won_from_fouled"] * 3 + ["scoop_won"]
    back = compare(FOULED, WINNER)
    assert numbers(back) == ([-1, -1, -1], -3, -13, -19)
    assert codes(back) == ["row_lost_fouled"] * 3 + ["scoop_lost"]


@pytest.mark.rule("OFC-11")
def test_a_fouled_hand_loses_the_rows_it_would_have_won() -> None:
    """Its top is aces, its middle kings; the valid hand has no pair anywhere."""
    low = scored("4d3s2h", "9d8s7h5d2c", "Td9s8h6d3d")
    assert low.foul is None
    assert numbers(compare(low, FOULED)) == ([1, 1, 1], 3, 0, 6)


@pytest.mark.rule("OFC-11")
def test_two_fouled_hands_score_nothing() -> None:
    pair = compare(FOULED, OTHER_FOULED)
    assert OTHER_FOULED.foul is not None
    assert numbers(pair) == ([0, 0, 0], 0, 0, 0)
    assert codes(pair) == ["row_both_fouled"] * 3 + ["no_scoop"]


@pytest.mark.rule("OFC-10")
def test_a_tied_row_is_nothing_and_prevents_the_scoop() -> None:
    a = scored("AsKh7c", "QsQh2s3h5h", "AcAd4s4h6c")
    b = scored("AhKs7d", "JsJh2d3d5d", "TcTd9s9h6d")
    pair = compare(a, b)
    assert numbers(pair) == ([0, 1, 1], 0, 0, 2)
    assert codes(pair) == ["row_tied", "row_won", "row_won", "no_scoop"]


@pytest.mark.rule("OFC-10")
def test_two_rows_won_and_one_lost_is_one_point() -> None:
    a = scored("AsKh7c", "QsQh2s3h5h", "TcTd9s9h6d")
    b = scored("AhKs6s", "JsJh2d3d5d", "AcAd4s4h6c")
    assert numbers(compare(a, b)) == ([1, 1, -1], 0, 0, 1)


@pytest.mark.rule("OFC-12")
def test_bonuses_count_whatever_the_comparison() -> None:
    """Bonuses that are equal cancel out, and one of a hand that loses rows still counts."""
    straight = scored("2c3d4h", "5s5h6d7c9c", "6s7s8h9dTc")
    better = scored("AsKh7d", "JsJh2s3h5c", "AhKdQcJdTd")
    trips = scored("AcKs7h", "JcJd2h3s5d", "QsQh2dQc4c")
    assert (straight.royalties, better.royalties, trips.royalties) == (2, 2, 0)
    assert numbers(compare(straight, better)) == ([-1, -1, -1], -3, 0, -6)
    assert numbers(compare(straight, trips)) == ([-1, -1, 1], 0, 2, 1)


@pytest.mark.rule("OFC-10")
def test_reasons_name_both_hands() -> None:
    texts = [row.score.reason.text for row in compare(WINNER, PLAIN_LOSER).rows]
    assert texts == [
        "top: pair of queens beats high card, ace",
        "middle: three of a kind, eights beats pair of jacks",
        "bottom: flush, ace high beats two pair, aces and fours",
    ]
    assert compare(WINNER, PLAIN_LOSER).royalties.reason.text == "bonuses of 13 against 0"


def test_a_card_in_both_layouts_is_refused() -> None:
    twin = scored("QsKh7c", "JsJh2s3h5h", "AcAh4s4h6c")
    with pytest.raises(LayoutError) as caught:
        compare(WINNER, twin)
    assert (caught.value.code, caught.value.field) == (CARD_TWICE, "b.top[0]")
    assert "a.top[0]" in caught.value.reason
