"""The calls of ScoringService."""

from __future__ import annotations

from floor_scoring.answer import answer_hand, answer_scoop, answer_settlement
from floor_scoring.metrics import FANTASYLANDS, SCORED_HANDS, SCORED_LAYOUTS, SETTLEMENTS
from floor_scoring.read_request import read_layouts, read_pairs, read_scoop, read_stacks
from floor_scoring.read_rules import read_rules
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.scoring.v1 import scoring_pb2, scoring_pb2_grpc
from pokerfloor.scoring import LayoutError, SettlementError, score_hand, score_scoop, settle
from pokerfloor.servicekit import FloorError


class ScoringService(scoring_pb2_grpc.ScoringServiceServicer):
    """Pure functions of their requests. Neither cards nor points are logged."""

    async def ScoreHand(  # noqa: N802 - the proto names it
        self,
        request: scoring_pb2.ScoreHandRequest,
        context: object,
    ) -> scoring_pb2.ScoreHandResponse:
        """Compare finished layouts pair by pair, in all modes (OFC-10 to OFC-12, OFC-30 to OFC-35).

        Raises FloorError INVALID_FIELD or BAD_CARDS.
        """
        del context
        rules = read_rules(request.settings)
        layouts = read_layouts(request.layouts)
        try:
            score = score_hand(layouts, rules)
        except LayoutError as error:
            raise FloorError(errors_pb2.ERROR_CODE_BAD_CARDS, error.reason, error.field) from error
        SCORED_HANDS.labels(rules.mode.value, str(len(layouts))).inc()
        for layout in score.layouts.values():
            SCORED_LAYOUTS.labels("fouled" if layout.foul else "live").inc()
            if layout.fantasyland.cards:
                FANTASYLANDS.labels("staying" if layout.fantasyland.stayed else "entering").inc()
        return answer_hand(score, [layout.seat for layout in request.layouts])

    async def Settle(  # noqa: N802 - the proto names it
        self, request: scoring_pb2.SettleRequest, context: object
    ) -> scoring_pb2.SettleResponse:
        """Settle pair after pair, each capped by the stacks before it (OFC-21, OFC-22, SCP-5).

        Raises FloorError INVALID_FIELD.
        """
        del context
        stacks = read_stacks(request)
        try:
            settlement = settle(request.button, stacks, read_pairs(request))
        except SettlementError as error:
            raise FloorError(
                errors_pb2.ERROR_CODE_INVALID_FIELD, error.reason, error.field
            ) from error
        for payment in settlement.payments:
            SETTLEMENTS.labels(payment.reason.code).inc()
        return answer_settlement(settlement)

    async def ScoreScoop(  # noqa: N802 - the proto names it
        self, request: scoring_pb2.ScoreScoopRequest, context: object
    ) -> scoring_pb2.ScoreScoopResponse:
        """Score Scoop's rows on their board (SCP-2 to SCP-4).

        Raises FloorError INVALID_FIELD or BAD_CARDS.
        """
        del context
        board, layouts = read_scoop(request)
        try:
            score = score_scoop(board, layouts)
        except LayoutError as error:
            raise FloorError(errors_pb2.ERROR_CODE_BAD_CARDS, error.reason, error.field) from error
        SCORED_HANDS.labels("scoop", str(len(layouts))).inc()
        return answer_scoop(score, [hand.seat for hand in request.hands])
