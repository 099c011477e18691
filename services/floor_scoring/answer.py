"""From scores and settlements to the answers of the calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.scoring.v1 import scoring_pb2
from pokerfloor.cards import RANKS, Card, to_wire
from pokerfloor.ranking import Category, ranks_of
from pokerfloor.scoring import (
    HandScore,
    PlayerPair,
    Row,
    RowScore,
    ScoopPair,
    ScoopRow,
    ScoopScore,
    ScoredLayout,
    ScoredRow,
    Settlement,
)
from pokerfloor.tablelog import write_ranked_hand

_ROW: Final = {
    Row.TOP: hand_events_pb2.LAYOUT_ROW_TOP,
    Row.MIDDLE: hand_events_pb2.LAYOUT_ROW_MIDDLE,
    Row.BOTTOM: hand_events_pb2.LAYOUT_ROW_BOTTOM,
}
_SCOOP_ROW: Final = dict(zip(ScoopRow, _ROW.values(), strict=True))
_TOP_ROYALTY: Final = {Category.ONE_PAIR: "pair", Category.THREE_OF_A_KIND: "trips"}


def answer_hand(score: HandScore, seats: Sequence[int]) -> scoring_pb2.ScoreHandResponse:
    """Return the answer of ScoreHand; `seats` are those of the layouts, in their order.

    The sums are checked again here: totals to zero, each pair to its parts (OFC-10).
    """
    seat_of = dict(zip(score.layouts, seats, strict=True))
    totals = [
        scoring_pb2.SeatTotal(
            seat=seat_of[key],
            points=score.totals[key],
            fantasy_cards=layout.fantasyland.cards,
            fantasy_stayed=layout.fantasyland.stayed,
            fantasy_reason=layout.fantasyland.reason.code,
            fantasy_text=layout.fantasyland.reason.text,
        )
        for key, layout in score.layouts.items()
    ]
    pairs = [_pair(pair, seat_of, score.layouts) for pair in score.pairs]
    _assert_sums(totals, pairs)
    layouts = [_layout(layout, seat_of[key]) for key, layout in score.layouts.items()]
    return scoring_pb2.ScoreHandResponse(layouts=layouts, pairs=pairs, totals=totals)


def answer_scoop(score: ScoopScore, seats: Sequence[int]) -> scoring_pb2.ScoreScoopResponse:
    """Return the answer of ScoreScoop; `seats` are those of the hands, in their order."""
    seat_of = dict(zip(score.hands, seats, strict=True))
    totals = [
        scoring_pb2.SeatTotal(seat=seat_of[key], points=points)
        for key, points in score.totals.items()
    ]
    pairs = [_scoop_pair(pair, seat_of) for pair in score.pairs]
    _assert_sums(totals, pairs)
    layouts = [
        scoring_pb2.ScoredLayout(seat=seat_of[key], rows=[write_ranked_hand(hand) for hand in rows])
        for key, rows in score.hands.items()
    ]
    return scoring_pb2.ScoreScoopResponse(pairs=pairs, totals=totals, layouts=layouts)


def answer_settlement(settlement: Settlement) -> scoring_pb2.SettleResponse:
    """Return the answer of Settle."""
    return scoring_pb2.SettleResponse(
        pairs=[
            hand_events_pb2.PairPoints(
                seat_a=payment.a,
                seat_b=payment.b,
                scored_points=payment.scored,
                paid_points=payment.paid,
            )
            for payment in settlement.payments
        ],
        stacks=[
            scoring_pb2.PointStack(seat=seat, points=points)
            for seat, points in settlement.stacks.items()
        ],
        reasons=[payment.reason.code for payment in settlement.payments],
    )


def _layout(layout: ScoredLayout, seat: int) -> scoring_pb2.ScoredLayout:
    return scoring_pb2.ScoredLayout(
        seat=seat,
        dead=layout.foul is not None,
        rows=[write_ranked_hand(row.hand) for row in layout.rows],
        royalties=[_royalty(row) for row in layout.rows if row.royalty.points],
        royalty_points=layout.royalties,
        dead_reason=layout.foul.code if layout.foul else "",
        dead_text=layout.foul.text if layout.foul else "",
        jokers=[
            scoring_pb2.JokerStandIn(
                row=_ROW[row.row], joker=_card(stand_in.joker), stands_for=_card(stand_in.card)
            )
            for row in layout.rows
            for stand_in in row.stand_ins
        ],
    )


def _card(card: Card) -> cards_pb2.Card:
    return cards_pb2.Card(code=to_wire(card))


def _royalty(row: ScoredRow) -> scoring_pb2.Royalty:
    return scoring_pb2.Royalty(
        row=_ROW[row.row],
        points=row.royalty.points,
        reason=_royalty_reason(row),
        text=row.royalty.reason.text,
    )


def _royalty_reason(row: ScoredRow) -> str:
    """Return what the bonus is for; in the top row the rank decides it, so it is named too."""
    if row.row is Row.TOP:
        rank = RANKS[ranks_of(row.hand.strength)[0] - 2].lower()
        return f"{_TOP_ROYALTY[row.hand.category]}_{rank}"
    return row.hand.category.value


def _pair(
    pair: PlayerPair, seat_of: Mapping[str, int], layouts: Mapping[str, ScoredLayout]
) -> scoring_pb2.PairScore:
    fouled = any(layouts[key].foul is not None for key in (pair.first, pair.second))
    return scoring_pb2.PairScore(
        seat_a=seat_of[pair.first],
        seat_b=seat_of[pair.second],
        rows=[_row(row, fouled=fouled) for row in pair.score.rows],
        scoop_points=pair.score.scoop.points,
        royalty_points=pair.score.royalties.points,
        total_points=pair.score.total,
        scoop_reason=pair.score.scoop.reason.code,
        royalty_text=pair.score.royalties.reason.text,
    )


def _row(row: RowScore, *, fouled: bool) -> scoring_pb2.RowComparison:
    reason = "dead_hand" if fouled else "higher" if row.score.points else "equal"
    return scoring_pb2.RowComparison(
        row=_ROW[row.row], points=row.score.points, reason=reason, text=row.score.reason.text
    )


def _scoop_pair(pair: ScoopPair, seat_of: Mapping[str, int]) -> scoring_pb2.PairScore:
    rows = [
        scoring_pb2.RowComparison(
            row=_SCOOP_ROW[row.row],
            points=row.score.points,
            reason="higher" if row.score.points else "equal",
            text=row.score.reason.text,
        )
        for row in pair.rows
    ]
    return scoring_pb2.PairScore(
        seat_a=seat_of[pair.first],
        seat_b=seat_of[pair.second],
        rows=rows,
        scoop_points=pair.scoop.points,
        total_points=pair.total,
        scoop_reason=pair.scoop.reason.code,
    )


def _assert_sums(
    seat_totals: Sequence[scoring_pb2.SeatTotal], pairs: Sequence[scoring_pb2.PairScore]
) -> None:
    totals = {total.seat: total.points for total in seat_totals}
    assert sum(totals.values()) == 0, "what one seat wins, another loses"
    for pair in pairs:
        rows = sum([row.points for row in pair.rows])
        assert pair.total_points == rows + pair.scoop_points + pair.royalty_points
        totals[pair.seat_a] -= pair.total_points
        totals[pair.seat_b] += pair.total_points
    assert not any(totals.values()), "a seat's total is the sum of its pairs"
