"""Whether services serve: their standard health service says so."""

from __future__ import annotations

import asyncio
import time

import grpc.aio
from grpc_health.v1 import (  # type: ignore[import-untyped]  # no stubs published with it
    health_pb2,
    health_pb2_grpc,
)


async def wait_until_serving(address: str, deadline_s: float) -> bool:
    """Ask a service until it serves; return False when the time (monotonic) is over."""
    async with grpc.aio.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        while time.monotonic() < deadline_s:
            if await _is_serving(stub):
                return True
            await asyncio.sleep(0.1)
    return False


async def _is_serving(stub: health_pb2_grpc.HealthStub) -> bool:
    try:
        answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=1.0)
    except grpc.aio.AioRpcError:
        return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
