from __future__ import annotations

import pytest

from libs.cards import parse_cards, to_wire
from libs.floorapi.floor.common.v1 import cards_pb2, errors_pb2
from libs.floorapi.floor.scoring.v1 import scoring_pb2
from libs.floorapi.floor.settings.v1 import settings_pb2
from libs.floorkit import FloorError
from services.scoring.read_request import read_layouts, read_mode


def cards(text: str) -> list[cards_pb2.Card]:
    return [cards_pb2.Card(code=to_wire(card)) for card in parse_cards(text)]


def layout(seat: int, top: str, middle: str, bottom: str) -> scoring_pb2.Layout:
    return scoring_pb2.Layout(seat=seat, top=cards(top), middle=cards(middle), bottom=cards(bottom))


def two() -> list[scoring_pb2.Layout]:
    return [
        layout(3, "QsQh2d", "8s8h8d3c4c", "AdJd9d6d3d"),
        layout(7, "AsKh7c", "JsJh2s3h5h", "AcAh4s4h6c"),
    ]


def refused(layouts: list[scoring_pb2.Layout]) -> tuple[int, str]:
    with pytest.raises(FloorError) as caught:
        read_layouts(layouts)
    return caught.value.code, caught.value.field


INVALID = errors_pb2.ERROR_CODE_INVALID_FIELD


def test_layouts_are_keyed_by_their_field() -> None:
    read = read_layouts(two())
    assert list(read) == ["layouts[0]", "layouts[1]"]
    assert read["layouts[1]"].middle == parse_cards("JsJh2s3h5h")


@pytest.mark.rule("OFC-1")
@pytest.mark.parametrize("count", [0, 1, 4])
def test_two_or_three_layouts(count: int) -> None:
    assert refused((two() * 2)[:count]) == (INVALID, "layouts")


@pytest.mark.parametrize("seat", [0, 11, 2**32 - 1])
def test_a_seat_that_no_table_has(seat: int) -> None:
    layouts = two()
    layouts[1].seat = seat
    assert refused(layouts) == (INVALID, "layouts[1].seat")


def test_a_seat_twice() -> None:
    layouts = two()
    layouts[1].seat = 3
    assert refused(layouts) == (INVALID, "layouts[1].seat")


@pytest.mark.rule("OFC-34")
@pytest.mark.parametrize("count", [1, 13, 18])
def test_fantasy_has_fourteen_to_seventeen_cards(count: int) -> None:
    layouts = two()
    layouts[0].fantasy_cards = count
    assert refused(layouts) == (INVALID, "layouts[0].fantasy_cards")
    layouts[0].fantasy_cards = 14
    assert read_layouts(layouts)


def test_a_code_that_is_no_card() -> None:
    layouts = two()
    layouts[1].bottom[4].code = 55
    assert refused(layouts) == (errors_pb2.ERROR_CODE_BAD_CARDS, "layouts[1].bottom[4]")


@pytest.mark.rule("OFC-34")
@pytest.mark.parametrize(
    ("given", "read"),
    [
        (settings_pb2.OFC_MODE_UNSPECIFIED, settings_pb2.OFC_MODE_REGULAR),
        (settings_pb2.OFC_MODE_REGULAR, settings_pb2.OFC_MODE_REGULAR),
        (settings_pb2.OFC_MODE_PROGRESSIVE, settings_pb2.OFC_MODE_PROGRESSIVE),
        (settings_pb2.OFC_MODE_ULTIMATE, settings_pb2.OFC_MODE_ULTIMATE),
    ],
)
def test_modes(given: settings_pb2.OfcMode.ValueType, read: settings_pb2.OfcMode.ValueType) -> None:
    assert read_mode(settings_pb2.OfcSettings(mode=given)) == read


def test_modes_that_are_not_scored() -> None:
    with pytest.raises(FloorError) as caught:
        read_mode(settings_pb2.OfcSettings(mode=settings_pb2.OFC_MODE_JOKER))
    assert caught.value.code == errors_pb2.ERROR_CODE_NOT_SUPPORTED
    assert caught.value.field == "settings.mode"
    unknown = settings_pb2.OfcSettings.FromString(bytes((0x08, 77)))
    with pytest.raises(FloorError) as caught:
        read_mode(unknown)
    assert (caught.value.code, caught.value.field) == (INVALID, "settings.mode")
