"""What every call passes: id, bound, token, roles, bytes, errors, metrics. One interceptor."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Never, TypeAlias, TypeVar

import grpc
import grpc.aio

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.rpc import (
    DETAILS_KEY,
    REQUEST_ID_KEY,
    FloorError,
    new_id,
    status_details,
)
from pokerfloor.servicekit.access import AccessTable, is_open
from pokerfloor.servicekit.identity import Identity, KeySet, acting_as
from pokerfloor.servicekit.logs import bind_log, get_logger
from pokerfloor.servicekit.metrics import CALL_SECONDS, CALLS, IN_FLIGHT

T = TypeVar("T")
Kind = Literal["unary", "stream", "open"]
# Quoted: gRPC's classes are generic in their stubs only.
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_BEARER = "bearer "
# Probes come one at a time; the rest is somebody without a token.
_MAX_OPEN_CALLS = 64

_log = get_logger("servicekit.grpc")


@dataclass(frozen=True, slots=True)
class CallLimits:
    """What one process takes at once."""

    max_message_bytes: int = 256 * 1024
    max_calls: int = 256
    max_streams: int = 1024


@dataclass(frozen=True, slots=True)
class _Method:
    name: str
    kind: Kind
    roles: frozenset[int] | None
    inner: Handler


class CallChain(grpc.aio.ServerInterceptor):
    """Wraps every handler of a server once; the wrapped handler does the work of each call."""

    def __init__(
        self, keys: KeySet, access: AccessTable, limits: CallLimits, now_s: Callable[[], float]
    ) -> None:
        self._keys = keys
        self._access = access
        self._limits = limits
        self._now_s = now_s
        self._wrapped: dict[str, Handler] = {}
        self._tasks: dict[Kind, set[asyncio.Task[Any]]] = {
            "unary": set(),
            "stream": set(),
            "open": set(),
        }
        self._ended: set[asyncio.Task[Any]] = set()
        self._draining = False

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Return the wrapped handler; None for a method nobody serves (gRPC: UNIMPLEMENTED)."""
        name = handler_call_details.method
        found = self._wrapped.get(name)
        if found is None:
            inner = await continuation(handler_call_details)
            if inner is None:
                return None
            found = self._wrap(name, inner)
            self._wrapped[name] = found  # bounded: only methods that are served get here
        return found

    def refuse_new_calls(self) -> None:
        """Answer UNAVAILABLE from now on, except to probes."""
        self._draining = True

    async def end_calls(self, *, unary: bool, timeout_ms: int) -> None:
        """End the streams, and the unary calls too if asked; wait for their handlers to leave."""
        tasks = self._tasks["stream"] | self._tasks["open"]
        if unary:
            tasks |= self._tasks["unary"]
        for task in tasks:
            self._ended.add(task)
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=timeout_ms / 1000)

    async def finish_calls(self, timeout_ms: int) -> None:
        """Wait for the unary calls to finish by themselves."""
        if self._tasks["unary"]:
            await asyncio.wait(set(self._tasks["unary"]), timeout=timeout_ms / 1000)

    def _wrap(self, name: str, inner: Handler) -> Handler:
        streaming = inner.request_streaming or inner.response_streaming
        kind: Kind = "open" if is_open(name) else "stream" if streaming else "unary"
        method = _Method(name, kind, self._access(name), inner)
        if inner.response_streaming:
            behaviour = self._stream_behaviour(method)
            make = (
                grpc.stream_stream_rpc_method_handler
                if inner.request_streaming
                else grpc.unary_stream_rpc_method_handler
            )
        else:
            behaviour = self._unary_behaviour(method)
            make = (
                grpc.stream_unary_rpc_method_handler
                if inner.request_streaming
                else grpc.unary_unary_rpc_method_handler
            )
        # Without a deserializer gRPC hands the bytes over: it would answer bytes it cannot read
        # with INTERNAL before any handler runs.
        return make(behaviour, None, inner.response_serializer)

    def _unary_behaviour(self, method: _Method) -> Callable[[Any, Context], Awaitable[Any]]:
        handle: Any = method.inner.stream_unary or method.inner.unary_unary

        async def behave(request: Any, context: Context) -> Any:
            return await self._pass(
                method, context, lambda: handle(self._read(method, request), context)
            )

        return behave

    def _stream_behaviour(self, method: _Method) -> Callable[[Any, Context], Awaitable[None]]:
        handle: Any = method.inner.stream_stream or method.inner.unary_stream

        async def work(request: Any, context: Context) -> None:
            responses = handle(self._read(method, request), context)
            if not hasattr(responses, "__aiter__"):
                await responses  # a coroutine that writes through its context
                return
            try:
                async for response in responses:
                    await context.write(response)
            finally:
                # The handler's own finally blocks run now and not when the garbage is collected.
                await responses.aclose()

        async def behave(request: Any, context: Context) -> None:
            await self._pass(method, context, lambda: work(request, context))

        return behave

    def _read(self, method: _Method, request: Any) -> Any:
        if method.inner.request_streaming:
            return self._read_each(method, request)
        return self._message(method, request)

    async def _read_each(
        self, method: _Method, requests: AsyncIterator[bytes]
    ) -> AsyncIterator[Any]:
        async for raw in requests:
            yield self._message(method, raw)

    def _message(self, method: _Method, raw: bytes) -> Any:
        if len(raw) > self._limits.max_message_bytes:
            raise FloorError(
                errors_pb2.ERROR_CODE_MESSAGE_TOO_LARGE,
                f"the message has {len(raw)} bytes, "
                f"at most {self._limits.max_message_bytes} are taken",
            )
        deserialize = method.inner.request_deserializer
        if deserialize is None:
            return raw
        try:
            return deserialize(raw)
        except Exception as error:
            raise FloorError(
                errors_pb2.ERROR_CODE_MALFORMED_MESSAGE, "the bytes are no message of this type"
            ) from error

    async def _pass(self, method: _Method, context: Context, work: Callable[[], Awaitable[T]]) -> T:
        """Run one call's work; every way out is counted and every failure gets its status."""
        metadata = _metadata_of(context)
        request_id = _request_id(metadata.get(REQUEST_ID_KEY))
        began_s = time.perf_counter()
        try:
            context.set_trailing_metadata(((REQUEST_ID_KEY, request_id),))
            with bind_log(request_id=request_id):
                result = await self._admitted(method, metadata, request_id, work)
        except grpc.aio.AbortError:
            _count(method, _aborted_with(context), request_id, began_s)
            raise
        except asyncio.CancelledError:
            if not self._take_ended():
                _count(method, grpc.StatusCode.CANCELLED, request_id, began_s)
                raise  # the caller left
            failure = _stopping()
        except FloorError as error:
            failure = error
        except Exception as error:  # noqa: BLE001 - the one place where the unknown is mapped
            _log.error("call_failed", method=method.name, request_id=request_id, exc_info=error)
            failure = FloorError(
                errors_pb2.ERROR_CODE_INTERNAL, f"internal error, request {request_id}"
            )
        else:
            _count(method, grpc.StatusCode.OK, request_id, began_s)
            return result
        _count(method, failure.status, request_id, began_s)
        return await _abort(context, failure, request_id)

    async def _admitted(
        self,
        method: _Method,
        metadata: Mapping[str, str],
        request_id: str,
        work: Callable[[], Awaitable[T]],
    ) -> T:
        tasks = self._tasks[method.kind]
        if len(tasks) >= self._most(method.kind):
            raise FloorError(
                errors_pb2.ERROR_CODE_OVERLOADED, "too many calls at once, try again later"
            )
        task = asyncio.current_task()
        assert task is not None, "gRPC runs each call in a task"
        tasks.add(task)
        in_flight = IN_FLIGHT.labels(method.kind)
        in_flight.inc()
        try:
            with acting_as(self._caller(method, metadata), request_id):
                return await work()
        finally:
            tasks.discard(task)
            in_flight.dec()

    def _caller(self, method: _Method, metadata: Mapping[str, str]) -> Identity | None:
        if method.kind == "open":
            return None
        if self._draining:
            raise _stopping()
        header = metadata.get("authorization", "")
        token = header[len(_BEARER) :] if header.lower().startswith(_BEARER) else ""
        identity = self._keys.verify(token, self._now_s())
        if method.roles is None or identity.roles.isdisjoint(method.roles):
            raise FloorError(
                errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED, "the caller's roles do not allow this call"
            )
        return identity

    def _most(self, kind: Kind) -> int:
        if kind == "unary":
            return self._limits.max_calls
        return self._limits.max_streams if kind == "stream" else _MAX_OPEN_CALLS

    def _take_ended(self) -> bool:
        """Tell whether this call is cancelled because the service stops; undo it if so."""
        task = asyncio.current_task()
        if task is None or task not in self._ended:
            return False
        self._ended.discard(task)
        task.uncancel()
        return True


async def _abort(context: Context, failure: FloorError, request_id: str) -> Never:
    details = status_details(failure, request_id)
    metadata = ((REQUEST_ID_KEY, request_id), (DETAILS_KEY, details))
    await context.abort(failure.status, failure.reason, metadata)


def _stopping() -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, "the service is stopping")


def _metadata_of(context: Context) -> dict[str, str]:
    found = context.invocation_metadata() or ()
    return {key: value for key, value in found if isinstance(value, str)}


def _request_id(given: str | None) -> str:
    return given if given and _REQUEST_ID.fullmatch(given) else new_id()


def _aborted_with(context: Context) -> grpc.StatusCode:
    """Return the status a handler aborted with by itself; gRPC gives it as a number."""
    code: Any = context.code()
    if isinstance(code, grpc.StatusCode):
        return code
    return _STATUS_OF_NUMBER.get(code, grpc.StatusCode.UNKNOWN)


_STATUS_OF_NUMBER = {status.value[0]: status for status in grpc.StatusCode}


def _count(method: _Method, code: grpc.StatusCode, request_id: str, began_s: float) -> None:
    seconds = time.perf_counter() - began_s
    CALLS.labels(method.name, code.name).inc()
    if method.kind == "unary":
        CALL_SECONDS.labels(method.name).observe(seconds)
    _log.debug(
        "call_done",
        method=method.name,
        code=code.name,
        request_id=request_id,
        ms=round(seconds * 1000, 3),
    )
