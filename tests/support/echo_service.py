"""A service with a call for each way that a call can go, and a server that serves it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import grpc
import grpc.aio
from google.protobuf.wrappers_pb2 import StringValue

from pokerfloor.api.common.v1 import errors_pb2, identity_pb2
from pokerfloor.api.table.v1 import table_pb2_grpc
from pokerfloor.servicekit import (
    CallLimits,
    FloorError,
    GrpcServer,
    KeySet,
    connect,
    current_identity,
    current_request_id,
    fixed_token,
    proto_access,
)
from tests.support.identities import DevIdentities, dev_identities

PLAYER = frozenset({identity_pb2.ROLE_PLAYER})
ROLES = {
    f"/test.v1.Echo/{name}": PLAYER
    for name in ("Say", "Talk", "Count", "Gather", "Write", "Fail", "Crash", "Wait", "Leave")
}


class Echo:
    def __init__(self) -> None:
        self.finished: list[str] = []
        self.release = asyncio.Event()

    async def say(self, request: StringValue, _context: Any) -> StringValue:
        return StringValue(
            value=f"{request.value} {current_identity().subject} {current_request_id()}"
        )

    async def talk(
        self, requests: AsyncIterator[StringValue], _context: Any
    ) -> AsyncIterator[StringValue]:
        try:
            async for request in requests:
                if request.value == "wrong":
                    raise FloorError(errors_pb2.ERROR_CODE_NOT_YOUR_TURN, "seat 3 is to act")
                yield StringValue(value=f"{request.value} {current_identity().subject}")
        finally:
            self.finished.append("talk")

    async def count(self, request: StringValue, _context: Any) -> AsyncIterator[StringValue]:
        for number in range(int(request.value)):
            yield StringValue(value=str(number))

    async def gather(self, requests: AsyncIterator[StringValue], _context: Any) -> StringValue:
        return StringValue(value=",".join([request.value async for request in requests]))

    async def write(self, requests: AsyncIterator[StringValue], context: Any) -> None:
        async for request in requests:
            await context.write(StringValue(value=request.value))

    async def fail(self, _request: StringValue, _context: Any) -> StringValue:
        raise FloorError(errors_pb2.ERROR_CODE_SEAT_TAKEN, "seat 4 is taken", "seat.no")

    async def crash(self, _request: StringValue, _context: Any) -> StringValue:
        raise RuntimeError("a secret of the house")

    async def wait(self, request: StringValue, _context: Any) -> StringValue:
        await self.release.wait()
        return request

    async def leave(self, _request: StringValue, context: Any) -> StringValue:
        await context.abort(grpc.StatusCode.OUT_OF_RANGE, "by itself")
        raise AssertionError


def add_echo(echo: Echo, server: grpc.aio.Server) -> None:
    def wire(make: Any, method: Any) -> Any:
        return make(
            method,
            request_deserializer=StringValue.FromString,
            response_serializer=StringValue.SerializeToString,
        )

    handlers = {
        "Say": wire(grpc.unary_unary_rpc_method_handler, echo.say),
        "Fail": wire(grpc.unary_unary_rpc_method_handler, echo.fail),
        "Crash": wire(grpc.unary_unary_rpc_method_handler, echo.crash),
        "Wait": wire(grpc.unary_unary_rpc_method_handler, echo.wait),
        "Leave": wire(grpc.unary_unary_rpc_method_handler, echo.leave),
        "Closed": wire(grpc.unary_unary_rpc_method_handler, echo.say),
        "Talk": wire(grpc.stream_stream_rpc_method_handler, echo.talk),
        "Write": wire(grpc.stream_stream_rpc_method_handler, echo.write),
        "Count": wire(grpc.unary_stream_rpc_method_handler, echo.count),
        "Gather": wire(grpc.stream_unary_rpc_method_handler, echo.gather),
    }
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("test.v1.Echo", handlers),)
    )


class Floor:
    """A running server, and calls to it as somebody."""

    def __init__(self, server: GrpcServer, echo: Echo, identities: DevIdentities) -> None:
        self.server = server
        self.echo = echo
        self.identities = identities
        self.address = f"127.0.0.1:{server.port}"
        self.clock_s = time.time()
        self.ready = True
        self._channels: list[grpc.aio.Channel] = []

    def channel(self, token: str | None = None, **options: Any) -> grpc.aio.Channel:
        if token is None:
            token = self.identities.token("anna", "player")
        channel = connect(self.address, fixed_token(token), **options)
        self._channels.append(channel)
        return channel

    async def call(
        self, method: str, value: str = "", token: str | None = None, **options: Any
    ) -> str:
        call: Any = self.channel(token).unary_unary(
            f"/test.v1.Echo/{method}",
            request_serializer=StringValue.SerializeToString,
            response_deserializer=StringValue.FromString,
        )
        answer: StringValue = await call(StringValue(value=value), **options)
        return answer.value

    def raw(self, method: str, **options: Any) -> Any:
        """A unary call whose message is bytes."""
        return self.channel(**options).unary_unary(f"/test.v1.Echo/{method}")

    def raw_stream(self, method: str) -> Any:
        """A stream of bytes."""
        return self.channel().stream_stream(f"/test.v1.Echo/{method}")

    def streaming(self, method: str) -> Any:
        return self.channel().stream_stream(
            f"/test.v1.Echo/{method}",
            request_serializer=StringValue.SerializeToString,
            response_deserializer=StringValue.FromString,
        )

    async def close(self) -> None:
        for channel in self._channels:
            await channel.close()


@asynccontextmanager
async def running(tmp_path: Path, limits: CallLimits | None = None) -> AsyncIterator[Floor]:
    identities = dev_identities(tmp_path / "keys")
    echo = Echo()
    floor: Floor
    server = GrpcServer(
        listen="127.0.0.1:0",
        keys=KeySet.load(identities.jwks_path),
        ready=lambda: floor.ready,
        access=lambda method: ROLES.get(method) or proto_access(method),
        limits=limits,
        now_s=lambda: floor.clock_s,
    )
    server.add(add_echo, echo)
    server.add(
        table_pb2_grpc.add_TableServiceServicer_to_server,
        cast("Any", table_pb2_grpc.TableServiceServicer)(),
    )
    floor = Floor(server, echo, identities)
    await server.start()
    floor.address = f"127.0.0.1:{server.port}"
    try:
        yield floor
    finally:
        await floor.close()
        await server.stop()
