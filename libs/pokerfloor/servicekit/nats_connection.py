"""One connection to the broker, that comes back by itself for as long as the process lives."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, Self, TypeVar
from urllib.parse import urlsplit

import nats.aio.client
import nats.errors
import nats.js
from nats.js.errors import APIError, ServiceUnavailableError

from pokerfloor.rpc import (
    Backoff,
    CannotStart,
    TlsFiles,
)
from pokerfloor.servicekit.logs import get_logger
from pokerfloor.servicekit.metrics import NATS_CONNECTED, NATS_ERRORS, NATS_RECONNECTS
from pokerfloor.servicekit.nats_types import LogUnavailable
from pokerfloor.servicekit.settings import ServiceSettings

T = TypeVar("T")

_PING_INTERVAL_S: Final = 10
_LOST_PINGS: Final = 2
_FIRST_RECONNECT_MS: Final = 50
_MAX_RECONNECT_MS: Final = 1_000
_DEFAULT_PORT: Final = 4222
_CLOSE_S: Final = 2.0
_PROBE_S: Final = 0.5
# How long one question may take before it is put again; the caller's deadline bounds all of them.
_ATTEMPT_S: Final = 2.0
_CLOSED: Final = "the handler is closed"

# What no repeat makes right.
_MISTAKES: Final = (
    nats.errors.MaxPayloadError,
    nats.errors.BadSubjectError,
    nats.errors.BadHeaderError,
)

_log = get_logger("servicekit.nats")


class NatsConnection:
    """The connection and what all of its users need: whether it is up, and bounded attempts."""

    def __init__(self, client: nats.aio.client.Client) -> None:
        #: The client itself; for this package.
        self.client = client
        self.js: nats.js.JetStreamContext = client.jetstream()
        self._up = asyncio.Event()
        self._in_flight: set[asyncio.Timeout] = set()
        self._backoff = Backoff(_FIRST_RECONNECT_MS, _MAX_RECONNECT_MS)
        self._closing = False

    @classmethod
    async def connect(
        cls, url: str, *, name: str, wait_ms: int = 10_000, tls: TlsFiles | None = None
    ) -> Self:
        """Connect, waiting up to `wait_ms` for a server. Raises CannotStart when none answers.

        `url` may hold several with commas. `tls` is used for tls:// addresses.
        """
        urls = [part.strip() for part in url.split(",") if part.strip()]
        if not urls:
            raise CannotStart("nats_url is empty")
        connection = cls(nats.aio.client.Client())
        deadline_s = time.monotonic() + wait_ms / 1000
        backoff = Backoff(50, 500)
        while not await connection._try_connect(urls, name, tls, deadline_s):
            left_ms = int((deadline_s - time.monotonic()) * 1000)
            if left_ms <= 0:
                where = _shown(urls)
                raise CannotStart(f"no nats-server answers at {where} within {wait_ms} ms")
            await backoff.sleep(at_most_ms=left_ms)
        return connection

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: ServiceSettings) -> AsyncIterator[Self]:
        """Connect as the settings say, and close at the end."""
        connection = await cls.connect(
            settings.nats_url,
            name=settings.instance,
            wait_ms=settings.nats_wait_ms,
            tls=settings.tls,
        )
        try:
            yield connection
        finally:
            await connection.close()

    @property
    def connected(self) -> bool:
        """Whether the broker can be asked now; for readiness."""
        return self._up.is_set() and self.client.is_connected

    async def close(self) -> None:
        """Send what is buffered and close. Never raises, never takes long."""
        self._closing = True
        try:
            async with asyncio.timeout(_CLOSE_S):
                if self.client.is_connected:
                    await self.client.flush()
                await self.client.close()
        except (nats.errors.Error, OSError, TimeoutError) as error:
            _log.warning("broker_close_failed", reason=str(error))
        self._up.clear()
        NATS_CONNECTED.set(0)

    @asynccontextmanager
    async def attempt(
        self, deadline_s: float, at_most_s: float = _ATTEMPT_S
    ) -> AsyncIterator[None]:
        """Run one question under a timeout that ends at once when the connection is lost.

        The client itself does not end a request whose connection is gone. Raises TimeoutError.
        """
        loop = asyncio.get_running_loop()
        left_s = min(at_most_s, deadline_s - time.monotonic())
        async with asyncio.timeout_at(loop.time() + max(0.0, left_s)) as timeout:
            self._in_flight.add(timeout)
            try:
                yield
            except RuntimeError as error:
                # The event loop's word for a connection that was closed a moment ago.
                if _CLOSED not in str(error):
                    raise
                raise ConnectionResetError(str(error)) from error
            finally:
                self._in_flight.discard(timeout)

    async def until_connected(self) -> None:
        """Wait for the connection without a deadline."""
        await self._up.wait()

    async def wait_up(self, deadline_s: float) -> None:
        """Wait for the connection. Raises LogUnavailable at the deadline or when closed."""
        if self._closing or self.client.is_closed:
            raise LogUnavailable("the broker connection is closed")
        if self.connected:
            return
        try:
            async with asyncio.timeout(max(0.0, deadline_s - time.monotonic())):
                await self._up.wait()
        except TimeoutError:
            raise LogUnavailable("the broker is not connected") from None

    async def ask(self, question: Callable[[], Awaitable[T]], deadline_s: float) -> T:
        """Put a question that may be put twice until it is answered or the deadline passes.

        `question` gives a fresh awaitable. A refusal of the broker (an APIError that does
        not pass) is an answer and is raised.
        """
        backoff = Backoff(20, 500)
        while True:
            await self.wait_up(deadline_s)
            try:
                async with self.attempt(deadline_s):
                    return await question()
            except _MISTAKES:
                raise
            except APIError as error:
                if not is_passing(error):
                    raise
                reason: Exception = error
            except (nats.errors.Error, OSError, TimeoutError) as error:
                reason = error
            left_ms = int((deadline_s - time.monotonic()) * 1000)
            if left_ms <= 0:
                raise LogUnavailable(f"the broker does not answer: {reason!r}") from reason
            await backoff.sleep(at_most_ms=left_ms)

    async def _try_connect(
        self, urls: list[str], name: str, tls: TlsFiles | None, deadline_s: float
    ) -> bool:
        # The client's own first attempt costs two seconds when nobody listens, so look first.
        if not await _any_listens(urls):
            return False
        options: dict[str, Any] = {}
        if tls is not None and any(url.startswith("tls://") for url in urls):
            options["tls"] = tls.ssl_context()
        try:
            async with asyncio.timeout(max(0.5, deadline_s - time.monotonic())):
                await self.client.connect(
                    servers=urls,
                    name=name,
                    error_cb=self._on_error,
                    disconnected_cb=self._on_lost,
                    reconnected_cb=self._on_back,
                    closed_cb=self._on_closed,
                    reconnect_to_server_handler=self._next_server,
                    max_reconnect_attempts=-1,
                    ping_interval=_PING_INTERVAL_S,
                    max_outstanding_pings=_LOST_PINGS,
                    connect_timeout=2,
                    **options,
                )
        except (nats.errors.Error, OSError, TimeoutError) as error:
            _log.warning("broker_refused", reason=str(error))
            return False
        self._up.set()
        NATS_CONNECTED.set(1)
        return True

    # A callback that raises would stop the client's reconnecting for good, so each is guarded.

    async def _on_lost(self) -> None:
        with _never_raising():
            self._up.clear()
            NATS_CONNECTED.set(0)
            now = asyncio.get_running_loop().time()
            for timeout in self._in_flight:
                if not timeout.expired():
                    timeout.reschedule(now)
            if not self._closing:
                _log.warning("broker_lost")

    async def _on_back(self) -> None:
        with _never_raising():
            self._backoff.reset()
            self._up.set()
            NATS_CONNECTED.set(1)
            NATS_RECONNECTS.inc()
            _log.info("broker_back")

    async def _on_closed(self) -> None:
        with _never_raising():
            self._up.clear()
            NATS_CONNECTED.set(0)
            if not self._closing:
                _log.error("broker_closed")

    async def _on_error(self, error: Exception) -> None:
        with _never_raising():
            NATS_ERRORS.inc()
            _log.debug("broker_client_error", reason=repr(error))

    def _next_server(
        self, servers: list[Any], _info: Mapping[str, Any]
    ) -> tuple[Any | None, float]:
        # Jitter, so that not all services come back in the same instant.
        return random.choice(servers), self._backoff.next_ms() / 1000  # noqa: S311 - no secret


@contextmanager
def _never_raising() -> Iterator[None]:
    try:
        yield
    except Exception:  # noqa: BLE001 - see above: whatever it is, the client goes on
        NATS_ERRORS.inc()


def _shown(urls: list[str]) -> str:
    """Return the addresses without users and passwords."""
    return ",".join(url.rpartition("@")[2].rpartition("://")[2] for url in urls)


def is_passing(error: APIError) -> bool:
    """Tell whether a refusal is one that passes (503): no leader yet, storage starting."""
    return isinstance(error, ServiceUnavailableError)


async def _any_listens(urls: list[str]) -> bool:
    for url in urls:
        parts = urlsplit(url if "://" in url else f"nats://{url}")
        try:
            async with asyncio.timeout(_PROBE_S):
                _, writer = await asyncio.open_connection(
                    parts.hostname or "127.0.0.1", parts.port or _DEFAULT_PORT
                )
            writer.close()
        except (OSError, TimeoutError):
            continue
        return True
    return False
