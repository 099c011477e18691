"""A table's part of the log on a real broker: appended once, found again, claimed by one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from floor_table.domain import replay
from floor_table.runtime.log import TableLog
from floor_table.runtime.recovery import recover
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.servicekit import FloorNats, StreamSpec, WrongSequence
from pokerfloor.tablelog import TABLE_LOG, table_subject
from tests.support import NatsServer, nats_server
from tests.support.log_fixture import FOLDER, read_fixture

pytestmark = pytest.mark.integration

TABLE = "t-1"


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with nats_server(tmp_path / "nats") as server:
        yield server


@pytest.fixture
async def nats(broker: NatsServer) -> AsyncIterator[FloorNats]:
    connection = await FloorNats.connect(broker.url, name="test", wait_ms=5000)
    await connection.ensure_stream(StreamSpec(TABLE_LOG.name, TABLE_LOG.subjects))
    yield connection
    await connection.close()


def log_of(nats: FloorNats, writer: str, timeout_ms: int = 2_000) -> TableLog:
    return TableLog(nats, TABLE, writer=writer, timeout_ms=timeout_ms)


def step(number: int, epoch: int = 1, at_ms: int = 0) -> step_pb2.Step:
    return step_pb2.Step(table_id=TABLE, table_seq=number, owner_epoch=epoch, at_ms=at_ms)


def hand_began(number: int, hand_no: int) -> step_pb2.Step:
    made = step(number)
    made.events.add().hand_began.hand_no = hand_no
    return made


async def read(log: TableLog) -> list[int]:
    return [found.table_seq async for found in log.stored()]


async def test_steps_are_found_again_by_number_and_by_hand(nats: FloorNats) -> None:
    other = TableLog(nats, "t-2", writer="w", timeout_ms=2_000)
    log = log_of(nats, "w")
    await log.append(step(1))
    await other.append(step_pb2.Step(table_id="t-2", table_seq=1, owner_epoch=1))
    await log.append(hand_began(2, 1))
    await log.append(step(3))
    await log.append(hand_began(4, 2))
    again = log_of(nats, "x")
    assert await read(again) == [1, 2, 3, 4]
    for index in (log.index, again.index):
        assert [index.stream_seq(number) for number in (1, 2, 3, 4)] == [1, 3, 4, 5]
        assert (index.hand_start(1), index.hand_start(2)) == (2, 4)
        assert index.hand_start(3) is None
        assert index.hand_start(0) is None
    assert [found.table_seq async for found in again.steps(2, 3)] == [2, 3]
    assert [found.table_seq async for found in again.steps(4, 99)] == [4]
    assert [found.table_seq async for found in again.steps(5, 9)] == []
    assert again.ref(3).stream_seq == 4


async def test_a_stale_owner_cannot_write(nats: FloorNats) -> None:
    old = log_of(nats, "old")
    await old.append(step(1))
    new = log_of(nats, "new")
    await read(new)
    await new.append(step(2, epoch=2))
    assert not await stays_owner(old)
    with pytest.raises(WrongSequence):
        await old.append(step(2))
    assert await new.alive()


async def stays_owner(log: TableLog) -> bool:
    try:
        return await log.alive()
    except WrongSequence:
        return False


async def test_two_owners_that_begin_at_once_are_told_apart(nats: FloorNats) -> None:
    """Their first steps have the same number and epoch, so the same message id."""
    await log_of(nats, "before").append(step(1))
    logs = [log_of(nats, "a"), log_of(nats, "b")]
    for log in logs:
        await read(log)
    outcomes = await asyncio.gather(
        *(log.append(step(2, epoch=2, at_ms=at_ms)) for at_ms, log in enumerate(logs)),
        return_exceptions=True,
    )
    losers = [outcome for outcome in outcomes if isinstance(outcome, WrongSequence)]
    assert len(losers) == 1
    winner = logs[1 if isinstance(outcomes[0], WrongSequence) else 0]
    await winner.append(step(3, epoch=2))
    assert await read(log_of(nats, "c")) == [1, 2, 3]


async def test_an_append_in_doubt_is_made_again_until_it_is_stored_once(
    nats: FloorNats, broker: NatsServer
) -> None:
    log = log_of(nats, "w", timeout_ms=200)
    await log.append(step(1))
    broker.kill9()
    appending = asyncio.create_task(log.append(step(2)))
    await asyncio.sleep(0.8)
    assert not appending.done()
    assert not await log.alive()
    broker.restart()
    assert await asyncio.wait_for(appending, 10) > 0.8
    await log.append(step(3))
    assert await read(log_of(nats, "x")) == [1, 2, 3]
    last = await nats.last_message(TABLE_LOG.name, table_subject(TABLE))
    assert last is not None
    assert last.seq == log.index.last_stream_seq == 3


async def test_an_append_whose_answer_is_lost_is_stored_once(
    nats: FloorNats, broker: NatsServer
) -> None:
    log = log_of(nats, "w", timeout_ms=200)
    await log.append(step(1))
    broker.freeze()
    appending = asyncio.create_task(log.append(step(2)))
    await asyncio.sleep(0.6)
    assert not appending.done()
    broker.thaw()
    await asyncio.wait_for(appending, 10)
    assert await read(log_of(nats, "x")) == [1, 2]


@pytest.mark.parametrize("ring_steps", [8, 64, 500])
async def test_a_table_comes_back_with_the_views_of_its_last_steps(
    nats: FloorNats, ring_steps: int
) -> None:
    steps = read_fixture(FOLDER / "first-night-1.steps.gz")
    table_id = steps[0].table_id
    log = TableLog(nats, table_id, writer="w", timeout_ms=2_000)
    for stored in steps:
        await log.append(stored)
    back = await recover(TableLog(nats, table_id, writer="x", timeout_ms=2_000), ring_steps)
    folded = replay(table_id, steps)
    assert back.table.digest() == folded.digest() == steps[-1].state_digest
    assert back.ring.last_view_no == len(steps)
    assert back.ring.first_view_no == max(1, len(steps) - ring_steps + 1)
    spectator = table_pb2.VIEW_KIND_SPECTATOR
    snapshot = table_pb2.TableUpdate.FromString(back.ring.snapshot(spectator, "")).snapshot
    assert snapshot.view_no == len(steps)
