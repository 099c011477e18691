"""GetDeck and ReadDeckRecord: what is public of a deck, and the whole of it after the hand."""

from __future__ import annotations

from floor_shuffler import checks
from floor_shuffler.deck import Deck
from floor_shuffler.desk import Asked, Desk, deck_ref, unknown_deck, wrong_state
from floor_shuffler.metrics import RECORDS_READ
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.shuffler.v1 import events_pb2, shuffler_pb2
from pokerfloor.cards import to_wire
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import current_identity, new_id


class Inspection:
    """Shows decks to those who may look."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def get(self, request: shuffler_pb2.GetDeckRequest) -> shuffler_pb2.GetDeckResponse:
        """Give what is public of a deck."""
        deck_id = checks.deck(request.deck)
        async with self._desk.at(deck_id.table_id):
            _, deck = await self._desk.books(deck_id)
        if deck is None:
            raise unknown_deck(deck_id)
        return shuffler_pb2.GetDeckResponse(
            state=deck.state,
            hand_no=deck.hand_no,
            purpose=deck.purpose,
            roots=deck.roots(),
            dealt=_dealt(deck),
            void_reason=deck.void_reason,
        )

    async def read_record(
        self, request: shuffler_pb2.ReadDeckRecordRequest
    ) -> shuffler_pb2.ReadDeckRecordResponse:
        """Give a closed deck whole; the reading is on the stream before the answer."""
        deck_id = checks.deck(request.deck)
        reason = checks.text(request.reason, "reason")
        async with self._desk.watched(Asked("ReadDeckRecord", deck_id.table_id, deck_id)):
            _, deck = await self._desk.books(deck_id)
            if deck is None:
                raise unknown_deck(deck_id)
            if not deck.closed:
                raise wrong_state("a deck is read when its hand is over")
            await self._record_reading(deck_id, reason)
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

    async def _record_reading(self, deck: DeckId, reason: str) -> None:
        event = events_pb2.DeckRecordRead(
            deck=deck_ref(deck), auditor=current_identity().subject, reason=reason
        )
        await self._desk.events.append(
            events_pb2.ShufflerEvent(deck_record_read=event), new_id(), deck.table_id
        )
        RECORDS_READ.inc()


def _dealt(deck: Deck) -> list[shuffler_pb2.DealtPlace]:
    return [
        shuffler_pb2.DealtPlace(
            place=place.message(),
            deck_index=position.message(),
            revealed=deck.opened_for_everyone(place),
        )
        for place, position in deck.dealt.items()
    ]
