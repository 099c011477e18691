from __future__ import annotations

import pytest

from floor_scoring.read_rules import read_rules
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.scoring import Mode, OfcRules, StayOnMiddle
from pokerfloor.servicekit import FloorError


@pytest.mark.rule("OFC-34")
@pytest.mark.parametrize(
    ("given", "read"),
    [
        (settings_pb2.OFC_MODE_UNSPECIFIED, Mode.REGULAR),
        (settings_pb2.OFC_MODE_REGULAR, Mode.REGULAR),
        (settings_pb2.OFC_MODE_PROGRESSIVE, Mode.PROGRESSIVE),
        (settings_pb2.OFC_MODE_ULTIMATE, Mode.ULTIMATE),
        (settings_pb2.OFC_MODE_JOKER, Mode.JOKER),
    ],
)
def test_modes(given: settings_pb2.OfcMode.ValueType, read: Mode) -> None:
    assert read_rules(settings_pb2.OfcSettings(mode=given)) == OfcRules(read)


@pytest.mark.rule("OFC-33", "OFC-34", "OFC-35")
def test_options() -> None:
    settings = settings_pb2.OfcSettings(
        mode=settings_pb2.OFC_MODE_JOKER,
        stay_on_middle=settings_pb2.STAY_ON_MIDDLE_FULL_HOUSE,
        trips_cards=16,
        joker_base=settings_pb2.OFC_MODE_PROGRESSIVE,
        own_row_copy=True,
        five_of_a_kind=True,
    )
    assert read_rules(settings) == OfcRules(
        Mode.JOKER, 16, Mode.PROGRESSIVE, StayOnMiddle.FULL_HOUSE, True, True
    )
    settings.stay_on_middle = settings_pb2.STAY_ON_MIDDLE_QUADS
    assert read_rules(settings).stay_on_middle is StayOnMiddle.QUADS
    # Options of the table's play make no difference to a score.
    settings.closed_circle = True
    settings.fantasyland_heads_up = settings_pb2.FANTASYLAND_HEADS_UP_OPEN_FIRST
    assert read_rules(settings).stay_on_middle is StayOnMiddle.QUADS


@pytest.mark.parametrize(
    ("content", "field"),
    [
        (bytes((0x08, 77)), "settings.mode"),
        (bytes((0x18, 77)), "settings.stay_on_middle"),
        (bytes((0x20, 13)), "settings.trips_cards"),
        (bytes((0x20, 18)), "settings.trips_cards"),
        (bytes((0x28, 77)), "settings.joker_base"),
        (bytes((0x28, 4)), "settings.joker_base"),
    ],
)
def test_settings_that_there_are_not(content: bytes, field: str) -> None:
    with pytest.raises(FloorError) as caught:
        read_rules(settings_pb2.OfcSettings.FromString(content))
    assert caught.value.code == errors_pb2.ERROR_CODE_INVALID_FIELD
    assert caught.value.field == field
