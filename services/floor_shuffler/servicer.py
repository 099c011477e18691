"""The calls of ShufflerService and DealingService, and what becomes of a failure below them."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio

from floor_shuffler.dealing import Dealing
from floor_shuffler.deck_life import DeckLife
from floor_shuffler.desk import Desk
from floor_shuffler.event_stream import EventStream
from floor_shuffler.generator import DeckSource, Generator, generated_decks
from floor_shuffler.inspection import Inspection
from floor_shuffler.seats import Seats
from floor_shuffler.store import Store, StoreThread
from floor_shuffler.table_log import TableLog
from floor_shuffler.vault import RecordLost
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2, dealing_pb2_grpc
from pokerfloor.api.shuffler.v1 import events_pb2, shuffler_pb2, shuffler_pb2_grpc
from pokerfloor.servicekit import FloorError, FloorNats, KeySet, LogUnavailable, get_logger, new_id

Context = grpc.aio.ServicerContext[Any, Any]

_log = get_logger("shuffler")


class Shuffler(shuffler_pb2_grpc.ShufflerServiceServicer, dealing_pb2_grpc.DealingServiceServicer):
    """The shuffler. It needs the streams of the table log and of its own events to exist.

    `deck_source` is for tests in their own process: no setting, no message and no other call in
    this service leads to it.
    """

    def __init__(
        self,
        *,
        nats: FloorNats,
        store: Store,
        keys: KeySet,
        generator: Generator,
        instance: str,
        now_ms: Callable[[], int],
        deck_source: DeckSource | None = None,
    ) -> None:
        self._generator = generator
        self._store = StoreThread(store)
        self._events = EventStream(nats, instance, now_ms)
        desk = Desk(self._store, TableLog(nats), self._events, now_ms)
        self._decks = DeckLife(desk, deck_source or generated_decks(generator))
        self._seats = Seats(desk, keys)
        self._dealing = Dealing(desk)
        self._inspection = Inspection(desk)
        self._alarmed = False

    @property
    def healthy(self) -> bool:
        """Whether cards may be dealt."""
        return not self._generator.failure

    async def announce(self) -> None:
        """Say on the stream that the generator works, if the last word there was another."""
        last = await self._events.last("", "generator_alarm")
        if last is not None and not last.generator_alarm.healthy:
            await self._say_health("started anew")

    def close(self) -> None:
        """Let go of the deck records."""
        self._store.close()

    async def CreateDeck(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.CreateDeckRequest, _context: Context
    ) -> dealing_pb2.CreateDeckResponse:
        """Make a deck for a table's next hand or draw."""
        async with self._mapped():
            return await self._decks.open(request)

    async def CommitDeck(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.CommitDeckRequest, _context: Context
    ) -> dealing_pb2.CommitDeckResponse:
        """Commit to a deck's order."""
        async with self._mapped():
            return await self._decks.seal(request)

    async def RegisterSeatKey(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.RegisterSeatKeyRequest, _context: Context
    ) -> dealing_pb2.RegisterSeatKeyResponse:
        """Bind a sealing key to a seat."""
        async with self._mapped():
            return await self._seats.register(request)

    async def DealCards(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.DealCardsRequest, _context: Context
    ) -> dealing_pb2.DealCardsResponse:
        """Seal the own cards of a stored step to their owners."""
        async with self._mapped():
            return await self._dealing.deal(request)

    async def ResealCards(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.ResealCardsRequest, _context: Context
    ) -> dealing_pb2.ResealCardsResponse:
        """Seal a seat's own cards again."""
        async with self._mapped():
            return await self._dealing.reseal(request)

    async def RevealCards(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.RevealCardsRequest, _context: Context
    ) -> dealing_pb2.RevealCardsResponse:
        """Turn cards up."""
        async with self._mapped():
            return await self._dealing.open(request)

    async def CloseDeck(  # noqa: N802 - gRPC's name
        self, request: dealing_pb2.CloseDeckRequest, _context: Context
    ) -> dealing_pb2.CloseDeckResponse:
        """End a deck."""
        async with self._mapped():
            await self._decks.close(request)
        return dealing_pb2.CloseDeckResponse()

    async def GetDeck(  # noqa: N802 - gRPC's name
        self, request: shuffler_pb2.GetDeckRequest, _context: Context
    ) -> shuffler_pb2.GetDeckResponse:
        """Tell what is public of a deck."""
        async with self._mapped():
            return await self._inspection.get(request)

    async def ReadDeckRecord(  # noqa: N802 - gRPC's name
        self, request: shuffler_pb2.ReadDeckRecordRequest, _context: Context
    ) -> shuffler_pb2.ReadDeckRecordResponse:
        """Show a closed deck whole to an auditor."""
        async with self._mapped():
            return await self._inspection.read_record(request)

    @asynccontextmanager
    async def _mapped(self) -> AsyncIterator[None]:
        """Turn what fails below into errors of the catalogue."""
        try:
            yield
        except LogUnavailable as error:
            raise _unavailable("the log does not answer") from error
        except (sqlite3.Error, RecordLost) as error:
            _log.exception("deck records fail", reason=str(error))
            raise _unavailable("the deck records cannot be used") from error
        except FloorError as error:
            if error.code == errors_pb2.ERROR_CODE_GENERATOR_FAILED and not self._alarmed:
                await self._say_health(self._generator.failure)
                self._alarmed = True
            raise

    async def _say_health(self, reason: str) -> None:
        alarm = events_pb2.GeneratorAlarm(healthy=self.healthy, reason=reason)
        _log.warning("generator", healthy=self.healthy, reason=reason)
        try:
            await self._events.append(events_pb2.ShufflerEvent(generator_alarm=alarm), new_id(), "")
        except LogUnavailable as error:
            raise _unavailable("the log does not answer") from error


def _unavailable(reason: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, reason)
