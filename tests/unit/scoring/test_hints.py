"""Hints on layouts that are not finished: examples, and what is refused."""

from __future__ import annotations

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.scoring import (
    CARD_TWICE,
    JOKER_NOT_ALLOWED,
    WRONG_NUMBER_OF_CARDS,
    Hint,
    Layout,
    LayoutError,
    Mode,
    OfcRules,
    Standing,
    hint,
)

JOKER = OfcRules(Mode.JOKER)


def laid(text: str, playing: int = 0) -> Layout:
    top, middle, bottom = (parse_cards(row) for row in text.split("/"))
    return Layout(top, middle, bottom, playing)


def told(text: str, rules: OfcRules = JOKER, playing: int = 0, pool: str | None = None) -> Hint:
    layout = laid(text, playing)
    held = {card for _, card in layout.places()}
    unseen = [card for card in rules.deck.cards if card not in held]
    return hint(layout, unseen if pool is None else parse_cards(pool), rules)


@pytest.mark.rule("OFC-5")
@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("//", Standing.OPEN),
        ("QsQhQd//", Standing.OPEN),
        # Trips on top want at least trips of kings, or a straight, in the middle.
        ("QsQhQd/2c2d4h5h/", Standing.FOULED),
        ("QsQhQd/2c3d4h5h/", Standing.OPEN),
        ("QsQhQd/2c3d4h5hKs/", Standing.FOULED),
        ("/2c2d2h2s3c/AsKsQs", Standing.OPEN),
        ("/2c2d2h2s3c/AsKhQs", Standing.FOULED),
        # The bottom row holds four of a kind whatever comes, the middle never more than it.
        ("2c3d4h/5s5h6d7c/AsAhAdAcKs", Standing.VALID),
        ("2c3d4h/5s6s7s8s/AsAhAdAcKs", Standing.OPEN),
        ("3c3d4h/AsKhJd9c/QsQhQdQcKs", Standing.OPEN),
    ],
)
def test_the_standing_without_jokers(text: str, standing: Standing) -> None:
    assert told(text, OfcRules()).standing is standing


@pytest.mark.rule("OFC-35")
@pytest.mark.parametrize(
    ("text", "standing"),
    [
        # With jokers to come, two pair of twos may become four of a kind.
        ("QsQhQd/2c2d4h/", Standing.OPEN),
        ("QsQhQd/2c2d4h5h/", Standing.FOULED),
        # A joker that lies may stand back, whatever comes.
        ("2c3dXr/5s5h6d7c/AsAhAdAcKs", Standing.VALID),
        ("KcKdXr/QcQd9h8h7h/AsAhAd", Standing.FOULED),
    ],
)
def test_the_standing_with_jokers(text: str, standing: Standing) -> None:
    assert told(text).standing is standing


@pytest.mark.rule("OFC-31", "OFC-5")
def test_in_fantasyland_only_the_cards_in_the_hand_may_come() -> None:
    text = "2c3d4h/5s5h6d7c/AsAhKdKc"
    assert told(text, pool="8c9d").standing is Standing.VALID
    assert told("/5s5h6d7c7d/AsAhKdKcQc", pool="6s6hTc").standing is Standing.VALID
    assert told("/5s5h6d7c7d/AsAhKdKcQc", pool="8s8h8c").standing is Standing.FOULED


@pytest.mark.rule("OFC-12", "OFC-30", "OFC-33")
def test_what_full_rows_are_worth() -> None:
    start = told("QsQh2d/8s8h8d3c/AdJd9d6d3d", OfcRules())
    assert start.standing is Standing.OPEN
    assert [(row.row, row.hand.name, row.royalty.points) for row in start.rows] == [
        ("top", "pair of queens", 7),
        ("bottom", "flush, ace high", 4),
    ]
    assert (start.royalties, start.fantasyland.cards) == (11, 14)
    assert told("QsQh/8s8h8d3c/AdJd9d6d3d", OfcRules()).fantasyland.reason.text == (
        "the top row is not full"
    )
    staying = told("2h2d/8s8h8d3c/AdAsAhAc3d", playing=16)
    assert (staying.fantasyland.cards, staying.fantasyland.stayed) == (16, True)
    assert told("2h2d/8s8h8d3c/AdAsAhKc3d", playing=16).fantasyland.cards == 0


@pytest.mark.rule("OFC-11", "OFC-35")
def test_a_fouled_layout_is_worth_nothing() -> None:
    fouled = told("AsAhXb/KsKhKd2c2d/QcQdQh3s3h", OfcRules(Mode.JOKER))
    assert fouled.standing is Standing.FOULED
    assert [row.hand.name for row in fouled.rows] == [
        "three of a kind, aces", "full house, kings over twos", "full house, queens over threes",
    ]  # fmt: skip
    assert (fouled.royalties, fouled.fantasyland.cards) == (0, 0)
    assert {row.royalty.reason.code for row in fouled.rows} == {"fouled_no_royalty"}


@pytest.mark.parametrize(
    ("text", "pool", "code", "field"),
    [
        ("2c3d4h5h//", "", WRONG_NUMBER_OF_CARDS, "top"),
        ("/2c3d4h5h6h7h/", "", WRONG_NUMBER_OF_CARDS, "middle"),
        ("2c3d4h/5h6h7h8h9h/AsAhAdAc", "", WRONG_NUMBER_OF_CARDS, "pool"),
        ("2c3d4h/5h6h7h8h9h/AsAhAdAc", "2c", CARD_TWICE, "pool[0]"),
        ("2c3d4h/5h6h7h8h9h/AsAhAdAc", "KdXr", JOKER_NOT_ALLOWED, "pool[1]"),
        ("2c3d2c//", "KdXr", JOKER_NOT_ALLOWED, "pool[1]"),
    ],
)
def test_what_is_refused(text: str, pool: str, code: str, field: str) -> None:
    with pytest.raises(LayoutError) as caught:
        hint(laid(text), parse_cards(pool), OfcRules())
    assert (caught.value.code, caught.value.field) == (code, field)
