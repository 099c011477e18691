"""From a score to the answer of ScoreHand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from libs.cards import RANKS, rank_of
from libs.floorapi.floor.events.v1 import hand_events_pb2
from libs.floorapi.floor.scoring.v1 import scoring_pb2
from libs.floorlog import write_ranked_hand
from libs.ranking import Category
from libs.scoring import HandScore, PlayerPair, Row, RowScore, ScoredLayout, ScoredRow

_ROW: Final = {
    Row.TOP: hand_events_pb2.LAYOUT_ROW_TOP,
    Row.MIDDLE: hand_events_pb2.LAYOUT_ROW_MIDDLE,
    Row.BOTTOM: hand_events_pb2.LAYOUT_ROW_BOTTOM,
}
_TOP_ROYALTY: Final = {Category.ONE_PAIR: "pair", Category.THREE_OF_A_KIND: "trips"}


def answer(score: HandScore, seats: Sequence[int]) -> scoring_pb2.ScoreHandResponse:
    """Return the answer; `seats` are those of the score's layouts, in their order.

    The sums are checked again here: totals to zero, each pair to its parts (OFC-10).
    """
    seat_of = dict(zip(score.layouts, seats, strict=True))
    response = scoring_pb2.ScoreHandResponse(
        layouts=[_layout(layout, seat_of[key]) for key, layout in score.layouts.items()],
        pairs=[_pair(pair, seat_of, score.layouts) for pair in score.pairs],
        totals=[
            scoring_pb2.SeatTotal(seat=seat_of[key], points=points)
            for key, points in score.totals.items()
        ],
    )
    _assert_sums(response)
    return response


def _layout(layout: ScoredLayout, seat: int) -> scoring_pb2.ScoredLayout:
    return scoring_pb2.ScoredLayout(
        seat=seat,
        dead=layout.dead is not None,
        rows=[write_ranked_hand(row.hand) for row in layout.rows],
        royalties=[_royalty(row) for row in layout.rows if row.royalty.points],
        royalty_points=layout.royalties,
    )


def _royalty(row: ScoredRow) -> scoring_pb2.Royalty:
    return scoring_pb2.Royalty(
        row=_ROW[row.row], points=row.royalty.points, reason=_royalty_reason(row)
    )


def _royalty_reason(row: ScoredRow) -> str:
    """Return what the bonus is for; in the top row the rank decides it, so it is named too."""
    if row.row is Row.TOP:
        rank = RANKS[rank_of(row.hand.cards[0])].lower()
        return f"{_TOP_ROYALTY[row.hand.category]}_{rank}"
    return row.hand.category.value


def _pair(
    pair: PlayerPair, seat_of: Mapping[str, int], layouts: Mapping[str, ScoredLayout]
) -> scoring_pb2.PairScore:
    dead = any(layouts[key].dead is not None for key in (pair.first, pair.second))
    return scoring_pb2.PairScore(
        seat_a=seat_of[pair.first],
        seat_b=seat_of[pair.second],
        rows=[_row(row, dead=dead) for row in pair.score.rows],
        scoop_points=pair.score.scoop.points,
        royalty_points=pair.score.royalties.points,
        total_points=pair.score.total,
    )


def _row(row: RowScore, *, dead: bool) -> scoring_pb2.RowComparison:
    reason = "dead_hand" if dead else "higher" if row.score.points else "equal"
    return scoring_pb2.RowComparison(row=_ROW[row.row], points=row.score.points, reason=reason)


def _assert_sums(response: scoring_pb2.ScoreHandResponse) -> None:
    totals = {total.seat: total.points for total in response.totals}
    assert sum(totals.values()) == 0, "what one seat wins, another loses"
    for pair in response.pairs:
        rows = sum(row.points for row in pair.rows)
        assert pair.total_points == rows + pair.scoop_points + pair.royalty_points
        totals[pair.seat_a] -= pair.total_points
        totals[pair.seat_b] += pair.total_points
    assert not any(totals.values()), "a seat's total is the sum of its pairs"
