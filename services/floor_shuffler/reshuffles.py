"""CreateDeck for a later generation: used cards are shuffled in mid-hand (DRW-5, STD-6)."""

from __future__ import annotations

from floor_shuffler import checks
from floor_shuffler.deck import SEALED, Deck, not_justified
from floor_shuffler.desk import Desk, deck_ref, unknown_deck, wrong_state
from floor_shuffler.generator import DeckSource
from floor_shuffler.metrics import DECKS
from floor_shuffler.places import Place
from floor_shuffler.steps import is_of
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2
from pokerfloor.api.shuffler.v1 import events_pb2
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import FloorError


class Reshuffles:
    """Makes the next generation of a deck, of the places that the log names and no others."""

    def __init__(self, desk: Desk, source: DeckSource) -> None:
        self._desk = desk
        self._source = source

    async def open(
        self, deck_id: DeckId, deck: Deck | None, request: dealing_pb2.CreateDeckRequest
    ) -> dealing_pb2.CreateDeckResponse:
        """Make a generation; a repeat answers what the deck has become.

        Its order is on the disk when this answers, and never changes. Raises FloorError
        UNKNOWN_DECK, WRONG_DECK_STATE, ID_REUSED, CAUSE_NOT_FOUND, NOT_JUSTIFIED.
        """
        if deck is None:
            raise unknown_deck(deck_id)
        places = tuple([Place.of(place) for place in request.reshuffled])
        asked = (request.hand_no, request.purpose, request.composition)
        if asked != (deck.hand_no, deck.purpose, deck.composition):
            raise _other_content("this deck was opened with other content")
        if request.generation < len(deck.generations):
            if deck.reshuffled[request.generation - 1] != places:
                raise _other_content("this generation was made of other cards")
            return dealing_pb2.CreateDeckResponse(state=deck.state)
        if deck.state != SEALED or deck.sealed_generations != len(deck.generations):
            raise wrong_state("the deck is not sealed yet, or its hand is over")
        await self._read_log(deck, request)
        if deck.reshuffled[request.generation - 1 : request.generation] != [places]:
            raise not_justified("the log shuffles no such cards together")
        await self._make(deck, request.generation, places)
        return dealing_pb2.CreateDeckResponse(state=deck.state)

    async def _read_log(self, deck: Deck, request: dealing_pb2.CreateDeckRequest) -> None:
        ref = checks.cause(request.cause)
        stored = await self._desk.log.cause(deck.id.table_id, ref)
        if not is_of(stored.step, deck):
            raise not_justified("the step belongs to another hand")
        if await self._desk.take_in(stored, deck):
            await self._desk.store.run(self._desk.store.store.save_deck, deck)
        if request.generation != len(deck.generations):
            raise wrong_state("a generation before this one is not made yet")

    async def _make(self, deck: Deck, generation: int, places: tuple[Place, ...]) -> None:
        order = self._source(deck.id, generation, deck.cards_at(places))
        deck.generations = (*deck.generations, order)
        event = events_pb2.DeckCreated(
            deck=deck_ref(deck.id),
            hand_no=deck.hand_no,
            purpose=deck.purpose,
            composition=deck.composition,
            generation=generation,
        )
        await self._desk.events.append(
            events_pb2.ShufflerEvent(deck_created=event),
            f"{deck.id.table_id}/{deck.id.deck_no}/opened/generation/{generation}",
            deck.id.table_id,
        )
        await self._desk.store.run(self._desk.store.store.add_generation, deck)
        DECKS.labels("reshuffled").inc()


def _other_content(reason: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_ID_REUSED, reason, "deck")
