"""The rules of an open-face table from its settings, for whoever scores layouts by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.scoring import Mode, OfcRules, StayOnMiddle

_MODES: Final[Mapping[int, Mode]] = {
    pb.OFC_MODE_REGULAR: Mode.REGULAR,
    pb.OFC_MODE_PROGRESSIVE: Mode.PROGRESSIVE,
    pb.OFC_MODE_ULTIMATE: Mode.ULTIMATE,
    pb.OFC_MODE_JOKER: Mode.JOKER,
}
_STAYS: Final[Mapping[int, StayOnMiddle]] = {
    pb.STAY_ON_MIDDLE_FULL_HOUSE: StayOnMiddle.FULL_HOUSE,
    pb.STAY_ON_MIDDLE_QUADS: StayOnMiddle.QUADS,
}


def ofc_rules(settings: pb.OfcSettings) -> OfcRules:
    """Return the mode and its options; what is unset is the rulebook's default."""
    return OfcRules(
        mode=_MODES.get(settings.mode, Mode.REGULAR),
        trips_cards=settings.trips_cards,
        joker_base=_MODES.get(settings.joker_base, Mode.ULTIMATE),
        stay_on_middle=_STAYS.get(settings.stay_on_middle, StayOnMiddle.NONE),
        own_row_copy=settings.own_row_copy,
        five_of_a_kind=settings.five_of_a_kind,
    )
