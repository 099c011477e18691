"""What happens only in placement hands, from messages into the engine's words."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.games import HandEnded, SeatResult
from pokerfloor.games.placement import (
    FantasylandEarned,
    HiddenPlacement,
    LayoutRevealed,
    LayoutScore,
    PairPoints,
    PlacementConfirmed,
    PlacementEvent,
    PlacementMoved,
    PointsScored,
    SlotRow,
)
from pokerfloor.tablelog.amounts import StakeKind, from_amount
from pokerfloor.tablelog.errors import LogError
from pokerfloor.tablelog.ranked_hands import read_ranked_hand
from pokerfloor.tablelog.words import LAYOUT_ROW, look_up


def read_placement_event(message: pb.HandEvent) -> PlacementEvent | None:
    """Return the event in a message, None for one that other hands have too. Raises LogError."""
    which = message.WhichOneof("event") or ""
    reader = _READERS.get(which)
    return None if reader is None else reader(getattr(message, which))


def read_placements(
    messages: Iterable[pb.SlotPlacement], field: str = "placements"
) -> tuple[SlotRow, ...]:
    """Return where cards lie. Raises LogError."""
    return tuple(
        [SlotRow(one.slot, look_up(LAYOUT_ROW, one.row, f"{field}.row")) for one in messages]
    )


def _moved(message: pb.PlacementMoved) -> PlacementMoved:
    placement = message.placement
    back = placement.row == pb.LAYOUT_ROW_UNSPECIFIED
    row = None if back else look_up(LAYOUT_ROW, placement.row, "placement.row")
    return PlacementMoved(message.seat, placement.slot, row)


def _confirmed(message: pb.PlacementConfirmed) -> PlacementConfirmed:
    return PlacementConfirmed(
        message.seat,
        message.turn_no,
        message.street,
        read_placements(message.placements),
        message.by_time,
    )


def _hidden(message: pb.HiddenPlacement) -> HiddenPlacement:
    return HiddenPlacement(message.seat, read_placements(message.placements))


def _opened(message: pb.LayoutRevealed) -> LayoutRevealed:
    return LayoutRevealed(message.seat, read_placements(message.placements))


def _scored(message: pb.PointsScored) -> PointsScored:
    return PointsScored(
        tuple([read_pair_points(pair) for pair in message.pairs]),
        tuple(
            [
                LayoutScore(
                    layout.seat,
                    layout.fouled,
                    tuple([read_ranked_hand(hand, "layouts.rows") for hand in layout.rows]),
                    layout.royalty_points,
                )
                for layout in message.layouts
            ]
        ),
    )


def read_pair_points(message: pb.PairPoints) -> PairPoints:
    """Return the points of a pair."""
    return PairPoints(message.seat_a, message.seat_b, message.scored_points, message.paid_points)


def _fantasyland(message: pb.FantasylandEarned) -> FantasylandEarned:
    return FantasylandEarned(message.seat, message.cards, message.stayed)


def _ended(message: pb.HandEnded) -> HandEnded:
    """Return the end of a placement hand, which is in points and has no rake and no pot."""
    for name in ("carried_in", "carried_out"):
        if message.HasField(name):
            raise LogError("a carried pot in a game without pots", name)
    points = StakeKind.POINTS
    results = [
        SeatResult(
            result.seat,
            from_amount(result.start, points, "seats.start"),
            from_amount(result.end, points, "seats.end"),
            from_amount(result.net, points, "seats.net"),
            0,
        )
        for result in message.seats
    ]
    return HandEnded(tuple(results), from_amount(message.rake, points, "rake"))


_READERS: Final[dict[str, Callable[[Any], PlacementEvent]]] = {
    "fantasyland_earned": _fantasyland,
    "hand_ended": _ended,
    "hidden_placement": _hidden,
    "layout_revealed": _opened,
    "placement_confirmed": _confirmed,
    "placement_moved": _moved,
    "points_scored": _scored,
}
