"""A shuffler that holds the cards of one showdown, served over real gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from pokerfloor.api.common.v1 import cards_pb2, errors_pb2, identity_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2, dealing_pb2_grpc
from pokerfloor.servicekit import FloorError, GrpcServer, KeySet, current_identity
from tests.support import DevIdentities
from tests.support.showdown.hands import Showdown


@dataclass
class StubShuffler:
    """Reveals hole cards for the showdown service and the stored cause, as the real one does.

    `answers` come first, one a call: an error is raised, a number is a pause in seconds, cards are
    given as they are.
    """

    asked: Showdown
    answers: list[FloorError | float | list[cards_pb2.RevealedCard]] = field(default_factory=list)
    calls: list[dealing_pb2.RevealCardsRequest] = field(default_factory=list)
    callers: list[str] = field(default_factory=list)

    async def RevealCards(  # noqa: N802 - the proto names it
        self, request: dealing_pb2.RevealCardsRequest, context: object
    ) -> dealing_pb2.RevealCardsResponse:
        del context
        self.calls.append(request)
        self.callers.append(current_identity().subject)
        answer = self.answers.pop(0) if self.answers else 0.0
        if isinstance(answer, FloorError):
            raise answer
        if isinstance(answer, list):
            return dealing_pb2.RevealCardsResponse(cards=answer)
        await asyncio.sleep(answer)
        self._check(request)
        cards = [self.asked.opened(place) for place in request.places]
        return dealing_pb2.RevealCardsResponse(cards=cards)

    def _check(self, request: dealing_pb2.RevealCardsRequest) -> None:
        if not current_identity().has_role(identity_pb2.ROLE_SERVICE_SHOWDOWN):
            raise FloorError(errors_pb2.ERROR_CODE_NOT_JUSTIFIED, "only for the showdown service")
        if request.deck != self.asked.request.deck:
            raise FloorError(errors_pb2.ERROR_CODE_UNKNOWN_DECK, "no such deck", "deck")
        if request.cause != self.asked.request.cause:
            raise FloorError(errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND, "no such step", "cause")
        for place in request.places:
            if (place.owner, place.slot) not in self.asked.cards:
                raise FloorError(errors_pb2.ERROR_CODE_NOT_JUSTIFIED, "not due", "places")


@asynccontextmanager
async def serving(
    shuffler: StubShuffler, identities: DevIdentities, port: int
) -> AsyncIterator[StubShuffler]:
    server = GrpcServer(
        listen=f"127.0.0.1:{port}", keys=KeySet.load(identities.jwks_path), ready=lambda: True
    )

    base: Any = dealing_pb2_grpc.DealingServiceServicer
    servicer = base()  # whose other calls are UNIMPLEMENTED
    servicer.RevealCards = shuffler.RevealCards
    server.add(dealing_pb2_grpc.add_DealingServiceServicer_to_server, servicer)
    await server.start()
    try:
        yield shuffler
    finally:
        await server.stop()
