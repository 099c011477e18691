"""The call of a table whose hand has come to its showdown."""

from __future__ import annotations

import asyncio

from floor_showdown.deadline import CallContext, budget_s
from floor_showdown.hand_log import HandLog
from floor_showdown.justification import check_justified
from floor_showdown.metrics import NOT_JUSTIFIED
from floor_showdown.read_resolve_request import read_resolve_request
from floor_showdown.resolution import resolve_justified
from floor_showdown.shuffler_calls import Revealer
from pokerfloor.api.internal.showdown.v1 import resolution_pb2, resolution_pb2_grpc
from pokerfloor.servicekit import accepted, bind_log, get_logger

_log = get_logger("showdown.resolution")


class ResolutionService(resolution_pb2_grpc.ResolutionServiceServicer):
    """Keeps no state. Requests and answers, which hold faces, are never logged."""

    def __init__(self, log: HandLog, revealer: Revealer, *, timeout_ms: int) -> None:
        self._hands = log
        self._revealer = revealer
        self._timeout_s = timeout_ms / 1000

    async def Resolve(  # noqa: N802 - the proto names it
        self, request: resolution_pb2.ResolveRequest, context: CallContext
    ) -> resolution_pb2.ResolveResponse:
        """Resolve a hand at its showdown (SHW, ODD); the same request has the same answer.

        Nothing is revealed before the log has said the same as the request. Raises FloorError: what
        `read_resolve_request`, `HandLog.between`, `check_justified` and `resolve_justified` say.
        """
        clock = asyncio.get_running_loop().time
        deadline_s = clock() + budget_s(context, self._timeout_s)
        with bind_log(
            table_id=request.deck.table_id[:32],
            hand_no=request.hand.hand_no,
            table_seq=request.cause.table_seq,
        ):
            asked = read_resolve_request(request)
            left_s = deadline_s - clock()
            steps = await self._hands.between(request.began_step, request.cause, left_s)
            refusal = check_justified(request, steps)
            if refusal is not None:
                # Only a table that is broken or lies gets one, so operations hear.
                NOT_JUSTIFIED.labels(refusal.field).inc()
                _log.error("showdown_unjustified", reason=refusal.reason, field=refusal.field)
            accepted(refusal)
            return await resolve_justified(asked, request, self._revealer, deadline_s - clock())
