"""What all of the shuffler's work stands on: its stores, one table at a time, epochs, refusals."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Final
from weakref import WeakValueDictionary

from floor_shuffler.deck import SEALED, Cause, Deck
from floor_shuffler.event_stream import EventStream
from floor_shuffler.metrics import PLACES_DEALT, REFUSALS
from floor_shuffler.places import OWN, Place
from floor_shuffler.steps import HandSoFar, is_of, take_in, take_in_again
from floor_shuffler.store import StoreThread, TableRow
from floor_shuffler.table_log import StoredStep, TableLog
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.common.v1.errors_pb2 import Error
from pokerfloor.api.shuffler.v1 import events_pb2, shuffler_pb2
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import FloorError, current_identity, error_name, get_logger, new_id

# Who is refused for one of these asked for what was not theirs to see, or came with a token that
# is not the player's: whoever's key is bound to a seat sees its cards.
_TRESPASSES: Final = frozenset(
    {
        errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND,
        errors_pb2.ERROR_CODE_NOT_JUSTIFIED,
        errors_pb2.ERROR_CODE_UNKNOWN_DECK,
        errors_pb2.ERROR_CODE_WRONG_DECK_STATE,
        errors_pb2.ERROR_CODE_STALE_EPOCH,
        errors_pb2.ERROR_CODE_NOT_YOURS,
        errors_pb2.ERROR_CODE_TOKEN_MISSING,
        errors_pb2.ERROR_CODE_TOKEN_INVALID,
        errors_pb2.ERROR_CODE_TOKEN_EXPIRED,
        errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED,
        errors_pb2.ERROR_CODE_SEAL_KEY_MISSING,
        errors_pb2.ERROR_CODE_INVALID_FIELD,  # a key that is none; all else is checked before
    }
)

_log = get_logger("shuffler")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for cards, as a refusal of it is recorded."""

    call: str
    table_id: str
    deck: DeckId | None = None
    places: Sequence[Place] = ()
    cause: cards_pb2.StepRef | None = None


@dataclass(slots=True)
class Desk:
    """The parts that every use of a deck needs."""

    store: StoreThread
    log: TableLog
    events: EventStream
    now_ms: Callable[[], int]
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    @asynccontextmanager
    async def at(self, table_id: str) -> AsyncIterator[None]:
        """Work on a table's decks and seats, one call at a time."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        async with lock:
            yield

    @asynccontextmanager
    async def watched(self, asked: Asked) -> AsyncIterator[None]:
        """Work on a request for cards; if it is refused, the refusal is on the stream first."""
        async with self.at(asked.table_id):
            try:
                yield
            except FloorError as refusal:
                if refusal.code in _TRESPASSES:
                    await self._record_refusal(asked, refusal)
                raise

    async def books(self, deck: DeckId) -> tuple[TableRow, Deck | None]:
        """Give what is stored of a table and a deck."""
        return await self.store.run(self.store.store.table_and_deck, deck)

    async def dealable(self, deck: DeckId, owner_epoch: int | None) -> Deck:
        """Give a sealed deck; the epoch is None for a caller that owns no table.

        Raises FloorError UNKNOWN_DECK, WRONG_DECK_STATE, STALE_EPOCH.
        """
        row, found = await self.books(deck)
        if owner_epoch is not None:
            await self.check_epoch(deck.table_id, row, owner_epoch)
        if found is None:
            raise unknown_deck(deck)
        if found.state != SEALED:
            raise wrong_state("the deck is not sealed yet, or its hand is over")
        return found

    async def check_epoch(self, table_id: str, row: TableRow, owner_epoch: int) -> None:
        """Refuse an owner older than the newest seen (STALE_EPOCH), and note a newer one.

        A newer one is believed when the log has it: else one wrong number would lock the table's
        real owner out.
        """
        if owner_epoch < row.owner_epoch or owner_epoch == 0:
            raise FloorError(
                errors_pb2.ERROR_CODE_STALE_EPOCH,
                f"epoch {row.owner_epoch} of the table's owner was seen already",
                "owner_epoch",
            )
        if owner_epoch == row.owner_epoch:
            return
        if owner_epoch > await self.log.last_epoch(table_id):
            raise FloorError(
                errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND,
                "the log has no step of this epoch of the table's owner",
                "owner_epoch",
            )
        await self.store.run(self.store.store.note_epoch, table_id, owner_epoch)

    async def take_in(self, found: StoredStep, deck: Deck) -> bool:
        """Deal what the log deals up to a step of the deck's hand; False if nothing was new.

        Always in the order of the log, so that of two steps that deal differently the first one
        counts, whichever is named first. What is new is on the stream when this returns, and is
        for the caller to store. Raises FloorError NOT_JUSTIFIED.
        """
        news = False
        # Where it is the stream's very next message there is nothing between.
        if deck.read_to == 0 or found.cause.stream_seq > deck.read_to + 1:
            news = await self.catch_up(deck, found.cause.stream_seq)
        news = await self._deal(found, deck) or news
        deck.read_to = max(deck.read_to, found.cause.stream_seq)
        return news

    async def catch_up(self, deck: Deck, last_stream_seq: int | None) -> bool:
        """Do the same for all steps that were not read yet, to a step or to the last one."""
        news = False
        first = deck.read_to + 1 if deck.read_to else deck.opened_by.stream_seq
        async with aclosing(self.log.steps(deck.id.table_id, first, last_stream_seq)) as steps:
            async for stored in steps:
                if is_of(stored.step, deck):
                    news = await self._deal(stored, deck) or news
                deck.read_to = stored.cause.stream_seq
        return news

    async def hand_before(self, deck: Deck, stored: StoredStep) -> HandSoFar:
        """Read what the log says of the deck's hand before a step of it."""
        so_far = HandSoFar()
        first, last = deck.opened_by.stream_seq, stored.cause.stream_seq - 1
        async with aclosing(self.log.steps(deck.id.table_id, first, last)) as steps:
            async for step, _ in steps:
                if is_of(step, deck):
                    so_far.read(step)
        return so_far

    async def _deal(self, stored: StoredStep, deck: Deck) -> bool:
        known = len(deck.dealt)
        if stored.cause.stream_seq <= deck.read_to:
            take_in_again(stored.step, deck)
        else:
            take_in(stored.step, deck)
        new = [*islice(deck.dealt.items(), known, None)]
        dealt = [
            shuffler_pb2.DealtPlace(place=place.message(), deck_index=position.message())
            for place, position in new
        ]
        deck.unsealed.update(place for place, _ in new if place.kind == OWN)
        if dealt:
            table_id, deck_no = deck.id.table_id, deck.id.deck_no
            event = events_pb2.CardsDealt(
                deck=deck_ref(deck.id), dealt=dealt, cause=step_ref(table_id, stored.cause)
            )
            await self.events.append(
                events_pb2.ShufflerEvent(cards_dealt=event),
                f"{table_id}/{deck_no}/dealt/{stored.cause.table_seq}",
                table_id,
            )
            PLACES_DEALT.inc(len(dealt))
        return bool(dealt)

    async def _record_refusal(self, asked: Asked, refusal: FloorError) -> None:
        name = error_name(refusal.code)
        asker = current_identity().subject
        event = events_pb2.RevealRefused(
            deck=None if asked.deck is None else deck_ref(asked.deck),
            places=[place.message() for place in asked.places],
            cause=asked.cause,
            asked_by=asker,
            call=asked.call,
            error=Error(
                code=errors_pb2.ErrorCode.ValueType(refusal.code),
                reason=refusal.reason,
                field=refusal.field,
            ),
        )
        REFUSALS.labels(asked.call, name).inc()
        _log.warning(
            "refused",
            call=asked.call,
            code=name,
            reason=refusal.reason,
            table_id=asked.table_id,
            deck_no=asked.deck.deck_no if asked.deck else 0,
            asked_by=asker,
        )
        await self.events.append(
            events_pb2.ShufflerEvent(reveal_refused=event), new_id(), asked.table_id
        )


def deck_ref(deck: DeckId) -> cards_pb2.DeckRef:
    """Give a deck's id as a message."""
    return cards_pb2.DeckRef(table_id=deck.table_id, deck_no=deck.deck_no)


def step_ref(table_id: str, cause: Cause) -> cards_pb2.StepRef:
    """Give a step's name as a message."""
    return cards_pb2.StepRef(
        table_id=table_id, table_seq=cause.table_seq, stream_seq=cause.stream_seq
    )


def unknown_deck(deck: DeckId) -> FloorError:
    """Give the refusal of a deck that is not known."""
    reason = f"there is no deck {deck.deck_no} of table {deck.table_id}"
    return FloorError(errors_pb2.ERROR_CODE_UNKNOWN_DECK, reason, "deck")


def wrong_state(reason: str) -> FloorError:
    """Give the refusal of what a deck's state does not allow."""
    return FloorError(errors_pb2.ERROR_CODE_WRONG_DECK_STATE, reason, "deck")
