"""From the settings of an open-face table to the rules its hands are scored by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeVar

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.ranking import JokerUse
from pokerfloor.scoring import LayoutError, Mode, OfcRules, StayOnMiddle
from pokerfloor.servicekit import FloorError

_MODES: Final[Mapping[int, Mode]] = {
    settings_pb2.OFC_MODE_REGULAR: Mode.REGULAR,
    settings_pb2.OFC_MODE_PROGRESSIVE: Mode.PROGRESSIVE,
    settings_pb2.OFC_MODE_ULTIMATE: Mode.ULTIMATE,
    settings_pb2.OFC_MODE_JOKER: Mode.JOKER,
}
_STAYS: Final[Mapping[int, StayOnMiddle]] = {
    settings_pb2.STAY_ON_MIDDLE_UNSPECIFIED: StayOnMiddle.NONE,
    settings_pb2.STAY_ON_MIDDLE_NONE: StayOnMiddle.NONE,
    settings_pb2.STAY_ON_MIDDLE_FULL_HOUSE: StayOnMiddle.FULL_HOUSE,
    settings_pb2.STAY_ON_MIDDLE_QUADS: StayOnMiddle.QUADS,
}

_Word = TypeVar("_Word")


def read_rules(settings: settings_pb2.OfcSettings) -> OfcRules:
    """Return the mode, REGULAR when unset, and its options.

    What only the table needs (seating, clocks, the order of play) is left aside. Raises FloorError
    INVALID_FIELD with the setting at fault.
    """
    return _rules(
        settings.mode or settings_pb2.OFC_MODE_REGULAR,
        settings.trips_cards,
        settings.joker_base or settings_pb2.OFC_MODE_ULTIMATE,
        settings.stay_on_middle,
        JokerUse(settings.own_row_copy, settings.five_of_a_kind),
    )


@lru_cache(maxsize=256)  # a floor has a few kinds of tables
def _rules(mode: int, trips_cards: int, joker_base: int, stay: int, jokers: JokerUse) -> OfcRules:
    try:
        return OfcRules(
            mode=_look_up(_MODES, mode, "mode"),
            trips_cards=trips_cards,
            joker_base=_look_up(_MODES, joker_base, "joker_base"),
            stay_on_middle=_look_up(_STAYS, stay, "stay_on_middle"),
            own_row_copy=jokers.own_row_copy,
            five_of_a_kind=jokers.five_of_a_kind,
        )
    except LayoutError as error:
        raise FloorError(
            errors_pb2.ERROR_CODE_INVALID_FIELD, error.reason, f"settings.{error.field}"
        ) from error


def _look_up(words: Mapping[int, _Word], value: int, name: str) -> _Word:
    if value not in words:
        raise FloorError(
            errors_pb2.ERROR_CODE_INVALID_FIELD, f"there is no {name} {value}", f"settings.{name}"
        )
    return words[value]
