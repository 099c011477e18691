"""A showdown from request to answer (SHW, ODD)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from floor_showdown.metrics import BAD_SHOWDOWNS, HANDS, RESOLVED
from floor_showdown.openings import Openings
from floor_showdown.read_request import read_request
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.internal.showdown.v1 import resolution_pb2
from pokerfloor.cards import Card
from pokerfloor.games import Place, Refusal, ShowdownRequest, ShowdownResult, rake_of, resolve
from pokerfloor.servicekit import FloorError, get_logger
from pokerfloor.tablelog import (
    always_show,
    from_card,
    from_place,
    proofs_of,
    to_places,
    to_resolve_response,
)

# Raises FloorError unless the log justifies the request; answers within so many seconds.
Justify: TypeAlias = Callable[[resolution_pb2.ResolveRequest, float], Awaitable[None]]

_log = get_logger("showdown.resolution")


class Resolver:
    """Has hidden hands opened, decides, and answers with what is shown only (SHW-2)."""

    def __init__(self, justify: Justify, openings: Openings) -> None:
        self._justify = justify
        self._openings = openings

    async def resolve(
        self, request: resolution_pb2.ResolveRequest, budget_s: float
    ) -> resolution_pb2.ResolveResponse:
        """Return the answer to a request; the same request has the same answer.

        Nothing is opened before the log has said the same as the request. Cards that lie open
        already (BET-2) are not asked for and come without a proof: it stands where they were turned
        up. Raises FloorError: what `read_request`, `LogCheck` and `Openings.open` raise, and
        BAD_SHOWDOWN when the cards do not fit together.
        """
        asked = read_request(request)
        clock = asyncio.get_running_loop().time
        deadline_s = clock() + budget_s
        await self._justify(request, budget_s)
        hidden = to_places(_hidden_places(asked))
        left_s = deadline_s - clock()
        opened = await self._openings.open(request.deck, request.cause, hidden, left_s)
        result = resolve(asked, _faces(opened), always_show(request))
        if isinstance(result, Refusal):
            raise _bad_showdown(result)
        assert_paid_in_full(asked, result)
        _count(asked, result)
        # Proofs of mucked hands go in too; only those of hands that the result shows come out.
        return to_resolve_response(result, request, proofs_of(opened))


def assert_paid_in_full(asked: ShowdownRequest, result: ShowdownResult) -> None:
    """Assert that awards and rake are what each pot holds: no chip is lost or made (ODD-4).

    A carried pot is neither paid nor raked (MAT-6); of the others the rake is reckoned anew then.
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


def _faces(opened: Sequence[cards_pb2.RevealedCard]) -> dict[Place, Card]:
    return {from_place(one.place): from_card(one.card) for one in opened}


def _bad_showdown(refusal: Refusal) -> FloorError:
    """Return the error for cards that do not fit: the fault is the house's, so operations hear."""
    BAD_SHOWDOWNS.inc()
    _log.error("cards do not fit together", reason=refusal.reason)
    return FloorError(errors_pb2.ERROR_CODE_BAD_SHOWDOWN, refusal.reason)


def _count(asked: ShowdownRequest, result: ShowdownResult) -> None:
    kind = "all_in" if asked.all_in else "showdown"
    RESOLVED.labels(asked.game.id, kind).inc()
    HANDS.labels("shown").inc(len(result.shown))
    HANDS.labels("mucked").inc(len(result.mucked))
    _log.info("resolved", kind=kind, shown=len(result.shown), mucked=len(result.mucked))
