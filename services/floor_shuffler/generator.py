"""Where orders and salts come from, and the alarm when they cannot."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final, Protocol

from floor_shuffler.domain.deck import DeckOrder
from floor_shuffler.event_stream import EventStream
from floor_shuffler.metrics import GENERATOR_HEALTHY
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.shuffler.v1 import events_pb2
from pokerfloor.cards import Card
from pokerfloor.fairness import SALT_BYTES, DeckId, FairnessCode, FairnessError, shuffle
from pokerfloor.servicekit import FloorError, get_logger

# Long enough that two equal blocks in a row do not happen (2^-128), and no single draw of a
# number, of which many are equal, is compared.
_COMPARED_BYTES: Final = 16

#: Makes a new order of these cards, as a generation of the deck. The one place where a test, in its
#: own process, may put in a deck of its own; no setting and no message of a running service does.
DeckSource = Callable[[DeckId, int, tuple[Card, ...]], DeckOrder]


_log = get_logger("shuffler.generator")


class Generator(Protocol):
    """A source of random bytes that watches itself."""

    @property
    def failure(self) -> str:
        """What failed, "" while healthy. It never becomes healthy again in this process."""
        ...

    def random(self, count: int) -> bytes:
        """Return `count` random bytes. Raises FloorError GENERATOR_FAILED."""
        ...

    def fail(self, reason: str) -> None:
        """Note a failure that its user found; no card is dealt from then on."""
        ...


class OsGenerator:
    """The operating system's generator (getrandom(2)), with a repetition test."""

    def __init__(self, read: Callable[[int], bytes] = os.urandom) -> None:
        self._read = read
        self._before = b""
        self._failure = ""
        GENERATOR_HEALTHY.set(1)

    @property
    def failure(self) -> str:
        """See Generator."""
        return self._failure

    def random(self, count: int) -> bytes:
        """See Generator."""
        if self._failure:
            raise _failed(self._failure)
        try:
            drawn = self._read(count)
        except OSError as error:
            self.fail(f"the operating system's generator: {error.strerror}")
            raise _failed(self._failure) from error
        if len(drawn) != count:
            self.fail("the operating system's generator gave too few bytes")
        elif count >= _COMPARED_BYTES:
            block = drawn[:_COMPARED_BYTES]
            if block == self._before:
                self.fail("the operating system's generator repeats itself")
            self._before = block
        if self._failure:
            raise _failed(self._failure)
        return drawn

    def fail(self, reason: str) -> None:
        """See Generator."""
        self._failure = self._failure or reason
        GENERATOR_HEALTHY.set(0)


def generated_decks(generator: Generator) -> DeckSource:
    """Return the source of decks of a running service: shuffled and salted by the generator."""

    def make(deck: DeckId, generation: int, cards: tuple[Card, ...]) -> DeckOrder:
        try:
            order = shuffle(cards, generator.random)
            drawn = generator.random(len(cards) * SALT_BYTES)
            salts = [drawn[at : at + SALT_BYTES] for at in range(0, len(drawn), SALT_BYTES)]
            made = DeckOrder(deck, generation, order, tuple(salts))
            # Built now, so that equal salts are found before anybody has heard of this deck.
            _ = made.commitment
        except FairnessError as error:
            if error.code not in (FairnessCode.BAD_SOURCE, FairnessCode.BAD_DECK):
                raise
            generator.fail(error.reason)
            raise _failed(error.reason) from error
        return made

    return make


class WatchedSource:
    """Draws orders, and raises the alarm on the stream when the generator fails."""

    def __init__(
        self, generator: Generator, source: DeckSource | None, events: EventStream
    ) -> None:
        self._generator = generator
        self._source = source or generated_decks(generator)
        self._events = events
        self._alarmed = False

    @property
    def healthy(self) -> bool:
        """Whether cards may be dealt."""
        return not self._generator.failure

    async def announce(self) -> None:
        """Publish that the generator works, if the last word on the stream was another."""
        last = await self._events.last("", "generator_alarm")
        if last is not None and not last.generator_alarm.healthy:
            await self._publish("the service was started again")

    async def draw(self, deck: DeckId, generation: int, cards: tuple[Card, ...]) -> DeckOrder:
        """Draw an order of these cards. Raises FloorError GENERATOR_FAILED, LogUnavailable."""
        try:
            return self._source(deck, generation, cards)
        except FloorError:
            if not self._alarmed:
                await self._publish(self._generator.failure)
                self._alarmed = True
            raise

    async def _publish(self, reason: str) -> None:
        alarm = events_pb2.GeneratorAlarm(healthy=self.healthy, reason=reason)
        _log.warning("generator_health", healthy=self.healthy, reason=reason)
        await self._events.append(events_pb2.ShufflerEvent(generator_alarm=alarm))


def _failed(reason: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_GENERATOR_FAILED, f"no card is dealt: {reason}")
