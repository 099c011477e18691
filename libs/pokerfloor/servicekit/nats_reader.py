"""Reading a stream in order and without gaps, over lost connections and restarted brokers.

A reader opens one session after another: an ephemeral push consumer with flow control and
heartbeats. A session ends when the connection is lost, when the broker is silent, or when a number
is missing in what the consumer delivers; the next one begins after the last message handed on.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator
from typing import Final, NamedTuple

import nats.errors
import nats.js.api
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.js.errors import APIError

from pokerfloor.rpc import (
    Backoff,
    StopSignal,
    wait_for_stop,
)
from pokerfloor.servicekit.logs import get_logger
from pokerfloor.servicekit.metrics import NATS_READER_RESTARTS
from pokerfloor.servicekit.nats_connection import NatsConnection, is_passing
from pokerfloor.servicekit.nats_types import LogTruncated, LogUnavailable, StoredMessage

_HEARTBEAT_S: Final = 1.0
_SILENCE_S: Final = 3.5
_CONSUMER_LIVES_S: Final = 30.0
_OPEN_S: Final = 5.0
# How often a follower looks whether the broker is back.
_LOOK_MS: Final = 20
_GIVE_UP_S: Final = 10.0
# The broker's flow control keeps far below this; beyond it the client drops, which is then a gap.
_MAX_PENDING_MESSAGES: Final = 200_000
_MAX_PENDING_BYTES: Final = 128 * 1024 * 1024

_log = get_logger("servicekit.nats")


class _SessionBroken(Exception):  # noqa: N818 - never leaves this module
    """A session that can tell no more; another has to begin."""


class _Delivery(NamedTuple):
    message: StoredMessage
    pending: int


class LogReader:
    """Gives the messages of a stream that match a subject filter, each once, in order."""

    def __init__(
        self, connection: NatsConnection, stream: str, subject_filter: str, start_seq: int
    ) -> None:
        assert start_seq >= 0, "stream sequences count from 1"
        self._connection = connection
        self._stream = stream
        self._filter = subject_filter
        self._next_seq = max(1, start_seq)
        self._backoff = Backoff(20, 1_000)

    async def stored(self) -> AsyncIterator[StoredMessage]:
        """Yield what is stored now, then end. Raises LogUnavailable after 10 s without progress."""
        give_up_s = time.monotonic() + _GIVE_UP_S
        end_seq: int | None = None
        while True:
            session = await self._open_by(give_up_s)
            try:
                if end_seq is None:
                    end_seq = session.stream_last_seq
                if session.pending_at_open == 0 or self._next_seq > end_seq:
                    return
                async for delivery in session.deliveries(None):
                    self._next_seq = delivery.message.seq + 1
                    give_up_s = time.monotonic() + _GIVE_UP_S
                    if delivery.message.seq <= end_seq:
                        yield delivery.message
                    if delivery.pending == 0 or delivery.message.seq >= end_seq:
                        return
            except _SessionBroken as broken:
                self._note_restart(broken)
            finally:
                await session.close()

    async def followed(self, stop: StopSignal) -> AsyncIterator[StoredMessage]:
        """Yield what is stored and what comes, until `stop` is set."""
        while not stop.is_set():
            try:
                if not self._connection.connected:
                    await wait_for_stop(stop, _LOOK_MS)  # hears `stop` at once
                    continue
                session = await self._open(time.monotonic() + _OPEN_S)
            except (LogUnavailable, _SessionBroken):
                await self._backoff.sleep(stop)
                continue
            try:
                async for delivery in session.deliveries(stop):
                    self._next_seq = delivery.message.seq + 1
                    self._backoff.reset()
                    yield delivery.message
            except _SessionBroken as broken:
                self._note_restart(broken)
            finally:
                await session.close()

    async def _open_by(self, give_up_s: float) -> _Session:
        while True:
            try:
                return await self._open(give_up_s)
            except _SessionBroken as broken:
                if time.monotonic() >= give_up_s:
                    raise LogUnavailable(f"the log cannot be read: {broken}") from broken
                await self._backoff.sleep()

    async def _open(self, deadline_s: float) -> _Session:
        await self._connection.wait_up(deadline_s)
        session = _Session(self._connection, self._stream, self._filter, self._next_seq)
        try:
            async with self._connection.attempt(deadline_s):
                await session.open()
        except APIError as error:
            await session.close()
            if not is_passing(error):
                raise
            raise _SessionBroken(f"not opened: {error!r}") from error
        except (nats.errors.Error, OSError, TimeoutError) as error:
            await session.close()
            raise _SessionBroken(f"not opened: {error!r}") from error
        except BaseException:
            await session.close()
            raise
        return session

    def _note_restart(self, broken: _SessionBroken) -> None:
        NATS_READER_RESTARTS.inc()
        _log.info(
            "log_reader_restarted",
            stream=self._stream,
            next_seq=self._next_seq,
            reason=str(broken),
        )


class _Session:
    """One consumer and the subscription it delivers to."""

    def __init__(
        self, connection: NatsConnection, stream: str, subject_filter: str, start_seq: int
    ) -> None:
        self._connection = connection
        self._stream = stream
        self._filter = subject_filter
        self._start_seq = start_seq
        self._subscription: Subscription | None = None
        self._consumer = ""
        self._consumer_seq = 0
        self._arrived: deque[Msg] = deque()
        self._wake = asyncio.Event()
        self.stream_last_seq = 0
        self.pending_at_open = 0

    async def open(self) -> None:
        """Make subscription and consumer. Raises LogTruncated, and what the client raises."""
        client, js = self._connection.client, self._connection.js
        state = (await js.stream_info(self._stream)).state
        self.stream_last_seq = int(state.last_seq)
        if self.stream_last_seq + 1 < self._start_seq:
            raise LogTruncated(
                f"stream {self._stream} ends at {self.stream_last_seq}, "
                f"but {self._start_seq - 1} was read from it"
            )
        inbox = client.new_inbox()
        self._subscription = await client.subscribe(
            inbox,
            cb=self._on_message,
            pending_msgs_limit=_MAX_PENDING_MESSAGES,
            pending_bytes_limit=_MAX_PENDING_BYTES,
        )
        info = await js.add_consumer(self._stream, self._config(inbox))
        self._consumer = info.name
        # What was delivered before the answer came counts too.
        delivered = info.delivered.consumer_seq if info.delivered else 0
        self.pending_at_open = int(info.num_pending or 0) + int(delivered)

    async def deliveries(self, stop: StopSignal | None) -> AsyncIterator[_Delivery]:
        """Yield messages as they come, until `stop`. Raises _SessionBroken."""
        waker = asyncio.create_task(self._wake_at(stop)) if stop is not None else None
        try:
            while stop is None or not stop.is_set():
                if not self._arrived and not await self._more(stop):
                    return
                message = self._arrived.popleft()
                if message.headers and message.headers.get("Status") == "100":
                    await self._on_status(message)
                    continue
                delivery, consumer_seq = _read(message)
                self._check(consumer_seq)
                if delivery.message.seq >= self._start_seq:
                    yield delivery
        finally:
            if waker is not None:
                waker.cancel()

    async def close(self) -> None:
        """Let go of both. Never raises: an ephemeral consumer also goes by itself."""
        client = self._connection.client
        failures = (nats.errors.Error, OSError, TimeoutError)
        if self._subscription is not None:
            with contextlib.suppress(*failures):
                await self._subscription.unsubscribe()
            self._subscription = None
        if self._consumer and client.is_connected:
            subject = f"$JS.API.CONSUMER.DELETE.{self._stream}.{self._consumer}"
            with contextlib.suppress(*failures):
                await client.publish(subject)
        self._consumer = ""

    async def _more(self, stop: StopSignal | None) -> bool:
        """Wait until something has arrived; False when it is time to stop."""
        self._wake.clear()
        try:
            async with self._connection.attempt(time.monotonic() + _SILENCE_S, _SILENCE_S):
                await self._wake.wait()
        except TimeoutError:
            connected = self._connection.connected
            raise _SessionBroken("silence" if connected else "connection lost") from None
        return bool(self._arrived) or stop is None or not stop.is_set()

    async def _wake_at(self, stop: StopSignal) -> None:
        await stop.wait()
        self._wake.set()

    async def _on_message(self, message: Msg) -> None:
        self._arrived.append(message)
        self._wake.set()

    async def _on_status(self, message: Msg) -> None:
        """Answer flow control; check by a heartbeat that nothing before it is missing."""
        headers = message.headers or {}
        client = self._connection.client
        with contextlib.suppress(nats.errors.Error, OSError):
            if message.reply:
                await client.publish(message.reply)
            elif stalled := headers.get("Nats-Consumer-Stalled"):
                await client.publish(stalled)
        last = headers.get("Nats-Last-Consumer")
        if last is not None and int(last) != self._consumer_seq:
            raise _SessionBroken(f"{last} were delivered, {self._consumer_seq} arrived")

    def _check(self, consumer_seq: int) -> None:
        if consumer_seq != self._consumer_seq + 1:
            raise _SessionBroken(f"delivery {self._consumer_seq + 1} is missing")
        self._consumer_seq = consumer_seq

    def _config(self, inbox: str) -> nats.js.api.ConsumerConfig:
        api = nats.js.api
        return api.ConsumerConfig(
            deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=self._start_seq,
            filter_subject=self._filter,
            ack_policy=api.AckPolicy.NONE,
            max_deliver=1,
            deliver_subject=inbox,
            flow_control=True,
            idle_heartbeat=_HEARTBEAT_S,
            inactive_threshold=_CONSUMER_LIVES_S,
            mem_storage=True,
            num_replicas=1,
        )


def _read(message: Msg) -> tuple[_Delivery, int]:
    """Take a delivery apart: the numbers stand in its reply subject (NATS ADR-15).

    `$JS.ACK.stream.consumer.delivered.stream_seq.consumer_seq.time_ns.pending`; a longer form has
    a domain and an account hash before the stream.
    """
    tokens = message.reply.split(".")
    at = 5 if len(tokens) == 9 else 7
    stored = StoredMessage(
        message.subject,
        message.headers or {},
        message.data,
        seq=int(tokens[at]),
        at_ms=int(tokens[at + 2]) // 1_000_000,
    )
    return _Delivery(stored, int(tokens[at + 3])), int(tokens[at + 1])
