"""A layout by itself: what is refused, what is fouled, what its rows bring."""

from collections import Counter
from itertools import combinations

import pytest

from pokerfloor.cards import card_text, parse_cards
from pokerfloor.ranking import HIGH52
from pokerfloor.scoring import (
    CARD_NOT_IN_DECK,
    CARD_TWICE,
    JOKER_NOT_ALLOWED,
    WRONG_NUMBER_OF_CARDS,
    Layout,
    LayoutError,
    ScoredLayout,
    score_layout,
)


def laid(top: str, middle: str, bottom: str) -> Layout:
    return Layout(parse_cards(top), parse_cards(middle), parse_cards(bottom))


def royalties(scored: ScoredLayout) -> list[int]:
    return [row.royalty.points for row in scored.rows]


@pytest.mark.rule("OFC-4")
@pytest.mark.parametrize(
    ("layout", "code", "field", "named"),
    [
        (laid("2c3c", "4c5d6h7s9c", "TcTdThJsJc"), WRONG_NUMBER_OF_CARDS, "top", "not 2"),
        (laid("2c3c4d", "5d6h7s9c", "TcTdThJsJc"), WRONG_NUMBER_OF_CARDS, "middle", "not 4"),
        (laid("2c3c4d", "5d6h7s9cKc", "TcTdThJsJc8c"), WRONG_NUMBER_OF_CARDS, "bottom", "not 6"),
        (laid("2c2c4d", "5d6h7s9cKc", "TcTdThJsJc"), CARD_TWICE, "top[1]", "top[0]"),
        (laid("2c3c4d", "5d6h7s9cKc", "TcTd2cJsJc"), CARD_TWICE, "bottom[2]", "2c"),
        (laid("2cXr4d", "5d6h7s9cKc", "TcTdThJsJc"), JOKER_NOT_ALLOWED, "top[1]", "Xr"),
        (laid("2c3c4d", "5d6h7s9cXb", "TcTdThJsJc"), JOKER_NOT_ALLOWED, "middle[4]", "Xb"),
        (laid("2c3c4d", "5d6h7s9c??", "TcTdThJsJc"), CARD_NOT_IN_DECK, "middle[4]", "??"),
        (
            Layout((0, 1, 99), tuple(range(8, 13)), tuple(range(20, 25))),
            CARD_NOT_IN_DECK,
            "top[2]",
            "99",
        ),
    ],
)
def test_what_cannot_be_scored_is_refused(
    layout: Layout, code: str, field: str, named: str
) -> None:
    with pytest.raises(LayoutError) as caught:
        score_layout(layout)
    assert (caught.value.code, caught.value.field) == (code, field)
    assert named in caught.value.reason


@pytest.mark.rule("OFC-5", "RNK-4")
@pytest.mark.parametrize(
    ("top", "middle", "bottom", "fouled"),
    [
        ("QcQdKs", "QsQhKd2c3c", "AsAhAdAc4h", None),
        ("QcQdKs", "QsQh9d8c7c", "AsAhAdAc4h", "top_above_middle"),
        ("AsAhAd", "KsKhKdKc4h", "5s6s7s8s9s", None),
        ("AsAhAd", "KsKhKd2c4h", "5s6s7s8s9s", "top_above_middle"),
        ("2c3d4h", "AsKsQsJs9s", "AhKhQhJh9h", None),
        ("2c3d4h", "AsKsQsJs9s", "AhKhQhJh8h", "middle_above_bottom"),
        ("2c3d4h", "5s5h5d6c7c", "9s9hTdTcJc", "middle_above_bottom"),
        ("9c9d9h", "AsKhQdJc8c", "AhKsQcJd7d", "middle_above_bottom"),
    ],
)
def test_rows_out_of_order_are_fouled_and_equal_rows_are_not(
    top: str, middle: str, bottom: str, fouled: str | None
) -> None:
    scored = score_layout(laid(top, middle, bottom))
    assert (scored.foul.code if scored.foul else None) == fouled


@pytest.mark.rule("OFC-11")
def test_a_fouled_hand_says_why_and_earns_no_bonus() -> None:
    scored = score_layout(laid("AsAhAd", "KsKhKd2c4h", "5s6s7s8s9s"))
    assert scored.foul is not None
    assert "three of a kind, aces" in scored.foul.text
    assert "three of a kind, kings" in scored.foul.text
    assert royalties(scored) == [0, 0, 0]
    assert scored.royalties == 0
    assert {row.royalty.reason.code for row in scored.rows} == {"fouled_no_royalty"}


BOTTOM = [
    ("AsKsQsJsTs", "royal_flush", 25),
    ("KsQsJsTs9s", "straight_flush", 15),
    ("As2s3s4s5s", "straight_flush", 15),
    ("QsQhQdQcJs", "four_of_a_kind", 10),
    ("QsQhQdJcJs", "full_house", 6),
    ("AsQsTs8s6s", "flush", 4),
    ("AsKhQdJcTs", "straight", 2),
    ("QsQhQdJcTs", "three_of_a_kind", 0),
    ("QsQhJdJcTs", "two_pair", 0),
    ("QsQhJdTc8s", "one_pair", 0),
    ("QsJhTd8c6s", "high_card", 0),
]


@pytest.mark.rule("OFC-12")
@pytest.mark.parametrize(("bottom", "category", "points"), BOTTOM)
def test_bottom_bonuses(bottom: str, category: str, points: int) -> None:
    row = score_layout(laid("2c3d4h", "2d3c4d5h7d", bottom)).rows[2]
    assert (row.hand.category, row.royalty.points) == (category, points)
    code = f"royalty_bottom_{category}" if points else "no_royalty"
    assert row.royalty.reason.code == code
    assert row.hand.name in row.royalty.reason.text


@pytest.mark.rule("OFC-12")
@pytest.mark.parametrize(
    ("middle", "bottom", "category", "points"),
    [
        ("AhKhQhJhTh", "AsKsQsJsTs", "royal_flush", 50),
        ("9h8h7h6h5h", "AsKsQsJsTs", "straight_flush", 30),
        ("QsQhQdQcJs", "KsKhKdKcJd", "four_of_a_kind", 20),
        ("QsQhQdJcJs", "KsKhKdKcJd", "full_house", 12),
        ("AsQsTs8s6s", "KsKhKdKcJd", "flush", 8),
        ("AsQhJdKcTs", "KsKhKd9c9d", "straight", 4),
        ("QsQhQdJcTs", "KsKhKd9c9d", "three_of_a_kind", 2),
        ("QsQhJdJcTs", "KsKhKd9c9d", "two_pair", 0),
        ("QsQhJdTc8s", "KsKhKd9c9d", "one_pair", 0),
        ("QsJhTd8c6s", "KsKhKd9c9d", "high_card", 0),
    ],
)
def test_middle_bonuses(middle: str, bottom: str, category: str, points: int) -> None:
    row = score_layout(laid("2c3d4h", middle, bottom)).rows[1]
    assert (row.hand.category, row.royalty.points) == (category, points)
    code = f"royalty_middle_{category}" if points else "no_royalty"
    assert row.royalty.reason.code == code


TOP_PAIRS = dict(zip("6789TJQKA", range(1, 10), strict=True))
TOP_TRIPS = dict(zip("23456789TJQKA", range(10, 23), strict=True))


def expected_top_bonus(cards: tuple[int, ...]) -> int:
    """The printed table, read by letters."""
    (rank, held) = Counter(card_text(card)[0] for card in cards).most_common(1)[0]
    if held == 3:
        return TOP_TRIPS[rank]
    return TOP_PAIRS.get(rank, 0) if held == 2 else 0


@pytest.mark.rule("OFC-12", "RNK-4")
def test_all_tops_have_the_printed_bonus() -> None:
    suited = [
        tuple(suit + 4 * (low + step) for step in range(5)) for low in range(9) for suit in range(4)
    ]
    strongest = sorted(suited, key=HIGH52.strength, reverse=True)
    tally: Counter[int] = Counter()
    for top in combinations(range(52), 3):
        free = [hand for hand in strongest if not set(hand) & set(top)]
        bottom = free[0]
        middle = next(hand for hand in free if not set(hand) & set(bottom))
        scored = score_layout(Layout(top, middle, bottom))
        assert scored.foul is None
        assert scored.rows[0].royalty.points == expected_top_bonus(top)
        tally[scored.rows[0].royalty.points] += 1
    pairs = dict.fromkeys(range(1, 10), 288)
    trips = dict.fromkeys(range(11, 23), 4)
    assert tally == {0: 18_304 + 4 * 288, **pairs, 10: 4, **trips}
    assert tally.total() == 22_100


@pytest.mark.rule("OFC-12")
def test_a_straight_or_flush_on_top_is_nothing() -> None:
    scored = score_layout(laid("AsKsQs", "2c2d3h4h5h", "KcKdAh9h8h"))
    assert scored.rows[0].hand.category == "high_card"
    assert scored.rows[0].royalty.reason.code == "no_royalty"
