"""Messages that are not stored: public facts, questions to an instance, subscriptions."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Final

import nats.aio.client
import nats.errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.rpc import FloorError
from pokerfloor.servicekit.logs import get_logger
from pokerfloor.servicekit.metrics import NATS_DROPPED
from pokerfloor.servicekit.nats_connection import NatsConnection
from pokerfloor.servicekit.nats_types import BusMessage, LogUnavailable

Handler = Callable[[BusMessage], Awaitable[bytes]]

# About a second of a busy floor's public facts.
_MAX_BUFFERED: Final = 10_000
_MAX_WAITING_REQUESTS: Final = 10_000

_log = get_logger("servicekit.nats")


class NatsBus(NatsConnection):
    """Publishing and asking without a store."""

    def __init__(self, client: nats.aio.client.Client) -> None:
        super().__init__(client)
        self._buffer: deque[tuple[str, bytes, dict[str, str] | None]] = deque(maxlen=_MAX_BUFFERED)
        self._filled = asyncio.Event()
        self._sender: asyncio.Task[None] | None = None

    def publish(self, subject: str, data: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Send and forget. While the broker is away up to 10,000 wait; the oldest is dropped."""
        if self._sender is None:
            self._sender = asyncio.create_task(self._send(), name="nats-sender")
        if len(self._buffer) == _MAX_BUFFERED:
            NATS_DROPPED.labels("publish").inc()
        self._buffer.append((subject, data, dict(headers) if headers else None))
        self._filled.set()

    async def flush(self, timeout_ms: int = 2_000) -> bool:
        """Wait until all that was published is with the broker; tells whether it is."""
        deadline_s = time.monotonic() + timeout_ms / 1000
        while self._buffer:
            if time.monotonic() >= deadline_s:
                return False
            await asyncio.sleep(0.005)
        try:
            async with self.attempt(deadline_s):
                await self.client.flush()
        except (nats.errors.Error, OSError, TimeoutError):
            return False
        return True

    async def request(
        self,
        subject: str,
        data: bytes,
        *,
        timeout_ms: int = 1_000,
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        """Ask whoever answers on the subject. Asked once: an answer that is lost is not repeated.

        Raises FloorError UNAVAILABLE when nobody answers in time.
        """
        deadline_s = time.monotonic() + timeout_ms / 1000
        try:
            await self.wait_up(deadline_s)
            async with self.attempt(deadline_s, timeout_ms / 1000):
                reply = await self.client.request(
                    subject,
                    data,
                    timeout=timeout_ms / 1000,
                    headers=dict(headers) if headers else None,
                )
        except (LogUnavailable, nats.errors.Error, OSError, TimeoutError) as error:
            raise FloorError(
                errors_pb2.ERROR_CODE_UNAVAILABLE, "nobody answers on the bus"
            ) from error
        return bytes(reply.data)

    async def respond(
        self, subject: str, handler: Handler, *, queue: str = "", max_concurrent: int = 256
    ) -> Responder:
        """Answer requests on a subject, many at once; `queue` shares them among its members.

        A handler that raises is logged and gives no answer, so it maps its own errors.
        """
        responder = Responder(handler, max_concurrent)
        await responder.begin(self, subject, queue)
        return responder

    async def subscribe(
        self, subject: str, *, max_pending: int = 1_024
    ) -> AsyncIterator[BusMessage]:
        """Yield messages on a subject as they come; the oldest is dropped when too many wait."""
        waiting: deque[BusMessage] = deque(maxlen=max_pending)
        arrived = asyncio.Event()

        async def on_message(message: Msg) -> None:
            if len(waiting) == max_pending:
                NATS_DROPPED.labels("subscribe").inc()
            waiting.append(_bus_message(message))
            arrived.set()

        subscription = await self.client.subscribe(subject, cb=on_message)
        try:
            while True:
                if not waiting:
                    arrived.clear()
                    await arrived.wait()
                yield waiting.popleft()
        finally:
            with contextlib.suppress(nats.errors.Error, OSError):
                await subscription.unsubscribe()

    async def close(self) -> None:
        """Send what waits, if the broker is there, and close. Never raises."""
        if self._sender is not None:
            if self.connected:
                await self.flush()
            self._sender.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._sender
        await super().close()

    async def _send(self) -> None:
        while True:
            if not self._buffer:
                self._filled.clear()
                await self._filled.wait()
            if not self.connected:
                await self.until_connected()
            # Taken out only once it is handed over: a lost connection must not lose it.
            subject, data, headers = entry = self._buffer[0]
            try:
                await self.client.publish(subject, data, headers=headers)
            except (nats.errors.MaxPayloadError, nats.errors.BadSubjectError, ValueError) as error:
                NATS_DROPPED.labels("publish").inc()
                _log.error("publish_failed", subject=subject, reason=repr(error))
            except (nats.errors.Error, OSError):
                await asyncio.sleep(0.05)
                continue
            if self._buffer and self._buffer[0] is entry:
                self._buffer.popleft()


class Responder:
    """Answers requests of one subscription; see `NatsBus.respond`."""

    def __init__(self, handler: Handler, max_concurrent: int) -> None:
        assert max_concurrent > 0, "a responder answers at least one at a time"
        self._handler = handler
        self._slots = asyncio.Semaphore(max_concurrent)
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscription: Subscription | None = None

    async def begin(self, connection: NatsConnection, subject: str, queue: str) -> None:
        """Subscribe."""
        self._subscription = await connection.client.subscribe(
            subject, queue=queue, cb=self._on_message, pending_msgs_limit=_MAX_WAITING_REQUESTS
        )
        # Else a request sent by another connection right now could still find nobody.
        await connection.client.flush()

    async def stop(self, timeout_ms: int = 2_000) -> None:
        """Take no more requests; wait for the answers in flight."""
        if self._subscription is not None:
            with contextlib.suppress(nats.errors.Error, OSError):
                await self._subscription.unsubscribe()
            self._subscription = None
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=timeout_ms / 1000)
            for task in late:
                task.cancel()

    async def _on_message(self, message: Msg) -> None:
        await self._slots.acquire()
        task = asyncio.create_task(self._answer(message))
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._slots.release()

    async def _answer(self, message: Msg) -> None:
        try:
            reply = await self._handler(_bus_message(message))
            if message.reply:
                await message.respond(reply)
        except (nats.errors.Error, OSError) as error:
            _log.warning("answer_not_sent", subject=message.subject, reason=repr(error))
        except Exception as error:  # noqa: BLE001 - one bad request must not end the responder
            _log.error("request_failed", subject=message.subject, exc_info=error)


def _bus_message(message: Msg) -> BusMessage:
    return BusMessage(message.subject, dict(message.headers or {}), message.data)
