"""Messages that are not stored, the connection itself, and leases."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from nats.aio.client import Client
from nats.js.errors import KeyNotFoundError
from nats.js.kv import KeyValue

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.servicekit import BusMessage, CannotStart, FloorError, FloorNats
from tests.support import NatsServer, eventually, free_port

pytestmark = pytest.mark.integration


async def collect(nats: FloorNats, subject: str, into: list[bytes]) -> asyncio.Task[None]:
    async def listen() -> None:
        async for message in nats.subscribe(subject, max_pending=20_000):
            into.append(message.data)  # noqa: PERF401 - the test looks at the list while it grows

    task = asyncio.create_task(listen())
    await asyncio.sleep(0.05)
    await nats.client.flush()
    return task


async def test_no_broker_is_one_clear_reason() -> None:
    address = f"127.0.0.1:{free_port()}"
    reason = f"^no nats-server answers at {address} within 100 ms$"
    with pytest.raises(CannotStart, match=reason):  # and no password
        await FloorNats.connect(f"nats://floor:secret@{address}", name="test", wait_ms=100)


async def test_a_broker_that_comes_later_is_waited_for(broker: NatsServer) -> None:
    broker.kill9()
    connecting = asyncio.create_task(FloorNats.connect(broker.url, name="test", wait_ms=5000))
    await asyncio.sleep(0.3)
    broker.restart()
    nats = await connecting
    assert nats.connected
    await nats.close()
    assert not nats.connected


async def test_published_facts_arrive_in_order(nats: FloorNats) -> None:
    seen: list[bytes] = []
    listening = await collect(nats, "floor.pub.*", seen)
    for number in range(100):
        nats.publish("floor.pub.t1", str(number).encode())
    assert await nats.flush()
    await eventually(lambda: len(seen) == 100)
    assert seen == [str(number).encode() for number in range(100)]
    listening.cancel()


async def test_facts_published_while_the_broker_is_away_arrive_later(
    nats: FloorNats, broker: NatsServer
) -> None:
    seen: list[bytes] = []
    listening = await collect(nats, "floor.pub.*", seen)
    broker.kill9()
    await eventually(lambda: not nats.connected)
    for number in range(10_005):
        nats.publish("floor.pub.t1", str(number).encode())
    broker.restart()
    await eventually(lambda: len(seen) == 10_000, seconds=10)
    assert seen[0] == b"5"  # the oldest five had no room
    assert seen[-1] == b"10004"
    listening.cancel()


async def test_a_fact_that_is_too_large_does_not_stop_the_others(nats: FloorNats) -> None:
    seen: list[bytes] = []
    listening = await collect(nats, "floor.pub.*", seen)
    nats.publish("floor.pub.t1", b"x" * (2 * 1024 * 1024))
    nats.publish("floor.pub.t1", b"small")
    await eventually(lambda: seen == [b"small"])
    listening.cancel()


async def test_ask_and_answer(nats: FloorNats) -> None:
    async def answer(message: BusMessage) -> bytes:
        return message.data + message.headers["Who"].encode()

    responder = await nats.respond("floor.ask.t1", answer, queue="tables")
    assert await nats.request("floor.ask.t1", b"hi ", headers={"Who": "anna"}) == b"hi anna"
    await responder.stop()
    with pytest.raises(FloorError) as caught:
        await nats.request("floor.ask.t1", b"")
    assert caught.value.code == errors_pb2.ERROR_CODE_UNAVAILABLE


async def test_an_answer_that_fails_hurts_nobody_else(nats: FloorNats) -> None:
    async def answer(message: BusMessage) -> bytes:
        if message.data == b"bad":
            raise ValueError("bad request")
        return b"fine"

    responder = await nats.respond("floor.ask.t1", answer)
    with pytest.raises(FloorError):
        await nats.request("floor.ask.t1", b"bad", timeout_ms=200)
    assert await nats.request("floor.ask.t1", b"good") == b"fine"
    await responder.stop()


async def test_a_question_ends_at_once_when_the_broker_dies(
    nats: FloorNats, broker: NatsServer
) -> None:
    asked = asyncio.Event()

    async def never(_message: BusMessage) -> bytes:
        asked.set()
        await asyncio.sleep(60)
        return b""

    responder = await nats.respond("floor.ask.t1", never)
    asking = asyncio.create_task(nats.request("floor.ask.t1", b"", timeout_ms=30_000))
    await asked.wait()
    broker.kill9()
    began_s = time.monotonic()
    with pytest.raises(FloorError):
        await asking
    assert time.monotonic() - began_s < 2
    await responder.stop(timeout_ms=10)


async def test_answers_go_on_after_a_restart_of_the_broker(
    nats: FloorNats, broker: NatsServer
) -> None:
    async def answer(message: BusMessage) -> bytes:
        return message.data

    responder = await nats.respond("floor.ask.t1", answer)
    for _ in range(3):
        broker.kill9()
        await eventually(lambda: not nats.connected)
        broker.restart()
        assert await nats.request("floor.ask.t1", b"hi", timeout_ms=5000) == b"hi"
    await responder.stop()


async def test_a_lease_has_one_holder(nats: FloorNats) -> None:
    anna = await nats.leases("owners", holder="anna", ttl_ms=2000)
    bert = await nats.leases("owners", holder="bert", ttl_ms=2000)
    epoch = await anna.acquire("t1")
    assert epoch is not None
    assert await bert.acquire("t1") is None
    assert await bert.holder_of("t1") == "anna"
    assert await anna.renew("t1")
    assert not await bert.renew("t1")
    await anna.release("t1")
    assert await bert.holder_of("t1") is None
    later = await bert.acquire("t1")
    assert later is not None
    assert later > epoch
    assert not await anna.renew("t1")


async def test_a_holder_started_again_gets_its_lease_back_at_once(nats: FloorNats) -> None:
    before = await (await nats.leases("owners", holder="anna", ttl_ms=60_000)).acquire("t1")
    again = await nats.leases("owners", holder="anna", ttl_ms=60_000)
    epoch = await again.acquire("t1")
    assert before is not None
    assert epoch is not None
    assert epoch > before
    assert await again.renew("t1")


async def test_a_lease_that_is_not_renewed_ends_and_a_renewed_one_does_not(
    nats: FloorNats,
) -> None:
    anna = await nats.leases("owners", holder="anna", ttl_ms=1000)
    bert = await nats.leases("owners", holder="bert", ttl_ms=1000)
    assert await anna.acquire("kept") is not None
    assert await anna.acquire("left") is not None
    taken: int | None = None
    async with asyncio.timeout(10):
        while taken is None:
            await asyncio.sleep(0.2)
            assert await anna.renew("kept")
            taken = await bert.acquire("left")
    assert await bert.acquire("kept") is None
    assert not await anna.renew("left")


async def test_a_lease_that_ends_while_it_is_asked_for(
    nats: FloorNats, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Held when it was to be made, and nobody's when the client looked whose it is."""
    anna = await nats.leases("owners", holder="anna", ttl_ms=2000)
    create = KeyValue.create
    ended: list[str] = []

    async def ends(bucket: KeyValue, key: str, value: bytes, **more: Any) -> int:
        if not ended:
            ended.append(key)
            raise KeyNotFoundError
        return await create(bucket, key, value, **more)

    monkeypatch.setattr(KeyValue, "create", ends)
    assert await anna.acquire("t1") is not None
    assert ended == ["t1"]


async def test_a_connection_that_was_closed_a_moment_ago_is_asked_again(
    nats: FloorNats, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = await nats.leases("owners", holder="anna", ttl_ms=2000)
    publish, failures = Client.publish, ["<TCPTransport closed=True>; the handler is closed"]

    async def closed(client: Client, *args: Any, **more: Any) -> None:
        if failures:
            raise RuntimeError(failures.pop())
        await publish(client, *args, **more)

    monkeypatch.setattr(Client, "publish", closed)
    assert await anna.acquire("t1") is not None
    failures.append("something else")
    with pytest.raises(RuntimeError, match="something else"):
        await anna.acquire("t2")
