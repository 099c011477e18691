"""From scores and settlements to the answers of the calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.scoring.v1 import scoring_pb2
from pokerfloor.cards import Card, to_wire
from pokerfloor.ranking import ranks_of
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
from pokerfloor.tablelog import CATEGORY_CODE, write_ranked_hand

_ROW: Final = {
    Row.TOP: hand_events_pb2.LAYOUT_ROW_TOP,
    Row.MIDDLE: hand_events_pb2.LAYOUT_ROW_MIDDLE,
    Row.BOTTOM: hand_events_pb2.LAYOUT_ROW_BOTTOM,
}
# The stable codes of pokerfloor.scoring as the contract has them.
_FANTASYLAND: Final = {
    "fantasyland_pair": scoring_pb2.FANTASYLAND_REASON_PAIR,
    "fantasyland_trips": scoring_pb2.FANTASYLAND_REASON_TRIPS,
    "stayed_top_trips": scoring_pb2.FANTASYLAND_REASON_STAYED_TOP_TRIPS,
    "stayed_bottom_quads": scoring_pb2.FANTASYLAND_REASON_STAYED_BOTTOM_QUADS,
    "stayed_middle": scoring_pb2.FANTASYLAND_REASON_STAYED_MIDDLE,
    "no_fantasyland": scoring_pb2.FANTASYLAND_REASON_NONE,
    "fantasyland_not_renewed": scoring_pb2.FANTASYLAND_REASON_NOT_RENEWED,
    "fouled_no_fantasyland": scoring_pb2.FANTASYLAND_REASON_FOULED,
}
_FOUL: Final = {
    "top_above_middle": scoring_pb2.FOUL_REASON_TOP_ABOVE_MIDDLE,
    "middle_above_bottom": scoring_pb2.FOUL_REASON_MIDDLE_ABOVE_BOTTOM,
}
_SCOOP: Final = {
    "scoop_won": scoring_pb2.SCOOP_REASON_WON,
    "scoop_lost": scoring_pb2.SCOOP_REASON_LOST,
    "no_scoop": scoring_pb2.SCOOP_REASON_NONE,
}
_PAYMENT: Final = {
    "paid_in_full": scoring_pb2.PAYMENT_REASON_PAID_IN_FULL,
    "nothing_to_pay": scoring_pb2.PAYMENT_REASON_NOTHING_TO_PAY,
    "capped_by_payer": scoring_pb2.PAYMENT_REASON_CAPPED_BY_PAYER,
    "capped_by_winner": scoring_pb2.PAYMENT_REASON_CAPPED_BY_WINNER,
}
_HIGHER: Final = scoring_pb2.ROW_REASON_HIGHER
_EQUAL: Final = scoring_pb2.ROW_REASON_EQUAL
_FOULED: Final = scoring_pb2.ROW_REASON_FOULED
_SCOOP_ROW: Final = dict(zip(ScoopRow, _ROW.values(), strict=True))


def answer_hand(score: HandScore, seats: Sequence[int]) -> scoring_pb2.ScoreHandResponse:
    """Return the answer of ScoreHand; `seats` are those of the layouts, in their order.

    The sums are checked again here: totals to zero, each pair to its parts (OFC-10).
    """
    seat_of = dict(zip(score.layouts, seats, strict=True))
    totals = [
        _total(layout, seat_of[key], score.totals[key]) for key, layout in score.layouts.items()
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
        reasons=[_PAYMENT[payment.reason.code] for payment in settlement.payments],
    )


def _layout(layout: ScoredLayout, seat: int) -> scoring_pb2.ScoredLayout:
    return scoring_pb2.ScoredLayout(
        seat=seat,
        fouled=layout.foul is not None,
        rows=[write_ranked_hand(row.hand) for row in layout.rows],
        royalties=[_royalty(row) for row in layout.rows if row.royalty.points],
        royalty_points=layout.royalties,
        foul_reason=_FOUL[layout.foul.code] if layout.foul else scoring_pb2.FOUL_REASON_UNSPECIFIED,
        foul_text=layout.foul.text if layout.foul else "",
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
        category=CATEGORY_CODE[row.hand.category],
        rank=ranks_of(row.hand.strength)[0] if row.row is Row.TOP else 0,
        text=row.royalty.reason.text,
    )


def _total(layout: ScoredLayout, seat: int, points: int) -> scoring_pb2.SeatTotal:
    fantasyland, rank = layout.fantasyland, 0
    code = fantasyland.reason.code
    if code not in _FANTASYLAND:  # "fantasyland_pair_q": the top row's rank decides
        code, rank = code.rpartition("_")[0], ranks_of(layout.rows[0].hand.strength)[0]
    return scoring_pb2.SeatTotal(
        seat=seat,
        points=points,
        fantasyland_cards=fantasyland.cards,
        fantasyland_stayed=fantasyland.stayed,
        fantasyland_reason=_FANTASYLAND[code],
        fantasyland_rank=rank,
        fantasyland_text=fantasyland.reason.text,
    )


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
        scoop_reason=_SCOOP[pair.score.scoop.reason.code],
        royalty_text=pair.score.royalties.reason.text,
    )


def _row(row: RowScore, *, fouled: bool) -> scoring_pb2.RowComparison:
    reason = _FOULED if fouled else _HIGHER if row.score.points else _EQUAL
    return scoring_pb2.RowComparison(
        row=_ROW[row.row], points=row.score.points, reason=reason, text=row.score.reason.text
    )


def _scoop_pair(pair: ScoopPair, seat_of: Mapping[str, int]) -> scoring_pb2.PairScore:
    rows = [
        scoring_pb2.RowComparison(
            row=_SCOOP_ROW[row.row],
            points=row.score.points,
            reason=_HIGHER if row.score.points else _EQUAL,
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
        scoop_reason=_SCOOP[pair.scoop.reason.code],
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
