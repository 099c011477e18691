"""A showdown from request to answer (SHW, ODD)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from floor_showdown.deadline import CallContext, budget_s
from floor_showdown.hand_log import HandLog
from floor_showdown.justification import check_justified
from floor_showdown.metrics import BAD_SHOWDOWNS, HANDS, NOT_JUSTIFIED, RESOLVED
from floor_showdown.read_resolve_request import read_resolve_request
from floor_showdown.shuffler_calls import Revealer
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.internal.showdown.v1 import resolution_pb2, resolution_pb2_grpc
from pokerfloor.cards import Card
from pokerfloor.games import Place, Refusal, ShowdownRequest, ShowdownResult, rake_of, resolve
from pokerfloor.servicekit import FloorError, accepted, bind_log, get_logger
from pokerfloor.tablelog import (
    always_show,
    from_card,
    from_place,
    proofs_of,
    to_places,
    to_resolve_response,
)

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


async def resolve_justified(
    asked: ShowdownRequest,
    request: resolution_pb2.ResolveRequest,
    revealer: Revealer,
    within_s: float,
) -> resolution_pb2.ResolveResponse:
    """Answer a request of which the log says the same, with what is shown only (SHW-2).

    Cards that are public already (BET-2) are not asked for and come without a proof: it stands
    where they were revealed. Raises FloorError: what `Revealer.reveal` raises, and BAD_SHOWDOWN
    when the cards do not fit together.
    """
    hidden = to_places(_hidden_places(asked))
    revealed = await revealer.reveal(request.deck, request.cause, hidden, within_s)
    result = resolve(asked, _faces(revealed), always_show(request))
    if isinstance(result, Refusal):
        raise _bad_showdown(result)
    assert_paid_in_full(asked, result)
    _count(asked, result)
    # Proofs of mucked hands go in too; only those of hands that the result shows come out.
    return to_resolve_response(result, request, proofs_of(revealed))


def assert_paid_in_full(asked: ShowdownRequest, result: ShowdownResult) -> None:
    """Assert that awards and rake are what each pot holds: no chip is lost or made (ODD-4).

    A carried pot is neither paid nor raked (MAT-6); the rake of the others is reckoned again then.
    """
    rake = asked.rake if asked.raking is None else rake_of(asked.raking, asked.pots, result.carried)
    left = {pot.no: pot.amount for pot in asked.pots if pot.no not in result.carried}
    for pot, share in zip(asked.pots, rake.by_pot, strict=True):
        if pot.no in left:
            left[pot.no] -= share
    for award in result.awards:
        assert award.amount > 0, "an award is something"
        left[award.pot_no] -= award.amount
    assert not any(left.values()), "awards and rake are what the pots hold"
    assert sum(rake.by_pot) == rake.total, "the pots' rake is the hand's"
    assert sum(share for _, share in rake.by_seat) == rake.total, "and so the seats'"


def _hidden_places(asked: ShowdownRequest) -> list[Place]:
    known = {place for place, _ in asked.known}
    return [place for entry in asked.seats for place in entry.places if place not in known]


def _faces(revealed: Sequence[cards_pb2.RevealedCard]) -> dict[Place, Card]:
    return {from_place(one.place): from_card(one.card) for one in revealed}


def _bad_showdown(refusal: Refusal) -> FloorError:
    """Return the error for cards that do not fit: the fault is the house's, so operations hear."""
    BAD_SHOWDOWNS.inc()
    _log.error("bad_showdown", reason=refusal.reason)
    return FloorError(errors_pb2.ERROR_CODE_BAD_SHOWDOWN, refusal.reason)


def _count(asked: ShowdownRequest, result: ShowdownResult) -> None:
    kind = "all_in" if asked.all_in else "showdown"
    RESOLVED.labels(asked.game.id, kind).inc()
    HANDS.labels("shown").inc(len(result.shown))
    HANDS.labels("mucked").inc(len(result.mucked))
    _log.info("showdown_resolved", kind=kind, shown=len(result.shown), mucked=len(result.mucked))
