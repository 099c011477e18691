"""Streams of a table: resumed without a gap, bounded, never a burden for others."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
import pytest_asyncio

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1.table_events_pb2 import KEY_REASON_RETURNED, KEY_REASON_SEATED
from pokerfloor.api.table.v1 import table_pb2
from tests.support.table.table_floor import (
    CALL,
    FOLD,
    SPECTATOR,
    RawStream,
    TableFloor,
    acting,
    table_floor,
)

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def process(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TableFloor]:
    async with table_floor(tmp_path_factory.mktemp("floor")) as started:
        yield started


@pytest_asyncio.fixture(loop_scope="module")
async def floor(process: TableFloor) -> AsyncIterator[TableFloor]:
    async with process.at_new_table() as started:
        yield started


async def test_a_resumed_stream_has_every_view_once_and_the_same(floor: TableFloor) -> None:
    whole = await floor.stream("watcher", SPECTATOR)
    await whole.until(lambda: bool(whole.snapshots))
    begun_at = whole.snapshots[0].view_no
    streams = await floor.playing("ann", "bob")
    await (await acting(streams)).act(CALL)
    for stream in streams.values():
        await stream.close()
    resumed = {}
    for name, old in streams.items():
        again = await floor.stream(name, resume_after=old.views[-1])
        await again.until(lambda again=again: bool(again.views))  # type: ignore[misc]  # bound in the loop
        again.updates[:0] = old.updates  # as a front-end that goes on
        resumed[name] = again
    await (await acting(resumed)).act(FOLD)
    for again in resumed.values():
        await again.until(lambda again=again: bool(again.events("hand_ended")))  # type: ignore[misc]  # bound in the loop
        assert len(again.snapshots) == 1, "resumed without a new snapshot"
        assert again.views == list(range(again.views[0], again.views[-1] + 1))
    await whole.until(lambda: bool(whole.events("hand_ended")))
    assert whole.views == list(range(begun_at + 1, whole.views[-1] + 1))
    # From the middle, by a stream that was never there: the very same views.
    late = await floor.stream("late", SPECTATOR, resume_after=begun_at + 3)
    await late.until(lambda: late.views[-1:] >= whole.views[-1:])
    wanted = {u.step.view_no: u.step for u in whole.updates if u.HasField("step")}
    for update in late.updates:
        if update.step.view_no in wanted:
            assert update.step == wanted[update.step.view_no]


async def test_a_player_resumed_sees_the_turn_again_and_nobody_elses(floor: TableFloor) -> None:
    streams = await floor.playing("ann", "bob")
    first = await acting(streams)
    name = next(name for name, stream in streams.items() if stream is first)
    other = next(one for one in streams if one != name)
    turn = await first.my_turn()
    again = await floor.stream(name, resume_after=first.views[-1] - 1)
    assert await again.my_turn() == turn
    assert turn.legal.HasField("call_option")
    assert turn.deadline_ms > 0
    fresh = await floor.stream(name)
    assert await fresh.my_turn() == turn
    for watcher in (streams[other], await floor.stream("eve"), await floor.stream(other)):
        await watcher.until(lambda watcher=watcher: bool(watcher.updates))  # type: ignore[misc]  # bound in the loop
        assert watcher.turn() is None


async def test_a_resume_from_before_the_ring_begins_with_a_snapshot(tmp_path: Path) -> None:
    async with table_floor(tmp_path, ring_steps=8) as floor:
        await floor.open_table()
        ann = await floor.seated("ann")
        for _ in range(6):
            await ann.ask(sit_out=table_pb2.SitOutCommand())
            await ann.ask(sit_in=table_pb2.SitInCommand())
        await ann.until(lambda: len(ann.views) >= 12)
        late = await floor.stream("late", resume_after=2)
        await late.until(lambda: bool(late.updates))
        assert late.snapshots[0].view_no == ann.views[-1]
        near = await floor.stream("near", resume_after=ann.views[-1] - 3)
        await near.until(lambda: len(near.views) == 3)
        assert near.snapshots == []


async def test_streams_of_a_player_are_limited_and_tell_the_connection(floor: TableFloor) -> None:
    ann = await floor.seated("ann")
    await ann.until(lambda: bool(ann.events("connection_changed")))
    watcher = await floor.stream("watcher", SPECTATOR)
    more = [await floor.stream("ann") for _ in range(3)]
    for stream in more:
        await stream.until(lambda stream=stream: bool(stream.snapshots))  # type: ignore[misc]  # bound in the loop
    fifth = await floor.stream("ann")
    await fifth.ended.wait()
    assert fifth.error is not None
    assert fifth.error.code == errors_pb2.ERROR_CODE_OVERLOADED
    for stream in (ann, *more):
        await stream.close()
    await watcher.until(lambda: bool(watcher.events("connection_changed")))
    assert not watcher.events("connection_changed")[-1].connected
    await floor.stream("ann")
    await watcher.until(lambda: watcher.events("connection_changed")[-1].connected)


async def test_own_cards_come_again_and_to_the_key_of_the_stream(floor: TableFloor) -> None:
    streams = await floor.playing("ann", "bob")
    for stream in streams.values():
        await stream.until(lambda stream=stream: len(stream.hole_cards) == 1)  # type: ignore[misc]  # bound in the loop
    again = await floor.stream("ann")
    await again.until(lambda: len(again.hole_cards) == 1)
    assert again.hole_cards[0] == streams["ann"].hole_cards[0]
    # Another key is registered first, and then gets the cards.
    key = hashlib.sha256(b"another device").digest()
    device = await floor.stream("ann", key=key)
    await device.until(lambda: len(device.hole_cards) == 1)
    wanted = hashlib.sha256(key).digest()
    assert {box.key_fingerprint for box in device.hole_cards[0].boxes} == {wanted}
    bound = [one for one in await floor.log() if _binds(one, wanted)]
    assert len(bound) == 1
    reasons = [request.reason for request in floor.tiny.requests["RegisterSeatKey"]]
    assert reasons == [KEY_REASON_SEATED, KEY_REASON_SEATED, KEY_REASON_RETURNED]
    for watcher in (streams["bob"], await floor.stream("eve")):
        assert all(cards.seat == 2 for cards in watcher.hole_cards)
    sealed = await floor.stream("watcher", SPECTATOR)
    await sealed.until(lambda: bool(sealed.snapshots))
    await (await acting(streams)).act(FOLD)
    await sealed.until(lambda: bool(sealed.events("hand_ended")))
    assert sealed.hole_cards == []


def _binds(step: object, fingerprint: bytes) -> bool:
    events = step.events  # type: ignore[attr-defined]  # a Step
    return any(event.seat_key_bound.fingerprint == fingerprint for event in events)


async def test_a_reader_that_takes_nothing_is_dropped_and_nobody_else_notices(
    tmp_path: Path,
) -> None:
    async with table_floor(
        tmp_path, slow_client_ms=500, commands_per_s=10_000, commands_burst=10_000
    ) as floor:
        await floor.open_table()
        ann = await floor.seated("ann")
        token = floor.identities.token("slow", "player")
        small = [("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 4096)]
        async with grpc.aio.insecure_channel(floor.process.address, options=small) as channel:
            slow: Any = channel.stream_stream("/floor.table.v1.TableService/Attach")(
                metadata=(("authorization", f"Bearer {token}"),)
            )
            attach = table_pb2.AttachCommand(table_id=floor.table, view=SPECTATOR)
            ping = table_pb2.TableCommand(ping=table_pb2.PingCommand(nonce=2**63))
            await slow.write(table_pb2.TableCommand(attach=attach).SerializeToString())
            # Pongs fill the connection's window, then the outbox.
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                for _ in range(20_000):
                    await slow.write(ping.SerializeToString())
            await others_go_on(floor, ann)
            updates = [table_pb2.TableUpdate.FromString(data) async for data in until_error(slow)]
        pongs = sum(update.HasField("pong") for update in updates)
        assert 20 < pongs < 5_000, "more was kept for the stream than its bounds allow"
        assert (await slow.code()) is grpc.StatusCode.RESOURCE_EXHAUSTED


async def others_go_on(floor: TableFloor, ann: RawStream) -> None:
    answer = await ann.ask(sit_out=table_pb2.SitOutCommand())
    assert not answer.HasField("error")
    await ann.until(lambda: answer.table_seq in ann.views)
    metrics = await read_metrics(floor.process.metrics_port)
    assert metrics['floor_table_slow_clients_total{done="dropped"}'] == 1


async def until_error(call: Any) -> AsyncIterator[bytes]:
    with contextlib.suppress(grpc.aio.AioRpcError):
        async for data in call:
            yield data


async def read_metrics(port: int) -> dict[str, float]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /metrics HTTP/1.0\r\n\r\n")
    text = (await reader.read()).decode()
    writer.close()
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if line and line[0] != "#"]
    return {name: float(value) for name, value in lines if name.startswith("floor_")}


async def test_draining_says_goodbye_after_the_last_answer(floor: TableFloor) -> None:
    ann = await floor.seated("ann")
    await ann.until(lambda: bool(ann.events("seat_key_bound")))
    floor.nats.freeze()
    asked = await ann.send(sit_out=table_pb2.SitOutCommand())
    await asyncio.sleep(0.1)
    floor.process.signal(signal.SIGTERM)
    await asyncio.sleep(0.3)
    floor.nats.thaw()
    await ann.ended.wait()
    assert ann.goodbyes == ["draining"]
    assert ann.updates[-1].HasField("goodbye")
    assert (await ann.result(asked)).table_seq == ann.views[-1]
    assert await floor.process.exit_code() == 0
    await floor.process.start()
    later = await floor.stream("ann")
    assert not (await later.ask(sit_in=table_pb2.SitInCommand())).HasField("error")


async def test_a_closed_table_says_goodbye_and_stays_to_be_looked_at(floor: TableFloor) -> None:
    ann = await floor.seated("ann")
    operator = floor.operator()
    await operator.CloseTable(table_pb2.CloseTableRequest(command_id="close", table_id=floor.table))
    await ann.ended.wait()
    assert ann.goodbyes == ["table_closed"]
    assert ann.events("seat_left")[0].cash_out_minor == 10_000
    assert ann.events("table_closed")
    await floor.process.restart()
    late = await floor.stream("ann")
    await late.ended.wait()
    assert late.goodbyes == ["table_closed"]
    assert late.snapshots[0].view_no == ann.views[-1]
