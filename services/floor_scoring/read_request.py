"""From a request to what the library takes, with the exact field of whatever is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Never

from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.scoring.v1 import scoring_pb2
from pokerfloor.cards import Card, CardError, from_wire
from pokerfloor.scoring import FANTASYLAND_SIZES, MOST_POINTS, Layout, PairScored, ScoopLayout
from pokerfloor.servicekit import FloorError

_OFC_PLAYERS: Final = (2, 3)  # OFC-1
_SCOOP_PLAYERS: Final = (2, 3, 4)  # SCP-1
_MOST_SEATS: Final = 10  # TBL-1
_BOARD_CARDS: Final = 5


def read_layouts(layouts: Sequence[scoring_pb2.Layout]) -> dict[str, Layout]:
    """Return the layouts by their own field path ("layouts[0]"), in the order of the request.

    Keyed that way, the library's errors name the field of the request by themselves. Raises
    FloorError INVALID_FIELD or BAD_CARDS.
    """
    if len(layouts) not in _OFC_PLAYERS:
        _invalid(f"2 or 3 layouts are scored, not {len(layouts)}", "layouts")
    read: dict[str, Layout] = {}
    seats: set[int] = set()
    for index, layout in enumerate(layouts):
        path = f"layouts[{index}]"
        _take_seat(layout.seat, seats, f"{path}.seat")
        if layout.fantasyland_cards and layout.fantasyland_cards not in FANTASYLAND_SIZES:
            _invalid(
                f"Fantasyland has 14 to 17 cards, or 0 for none, not {layout.fantasyland_cards}",
                f"{path}.fantasyland_cards",
            )
        read[path] = Layout(
            _read_cards(layout.top, f"{path}.top"),
            _read_cards(layout.middle, f"{path}.middle"),
            _read_cards(layout.bottom, f"{path}.bottom"),
            layout.fantasyland_cards,
        )
    return read


def read_scoop(
    request: scoring_pb2.ScoreScoopRequest,
) -> tuple[tuple[Card, ...], dict[str, ScoopLayout]]:
    """Return the board and the hands by their own field path ("hands[0]").

    Raises FloorError INVALID_FIELD or BAD_CARDS.
    """
    if len(request.board) != _BOARD_CARDS:
        reason = f"a board has {_BOARD_CARDS} cards, not {len(request.board)}"
        raise FloorError(errors_pb2.ERROR_CODE_BAD_CARDS, reason, "board")
    if len(request.hands) not in _SCOOP_PLAYERS:
        _invalid(f"2 to 4 hands are scored, not {len(request.hands)}", "hands")
    read: dict[str, ScoopLayout] = {}
    seats: set[int] = set()
    for index, hand in enumerate(request.hands):
        path = f"hands[{index}]"
        _take_seat(hand.seat, seats, f"{path}.seat")
        read[path] = ScoopLayout(
            _read_cards(hand.first, f"{path}.first"),
            _read_cards(hand.second, f"{path}.second"),
            _read_cards(hand.third, f"{path}.third"),
        )
    return _read_cards(request.board, "board"), read


def read_stacks(request: scoring_pb2.SettleRequest) -> dict[int, int]:
    """Return the stacks by seat, and see that the button is a seat. Raises FloorError."""
    if not 1 <= request.button <= _MOST_SEATS:
        _invalid(f"the button is at seat 1 to {_MOST_SEATS}, not {request.button}", "button")
    if len(request.stacks) not in _SCOOP_PLAYERS:
        _invalid(f"2 to 4 seats settle, not {len(request.stacks)}", "stacks")
    seats: set[int] = set()
    for index, stack in enumerate(request.stacks):
        _take_seat(stack.seat, seats, f"stacks[{index}].seat")
        if not 0 <= stack.points <= MOST_POINTS:
            _invalid(f"a stack cannot be {stack.points} points", f"stacks[{index}].points")
    return {stack.seat: stack.points for stack in request.stacks}


def read_pairs(request: scoring_pb2.SettleRequest) -> list[PairScored]:
    """Return the pairs as scored. Raises FloorError."""
    for index, pair in enumerate(request.pairs):
        if pair.paid_points:
            _invalid("what is paid is for the answer to say", f"pairs[{index}].paid_points")
    return [PairScored(pair.seat_a, pair.seat_b, pair.scored_points) for pair in request.pairs]


def _take_seat(seat: int, taken: set[int], field: str) -> None:
    if not 1 <= seat <= _MOST_SEATS:
        _invalid(f"seats are 1 to {_MOST_SEATS}, not {seat}", field)
    if seat in taken:
        _invalid(f"seat {seat} is named already", field)
    taken.add(seat)


def _read_cards(cards: Sequence[cards_pb2.Card], path: str) -> tuple[Card, ...]:
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
