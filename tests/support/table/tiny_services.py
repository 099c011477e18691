"""Shuffler and wallet of a few lines each, in the test's own process.

They keep to the contract that the table relies on and can be told to fail: `down` ends the server,
`failures` are codes that the next calls of a kind are answered with. They check nothing and hide
nothing: the real services have their own tests.
"""

from __future__ import annotations

import hashlib
import struct
from collections import Counter, defaultdict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2, dealing_pb2_grpc
from pokerfloor.api.internal.wallet.v1 import table_money_pb2, table_money_pb2_grpc
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from pokerfloor.servicekit import FloorError
from tests.support import free_port


class TinyServices(
    dealing_pb2_grpc.DealingServiceServicer,
    table_money_pb2_grpc.TableMoneyServiceServicer,
    wallet_pb2_grpc.WalletServiceServicer,
):
    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.calls: Counter[str] = Counter()
        self.requests: defaultdict[str, list[Any]] = defaultdict(list)
        self.failures: defaultdict[str, deque[int]] = defaultdict(deque)
        self.settled = 0
        #: Fingerprints by seat, of each table.
        self.seat_keys: defaultdict[str, dict[int, bytes]] = defaultdict(dict)
        self._table_id = ""
        self._server: grpc.aio.Server | None = None

    def begin_anew(self, table_id: str) -> None:
        """Count calls of this table only, and forget what was counted and was to fail."""
        self._table_id = table_id
        self.calls.clear()
        self.requests.clear()
        self.failures.clear()
        self.settled = 0

    async def up(self) -> None:
        self._server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        dealing_pb2_grpc.add_DealingServiceServicer_to_server(self, self._server)
        table_money_pb2_grpc.add_TableMoneyServiceServicer_to_server(self, self._server)
        wallet_pb2_grpc.add_WalletServiceServicer_to_server(self, self._server)
        assert self._server.add_insecure_port(self.address) == self.port
        await self._server.start()

    async def down(self) -> None:
        if self._server is not None:
            await self._server.stop(None)
            self._server = None

    async def _begin(self, kind: str, request: Any, context: Any) -> None:
        if self._table_id not in ("", _table_of(request)):
            return
        self.calls[kind] += 1
        self.requests[kind].append(request)
        if self.failures[kind]:
            error = FloorError(self.failures[kind].popleft(), "as the test wants it")
            # The form in which a service's errors travel (libs/pokerfloor/servicekit/errors.py).
            from pokerfloor.rpc import DETAILS_KEY, status_details

            await context.abort(
                error.status, error.reason, ((DETAILS_KEY, status_details(error, "r")),)
            )

    # --- wallet

    async def RegisterTable(self, request: Any, context: Any) -> Any:  # noqa: N802 - the proto's
        await self._begin("RegisterTable", request, context)
        return table_money_pb2.RegisterTableResponse()

    async def Reserve(self, request: Any, context: Any) -> Any:  # noqa: N802 - the proto's
        await self._begin("Reserve", request, context)
        return table_money_pb2.ReserveResponse(balance_minor=1)

    async def VoidReservation(self, request: Any, context: Any) -> Any:  # noqa: N802 - the proto's
        await self._begin("VoidReservation", request, context)
        return table_money_pb2.VoidReservationResponse(voided=True)

    async def GetTableProgress(self, request: Any, context: Any) -> Any:  # noqa: N802 - the proto's
        await self._begin("GetTableProgress", request, context)
        return wallet_pb2.GetTableProgressResponse(hand_no=self.settled)

    # --- shuffler

    async def RegisterSeatKey(self, request: Any, context: Any) -> Any:  # noqa: N802 - the proto's
        await self._begin("RegisterSeatKey", request, context)
        key = _seal_key(request.player_token)
        fingerprint = hashlib.sha256(key).digest()
        self.seat_keys[request.table_id][request.seat] = fingerprint
        return dealing_pb2.RegisterSeatKeyResponse(fingerprint=fingerprint)

    async def CreateDeck(self, request: Any, context: Any) -> Any:  # noqa: N802 - the proto's
        await self._begin("CreateDeck", request, context)
        return dealing_pb2.CreateDeckResponse(state=shuffler_pb2.DECK_STATE_CREATED)

    async def CommitDeck(self, request: Any, context: Any) -> Any:  # noqa: N802 - the proto's
        await self._begin("CommitDeck", request, context)
        root = hashlib.sha256(str(request.deck.deck_no).encode()).digest()
        return dealing_pb2.CommitDeckResponse(root=root, generation=0, size=52)

    async def DealCards(self, request: Any, context: Any) -> Any:  # noqa: N802 - the proto's
        await self._begin("DealCards", request, context)
        return dealing_pb2.DealCardsResponse(
            seats=[
                self._boxes(request.deck.table_id, seat)
                for seat in sorted(self.seat_keys[request.deck.table_id])
            ]
        )

    async def ResealCards(self, request: Any, context: Any) -> Any:  # noqa: N802 - the proto's
        await self._begin("ResealCards", request, context)
        return dealing_pb2.ResealCardsResponse(
            seat=self._boxes(request.deck.table_id, request.seat)
        )

    async def RevealCards(self, request: Any, context: Any) -> Any:  # noqa: N802 - the proto's
        await self._begin("RevealCards", request, context)
        return dealing_pb2.RevealCardsResponse(cards=[_opened(place) for place in request.places])

    async def CloseDeck(self, request: Any, context: Any) -> Any:  # noqa: N802 - the proto's
        await self._begin("CloseDeck", request, context)
        return dealing_pb2.CloseDeckResponse()

    def _boxes(self, table_id: str, seat: int) -> dealing_pb2.SeatBoxes:
        places = [
            cards_pb2.Place(kind=cards_pb2.PLACE_KIND_SEAT, owner=seat, slot=slot)
            for slot in (1, 2)
        ]
        boxes = [
            cards_pb2.SealedBox(
                place=place, key_fingerprint=self.seat_keys[table_id][seat], ciphertext=b"sealed"
            )
            for place in places
        ]
        return dealing_pb2.SeatBoxes(seat=seat, boxes=boxes)


@asynccontextmanager
async def tiny_services() -> AsyncIterator[TinyServices]:
    services = TinyServices()  # type: ignore[abstract]  # the calls that are left out are never made
    await services.up()
    try:
        yield services
    finally:
        await services.down()


def _table_of(request: Any) -> str:
    return str(
        request.table_id
        if "table_id" in request.DESCRIPTOR.fields_by_name
        else request.deck.table_id
    )


def _seal_key(token: str) -> bytes:
    import jwt

    from pokerfloor.rpc import decode_base64url

    claims = jwt.decode(token, options={"verify_signature": False})
    return decode_base64url(claims["seal_key"])


def _opened(place: cards_pb2.Place) -> cards_pb2.RevealedCard:
    """A face for each place, no face twice in one hand, and a proof of the right form."""
    base = {cards_pb2.PLACE_KIND_BOARD: 20, cards_pb2.PLACE_KIND_BUTTON_DRAW: 0}.get(
        place.kind, 30 + 2 * place.owner
    )
    number = base + place.slot + (place.owner if base == 0 else 0)
    proof = cards_pb2.CardProof(
        deck_index=cards_pb2.DeckIndex(index=number),
        salt=struct.pack(">I", number) * 8,
        path=[bytes(32)] * 6,
    )
    return cards_pb2.RevealedCard(place=place, card=cards_pb2.Card(code=number), proof=proof)
