"""The calls of ShowdownService."""

from __future__ import annotations

from typing import Never, Protocol

from libs.floorapi.floor.common.v1 import errors_pb2
from libs.floorapi.floor.showdown.v1 import showdown_pb2, showdown_pb2_grpc
from libs.floorkit import FloorError, bind_log
from services.showdown.metrics import RANKS
from services.showdown.rank import rank
from services.showdown.resolution import Resolver

# Kept from the caller's deadline, so that an answer still arrives within it.
_ANSWER_S = 0.05


class _Context(Protocol):
    def time_remaining(self) -> float | None: ...


class ShowdownService(showdown_pb2_grpc.ShowdownServiceServicer):
    """Keeps no state. Requests and answers, which hold faces, are never logged."""

    def __init__(self, resolver: Resolver, timeout_ms: int) -> None:
        self._resolver = resolver
        self._timeout_s = timeout_ms / 1000

    async def Rank(  # noqa: N802 - the proto names it
        self, request: showdown_pb2.RankRequest, context: object
    ) -> showdown_pb2.RankResponse:
        """Rank cards that the caller names (RNK-6). Raises FloorError; see `rank`."""
        del context
        hand = rank(request)
        RANKS.labels(hand.system).inc()
        return showdown_pb2.RankResponse(hand=hand)

    async def Resolve(  # noqa: N802 - the proto names it
        self, request: showdown_pb2.ResolveRequest, context: _Context
    ) -> showdown_pb2.ResolveResponse:
        """Resolve a hand at its showdown (SHW, ODD). Raises FloorError; see `Resolver.resolve`."""
        with bind_log(
            table_id=request.deck.table_id[:32],
            hand_no=request.hand.hand_no,
            table_seq=request.cause.table_seq,
        ):
            return await self._resolver.resolve(request, self._budget_s(context))

    async def GetHandEquity(  # noqa: N802 - the proto names it
        self, request: showdown_pb2.GetHandEquityRequest, context: object
    ) -> showdown_pb2.GetHandEquityResponse:
        """Refuse with NOT_SUPPORTED: equities are not there yet."""
        del request, context
        _refuse_equities()

    async def ComputeEquity(  # noqa: N802 - the proto names it
        self, request: showdown_pb2.ComputeEquityRequest, context: object
    ) -> showdown_pb2.ComputeEquityResponse:
        """Refuse with NOT_SUPPORTED: equities are not there yet."""
        del request, context
        _refuse_equities()

    def _budget_s(self, context: _Context) -> float:
        remaining_s = context.time_remaining()
        if remaining_s is None:
            return self._timeout_s
        return min(self._timeout_s, remaining_s - _ANSWER_S)


def _refuse_equities() -> Never:
    raise FloorError(errors_pb2.ERROR_CODE_NOT_SUPPORTED, "equities are not computed yet")
