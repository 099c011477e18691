"""What is public of a deck, and the whole of it after the hand."""

from __future__ import annotations

from typing import Any

import grpc.aio

from floor_shuffler import requests
from floor_shuffler.call_frame import Asked, CallFrame
from floor_shuffler.domain.deck import Deck, known
from floor_shuffler.domain.events import record_read
from floor_shuffler.domain.lifecycle import check_readable
from floor_shuffler.event_stream import EventStream
from floor_shuffler.metrics import RECORDS_READ
from floor_shuffler.store import Store, StoreThread
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2, shuffler_pb2_grpc
from pokerfloor.cards import to_wire
from pokerfloor.servicekit import accepted, current_identity

Context = grpc.aio.ServicerContext[Any, Any]


class ShufflerService(shuffler_pb2_grpc.ShufflerServiceServicer):
    """Shows decks to those who may look."""

    def __init__(self, frame: CallFrame, store: StoreThread, events: EventStream) -> None:
        self._frame = frame
        self._store = store
        self._events = events

    async def GetDeck(  # noqa: N802 - gRPC's name
        self, request: shuffler_pb2.GetDeckRequest, _context: Context
    ) -> shuffler_pb2.GetDeckResponse:
        """Return what is public of a deck."""
        deck_id = requests.read_deck(request.deck)
        async with self._frame.at(deck_id.table_id):
            deck = accepted(known(deck_id, await self._store.run(Store.deck, deck_id)))
        return shuffler_pb2.GetDeckResponse(
            state=deck.state,
            hand_no=deck.hand_no,
            purpose=deck.purpose,
            roots=deck.roots(),
            dealt=_dealt(deck),
            void_reason=deck.void_reason,
        )

    async def ReadDeckRecord(  # noqa: N802 - gRPC's name
        self, request: shuffler_pb2.ReadDeckRecordRequest, _context: Context
    ) -> shuffler_pb2.ReadDeckRecordResponse:
        """Return a closed deck whole; the reading is on the stream before the answer."""
        deck_id = requests.read_deck(request.deck)
        reason = requests.read_reason(request.reason, "reason")
        async with self._frame.recorded(Asked("ReadDeckRecord", deck_id.table_id, deck_id)):
            deck = accepted(known(deck_id, await self._store.run(Store.deck, deck_id)))
            accepted(check_readable(deck))
            await self._events.append(record_read(deck_id, current_identity().subject, reason))
        RECORDS_READ.inc()
        return shuffler_pb2.ReadDeckRecordResponse(
            generations=[
                shuffler_pb2.DeckGeneration(
                    root=order.commitment.root,
                    cards=[cards_pb2.Card(code=to_wire(card)) for card in order.cards],
                    salts=order.salts,
                )
                for order in deck.generations
            ],
            dealt=_dealt(deck),
        )


def _dealt(deck: Deck) -> list[shuffler_pb2.DealtPlace]:
    return [
        shuffler_pb2.DealtPlace(
            place=place.message(), deck_index=at.message(), revealed=deck.is_public(place)
        )
        for place, at in deck.dealt.items()
    ]
