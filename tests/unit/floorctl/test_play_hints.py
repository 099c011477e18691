"""What floorctl play tells of a layout so far."""

from __future__ import annotations

from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.cards import parse_cards
from pokerfloor.client import Placement
from pokerfloor.floorctl.play_hints import layout_hint
from pokerfloor.games.placement import LayoutRow

PROGRESSIVE = settings_pb2.OfcSettings(mode=settings_pb2.OFC_MODE_PROGRESSIVE)


def placement(top: str, middle: str, bottom: str, cards: str) -> Placement:
    rows = (LayoutRow.TOP, LayoutRow.MIDDLE, LayoutRow.BOTTOM)
    laid = {row: parse_cards(text) for row, text in zip(rows, (top, middle, bottom), strict=True)}
    return Placement(
        street=4,
        slots=(15, 16, 17),
        cards=parse_cards(cards),
        to_place=2,
        room={row: size - len(laid[row]) for row, size in zip(rows, (3, 5, 5), strict=True)},
        laid=laid,
        moves=False,
        hidden=False,
    )


def told(of: Placement) -> str:
    seen = frozenset(card for row in of.laid.values() for card in row)
    return layout_hint(of, PROGRESSIVE, seen | frozenset(of.cards))


def test_a_layout_that_can_only_be_valid() -> None:
    of = placement("KsKd2c", "AsAd8h8c", "7h7c7d7s", "3c4d5s")
    assert told(of) == "valid, whatever comes; bonuses so far 8, Fantasyland with 15 cards"


def test_a_layout_that_waits_for_a_card() -> None:
    of = placement("KsKd2c", "QsQd4h", "7h7c7d2h2d", "3c4d5s")
    assert told(of) == "not decided yet; bonuses so far 14, Fantasyland with 15 cards"


def test_a_layout_that_no_card_can_save() -> None:
    of = placement("KsKdKc", "QsQd4h5h", "7h7c7d2h", "3c4d5s")
    assert told(of) == "fouled, whatever comes; bonuses so far 0"


def test_nothing_is_said_before_anything_is_laid() -> None:
    assert told(placement("", "", "", "3c4d5s")) == ""
