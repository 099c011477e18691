"""Scores between the table and the scoring service, both ways (OFC-10, OFC-22, SCP-3, SCP-5)."""

from collections.abc import Iterable
from typing import TypeVar

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.scoring.v1 import scoring_pb2 as pb
from pokerfloor.api.settings.v1.settings_pb2 import OfcSettings
from pokerfloor.cards import Card
from pokerfloor.games.placement import (
    FantasylandEarned,
    LayoutRow,
    LayoutScore,
    PairPoints,
    ScoringRequest,
    ScoringResult,
)
from pokerfloor.tablelog.card_messages import to_card
from pokerfloor.tablelog.errors import LogError
from pokerfloor.tablelog.ranked_hands import read_ranked_hand

_T = TypeVar("_T")


def to_score_request(request: ScoringRequest, ofc: OfcSettings) -> pb.ScoreHandRequest:
    """Return the question what OFC layouts are worth, by the mode and options of a table."""
    layouts = [
        pb.Layout(
            seat=layout.seat,
            top=_cards(layout.faces(LayoutRow.TOP)),
            middle=_cards(layout.faces(LayoutRow.MIDDLE)),
            bottom=_cards(layout.faces(LayoutRow.BOTTOM)),
            fantasyland_cards=layout.fantasyland_cards,
        )
        for layout in request.layouts
    ]
    return pb.ScoreHandRequest(settings=ofc, layouts=layouts)


def to_scoop_request(request: ScoringRequest) -> pb.ScoreScoopRequest:
    """Return the question what Scoop's rows are worth."""
    hands = [
        pb.ScoopHand(
            seat=layout.seat,
            first=_cards(layout.faces(LayoutRow.TOP)),
            second=_cards(layout.faces(LayoutRow.MIDDLE)),
            third=_cards(layout.faces(LayoutRow.BOTTOM)),
        )
        for layout in request.layouts
    ]
    return pb.ScoreScoopRequest(board=_cards(request.board), hands=hands)


def to_settle_request(
    request: ScoringRequest, scored: pb.ScoreHandResponse | pb.ScoreScoopResponse
) -> pb.SettleRequest:
    """Return the question what is paid of points as they were scored (OFC-21, OFC-22)."""
    return pb.SettleRequest(
        button=request.button,
        stacks=[pb.PointStack(seat=seat, points=points) for seat, points in request.stacks],
        pairs=[
            hand_events_pb2.PairPoints(
                seat_a=pair.seat_a, seat_b=pair.seat_b, scored_points=pair.total_points
            )
            for pair in scored.pairs
        ],
    )


def from_score_response(
    request: ScoringRequest,
    scored: pb.ScoreHandResponse | pb.ScoreScoopResponse,
    settled: pb.SettleResponse,
) -> ScoringResult:
    """Return the scores as a hand takes them. Raises LogError.

    The machine checks what they must be; here, that the two answers belong together.
    """
    by_seat = {layout.seat: layout for layout in scored.layouts}
    layouts = [
        LayoutScore(
            layout.seat,
            layout.fouled,
            tuple([read_ranked_hand(hand, "layouts.rows") for hand in layout.rows]),
            layout.royalty_points,
        )
        for layout in _in_order(request, by_seat, "layouts")
    ]
    totals = {total.seat: total for total in scored.totals}
    fantasyland = [
        FantasylandEarned(total.seat, total.fantasyland_cards, total.fantasyland_stayed)
        for total in _in_order(request, totals, "totals")
        if total.fantasyland_cards
    ]
    return ScoringResult(_pairs(scored.pairs, settled), tuple(layouts), tuple(fantasyland))


def _in_order(request: ScoringRequest, by_seat: dict[int, _T], field: str) -> list[_T]:
    seats = [layout.seat for layout in request.layouts]
    if sorted(by_seat) != sorted(seats):
        raise LogError(f"seats {sorted(by_seat)} are scored, not {sorted(seats)}", field)
    return [by_seat[seat] for seat in seats]


def _pairs(scored: Iterable[pb.PairScore], settled: pb.SettleResponse) -> tuple[PairPoints, ...]:
    points = {(pair.seat_a, pair.seat_b): pair.total_points for pair in scored}
    points |= {(b, a): -total for (a, b), total in points.items()}
    pairs = [
        PairPoints(pair.seat_a, pair.seat_b, pair.scored_points, pair.paid_points)
        for pair in settled.pairs
    ]
    for pair in pairs:
        if points.get((pair.a, pair.b)) != pair.scored:
            raise LogError(f"seats {pair.a} and {pair.b} are settled as not scored", "pairs")
    return tuple(pairs)


def _cards(cards: Iterable[Card]) -> list[cards_pb2.Card]:
    return [to_card(card) for card in cards]
