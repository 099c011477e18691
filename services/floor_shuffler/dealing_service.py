"""The calls of a table about its decks. Each goes one way.

The request is read; what is stored of the deck and the steps it hangs on are loaded; the rules
decide; events are published, then the deck is stored, and only then is the call answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias, TypeVar

import grpc.aio

from floor_shuffler import requests
from floor_shuffler.call_frame import Asked, CallFrame
from floor_shuffler.domain import dealing, lifecycle, revealing, seat_keys
from floor_shuffler.domain.deck import COMPOSITIONS, CREATED, Decision, Deck, DeckSpec, known
from floor_shuffler.domain.following import of_hand
from floor_shuffler.domain.refs import Cause, Place
from floor_shuffler.domain.steps import StoredStep
from floor_shuffler.event_stream import EventStream
from floor_shuffler.generator import WatchedSource
from floor_shuffler.metrics import BOXES, SEATS_WITHOUT_KEY, count_events, count_revealed
from floor_shuffler.step_reader import StepReader
from floor_shuffler.store import Store, StoreThread, TableRow
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.common.v1.identity_pb2 import ROLE_SERVICE_TABLE
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2, dealing_pb2_grpc
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.fairness import DeckId, fingerprint, seal
from pokerfloor.servicekit import FloorError, KeySet, accepted, current_identity, get_logger

Answer = TypeVar("Answer")
DeckOutcome: TypeAlias = shuffler_pb2.DeckState.ValueType
Context = grpc.aio.ServicerContext[Any, Any]

_MS_IN_S: Final = 1000

_log = get_logger("shuffler.dealing")


class DealingService(dealing_pb2_grpc.DealingServiceServicer):
    """Does for a table what its log says, and nothing else."""

    def __init__(
        self,
        *,
        frame: CallFrame,
        store: StoreThread,
        steps: StepReader,
        events: EventStream,
        source: WatchedSource,
        keys: KeySet,
        now_ms: Callable[[], int],
    ) -> None:
        self._frame = frame
        self._store = store
        self._steps = steps
        self._events = events
        self._source = source
        self._keys = keys
        self._now_ms = now_ms

    async def CreateDeck(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.CreateDeckRequest, _context: Context
    ) -> dealing_pb2.CreateDeckResponse:
        """Create a deck for a table's next hand or draw, or its next generation.

        Its order is on the disk when this answers. A repeat answers what the deck has become.
        """
        deck_id, spec = requests.read_deck(request.deck), requests.read_spec(request)
        places = requests.read_reshuffled(request)
        ref = requests.read_cause(request.cause)
        async with self._frame.at(deck_id.table_id):
            table, deck = await self._load(deck_id, request.owner_epoch)
            if request.generation:
                deck = accepted(known(deck_id, deck))
                await self._create_generation(deck, spec, request.generation, places, ref)
                return dealing_pb2.CreateDeckResponse(state=deck.state)
            if deck is not None:
                accepted(lifecycle.check_repeat(deck, spec, Cause.of(ref)))
                return dealing_pb2.CreateDeckResponse(state=deck.state)
            stored = await self._steps.cause(deck_id.table_id, ref)
            begin = accepted(lifecycle.begin_of(stored.step, deck_id, spec))
            await self._end_earlier(deck_id, table, stored.cause)
            cards = COMPOSITIONS[spec.composition].cards
            order = await self._source.draw(deck_id, 0, cards)
            await self._carry_out(lifecycle.create(begin, stored.cause, spec, order), None)
        return dealing_pb2.CreateDeckResponse(state=CREATED)

    async def CommitDeck(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.CommitDeckRequest, _context: Context
    ) -> dealing_pb2.CommitDeckResponse:
        """Make the root public; a repeat gives the same root."""
        deck_id = requests.read_deck(request.deck)
        async with self._frame.at(deck_id.table_id):
            _, found = await self._load(deck_id, request.owner_epoch)
            deck = accepted(known(deck_id, found))
            await self._carry_out(lifecycle.commit(deck), deck)
        order = deck.newest
        return dealing_pb2.CommitDeckResponse(
            root=order.commitment.root, generation=order.generation, size=len(order.cards)
        )

    async def RegisterSeatKey(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.RegisterSeatKeyRequest, _context: Context
    ) -> dealing_pb2.RegisterSeatKeyResponse:
        """Make the key in the player's token live for the seat that the log gives the player."""
        table_id = requests.read_table_id(request.table_id, "table_id")
        seat, ref = requests.read_seat(request.seat), requests.read_cause(request.cause)
        reason = requests.read_key_reason(request.reason)
        async with self._frame.recorded(Asked("RegisterSeatKey", table_id, cause=ref)):
            now_s = self._now_ms() / _MS_IN_S
            player_id, key = requests.read_player_key(request.player_token, self._keys, now_s)
            table = await self._store.run(Store.table, table_id)
            await self._check_epoch(table_id, table, request.owner_epoch)
            stored = await self._steps.cause(table_id, ref)
            before = (await self._store.run(Store.seats, table_id, [seat])).get(seat)
            sitting = accepted(seat_keys.sitting_of(player_id, table_id, seat, stored, before))
            registered, event = seat_keys.register(sitting, key, reason)
            if event is not None:
                await self._events.append(event)
                await self._store.run(Store.save_seat, registered)
                count_events([event])
        return dealing_pb2.RegisterSeatKeyResponse(
            fingerprint=fingerprint(key), new_key=event is not None
        )

    async def DealCards(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.DealCardsRequest, _context: Context
    ) -> dealing_pb2.DealCardsResponse:
        """Seal the hole cards of a stored step to their seats' live keys."""
        deck_id, ref = requests.read_deck(request.deck), requests.read_cause(request.cause)
        asked = Asked("DealCards", deck_id.table_id, deck_id, cause=ref)
        async with self._frame.recorded(asked):
            _, found = await self._load(deck_id, request.owner_epoch)
            deck = accepted(dealing.dealable(deck_id, found))
            stored = await self._cause(deck, ref)
            steps, keys = await self._steps.unread(deck, stored), await self._live_keys(deck)
            decision = dealing.deliver(deck, steps, stored.step, keys)
            delivery = await self._carry_out(decision, deck)
            _note_missing_keys(deck, delivery, keys)
            seats = _sealed(decision.deck, delivery, keys)
        return dealing_pb2.DealCardsResponse(seats=seats)

    async def ResealCards(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.ResealCardsRequest, _context: Context
    ) -> dealing_pb2.ResealCardsResponse:
        """Seal all hole cards of a seat that are not public to its live keys again."""
        deck_id, seat = requests.read_deck(request.deck), requests.read_seat(request.seat)
        async with self._frame.recorded(Asked("ResealCards", deck_id.table_id, deck_id)):
            _, found = await self._load(deck_id, request.owner_epoch)
            deck = accepted(dealing.dealable(deck_id, found))
            accepted(dealing.check_dealt_in(deck, seat))
            steps, keys = await self._steps.newer(deck), await self._live_keys(deck)
            _note_missing_keys(deck, [seat], keys)
            decision = dealing.deliver_again(deck, steps, seat, keys)
            delivery = await self._carry_out(decision, deck)
            (boxes,) = _sealed(decision.deck, delivery, keys)
        return dealing_pb2.ResealCardsResponse(seat=boxes)

    async def RevealCards(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.RevealCardsRequest, _context: Context
    ) -> dealing_pb2.RevealCardsResponse:
        """Reveal cards as a stored step orders, to the one who may ask for them."""
        deck_id, ref = requests.read_deck(request.deck), requests.read_cause(request.cause)
        places = requests.read_places(request.places, "places")
        caller = current_identity()
        owns_table = caller.has_role(ROLE_SERVICE_TABLE) or request.owner_epoch
        asker = revealing.Asker(caller.subject, caller.roles)
        asked = Asked("RevealCards", deck_id.table_id, deck_id, places, ref)
        async with self._frame.recorded(asked):
            _, found = await self._load(deck_id, request.owner_epoch if owns_table else None)
            deck = accepted(dealing.dealable(deck_id, found))
            stored = await self._cause(deck, ref)
            reasons = accepted(revealing.justify(deck, stored.step, places, asker))
            if not deck.has_revealed(stored.cause.table_seq, asker.subject, places):
                read = self._steps.hand if revealing.needs_hand(reasons) else self._steps.unread
                steps = await read(deck, stored)
                decision = revealing.reveal(deck, steps, stored.cause, reasons, asker)
                await self._carry_out(decision, deck)
                count_revealed(reasons.values())
                deck = decision.deck
            cards = [deck.face_up(place) for place in places]
        return dealing_pb2.RevealCardsResponse(cards=cards)

    async def CloseDeck(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.CloseDeckRequest, _context: Context
    ) -> dealing_pb2.CloseDeckResponse:
        """End a deck as the log ends its hand; a repeat changes nothing."""
        deck_id = requests.read_deck(request.deck)
        requests.check_outcome(request)
        ref = requests.read_cause(request.cause)
        asked = Asked("CloseDeck", deck_id.table_id, deck_id, cause=ref)
        async with self._frame.recorded(asked):
            table, deck = await self._load(deck_id, request.owner_epoch)
            if deck is None:
                # Its hand was voided before the deck was asked for: create and end it at once.
                accepted(lifecycle.check_uncreated(deck_id, request.outcome, table.last_deck_no))
                cause = (await self._steps.cause(deck_id.table_id, ref)).cause
                await self._end_earlier(DeckId(deck_id.table_id, deck_id.deck_no + 1), table, cause)
                return dealing_pb2.CloseDeckResponse()
            accepted(lifecycle.check_outcome(deck, request.outcome))
            if not deck.closed:
                await self._close(deck, request.outcome, request.void_reason, ref)
        return dealing_pb2.CloseDeckResponse()

    # --- the parts of a call, in the order in which it goes through them

    async def _load(self, deck_id: DeckId, owner_epoch: int | None) -> tuple[TableRow, Deck | None]:
        """Load a table and a deck; the epoch is None for a caller that owns no table.

        Raises FloorError STALE_EPOCH, CAUSE_NOT_FOUND.
        """
        table, deck = await self._store.run(Store.table_and_deck, deck_id)
        if owner_epoch is not None:
            await self._check_epoch(deck_id.table_id, table, owner_epoch)
        return table, deck

    async def _check_epoch(self, table_id: str, table: TableRow, owner_epoch: int) -> None:
        """Refuse an owner older than the newest seen (STALE_EPOCH), and note a newer one.

        A newer one is believed when the log has it: otherwise one wrong number would lock the
        table's real owner out.
        """
        if owner_epoch < table.owner_epoch or owner_epoch == 0:
            raise FloorError(
                errors_pb2.ERROR_CODE_STALE_EPOCH,
                f"epoch {table.owner_epoch} of the table's owner was seen already",
                "owner_epoch",
            )
        if owner_epoch == table.owner_epoch:
            return
        if owner_epoch > await self._steps.last_epoch(table_id):
            raise FloorError(
                errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND,
                "the log has no step of this epoch of the table's owner",
                "owner_epoch",
            )
        await self._store.run(Store.note_epoch, table_id, owner_epoch)

    async def _live_keys(self, deck: Deck) -> dealing.LiveKeys:
        """Load the live keys of the players who were dealt in; none where another sits by now."""
        found = await self._store.run(Store.seats, deck.id.table_id, sorted(deck.players))
        return {
            seat: found[seat].live_for(player) if seat in found else ()
            for seat, player in deck.players.items()
        }

    async def _cause(self, deck: Deck, ref: cards_pb2.StepRef) -> StoredStep:
        """Read the step named as the cause. Raises FloorError CAUSE_NOT_FOUND, NOT_JUSTIFIED."""
        return accepted(of_hand(deck, await self._steps.cause(deck.id.table_id, ref)))

    async def _carry_out(self, decision: Decision[Answer], before: Deck | None) -> Answer:
        """Publish, then store, then return the answer; before None is a deck to be added.

        What the log deals is published and stored also where the request is refused. Raises
        FloorError then.
        """
        for event in decision.events:
            await self._events.append(event)
        deck = decision.deck
        if before is None:
            await self._store.run(Store.add_deck, deck)
        elif len(deck.generations) > len(before.generations):
            await self._store.run(Store.add_generation, deck)
        elif deck != before:
            await self._store.run(Store.save_deck, deck)
        count_events(decision.events)
        return accepted(decision.answer)

    async def _create_generation(
        self,
        deck: Deck,
        spec: DeckSpec,
        generation: int,
        places: tuple[Place, ...],
        ref: cards_pb2.StepRef,
    ) -> None:
        """Shuffle used cards together, those that the log names and no others (DRW-5, STD-6)."""
        if accepted(lifecycle.has_generation(deck, spec, generation, places)):
            return
        steps = await self._steps.unread(deck, await self._cause(deck, ref))
        gathered = lifecycle.gather(deck, steps, generation, places)
        cards = await self._carry_out(gathered, deck)
        order = await self._source.draw(deck.id, generation, cards)
        await self._carry_out(lifecycle.add_generation(gathered.deck, order), gathered.deck)

    async def _end_earlier(self, new: DeckId, table: TableRow, cause: Cause) -> None:
        """End what the log has ended before the deck `new`, so that numbers have no gaps."""
        last: Deck | None = None
        if table.last_deck_no:
            last_id = DeckId(new.table_id, table.last_deck_no)
            last = await self._store.run(Store.deck, last_id)
            assert last is not None, "the last deck's number is stored together with the deck"
        if lifecycle.is_next(new, table.last_deck_no, last):
            return
        history = await self._steps.history(new.table_id, last, cause)
        for decision in accepted(lifecycle.end_earlier(new, table.last_deck_no, last, history)):
            before = last if last is not None and decision.deck.id == last.id else None
            await self._carry_out(decision, before)
            if before is None:
                never = decision.deck.id
                _log.warning("deck_never_created", table_id=never.table_id, deck_no=never.deck_no)

    async def _close(
        self, deck: Deck, outcome: DeckOutcome, void_reason: str, ref: cards_pb2.StepRef
    ) -> None:
        stored = await self._steps.cause(deck.id.table_id, ref)
        ended_by = stored.cause
        if not lifecycle.ends_deck(deck, outcome, stored):
            history = await self._steps.history(deck.id.table_id, deck, stored.cause)
            ended_by = accepted(lifecycle.end_in(history, deck, outcome))
        await self._carry_out(lifecycle.close(deck, outcome, void_reason, ended_by), deck)


def _sealed(
    deck: Deck, delivery: dealing.Delivery, keys: dealing.LiveKeys
) -> list[dealing_pb2.SeatBoxes]:
    """Seal each card of a delivery to each live key of its seat, in the order of places."""
    seats = []
    for seat in sorted(delivery):
        boxes = [
            cards_pb2.SealedBox(
                place=place.message(),
                key_fingerprint=fingerprint(key),
                ciphertext=seal(deck.for_owner(place), key),
            )
            for place in delivery[seat]
            for key in keys[seat]
        ]
        BOXES.inc(len(boxes))
        seats.append(dealing_pb2.SeatBoxes(seat=seat, boxes=boxes))
    return seats


def _note_missing_keys(deck: Deck, seats: Iterable[int], keys: dealing.LiveKeys) -> None:
    for seat in seats:
        if not keys[seat]:
            SEATS_WITHOUT_KEY.inc()
            _log.warning("seat_without_key", table_id=deck.id.table_id, seat=seat)
