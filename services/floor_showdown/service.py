"""The calls of ShowdownService and ResolutionService."""

from __future__ import annotations

from typing import Protocol

from floor_showdown.counting import Counting
from floor_showdown.hand_equity import HandEquity
from floor_showdown.metrics import RANKS
from floor_showdown.named_equity import named_equity
from floor_showdown.rank import rank
from floor_showdown.resolution import Resolver
from pokerfloor.api.internal.showdown.v1 import resolution_pb2, resolution_pb2_grpc
from pokerfloor.api.showdown.v1 import showdown_pb2, showdown_pb2_grpc
from pokerfloor.servicekit import bind_log
from pokerfloor.tablelog import SYSTEM

# Kept from the caller's deadline, so that an answer still arrives within it.
_ANSWER_S = 0.05


class _Context(Protocol):
    def time_remaining(self) -> float | None: ...


class ShowdownService(
    showdown_pb2_grpc.ShowdownServiceServicer, resolution_pb2_grpc.ResolutionServiceServicer
):
    """Keeps no state. Requests and answers, which hold faces, are never logged."""

    def __init__(
        self,
        resolver: Resolver,
        hand_equity: HandEquity,
        named: Counting,
        *,
        timeout_ms: int,
        equity_timeout_ms: int,
    ) -> None:
        self._resolver = resolver
        self._hand_equity = hand_equity
        self._named = named
        self._timeout_s = timeout_ms / 1000
        self._equity_timeout_s = equity_timeout_ms / 1000

    async def Rank(  # noqa: N802 - the proto names it
        self, request: showdown_pb2.RankRequest, context: object
    ) -> showdown_pb2.RankResponse:
        """Rank cards that the caller names (RNK-6). Raises FloorError; see `rank`."""
        del context
        hand = rank(request)
        RANKS.labels(SYSTEM[hand.system]).inc()
        return showdown_pb2.RankResponse(hand=hand)

    async def Resolve(  # noqa: N802 - the proto names it
        self, request: resolution_pb2.ResolveRequest, context: _Context
    ) -> resolution_pb2.ResolveResponse:
        """Resolve a hand at its showdown (SHW, ODD). Raises FloorError; see `Resolver.resolve`."""
        with bind_log(
            table_id=request.deck.table_id[:32],
            hand_no=request.hand.hand_no,
            table_seq=request.cause.table_seq,
        ):
            return await self._resolver.resolve(request, _within(context, self._timeout_s))

    async def GetHandEquity(  # noqa: N802 - the proto names it
        self, request: showdown_pb2.GetHandEquityRequest, context: _Context
    ) -> showdown_pb2.GetHandEquityResponse:
        """Count the equities of a hand. Raises FloorError; see `HandEquity.equity`."""
        with bind_log(table_id=request.table_id[:32], hand_no=request.hand_no):
            budget_s = _within(context, self._equity_timeout_s)
            equity = await self._hand_equity.equity(request, budget_s)
        return showdown_pb2.GetHandEquityResponse(equity=equity)

    async def ComputeEquity(  # noqa: N802 - the proto names it
        self, request: showdown_pb2.ComputeEquityRequest, context: _Context
    ) -> showdown_pb2.ComputeEquityResponse:
        """Count the equities of cards that the caller names. Raises FloorError; see `named_equity`.

        Nothing of the request is bound to the log.
        """
        budget_s = _within(context, self._equity_timeout_s)
        equity = await named_equity(request, self._named, budget_s)
        return showdown_pb2.ComputeEquityResponse(equity=equity)


def _within(context: _Context, timeout_s: float) -> float:
    """Return how long a call may take: its own deadline, less the time for the answer."""
    remaining_s = context.time_remaining()
    return timeout_s if remaining_s is None else min(timeout_s, remaining_s - _ANSWER_S)
