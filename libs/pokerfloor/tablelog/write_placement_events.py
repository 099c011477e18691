"""What happens only in placement hands, from the engine's words into messages."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.games import Event
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
from pokerfloor.tablelog.ranked_hands import write_ranked_hand
from pokerfloor.tablelog.words import LAYOUT_ROW_CODE


def write_placement_event(event: Event | PlacementEvent) -> pb.HandEvent:
    """Return an event that no betting hand has as a message."""
    return _WRITERS[type(event)](event)


def write_placements(placements: Iterable[SlotRow]) -> list[pb.SlotPlacement]:
    """Return where cards lie as messages."""
    return [pb.SlotPlacement(slot=slot, row=LAYOUT_ROW_CODE[row]) for slot, row in placements]


def write_pair_points(pair: PairPoints) -> pb.PairPoints:
    """Return the points of a pair as a message."""
    return pb.PairPoints(
        seat_a=pair.a, seat_b=pair.b, scored_points=pair.scored, paid_points=pair.paid
    )


def _moved(event: PlacementMoved) -> pb.HandEvent:
    row = pb.LAYOUT_ROW_UNSPECIFIED if event.row is None else LAYOUT_ROW_CODE[event.row]
    placement = pb.SlotPlacement(slot=event.slot, row=row)
    return pb.HandEvent(placement_moved=pb.PlacementMoved(seat=event.seat, placement=placement))


def _confirmed(event: PlacementConfirmed) -> pb.HandEvent:
    return pb.HandEvent(
        placement_confirmed=pb.PlacementConfirmed(
            seat=event.seat,
            street=event.street_no,
            placements=write_placements(event.placements),
            turn_no=event.turn_no,
            by_time=event.by_time,
        )
    )


def _hidden(event: HiddenPlacement) -> pb.HandEvent:
    placements = write_placements(event.placements)
    hidden = pb.HiddenPlacement(seat=event.seat, placements=placements)
    return pb.HandEvent(hidden_placement=hidden)


def _opened(event: LayoutRevealed) -> pb.HandEvent:
    placements = write_placements(event.placements)
    return pb.HandEvent(layout_revealed=pb.LayoutRevealed(seat=event.seat, placements=placements))


def _scored(event: PointsScored) -> pb.HandEvent:
    return pb.HandEvent(
        points_scored=pb.PointsScored(
            pairs=[write_pair_points(pair) for pair in event.pairs],
            layouts=[_layout_score(layout) for layout in event.layouts],
        )
    )


def _layout_score(layout: LayoutScore) -> pb.LayoutScore:
    return pb.LayoutScore(
        seat=layout.seat,
        fouled=layout.fouled,
        rows=[write_ranked_hand(hand) for hand in layout.rows],
        royalty_points=layout.royalty_points,
    )


def _fantasyland(event: FantasylandEarned) -> pb.HandEvent:
    earned = pb.FantasylandEarned(seat=event.seat, cards=event.cards, stayed=event.stayed)
    return pb.HandEvent(fantasyland_earned=earned)


_WRITERS: Final[dict[type[Any], Callable[[Any], pb.HandEvent]]] = {
    FantasylandEarned: _fantasyland,
    HiddenPlacement: _hidden,
    LayoutRevealed: _opened,
    PlacementConfirmed: _confirmed,
    PlacementMoved: _moved,
    PointsScored: _scored,
}
