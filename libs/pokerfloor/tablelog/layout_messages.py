"""Placements, points and scored layouts of OFC and Scoop as messages, and back."""

from collections.abc import Iterable

from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.games.placement import LayoutScore, PairPoints, SlotRow
from pokerfloor.tablelog.enum_codes import LAYOUT_ROW, LAYOUT_ROW_CODE, look_up
from pokerfloor.tablelog.ranked_hands import read_ranked_hand, write_ranked_hand


def write_placements(placements: Iterable[SlotRow]) -> list[pb.SlotPlacement]:
    """Return where cards lie as messages."""
    return [pb.SlotPlacement(slot=slot, row=LAYOUT_ROW_CODE[row]) for slot, row in placements]


def read_placements(
    messages: Iterable[pb.SlotPlacement], field: str = "placements"
) -> tuple[SlotRow, ...]:
    """Return where cards lie. Raises LogError."""
    return tuple(
        [SlotRow(one.slot, look_up(LAYOUT_ROW, one.row, f"{field}.row")) for one in messages]
    )


def write_pair_points(pair: PairPoints) -> pb.PairPoints:
    """Return the points of a pair as a message."""
    return pb.PairPoints(
        seat_a=pair.a, seat_b=pair.b, scored_points=pair.scored, paid_points=pair.paid
    )


def read_pair_points(message: pb.PairPoints) -> PairPoints:
    """Return the points of a pair."""
    return PairPoints(message.seat_a, message.seat_b, message.scored_points, message.paid_points)


def write_layout_score(layout: LayoutScore) -> pb.LayoutScore:
    """Return a scored layout as a message."""
    return pb.LayoutScore(
        seat=layout.seat,
        fouled=layout.fouled,
        rows=[write_ranked_hand(hand) for hand in layout.rows],
        royalty_points=layout.royalty_points,
    )


def read_layout_score(message: pb.LayoutScore, field: str = "layouts") -> LayoutScore:
    """Return a scored layout. Raises LogError."""
    rows = tuple([read_ranked_hand(hand, f"{field}.rows") for hand in message.rows])
    return LayoutScore(message.seat, message.fouled, rows, message.royalty_points)
