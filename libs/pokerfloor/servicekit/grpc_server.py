"""A gRPC server with the call chain, health and reflection, and its orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Self, TypeVar, cast

import grpc
import grpc.aio
from grpc_health.v1 import (  # type: ignore[import-untyped]  # no stubs published with it
    health,
    health_pb2,
    health_pb2_grpc,
)
from grpc_reflection.v1alpha import reflection  # type: ignore[import-untyped]  # as above

from pokerfloor.rpc import (
    CannotStart,
    Stop,
    TlsFiles,
)
from pokerfloor.servicekit.access import AccessTable, proto_access
from pokerfloor.servicekit.call_chain import CallChain, CallLimits
from pokerfloor.servicekit.identity import KeySet
from pokerfloor.servicekit.listen import check_free
from pokerfloor.servicekit.logs import get_logger
from pokerfloor.servicekit.metrics import metrics_server
from pokerfloor.servicekit.settings import ServiceSettings

Servicer = TypeVar("Servicer")

_READY_POLL_MS = 100
# The core refuses by itself, without our details, what is larger than this many times our limit.
_CORE_LIMIT_FACTOR = 4
_LEAVE_MS = 500
_CLOSE_MS = 100

_log = get_logger("servicekit.grpc")


class GrpcServer:
    """Serves the servicers added to it; see `start` and `stop`.

    `ready` is asked every 100 ms; the health service says SERVING while it gives True.
    """

    def __init__(
        self,
        *,
        listen: str,
        keys: KeySet,
        ready: Callable[[], bool],
        access: AccessTable = proto_access,
        limits: CallLimits | None = None,
        tls: TlsFiles | None = None,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._listen = listen
        self._tls = tls
        self._ready = ready
        limits = limits or CallLimits()
        self._chain = CallChain(keys, access, limits, now_s)
        self._server = grpc.aio.server(
            interceptors=(self._chain,), options=_options(limits.max_message_bytes)
        )
        self._names: list[str] = []
        self._health = health.aio.HealthServicer()
        self._watch: asyncio.Task[None] | None = None
        self._stopped = False
        self.port = 0

    @classmethod
    def from_settings(
        cls,
        settings: ServiceSettings,
        *,
        ready: Callable[[], bool],
        access: AccessTable = proto_access,
    ) -> Self:
        """Make a server as the settings say; CannotStart when the key set cannot be used."""
        return cls(
            listen=settings.grpc_listen,
            keys=KeySet.load(settings.key_set),
            ready=ready,
            access=access,
            limits=CallLimits(
                max_message_bytes=settings.max_message_bytes,
                max_calls=settings.max_concurrent_calls,
                max_streams=settings.max_concurrent_streams,
            ),
            tls=settings.tls,
        )

    def add(self, adder: Callable[[Servicer, grpc.aio.Server], None], servicer: Servicer) -> None:
        """Serve a servicer: `server.add(add_TableServiceServicer_to_server, table)`."""
        adder(servicer, cast("grpc.aio.Server", _Recorder(self._server, self._names)))

    async def start(self) -> None:
        """Listen and serve. Raises CannotStart when the address cannot be listened on."""
        check_free(self._listen, "gRPC")
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        shown = (*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(shown, self._server)
        await self._tell_health(serving=False)
        try:
            if self._tls is None:
                self.port = self._server.add_insecure_port(self._listen)
            else:
                self.port = self._server.add_secure_port(
                    self._listen, self._tls.server_credentials()
                )
        except RuntimeError as error:
            raise CannotStart(f"gRPC cannot listen on {self._listen}: {error}") from error
        await self._server.start()
        await self._tell_health(serving=self._ready())
        self._watch = asyncio.create_task(self._watch_readiness(), name="readiness")
        _log.info("grpc_serving", listen=self._listen, port=self.port, services=self._names)

    async def stop(
        self, budget_ms: int = 0, drain: Callable[[], Awaitable[None]] | None = None
    ) -> bool:
        """Stop in order: not serving, streams ended, calls finished, `drain()`, closed.

        Unary calls get half of the budget to finish by themselves, `drain` what is left then.
        The second call does nothing. Tells whether `drain` finished.
        """
        if self._stopped:
            return True
        self._stopped = True
        deadline_s = time.monotonic() + budget_ms / 1000
        if self._watch is not None:
            self._watch.cancel()
        try:
            await self._health.enter_graceful_shutdown()
            self._chain.refuse_new_calls()
            await self._chain.end_calls(unary=False, timeout_ms=max(_LEAVE_MS, budget_ms // 4))
            await self._chain.finish_calls(timeout_ms=budget_ms // 2)
            await self._chain.end_calls(unary=True, timeout_ms=_LEAVE_MS)
            return await self._drained(drain, deadline_s)
        finally:
            await self._server.stop(_CLOSE_MS / 1000)

    async def _drained(
        self, drain: Callable[[], Awaitable[None]] | None, deadline_s: float
    ) -> bool:
        if drain is None:
            return True
        try:
            async with asyncio.timeout(max(0.1, deadline_s - time.monotonic())):
                await drain()
        except TimeoutError:
            _log.error("drain_cut_short")
            return False
        return True

    async def _watch_readiness(self) -> None:
        while True:
            await self._tell_health(serving=self._ready())
            await asyncio.sleep(_READY_POLL_MS / 1000)

    async def _tell_health(self, *, serving: bool) -> None:
        serving_status = health_pb2.HealthCheckResponse.ServingStatus
        status = serving_status.SERVING if serving else serving_status.NOT_SERVING
        for name in ("", *self._names):
            await self._health.set(name, status)


class _Recorder:
    """Stands for the server while the generated code adds a servicer, and notes its name."""

    def __init__(self, server: grpc.aio.Server, names: list[str]) -> None:
        self._server = server
        self._names = names

    def add_generic_rpc_handlers(self, handlers: Iterable[grpc.GenericRpcHandler]) -> None:
        """Note the names of the services, pass the handlers on."""
        handlers = tuple(handlers)
        for handler in handlers:
            if isinstance(handler, grpc.ServiceRpcHandler):
                self._names.append(handler.service_name())
        self._server.add_generic_rpc_handlers(handlers)

    def add_registered_method_handlers(
        self, service: str, handlers: Mapping[str, grpc.RpcMethodHandler[Any, Any]]
    ) -> None:
        """Pass the handlers on."""
        self._server.add_registered_method_handlers(service, handlers)


async def serve(
    server: GrpcServer,
    settings: ServiceSettings,
    stop: Stop,
    drain: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Serve metrics and gRPC until `stop` is set, then drain within its budget.

    Raises CannotStart when a port is in use.
    """
    metrics = metrics_server(settings.metrics_listen)
    try:
        await server.start()
        stop.mark_started()
        _log.info("started", grpc_port=server.port, metrics_port=metrics.port)
        await stop.wait()
        _log.info("draining", reason=stop.reason, budget_ms=stop.remaining_ms())
        # A part of the budget stays for closing what was opened before the server.
        if not await server.stop(stop.remaining_ms() * 3 // 4, drain):
            stop.mark_cut_short()
    finally:
        with contextlib.suppress(asyncio.CancelledError):
            await server.stop()
        metrics.close()


def _options(max_message_bytes: int) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),  # else a port in use is shared in silence
        ("grpc.max_receive_message_length", max_message_bytes * _CORE_LIMIT_FACTOR),
        # Clients ping every 10 s (grpc_client.py); the core's own floor of 5 minutes would
        # answer them with "too many pings".
        ("grpc.keepalive_time_ms", 10_000),
        ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
        ("grpc.http2.max_pings_without_data", 0),
    ]
