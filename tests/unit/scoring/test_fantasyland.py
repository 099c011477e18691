"""Fantasyland: who earns it, with how many cards, by which mode and option."""

from __future__ import annotations

import pytest

from pokerfloor.cards import parse_cards
from pokerfloor.scoring import (
    BAD_OPTION,
    WRONG_FANTASYLAND,
    Fantasyland,
    Layout,
    LayoutError,
    Mode,
    OfcRules,
    StayOnMiddle,
    score_hand,
    score_layout,
)

BOTTOM, MIDDLE = "5s6s7s8s9s", "JsJhJdJc4h"  # a straight flush over four of a kind
PLAIN_BOTTOM, PLAIN_MIDDLE = "7s7h7d4c4s", "6s6h6d3c2s"
TOPS = {"QQ": "QcQd2c", "KK": "KcKd2c", "AA": "AcAd2c", "222": "2c2d2h", "AAA": "AcAdAh"}


def laid(top: str, middle: str, bottom: str, playing: int = 0) -> Layout:
    return Layout(parse_cards(top), parse_cards(middle), parse_cards(bottom), playing)


def fantasyland(layout: Layout, rules: OfcRules) -> Fantasyland:
    scored = score_layout(layout, rules)
    assert scored.foul is None
    return scored.fantasyland


# OFC-34's table, as it is printed.
ENTERING = {
    Mode.REGULAR: (14, 14, 14, 14),
    Mode.PROGRESSIVE: (14, 15, 16, 16),
    Mode.ULTIMATE: (14, 15, 16, 16),
    Mode.JOKER: (14, 15, 16, 17),
}


@pytest.mark.rule("OFC-30", "OFC-34")
@pytest.mark.parametrize("mode", list(Mode))
def test_entering_by_mode(mode: Mode) -> None:
    rules = OfcRules(mode)
    queens, kings, aces, trips = ENTERING[mode]
    wanted = {"QQ": queens, "KK": kings, "AA": aces, "222": trips, "AAA": trips}
    for name, top in TOPS.items():
        earned = fantasyland(laid(top, MIDDLE, BOTTOM), rules)
        assert (earned.cards, earned.stayed) == (wanted[name], False)
        assert f"Fantasyland with {wanted[name]} cards" in earned.reason.text
    codes = [fantasyland(laid(top, MIDDLE, BOTTOM), rules).reason.code for top in TOPS.values()]
    assert codes == [
        "fantasyland_pair_q", "fantasyland_pair_k", "fantasyland_pair_a",
        "fantasyland_trips_2", "fantasyland_trips_a",
    ]  # fmt: skip


@pytest.mark.rule("OFC-34")
@pytest.mark.parametrize(
    ("mode", "trips_cards", "cards"),
    [
        (Mode.REGULAR, 17, 14),
        (Mode.PROGRESSIVE, 17, 17),
        (Mode.ULTIMATE, 15, 15),
        (Mode.JOKER, 16, 16),
    ],
)
def test_the_option_trips_cards(mode: Mode, trips_cards: int, cards: int) -> None:
    rules = OfcRules(mode, trips_cards=trips_cards)
    assert fantasyland(laid("2c2d2h", MIDDLE, BOTTOM), rules).cards == cards
    assert fantasyland(laid("QcQd2c", MIDDLE, BOTTOM), rules).cards == 14


@pytest.mark.rule("OFC-30")
@pytest.mark.parametrize("top", ["JcJd2c", "AcKdQc"])
def test_below_queens_there_is_none(top: str) -> None:
    earned = fantasyland(laid(top, PLAIN_MIDDLE, PLAIN_BOTTOM), OfcRules())
    assert (earned.cards, earned.stayed, earned.reason.code) == (0, False, "no_fantasyland")


@pytest.mark.rule("OFC-30", "OFC-11", "OFC-33")
@pytest.mark.parametrize("playing", [0, 15])
def test_a_fouled_hand_makes_none(playing: int) -> None:
    scored = score_layout(laid("AcAdAh", "KsKhKd2c3c", BOTTOM, playing))
    assert scored.foul is not None
    assert scored.fantasyland.cards == 0
    assert scored.fantasyland.reason.code == "fouled_no_fantasyland"


STAYING = {
    "top": ("2c2d2h", PLAIN_MIDDLE, PLAIN_BOTTOM, "stayed_top_trips"),
    "quads": ("3h4d5h", PLAIN_MIDDLE, "KsKhKdKc4h", "stayed_bottom_quads"),
    "straight flush": ("3h4d5h", PLAIN_MIDDLE, "9s8s7sJsTs", "stayed_bottom_quads"),
    "flush": ("3h4d5h", PLAIN_MIDDLE, "9s8s7sJsAs", None),
    "royal flush": ("3h4d5h", PLAIN_MIDDLE, "AsKsQsJsTs", "stayed_bottom_quads"),
    "full house": ("3h4d5h", PLAIN_MIDDLE, "KsKhKd9c9h", None),
    "aces on top": ("AcAd5h", PLAIN_MIDDLE, "KsKhKd9c9h", None),
}


@pytest.mark.rule("OFC-33", "OFC-34")
@pytest.mark.parametrize(("top", "middle", "bottom", "code"), STAYING.values(), ids=STAYING)
def test_staying(top: str, middle: str, bottom: str, code: str | None) -> None:
    for playing in (14, 15, 16, 17):
        for mode in Mode:
            earned = fantasyland(laid(top, middle, bottom, playing), OfcRules(mode))
            kept = playing if mode in (Mode.ULTIMATE, Mode.JOKER) else 14
            assert (earned.cards, earned.stayed) == ((kept, True) if code else (0, False))
            assert earned.reason.code == (code or "fantasyland_not_renewed")


@pytest.mark.rule("OFC-34")
@pytest.mark.parametrize(
    ("base", "cards"), [(Mode.ULTIMATE, 16), (Mode.PROGRESSIVE, 14), (Mode.REGULAR, 14)]
)
def test_the_option_joker_base(base: Mode, cards: int) -> None:
    """It says how many cards staying brings; entering is joker mode's own."""
    rules = OfcRules(Mode.JOKER, joker_base=base)
    assert fantasyland(laid("2c2d2h", MIDDLE, BOTTOM, 16), rules).cards == cards
    assert fantasyland(laid("2c2d2h", MIDDLE, BOTTOM), rules).cards == 17
    assert fantasyland(laid("KcKd2h", MIDDLE, BOTTOM), rules).cards == 15


@pytest.mark.rule("OFC-33")
@pytest.mark.parametrize(
    ("option", "middle", "bottom", "code"),
    [
        (StayOnMiddle.NONE, "6s6h6d3c3s", "7s7h7d4c4s", "fantasyland_not_renewed"),
        (StayOnMiddle.FULL_HOUSE, "6s6h6d3c3s", "7s7h7d4c4s", "stayed_middle"),
        (StayOnMiddle.FULL_HOUSE, "2s3s6s7s8s", "KsKhKd9c9h", "fantasyland_not_renewed"),
        (StayOnMiddle.QUADS, "6s6h6d3c3s", "7s7h7d4c4s", "fantasyland_not_renewed"),
        # The bottom row is quads or better then too, and stays by itself.
        (StayOnMiddle.QUADS, "6s6h6d6c3s", "7s7h7d7c4s", "stayed_bottom_quads"),
    ],
)
def test_the_option_stay_on_middle(
    option: StayOnMiddle, middle: str, bottom: str, code: str
) -> None:
    rules = OfcRules(Mode.ULTIMATE, stay_on_middle=option)
    earned = fantasyland(laid("AcTd5h", middle, bottom, 15), rules)
    assert earned.reason.code == code
    assert earned.cards == (15 if code.startswith("stayed") else 0)
    # It is no way in.
    assert fantasyland(laid("AcTd5h", middle, bottom), rules).cards == 0


@pytest.mark.rule("OFC-30", "OFC-33")
def test_a_hand_says_what_each_player_earned() -> None:
    score = score_hand(
        {
            "anna": laid("QcQd2c", "8s8h8d3c4c", "AdJd9d6d3d"),
            "ben": laid("AcAh7c", "5s5h5d5c9h", "KcKhKsKd4h", 16),
            "cora": laid("JcTc7d", "2h2sTs7s7h", "Jh8cQhTd9c"),
        },
        OfcRules(Mode.ULTIMATE),
    )
    earned = {player: layout.fantasyland for player, layout in score.layouts.items()}
    assert [(one.cards, one.stayed) for one in earned.values()] == [
        (14, False),
        (16, True),
        (0, False),
    ]


@pytest.mark.rule("OFC-35", "OFC-30")
def test_a_joker_that_must_stand_back_makes_no_fantasyland() -> None:
    rules = OfcRules(Mode.JOKER)
    free = score_layout(laid("Qh2cXr", "KcKd3h4h5h", "AcAdAh8c9c"), rules)
    assert (free.fantasyland.cards, free.fantasyland.reason.code) == (14, "fantasyland_pair_q")
    # QQ K is above QQ 9 8 7 (RNK-4): the joker pairs nothing.
    held = score_layout(laid("QhKcXr", "QcQd9h8h7h", "AcAdAh8c9c"), rules)
    assert held.rows[0].hand.name == "high card, ace"
    assert held.fantasyland.cards == 0
    # And below QQ K 3 2.
    fits = score_layout(laid("QhKcXr", "QcQdKh3h2h", "AcAdAh8c9c"), rules)
    assert (fits.rows[0].hand.name, fits.fantasyland.cards) == ("pair of queens", 14)


@pytest.mark.parametrize(
    ("playing", "trips_cards", "base", "code", "field"),
    [
        (13, 0, Mode.ULTIMATE, WRONG_FANTASYLAND, "fantasyland_cards"),
        (18, 0, Mode.ULTIMATE, WRONG_FANTASYLAND, "fantasyland_cards"),
        (0, 13, Mode.ULTIMATE, BAD_OPTION, "trips_cards"),
        (0, 18, Mode.ULTIMATE, BAD_OPTION, "trips_cards"),
        (0, 0, Mode.JOKER, BAD_OPTION, "joker_base"),
    ],
)
def test_what_there_is_not(
    playing: int, trips_cards: int, base: Mode, code: str, field: str
) -> None:
    with pytest.raises(LayoutError) as caught:
        score_layout(
            laid("2c2d2h", MIDDLE, BOTTOM, playing),
            OfcRules(Mode.JOKER, trips_cards=trips_cards, joker_base=base),
        )
    assert (caught.value.code, caught.value.field) == (code, field)
