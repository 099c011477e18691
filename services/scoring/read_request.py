"""From a request to layouts, with the exact field of whatever is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Never

from libs.cards import Card, CardError, from_wire
from libs.floorapi.floor.common.v1 import cards_pb2, errors_pb2
from libs.floorapi.floor.scoring.v1 import scoring_pb2
from libs.floorapi.floor.settings.v1 import settings_pb2
from libs.floorkit import FloorError
from libs.scoring import Layout

_PLAYERS: Final = (2, 3)  # OFC-1
_MOST_SEATS: Final = 10  # TBL-1
_FANTASY_CARDS: Final = (0, 14, 15, 16, 17)  # OFC-34; 0 is a hand outside of fantasy

_SCORED_MODES: Final = (
    settings_pb2.OFC_MODE_REGULAR,
    settings_pb2.OFC_MODE_PROGRESSIVE,
    settings_pb2.OFC_MODE_ULTIMATE,
)


def read_mode(settings: settings_pb2.OfcSettings) -> settings_pb2.OfcMode.ValueType:
    """Return the mode, REGULAR when unset.

    The modes scored here differ in fantasy only (OFC-34); jokers change hands and are refused.
    Raises FloorError INVALID_FIELD or NOT_SUPPORTED.
    """
    mode = settings.mode or settings_pb2.OFC_MODE_REGULAR
    if mode == settings_pb2.OFC_MODE_JOKER:
        raise FloorError(
            errors_pb2.ERROR_CODE_NOT_SUPPORTED, "jokers are not scored yet", "settings.mode"
        )
    if mode not in _SCORED_MODES:
        _invalid(f"there is no mode {int(mode)}", "settings.mode")
    return mode


def read_layouts(layouts: Sequence[scoring_pb2.Layout]) -> dict[str, Layout]:
    """Return the layouts by their own field path ("layouts[0]"), in the order of the request.

    Keyed that way, the library's errors name the field of the request by themselves. Raises
    FloorError INVALID_FIELD or BAD_CARDS.
    """
    if len(layouts) not in _PLAYERS:
        _invalid(f"2 or 3 layouts are scored, not {len(layouts)}", "layouts")
    read: dict[str, Layout] = {}
    seats: set[int] = set()
    for index, layout in enumerate(layouts):
        path = f"layouts[{index}]"
        _check_seat(layout.seat, seats, f"{path}.seat")
        seats.add(layout.seat)
        if layout.fantasy_cards not in _FANTASY_CARDS:
            _invalid(
                f"fantasy has 14 to 17 cards, or 0 for none, not {layout.fantasy_cards}",
                f"{path}.fantasy_cards",
            )
        read[path] = Layout(
            _read_row(layout.top, f"{path}.top"),
            _read_row(layout.middle, f"{path}.middle"),
            _read_row(layout.bottom, f"{path}.bottom"),
        )
    return read


def _check_seat(seat: int, taken: set[int], field: str) -> None:
    if not 1 <= seat <= _MOST_SEATS:
        _invalid(f"seats are 1 to {_MOST_SEATS}, not {seat}", field)
    if seat in taken:
        _invalid(f"seat {seat} has another layout already", field)


def _read_row(cards: Sequence[cards_pb2.Card], path: str) -> tuple[Card, ...]:
    row: list[Card] = []
    for index, card in enumerate(cards):
        try:
            row.append(from_wire(card.code))
        except CardError as error:
            raise FloorError(
                errors_pb2.ERROR_CODE_BAD_CARDS,
                f"there is no card of code {card.code}",
                f"{path}[{index}]",
            ) from error
    return tuple(row)


def _invalid(reason: str, field: str) -> Never:
    raise FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)
