"""Jokers in a layout: what they stand for, and what they may not."""

from __future__ import annotations

import pytest

from pokerfloor.cards import card_text, cards_text, parse_cards
from pokerfloor.scoring import (
    CARD_TWICE,
    JOKER_NOT_ALLOWED,
    Layout,
    LayoutError,
    Mode,
    OfcRules,
    ScoredLayout,
    score_hand,
    score_layout,
)

JOKER = OfcRules(Mode.JOKER)


def laid(text: str) -> Layout:
    top, middle, bottom = (parse_cards(row) for row in text.split("/"))
    return Layout(top, middle, bottom)


def told(scored: ScoredLayout) -> list[str]:
    """Each row: its cards in order of importance, and what its jokers stand for."""
    return [
        cards_text(row.hand.cards)
        + "".join(f" {card_text(joker)}={card_text(card)}" for joker, card in row.stand_ins)
        for row in scored.rows
    ]


@pytest.mark.rule("OFC-35")
@pytest.mark.parametrize(
    ("text", "rows"),
    [
        # One joker completes what it can, the bottom row first.
        ("2c3d5h / 6c6d6h8s9s / AhKhXrJhTh", ["5h3d2c", "6h6d6c9s8s", "AhKhXrJhTh Xr=Qh"]),
        # A joker may stand for a card that lies in another row.
        ("QhKd5h / 6c6d6h8s9s / AhKhXrJhTh", ["KdQh5h", "6h6d6c9s8s", "AhKhXrJhTh Xr=Qh"]),
        # Both in one row.
        ("2c3d5h / 6c6d6h8s9s / AhKhXrXbTh", ["5h3d2c", "6h6d6c9s8s", "AhKhXrXbTh Xr=Qh Xb=Jh"]),
        ("2cXbXr / 6c6d6h8s9s / AhKhQhJhTh", ["2cXrXb Xr=2s Xb=2h", "6h6d6c9s8s", "AhKhQhJhTh"]),
        # Four of one rank is the most there is.
        ("2c3d5h / 6c6d6h8s9s / AhAsAdXbXr", ["5h3d2c", "6h6d6c9s8s", "AsAhAdXrXb Xr=Ac Xb=Ks"]),
        # A flush takes the highest card that its own row does not hold.
        ("2c3d5h / 6c6d6h8s9s / AhKhXr7h2h", ["5h3d2c", "6h6d6c9s8s", "AhKhXr7h2h Xr=Qh"]),
        ("2c3d4d / 6c6d6h8s9s / Ah2h3hXr5h", ["4d3d2c", "6h6d6c9s8s", "5hXr3h2hAh Xr=4h"]),
    ],
)
def test_what_jokers_stand_for(text: str, rows: list[str]) -> None:
    scored = score_layout(laid(text), JOKER)
    assert scored.foul is None
    assert told(scored) == rows


@pytest.mark.rule("OFC-35", "RNK-4")
@pytest.mark.parametrize(
    ("text", "rows"),
    [
        # The middle would be a flush; above a straight it is a pair.
        ("2c3d5h / AsKs9s5sXr / 2d3c4h5d6c", ["5h3d2c", "AsXrKs9s5s Xr=Ah", "6c5d4h3c2d"]),
        # A lower flush under a flush: not the ace, and not the king it would share.
        ("2c3d5h / QsTs8s5sXr / KhJh9h7h3h", ["5h3d2c", "QsXrTs8s5s Xr=Js", "KhJh9h7h3h"]),
        # A straight as high as the bottom's and no higher.
        ("2c3d5h / 9sTsJhQdXr / KhQhJdTd9c", ["5h3d2c", "XrQdJhTs9s Xr=Ks", "KhQhJdTd9c"]),
        ("2c3d5h / 9sTsJhQdXr / QhJdTd9c8c", ["5h3d2c", "QdJhTs9sXr Xr=8s", "QhJdTd9c8c"]),
        # Four of a kind under four of a kind of lower rank becomes a full house.
        ("2c3d5h / AsAhKsKhXr / QcQdQhQs2h", ["5h3d2c", "AsAhXrKsKh Xr=Ad", "QsQhQdQc2h"]),
        # Equal rows are allowed: the bottom's jacks and the joker's.
        ("2c3d5h / JsKs7s2sXr / JhJdKc7d2h", ["5h3d2c", "JsXrKs7s2s Xr=Jh", "JhJdKc7d2h"]),
        # The top's pair must stand back behind QQ 9 8 7, and not behind QQ K 3 2.
        ("QhKcXr / QcQd9h8h7h / AcAdAh8c9c", ["XrKcQh Xr=As", "QdQc9h8h7h", "AhAdAc9c8c"]),
        ("QhKcXr / QcQdKh3h2h / AcAdAh8c9c", ["QhXrKc Xr=Qs", "QdQcKh3h2h", "AhAdAc9c8c"]),
        # Three aces on top are below AAA 3 2.
        ("AsXrXb / AcAdAh3h2h / 6c6d6h8c8d", ["AsXrXb Xr=Ah Xb=Ad", "AhAdAc3h2h", "6h6d6c8d8c"]),
        # Two jokers on top that may be no more than a pair are not of its natural card's rank.
        ("2sXrXb / AcAdKh3h4h / 6c6d6h8c8d", ["XrXb2s Xr=As Xb=Ah", "AdAcKh4h3h", "6h6d6c8d8c"]),
    ],
)
def test_a_row_is_the_best_that_is_not_above_the_row_below(text: str, rows: list[str]) -> None:
    scored = score_layout(laid(text), JOKER)
    assert scored.foul is None
    assert told(scored) == rows


@pytest.mark.rule("OFC-35", "OFC-5", "OFC-11")
@pytest.mark.parametrize(
    ("text", "code", "rows"),
    [
        (
            "2c3d5h / AsAhKsKhXr / 6c6d7h8d9h",
            "middle_above_bottom",
            ["5h3d2c", "AsAhKsKhXr Xr=2s", "6d6c9h8d7h"],
        ),
        (
            "KsKdXr / QcQd9h8h7h / AcAdAh8c9c",
            "top_above_middle",
            ["KsKdXr Xr=2s", "QdQc9h8h7h", "AhAdAc9c8c"],
        ),
    ],
)
def test_fouled_only_where_nothing_fits(text: str, code: str, rows: list[str]) -> None:
    scored = score_layout(laid(text), JOKER)
    assert scored.foul is not None
    assert scored.foul.code == code
    assert "whatever its joker stands for" in scored.foul.text
    assert told(scored) == rows
    assert scored.royalties == 0


@pytest.mark.rule("OFC-35")
def test_the_option_own_row_copy_is_about_kickers_of_flushes() -> None:
    layout = laid("2c3d5h / 6c6d6h8s9s / AhKhXrXb2h")
    plain = score_layout(layout, JOKER)
    copying = score_layout(layout, OfcRules(Mode.JOKER, own_row_copy=True))
    assert told(plain)[2] == "AhKhXrXb2h Xr=Qh Xb=Jh"
    assert told(copying)[2] == "AhXrXbKh2h Xr=Ah Xb=Ah"
    assert copying.rows[2].hand.category == "flush"
    assert copying.rows[2].hand.strength > plain.rows[2].hand.strength
    # Where a pair or three of a kind is to be had, no copy is needed for it.
    pair = laid("2c3d5h / 6c6d6h8s9s / AhAdAsXrKs")
    assert told(score_layout(pair, JOKER)) == told(
        score_layout(pair, OfcRules(Mode.JOKER, own_row_copy=True))
    )


@pytest.mark.rule("OFC-35")
def test_the_option_five_of_a_kind() -> None:
    rules = OfcRules(Mode.JOKER, five_of_a_kind=True)
    scored = score_layout(laid("2c3d5h / 6c6d6h8s9s / AhAsAdXbXr"), rules)
    assert told(scored)[2] == "AsAhAdXrXb Xr=Ac Xb=As"
    assert (scored.rows[2].hand.category, scored.rows[2].hand.name) == ("poker", "poker, aces")
    # It stands above a royal flush.
    royal = score_layout(laid("2c3d5h / AhAsAdXbXr / KsQsJsTs9s"), rules)
    assert royal.foul is None
    assert royal.rows[1].hand.name == "four of a kind, aces"


@pytest.mark.rule("OFC-35", "OFC-10", "OFC-12")
def test_hands_with_jokers_tie_and_win_like_any() -> None:
    score = score_hand(
        {
            "anna": laid("QhXr2d / 8s8h8d3c4c / AdJd9d6d3d"),
            "ben": laid("QsQd2c / 8c7h7d5c5h / AcJcTcXb6c"),
        },
        JOKER,
    )
    (pair,) = score.pairs
    assert [row.score.points for row in pair.score.rows] == [0, 1, -1]
    assert pair.score.rows[0].score.reason.text == "top: pair of queens on both sides"
    assert [layout.fantasyland.cards for layout in score.layouts.values()] == [14, 14]


@pytest.mark.rule("OFC-35", "OFC-1")
def test_jokers_are_cards_of_joker_mode_alone_and_lie_once() -> None:
    anna, ben = laid("QhXr2d / 8s8h8d3c4c / AdJd9d6d3d"), laid("QsXr2c / 8c7h7d5c5h / AcJcTc9c6c")
    for mode in (Mode.REGULAR, Mode.PROGRESSIVE, Mode.ULTIMATE):
        with pytest.raises(LayoutError) as caught:
            score_layout(anna, OfcRules(mode))
        assert (caught.value.code, caught.value.field) == (JOKER_NOT_ALLOWED, "top[1]")
    with pytest.raises(LayoutError) as caught:
        score_hand({"anna": anna, "ben": ben}, JOKER)
    assert (caught.value.code, caught.value.field) == (CARD_TWICE, "ben.top[1]")


@pytest.mark.rule("OFC-35")
def test_the_order_of_the_cards_changes_nothing() -> None:
    forwards = laid("QhKcXr / QcQdKh3h2h / AcAdXb8c9c")
    backwards = Layout(forwards.top[::-1], forwards.middle[::-1], forwards.bottom[::-1])
    assert told(score_layout(forwards, JOKER)) == told(score_layout(backwards, JOKER))
