"""What every call passes: one at a time at a table, failures as errors, refusals on the stream."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final
from weakref import WeakValueDictionary

from floor_shuffler.domain.refs import Place, deck_ref
from floor_shuffler.event_stream import EventStream
from floor_shuffler.metrics import REFUSALS
from floor_shuffler.vault import RecordLost
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.shuffler.v1 import events_pb2
from pokerfloor.fairness import DeckId
from pokerfloor.servicekit import (
    FloorError,
    LogUnavailable,
    current_identity,
    error_name,
    get_logger,
)

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
    """A request about cards, as a refusal of it is recorded."""

    call: str
    table_id: str
    deck: DeckId | None = None
    places: tuple[Place, ...] = ()
    cause: cards_pb2.StepRef | None = None


class CallFrame:
    """Holds a lock for each table that a call is about at present."""

    def __init__(self, events: EventStream) -> None:
        self._events = events
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def at(self, table_id: str) -> AsyncIterator[None]:
        """Work on a table's decks and seats, one call at a time."""
        lock = self._locks.get(table_id)
        if lock is None:
            lock = self._locks[table_id] = asyncio.Lock()
        async with lock:
            try:
                yield
            except LogUnavailable as error:
                raise _unavailable("the log does not answer") from error
            except (sqlite3.Error, RecordLost) as error:
                _log.exception("deck_records_failed", reason=str(error))
                raise _unavailable("the deck records cannot be used") from error

    @asynccontextmanager
    async def recorded(self, asked: Asked) -> AsyncIterator[None]:
        """Work on a request about cards; a refusal of it is on the stream before its answer."""
        async with self.at(asked.table_id):
            try:
                yield
            except FloorError as refusal:
                if refusal.code in _TRESPASSES:
                    await self._record_refusal(asked, refusal)
                raise

    async def _record_refusal(self, asked: Asked, refusal: FloorError) -> None:
        name, asker = error_name(refusal.code), current_identity().subject
        event = events_pb2.RevealRefused(
            deck=None if asked.deck is None else deck_ref(asked.deck),
            places=[place.message() for place in asked.places],
            cause=asked.cause,
            asked_by=asker,
            call=asked.call,
            error=errors_pb2.Error(
                code=errors_pb2.ErrorCode.ValueType(refusal.code),
                reason=refusal.reason,
                field=refusal.field,
            ),
        )
        REFUSALS.labels(asked.call, name).inc()
        _log.warning(
            "request_refused",
            call=asked.call,
            code=name,
            reason=refusal.reason,
            table_id=asked.table_id,
            deck_no=asked.deck.deck_no if asked.deck else 0,
            asked_by=asker,
        )
        await self._events.append(
            events_pb2.ShufflerEvent(table_id=asked.table_id, reveal_refused=event)
        )


def _unavailable(reason: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, reason)
