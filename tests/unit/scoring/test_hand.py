"""All players of a hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerfloor.cards import parse_cards
from pokerfloor.ranking import row_order_key
from pokerfloor.scoring import (
    CARD_TWICE,
    JOKER_NOT_ALLOWED,
    WRONG_NUMBER_OF_CARDS,
    WRONG_NUMBER_OF_PLAYERS,
    HandScore,
    Layout,
    LayoutError,
    compare,
    score_hand,
)


def laid(top: str, middle: str, bottom: str) -> Layout:
    return Layout(parse_cards(top), parse_cards(middle), parse_cards(bottom))


ANNA = laid("QsQh2d", "8s8h8d3c4c", "AdJd9d6d3d")
BEN = laid("AsKh7c", "JsJh2s3h5h", "AcAh4s4h6c")
CORA = laid("Kc9c8c", "2h2cTs7s5s", "Jc7h7d5cTc")


@pytest.mark.rule("OFC-10")
def test_three_players_are_three_pairs() -> None:
    score = score_hand({"anna": ANNA, "ben": BEN, "cora": CORA})
    assert [(pair.first, pair.second) for pair in score.pairs] == [
        ("anna", "ben"),
        ("anna", "cora"),
        ("ben", "cora"),
    ]
    assert [pair.score.total for pair in score.pairs] == [19, 19, 6]
    assert score.totals == {"anna": 38, "ben": -13, "cora": -25}


@pytest.mark.rule("OFC-13")
def test_two_players_are_one_pair() -> None:
    score = score_hand({"anna": ANNA, "ben": BEN})
    assert score.totals == {"anna": 19, "ben": -19}
    assert score.layouts["anna"].royalties == 13


@pytest.mark.parametrize(
    ("layouts", "code", "field"),
    [
        ({}, WRONG_NUMBER_OF_PLAYERS, "layouts"),
        ({"anna": ANNA}, WRONG_NUMBER_OF_PLAYERS, "layouts"),
        (dict.fromkeys("abcd", ANNA), WRONG_NUMBER_OF_PLAYERS, "layouts"),
        ({"anna": ANNA, "ben": ANNA}, CARD_TWICE, "ben.top[0]"),
        (
            {"anna": ANNA, "b": laid("Xr9c8c", "2h2cTs7s5s", "Jc7h7d5cTc")},
            JOKER_NOT_ALLOWED,
            "b.top[0]",
        ),
        (
            {"a": laid("9c8c", "2h2cTs7s5s", "Jc7h7d5cTc"), "ben": BEN},
            WRONG_NUMBER_OF_CARDS,
            "a.top",
        ),
    ],
)
def test_what_cannot_be_scored_is_refused(
    layouts: dict[str, Layout], code: str, field: str
) -> None:
    with pytest.raises(LayoutError) as caught:
        score_hand(layouts)
    assert (caught.value.code, caught.value.field) == (code, field)


def _ordered(cards: list[int]) -> Layout:
    """Thirteen cards with the better five below; the top may still kill the hand."""
    top, upper, lower = tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:])
    middle, bottom = sorted((upper, lower), key=row_order_key)
    return Layout(top, middle, bottom)


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Layout]:
    """Two or three players with cards of one deck, in order or as they fell."""
    deck = draw(st.permutations(range(52)))
    layouts = {}
    for seat in range(draw(st.integers(2, 3))):
        cards = deck[13 * seat : 13 * seat + 13]
        if draw(st.booleans()):
            layouts[f"p{seat}"] = _ordered(cards)
        else:
            layouts[f"p{seat}"] = Layout(tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:]))
    return layouts


@pytest.mark.rule("OFC-10", "OFC-12")
@given(tables())
def test_scores_are_antisymmetric_and_sum_to_zero(layouts: dict[str, Layout]) -> None:
    score = score_hand(layouts)
    assert sum(score.totals.values()) == 0
    for pair in score.pairs:
        back = compare(score.layouts[pair.second], score.layouts[pair.first])
        assert back.total == -pair.score.total
        assert back.scoop.points == -pair.score.scoop.points
        assert back.royalties.points == -pair.score.royalties.points
        for row, mirrored in zip(pair.score.rows, back.rows, strict=True):
            assert mirrored.score.points == -row.score.points
    _check_totals(score)


def _check_totals(score: HandScore) -> None:
    for player, total in score.totals.items():
        won = sum(pair.score.total for pair in score.pairs if pair.first == player)
        lost = sum(pair.score.total for pair in score.pairs if pair.second == player)
        assert total == won - lost


@pytest.mark.rule("OFC-5", "OFC-10", "OFC-11")
@given(tables())
def test_points_follow_from_rows_and_fouled_hands(layouts: dict[str, Layout]) -> None:
    score = score_hand(layouts)
    for player, layout in layouts.items():
        top, middle, bottom = map(row_order_key, (layout.top, layout.middle, layout.bottom))
        assert (score.layouts[player].foul is None) == (top <= middle <= bottom)
    for pair in score.pairs:
        a, b = score.layouts[pair.first], score.layouts[pair.second]
        rows = [row.score.points for row in pair.score.rows]
        if a.foul or b.foul:
            assert rows == [bool(b.foul) - bool(a.foul)] * 3
        else:
            strengths = zip(a.rows, b.rows, strict=True)
            assert rows == [
                (x.hand.strength > y.hand.strength) - (x.hand.strength < y.hand.strength)
                for x, y in strengths
            ]
        assert pair.score.scoop.points == (sum(rows) if abs(sum(rows)) == 3 else 0)
        assert pair.score.royalties.points == a.royalties - b.royalties


@given(tables())
def test_the_order_of_players_changes_no_total(layouts: dict[str, Layout]) -> None:
    backwards = dict(reversed(layouts.items()))
    assert score_hand(backwards).totals == score_hand(layouts).totals
