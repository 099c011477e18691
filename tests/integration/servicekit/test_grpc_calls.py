"""Each way a call can end, over a real server and channel."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.wrappers_pb2 import StringValue
from grpc_health.v1 import (  # type: ignore[import-untyped]  # no stubs published with it
    health_pb2,
    health_pb2_grpc,
)
from grpc_reflection.v1alpha import (  # type: ignore[import-untyped]  # as above
    reflection_pb2,
    reflection_pb2_grpc,
)
from prometheus_client import REGISTRY

from pokerfloor.api.common.v1 import errors_pb2, identity_pb2
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc
from pokerfloor.servicekit import (
    REQUEST_ID_KEY,
    CallLimits,
    CannotStart,
    FloorError,
    GrpcServer,
    KeySet,
    error_of,
    stream,
)
from tests.support import dev_identities, eventually
from tests.support.echo_service import ROLES, Echo, Floor, add_echo, running

pytestmark = pytest.mark.integration


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    async with running(tmp_path) as up:
        yield up


async def refusal(awaitable: Any) -> tuple[grpc.StatusCode, FloorError]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await awaitable
    return caught.value.code(), error_of(caught.value)


async def test_a_call_knows_its_caller_and_request(floor: Floor) -> None:
    answer = await floor.call("Say", "hello", metadata=((REQUEST_ID_KEY, "req-1"),))
    assert answer == "hello anna req-1"


async def test_a_request_id_that_is_no_id_is_replaced(floor: Floor) -> None:
    answer = await floor.call("Say", "hello", metadata=((REQUEST_ID_KEY, 'x" drop'),))
    assert 'x" drop' not in answer
    assert len(answer.split()[2]) == 26


async def test_the_request_id_comes_back_with_the_answer(floor: Floor) -> None:
    call = floor.raw("Say")
    pending = call(b"", metadata=((REQUEST_ID_KEY, "req-7"),))
    await pending
    assert (REQUEST_ID_KEY, "req-7") in tuple(await pending.trailing_metadata())


async def test_no_token(floor: Floor) -> None:
    async with grpc.aio.insecure_channel(floor.address) as channel:
        call: Any = channel.unary_unary("/test.v1.Echo/Say")
        status, error = await refusal(call(b"", timeout=5))
    assert status is grpc.StatusCode.UNAUTHENTICATED
    assert error.code == errors_pb2.ERROR_CODE_TOKEN_MISSING


async def test_a_token_that_cannot_be_read(floor: Floor) -> None:
    status, error = await refusal(floor.call("Say", token="garbage"))
    assert status is grpc.StatusCode.UNAUTHENTICATED
    assert error.code == errors_pb2.ERROR_CODE_TOKEN_MISSING


async def test_a_token_of_another_issuer(floor: Floor, tmp_path: Path) -> None:
    stranger = dev_identities(tmp_path / "other").token("anna", "player")
    status, error = await refusal(floor.call("Say", token=stranger))
    assert status is grpc.StatusCode.UNAUTHENTICATED
    assert error.code == errors_pb2.ERROR_CODE_TOKEN_INVALID


async def test_an_expired_token(floor: Floor) -> None:
    token = floor.identities.token("anna", "player", ttl_s=10)
    assert await floor.call("Say", "a", token=token)
    floor.clock_s += 11
    status, error = await refusal(floor.call("Say", token=token))
    assert status is grpc.StatusCode.UNAUTHENTICATED
    assert error.code == errors_pb2.ERROR_CODE_TOKEN_EXPIRED


async def test_a_stream_outlives_its_token(floor: Floor) -> None:
    async with stream(floor.streaming("Talk")()) as call:
        await call.write(StringValue(value="one"))
        assert (await call.read()).value == "one anna"
        floor.clock_s += 10**6
        await call.write(StringValue(value="two"))
        assert (await call.read()).value == "two anna"


async def test_the_wrong_role(floor: Floor) -> None:
    token = floor.identities.token("dora", "dealer", "service_table")
    status, error = await refusal(floor.call("Say", token=token))
    assert status is grpc.StatusCode.PERMISSION_DENIED
    assert error.code == errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED


async def test_a_method_without_access_is_refused_for_everybody(floor: Floor) -> None:
    everything = [name.removeprefix("ROLE_").lower() for name in identity_pb2.Role.keys()[1:]]
    status, error = await refusal(
        floor.call("Closed", token=floor.identities.token("root", *everything))
    )
    assert status is grpc.StatusCode.PERMISSION_DENIED
    assert error.code == errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED


async def test_access_of_a_real_method_is_read_from_its_option(floor: Floor) -> None:
    stub = table_pb2_grpc.TableServiceStub(floor.channel())
    status, error = await refusal(stub.OpenTable(table_pb2.OpenTableRequest()))
    assert status is grpc.StatusCode.PERMISSION_DENIED
    assert error.code == errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED
    operations = floor.channel(floor.identities.token("otto", "operations"))
    allowed = table_pb2_grpc.TableServiceStub(operations)
    # The generated base class answers UNIMPLEMENTED: the call got as far as the servicer.
    status, _ = await refusal(allowed.OpenTable(table_pb2.OpenTableRequest()))
    assert status is not grpc.StatusCode.PERMISSION_DENIED


async def test_an_unknown_method(floor: Floor) -> None:
    status, error = await refusal(floor.call("Missing"))
    assert status is grpc.StatusCode.UNIMPLEMENTED
    assert error.code == errors_pb2.ERROR_CODE_NOT_SUPPORTED


@pytest.mark.parametrize("method", ["Say", "Fail"])
async def test_garbage_bytes(floor: Floor, method: str) -> None:
    call = floor.raw(method)
    status, error = await refusal(call(b"\xff\xff\xff\xff"))
    assert status is grpc.StatusCode.INVALID_ARGUMENT
    assert error.code == errors_pb2.ERROR_CODE_MALFORMED_MESSAGE


async def test_garbage_bytes_in_a_stream_end_it(floor: Floor) -> None:
    call = floor.raw_stream("Talk")()
    await call.write(StringValue(value="one").SerializeToString())
    assert StringValue.FromString(await call.read()).value == "one anna"
    await call.write(b"\xff\xff\xff\xff")
    status, error = await refusal(call.read())
    assert status is grpc.StatusCode.INVALID_ARGUMENT
    assert error.code == errors_pb2.ERROR_CODE_MALFORMED_MESSAGE
    assert floor.echo.finished == ["talk"]


@pytest.mark.parametrize("size", [300 * 1024, 8 * 1024 * 1024])
async def test_an_oversized_message(floor: Floor, size: int) -> None:
    status, error = await refusal(floor.call("Say", "x" * size))
    assert status is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert error.code == errors_pb2.ERROR_CODE_MESSAGE_TOO_LARGE


async def test_a_refusal_carries_code_reason_field_and_request_id(floor: Floor) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await floor.call("Fail", metadata=((REQUEST_ID_KEY, "req-9"),))
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert error_of(caught.value) == FloorError(
        errors_pb2.ERROR_CODE_SEAT_TAKEN, "seat 4 is taken", "seat.no"
    )
    assert (REQUEST_ID_KEY, "req-9") in tuple(caught.value.trailing_metadata())


async def test_a_refusal_inside_a_stream(floor: Floor) -> None:
    async with stream(floor.streaming("Talk")()) as call:
        await call.write(StringValue(value="wrong"))
        status, error = await refusal(call.read())
    assert status is grpc.StatusCode.FAILED_PRECONDITION
    assert error.code == errors_pb2.ERROR_CODE_NOT_YOUR_TURN


async def test_an_unknown_exception_says_nothing_but_the_request_id(
    floor: Floor, capsys: pytest.CaptureFixture[str]
) -> None:
    status, error = await refusal(floor.call("Crash", metadata=((REQUEST_ID_KEY, "req-2"),)))
    assert status is grpc.StatusCode.INTERNAL
    assert error == FloorError(errors_pb2.ERROR_CODE_INTERNAL, "internal error, request req-2")
    assert "a secret of the house" in capsys.readouterr().out


async def test_a_handler_may_abort_by_itself(floor: Floor) -> None:
    before = counted("/test.v1.Echo/Leave", "OUT_OF_RANGE")
    status, _ = await refusal(floor.call("Leave"))
    assert status is grpc.StatusCode.OUT_OF_RANGE
    assert counted("/test.v1.Echo/Leave", "OUT_OF_RANGE") == before + 1


async def test_the_four_kinds_of_calls(floor: Floor) -> None:
    def three() -> AsyncIterator[StringValue]:
        return each("a", "b", "c")

    wire: Any = {
        "request_serializer": StringValue.SerializeToString,
        "response_deserializer": StringValue.FromString,
    }
    channel: Any = floor.channel()
    gathered = await channel.stream_unary("/test.v1.Echo/Gather", **wire)(three())
    assert gathered.value == "a,b,c"
    counted_out = channel.unary_stream("/test.v1.Echo/Count", **wire)(StringValue(value="3"))
    assert [item.value async for item in counted_out] == ["0", "1", "2"]
    written = channel.stream_stream("/test.v1.Echo/Write", **wire)(three())
    assert [item.value async for item in written] == ["a", "b", "c"]
    talked = channel.stream_stream("/test.v1.Echo/Talk", **wire)(three())
    assert [item.value async for item in talked] == ["a anna", "b anna", "c anna"]


async def each(*values: str) -> AsyncIterator[StringValue]:
    for value in values:
        yield StringValue(value=value)


async def test_too_many_unary_calls_and_streams_are_counted_apart(tmp_path: Path) -> None:
    async with running(tmp_path, CallLimits(max_calls=2, max_streams=1)) as floor:
        waiting = [asyncio.create_task(floor.call("Wait", str(n))) for n in range(2)]
        async with stream(floor.streaming("Talk")()) as talking:
            await talking.write(StringValue(value="one"))
            await talking.read()  # streams have places of their own
            await eventually(lambda: in_flight("unary") == 2)
            status, error = await refusal(floor.call("Say"))
            assert status is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert error.code == errors_pb2.ERROR_CODE_OVERLOADED
            status, error = await refusal(floor.streaming("Talk")().read())
            assert error.code == errors_pb2.ERROR_CODE_OVERLOADED
            floor.echo.release.set()
            assert await asyncio.gather(*waiting) == ["0", "1"]
            assert await floor.call("Say", "again")


async def test_a_caller_that_leaves_frees_its_place(tmp_path: Path) -> None:
    async with running(tmp_path, CallLimits(max_calls=1)) as floor:
        status, _ = await refusal(floor.call("Wait", timeout=0.2))
        assert status is grpc.StatusCode.DEADLINE_EXCEEDED
        await eventually(lambda: in_flight("unary") == 0)
        assert await floor.call("Say", "next")


async def test_the_default_deadline_bounds_a_call(floor: Floor) -> None:
    status, error = await refusal(floor.raw("Wait", timeout_ms=100)(b""))
    assert status is grpc.StatusCode.DEADLINE_EXCEEDED
    assert error.code == errors_pb2.ERROR_CODE_UNAVAILABLE


async def test_a_block_left_cancels_its_stream(floor: Floor) -> None:
    async with stream(floor.streaming("Talk")()) as call:
        await call.write(StringValue(value="one"))
        await call.read()
    await eventually(lambda: floor.echo.finished == ["talk"])
    assert in_flight("stream") == 0


async def test_drain_ends_streams_and_lets_calls_finish(floor: Floor) -> None:
    waiting = asyncio.create_task(floor.call("Wait", "done"))
    talking = floor.streaming("Talk")()
    await talking.write(StringValue(value="one"))
    await talking.read()
    await eventually(lambda: in_flight("unary") == 1)
    drained: list[str] = []

    async def drain() -> None:
        drained.append("store closed")

    stopping = asyncio.create_task(floor.server.stop(3_000, drain))
    status, error = await refusal(talking.read())
    assert status is grpc.StatusCode.UNAVAILABLE
    assert error == FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, "the service is stopping")
    assert floor.echo.finished == ["talk"]
    status, error = await refusal(floor.call("Say"))
    assert error.code == errors_pb2.ERROR_CODE_UNAVAILABLE
    assert drained == []
    floor.echo.release.set()
    assert await waiting == "done"
    assert await stopping is True
    assert drained == ["store closed"]


async def test_drain_ends_calls_that_do_not_finish(floor: Floor) -> None:
    waiting = asyncio.create_task(floor.call("Wait", "done"))
    await eventually(lambda: in_flight("unary") == 1)
    began_s = time.monotonic()
    await floor.server.stop(400)
    assert time.monotonic() - began_s < 2
    status, error = await refusal(waiting)
    assert status is grpc.StatusCode.UNAVAILABLE
    assert error.code == errors_pb2.ERROR_CODE_UNAVAILABLE


async def test_health_follows_readiness_without_a_token(floor: Floor) -> None:
    async with grpc.aio.insecure_channel(floor.address) as channel:
        health = health_pb2_grpc.HealthStub(channel)

        async def status(service: str) -> int:
            request = health_pb2.HealthCheckRequest(service=service)
            answer = await health.Check(request, timeout=5)
            return int(answer.status)

        assert await status("") == health_pb2.HealthCheckResponse.SERVING
        assert await status("test.v1.Echo") == health_pb2.HealthCheckResponse.SERVING
        floor.ready = False
        await asyncio.sleep(0.25)
        assert await status("") == health_pb2.HealthCheckResponse.NOT_SERVING


async def test_reflection_lists_the_services_without_a_token(floor: Floor) -> None:
    async with grpc.aio.insecure_channel(floor.address) as channel:
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        call = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(
            iter([request]), timeout=5
        )
        answer = await call.read()
        call.cancel()
    names = {service.name for service in answer.list_services_response.service}
    assert {"test.v1.Echo", "floor.table.v1.TableService", "grpc.health.v1.Health"} <= names


async def test_a_restarted_server_is_found_within_a_second(tmp_path: Path) -> None:
    async with running(tmp_path) as first:
        call = first.raw("Say")
        await call(b"")
        port = first.server.port
        await first.server.stop()
        status, _ = await refusal(call(b""))
        assert status is grpc.StatusCode.UNAVAILABLE
        await asyncio.sleep(1.5)  # long enough for a back-off to have grown
        second = GrpcServer(
            listen=f"127.0.0.1:{port}",
            keys=KeySet.load(first.identities.jwks_path),
            ready=lambda: True,
            access=ROLES.get,
        )
        second.add(add_echo, Echo())
        await second.start()
        began_s = time.monotonic()
        await call(b"", wait_for_ready=True)
        assert time.monotonic() - began_s < 1.5
        await second.stop()


async def test_a_port_in_use_cannot_start(floor: Floor) -> None:
    second = GrpcServer(
        listen=floor.address,
        keys=KeySet.load(floor.identities.jwks_path),
        ready=lambda: True,
    )
    with pytest.raises(CannotStart, match=f"{floor.address}: Address already in use"):
        await second.start()


async def test_no_log_line_holds_a_token(floor: Floor, capsys: pytest.CaptureFixture[str]) -> None:
    token = floor.identities.token("anna", "player")
    await floor.call("Say", token=token)
    await refusal(floor.call("Say", token=token[:-4] + "AAAA"))
    out = capsys.readouterr().out
    assert "/test.v1.Echo/Say" in out
    assert token[20:60] not in out


def counted(method: str, code: str) -> float:
    return (
        REGISTRY.get_sample_value("floor_grpc_calls_total", {"method": method, "code": code}) or 0.0
    )


def in_flight(kind: str) -> float:
    return REGISTRY.get_sample_value("floor_grpc_in_flight", {"kind": kind}) or 0.0
