"""The calls of ScoringService."""

from __future__ import annotations

from typing import Never

from libs.floorapi.floor.common.v1 import errors_pb2
from libs.floorapi.floor.scoring.v1 import scoring_pb2, scoring_pb2_grpc
from libs.floorapi.floor.settings.v1 import settings_pb2
from libs.floorkit import FloorError
from libs.scoring import LayoutError, score_hand
from services.scoring.answer import answer
from services.scoring.metrics import SCORED_HANDS, SCORED_LAYOUTS
from services.scoring.read_request import read_layouts, read_mode


class ScoringService(scoring_pb2_grpc.ScoringServiceServicer):
    """Pure functions of their requests. Neither cards nor points are logged."""

    async def ScoreHand(  # noqa: N802 - the proto names it
        self,
        request: scoring_pb2.ScoreHandRequest,
        context: object,
    ) -> scoring_pb2.ScoreHandResponse:
        """Compare finished layouts pair by pair (OFC-10 to OFC-12).

        Raises FloorError INVALID_FIELD, BAD_CARDS or NOT_SUPPORTED.
        """
        del context
        mode = read_mode(request.settings)
        layouts = read_layouts(request.layouts)
        try:
            score = score_hand(layouts)
        except LayoutError as error:
            raise FloorError(errors_pb2.ERROR_CODE_BAD_CARDS, error.reason, error.field) from error
        SCORED_HANDS.labels(_mode_label(mode), str(len(layouts))).inc()
        for layout in score.layouts.values():
            SCORED_LAYOUTS.labels("dead" if layout.dead else "live").inc()
        return answer(score, [layout.seat for layout in request.layouts])

    async def Settle(  # noqa: N802 - the proto names it
        self, request: scoring_pb2.SettleRequest, context: object
    ) -> scoring_pb2.SettleResponse:
        """Refuse with NOT_SUPPORTED: open-face tables are not there yet (OFC-21, OFC-22)."""
        del request, context
        _refuse("points are not settled yet")

    async def ScoreScoop(  # noqa: N802 - the proto names it
        self, request: scoring_pb2.ScoreScoopRequest, context: object
    ) -> scoring_pb2.ScoreScoopResponse:
        """Refuse with NOT_SUPPORTED: Scoop is not there yet (SCP-3, SCP-4)."""
        del request, context
        _refuse("Scoop is not scored yet")


def _refuse(reason: str) -> Never:
    raise FloorError(errors_pb2.ERROR_CODE_NOT_SUPPORTED, reason)


def _mode_label(mode: settings_pb2.OfcMode.ValueType) -> str:
    return settings_pb2.OfcMode.Name(mode).removeprefix("OFC_MODE_").lower()
