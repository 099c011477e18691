"""Channels to other services: identity, request id and a deadline go with every call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

import grpc
import grpc.aio

from pokerfloor.rpc.clock import new_id
from pokerfloor.rpc.errors import REQUEST_ID_KEY
from pokerfloor.rpc.request_id import current_request_id
from pokerfloor.rpc.tls import TlsFiles
from pokerfloor.rpc.tokens import TokenSource

DEFAULT_TIMEOUT_MS: Final = 5_000
# Answers are paged below this.
_MAX_RESPONSE_BYTES: Final = 4 * 1024 * 1024


class _Cancellable(Protocol):
    def cancel(self) -> bool: ...


C = TypeVar("C", bound=_Cancellable)


def connect(
    address: str,
    token_source: TokenSource,
    *,
    tls: TlsFiles | None = None,
    timeout_ms: int = DEFAULT_TIMEOUT_MS,
) -> grpc.aio.Channel:
    """Open a channel to "host:port" (or any gRPC name, such as "dns:///table:7001").

    `timeout_ms` is the deadline of calls with a single response that bring none of their own; a
    stream of responses lives as long as its caller says. A service that was started again is
    found within a second.
    """
    options = _options()
    if tls is None:
        inner = grpc.aio.insecure_channel(address, options=options)
    else:
        inner = grpc.aio.secure_channel(address, tls.channel_credentials(), options=options)
    return FloorChannel(inner, token_source, timeout_ms)


@asynccontextmanager
async def stream(call: C) -> AsyncIterator[C]:
    """Cancel a call when the block is left: gRPC does not cancel one that is only forgotten."""
    try:
        yield call
    finally:
        call.cancel()


class FloorChannel(grpc.aio.Channel):
    """A channel whose calls carry the caller's token and request id.

    It is a wrapper and no gRPC interceptor: those put a queue and two tasks into every stream.
    """

    def __init__(self, inner: grpc.aio.Channel, token_source: TokenSource, timeout_ms: int) -> None:
        self._inner = inner
        self._token_source = token_source
        self._timeout_s = timeout_ms / 1000

    def unary_unary(self, *args: Any, **kwargs: Any) -> Any:
        """Return a callable with a default deadline."""
        return self._callable(self._inner.unary_unary(*args, **kwargs), self._timeout_s)

    def stream_unary(self, *args: Any, **kwargs: Any) -> Any:
        """Return a callable with a default deadline."""
        return self._callable(self._inner.stream_unary(*args, **kwargs), self._timeout_s)

    def unary_stream(self, *args: Any, **kwargs: Any) -> Any:
        """Return a callable without a default deadline."""
        return self._callable(self._inner.unary_stream(*args, **kwargs), None)

    def stream_stream(self, *args: Any, **kwargs: Any) -> Any:
        """Return a callable without a default deadline."""
        return self._callable(self._inner.stream_stream(*args, **kwargs), None)

    def _callable(self, inner: Callable[..., Any], timeout_s: float | None) -> Callable[..., Any]:
        def call(*args: Any, timeout: float | None = timeout_s, **kwargs: Any) -> Any:
            kwargs["metadata"] = self._metadata(kwargs.get("metadata"))
            return inner(*args, timeout=timeout, **kwargs)

        return call

    def _metadata(self, given: Any) -> tuple[tuple[str, str | bytes], ...]:
        own = tuple(given or ())
        names = {name for name, _ in own}
        if "authorization" not in names:
            own = (*own, ("authorization", f"Bearer {self._token_source()}"))
        if REQUEST_ID_KEY not in names:
            own = (*own, (REQUEST_ID_KEY, current_request_id() or new_id()))
        return own

    async def close(self, grace: float | None = None) -> None:
        """Close the connection; `grace` in seconds for calls in flight."""
        await self._inner.close(grace)

    def get_state(self, try_to_connect: bool = False) -> grpc.ChannelConnectivity:
        """Return the state of the connection."""
        return self._inner.get_state(try_to_connect)

    async def wait_for_state_change(self, last_observed_state: grpc.ChannelConnectivity) -> None:
        """Wait until the state is another."""
        await self._inner.wait_for_state_change(last_observed_state)

    async def channel_ready(self) -> None:
        """Wait until connected; bound it with a timeout."""
        await self._inner.channel_ready()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.close()


def _options() -> list[tuple[str, int | str]]:
    return [
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 1_000),
        ("grpc.dns_min_time_between_resolutions_ms", 1_000),
        ("grpc.lb_policy_name", "round_robin"),  # for one name with several addresses
        # The server permits pings this often (grpc_server.py).
        ("grpc.keepalive_time_ms", 10_000),
        ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.max_receive_message_length", _MAX_RESPONSE_BYTES),
    ]
