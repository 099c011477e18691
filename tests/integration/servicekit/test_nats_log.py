"""The log on a real broker: sequences, lost acknowledgements, kills."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import AsyncIterator

import pytest
from nats.errors import MaxPayloadError
from nats.js.errors import APIError
from prometheus_client import REGISTRY

from pokerfloor.servicekit import (
    CannotStart,
    FloorNats,
    LogTruncated,
    LogUnavailable,
    StoredMessage,
    StreamSpec,
    WrongSequence,
)
from tests.support import NatsServer, eventually

pytestmark = pytest.mark.integration

STREAM = "LOG"
SUBJECT = "log.table.t1"
SPEC = StreamSpec(name=STREAM, subjects=("log.table.*",))


@pytest.fixture
async def log(nats: FloorNats) -> FloorNats:
    await nats.ensure_stream(SPEC)
    return nats


async def gather(messages: AsyncIterator[StoredMessage], into: list[StoredMessage]) -> None:
    async for message in messages:
        into.append(message)  # noqa: PERF401 - the test looks at the list while it grows


def restarts() -> float:
    return REGISTRY.get_sample_value("floor_nats_reader_restarts_total") or 0.0


def data(messages: list[StoredMessage]) -> list[bytes]:
    return [message.data for message in messages]


async def test_ensure_stream_may_be_repeated_and_changes_what_may_change(nats: FloorNats) -> None:
    await nats.ensure_stream(SPEC)
    await nats.append(SUBJECT, b"kept", expected_last_seq=0, msg_id="a")
    await nats.ensure_stream(SPEC)
    await nats.ensure_stream(StreamSpec(name=STREAM, subjects=("log.table.*", "log.other")))
    last = await nats.last_message(STREAM, SUBJECT)
    assert last is not None
    assert last.data == b"kept"
    assert await nats.append("log.other", b"", expected_last_seq=0, msg_id="b") == 2


async def test_a_stream_that_the_broker_refuses_cannot_start(nats: FloorNats) -> None:
    await nats.ensure_stream(SPEC)
    with pytest.raises(CannotStart, match="the broker refuses stream LOG: "):
        await nats.ensure_stream(dataclasses.replace(SPEC, storage="memory"))
    with pytest.raises(CannotStart, match="the broker refuses stream OTHER: "):
        await nats.ensure_stream(StreamSpec(name="OTHER", subjects=SPEC.subjects))


async def test_nothing_is_ever_taken_out_of_a_stream_in_files(log: FloorNats) -> None:
    await log.append(SUBJECT, b"kept", expected_last_seq=0, msg_id="a")
    with pytest.raises(APIError, match="message delete not permitted"):
        await log.js.delete_msg(STREAM, 1)
    with pytest.raises(APIError, match="stream purge not permitted"):
        await log.js.purge_stream(STREAM)
    config = (await log.js.stream_info(STREAM)).config
    with pytest.raises(APIError, match="can not cancel deny"):
        await log.js.update_stream(config.evolve(deny_delete=False, deny_purge=False))


async def test_a_message_too_large_for_the_broker_is_refused_at_once(log: FloorNats) -> None:
    began_s = time.monotonic()
    with pytest.raises(MaxPayloadError):
        await log.append(
            SUBJECT, b"x" * 2_000_000, expected_last_seq=0, msg_id="m1", timeout_ms=10_000
        )
    assert time.monotonic() - began_s < 1


async def test_append_and_read_back(log: FloorNats) -> None:
    before_ms = int(time.time() * 1000)
    first = await log.append(
        SUBJECT, b"one", expected_last_seq=0, msg_id="m1", headers={"Floor-Kind": "step"}
    )
    await log.append("log.table.t2", b"other", expected_last_seq=0, msg_id="m2")
    third = await log.append(SUBJECT, b"", expected_last_seq=first, msg_id="m3")
    assert (first, third) == (1, 3)
    found = await log.message_at(STREAM, first)
    assert found is not None
    assert (found.subject, found.data, found.seq, found.msg_id) == (SUBJECT, b"one", 1, "m1")
    assert found.headers["Floor-Kind"] == "step"
    assert before_ms - 1000 <= found.at_ms <= before_ms + 10_000
    last = await log.last_message(STREAM, SUBJECT)
    assert last is not None
    assert (last.seq, last.data) == (3, b"")
    assert await log.last_seq(STREAM) == 3


async def test_what_is_not_there_is_none(log: FloorNats) -> None:
    assert await log.last_message(STREAM, SUBJECT) is None
    assert await log.message_at(STREAM, 1) is None
    assert await log.message_at(STREAM, 0) is None
    assert [m async for m in log.read_from(STREAM, ">", 1)] == []


async def test_both_ways_of_reading_give_the_same_message(log: FloorNats) -> None:
    await log.append(SUBJECT, b"one", expected_last_seq=0, msg_id="m1", headers={"A": "b"})
    (streamed,) = [m async for m in log.read_from(STREAM, SUBJECT, 1)]
    assert streamed == await log.message_at(STREAM, 1)


async def test_a_second_writer_is_refused(log: FloorNats) -> None:
    await log.append(SUBJECT, b"mine", expected_last_seq=0, msg_id="m1")
    with pytest.raises(WrongSequence) as caught:
        await log.append(SUBJECT, b"stale", expected_last_seq=0, msg_id="m2")
    assert caught.value.last_seq == 1
    with pytest.raises(WrongSequence) as caught:
        await log.append("log.table.t9", b"gone", expected_last_seq=7, msg_id="m3")
    assert caught.value.last_seq == 0


async def test_an_append_whose_acknowledgement_was_lost_is_found(log: FloorNats) -> None:
    """The broker answers the repeat with "wrong last sequence" (10071), not "duplicate"."""
    first = await log.append(SUBJECT, b"one", expected_last_seq=0, msg_id="m1")
    await log.append("log.table.t2", b"between", expected_last_seq=0, msg_id="x")
    again = await log.append(SUBJECT, b"one", expected_last_seq=0, msg_id="m1")
    assert again == first
    assert await log.last_seq(STREAM) == 2


async def test_an_id_taken_by_something_else_is_no_repeat(log: FloorNats) -> None:
    """Who may write to the stream cannot make a message count as stored that is not."""
    await log.append("log.table.t2", b"forged", expected_last_seq=0, msg_id="m1")
    with pytest.raises(WrongSequence):
        await log.append(SUBJECT, b"one", expected_last_seq=0, msg_id="m1")
    forged = await log.append(SUBJECT, b"forged", expected_last_seq=0, msg_id="m2")
    with pytest.raises(WrongSequence) as caught:
        await log.append(SUBJECT, b"two", expected_last_seq=0, msg_id="m2")
    assert caught.value.last_seq == forged


async def test_a_repeat_after_another_wrote_is_refused(log: FloorNats) -> None:
    await log.append(SUBJECT, b"one", expected_last_seq=0, msg_id="m1")
    await log.append(SUBJECT, b"two", expected_last_seq=1, msg_id="m2")
    with pytest.raises(WrongSequence) as caught:
        await log.append(SUBJECT, b"one", expected_last_seq=0, msg_id="m1")
    assert caught.value.last_seq == 2


async def test_without_a_broker_the_deadline_ends_an_append(
    log: FloorNats, broker: NatsServer
) -> None:
    broker.kill9()
    began_s = time.monotonic()
    with pytest.raises(LogUnavailable):
        await log.append(SUBJECT, b"one", expected_last_seq=0, msg_id="m1", timeout_ms=400)
    assert time.monotonic() - began_s < 1.0
    assert not log.connected
    broker.restart()
    assert await log.append(SUBJECT, b"one", expected_last_seq=0, msg_id="m1") == 1
    assert log.connected


async def test_a_silent_broker_ends_an_append_and_a_repeat_finds_it_stored_once(
    log: FloorNats, broker: NatsServer
) -> None:
    broker.freeze()  # the connection stays open: what is sent may still be stored later
    with pytest.raises(LogUnavailable):
        await log.append(SUBJECT, b"one", expected_last_seq=0, msg_id="m1", timeout_ms=300)
    broker.thaw()
    assert await log.append(SUBJECT, b"one", expected_last_seq=0, msg_id="m1") == 1
    assert [m.data async for m in log.read_from(STREAM, SUBJECT, 1)] == [b"one"]


async def test_read_from_gives_only_what_matches_from_the_start_on(log: FloorNats) -> None:
    last = {"log.table.t1": 0, "log.table.t2": 0}
    for number in range(20):
        subject = f"log.table.t{1 + number % 2}"
        last[subject] = await log.append(
            subject, str(number).encode(), expected_last_seq=last[subject], msg_id=str(number)
        )
    seen = [(m.seq, m.data) async for m in log.read_from(STREAM, "log.table.t2", 5)]
    assert seen == [(seq, str(seq - 1).encode()) for seq in range(6, 21, 2)]
    assert [m async for m in log.read_from(STREAM, "log.table.t1", 20)] == []


async def test_reading_much_is_quick_and_whole(log: FloorNats) -> None:
    count = 20_000
    pending = [await log.js.publish_async(SUBJECT, b"x" * 200) for _ in range(count)]
    await asyncio.wait(pending)
    began_s = time.monotonic()
    seen = [m.seq async for m in log.read_from(STREAM, SUBJECT, 1)]
    assert seen == list(range(1, count + 1))
    assert time.monotonic() - began_s < 10


async def test_follow_gives_the_past_and_what_comes_until_stopped(log: FloorNats) -> None:
    await log.append(SUBJECT, b"past", expected_last_seq=0, msg_id="m1")
    stop = asyncio.Event()
    seen: list[StoredMessage] = []

    following = asyncio.create_task(gather(log.follow(STREAM, SUBJECT, 1, stop), seen))
    await eventually(lambda: data(seen) == [b"past"])
    await log.append(SUBJECT, b"now", expected_last_seq=1, msg_id="m2")
    await eventually(lambda: data(seen) == [b"past", b"now"])
    stop.set()
    await asyncio.wait_for(following, 1)


async def test_following_and_appending_over_kills_of_the_broker(
    log: FloorNats, broker: NatsServer
) -> None:
    stop = asyncio.Event()
    seen: list[StoredMessage] = []
    total = 600
    before = restarts()

    async def write(subject: str, count: int) -> None:
        last = 0
        for number in range(count):
            last = await log.append(
                subject,
                f"{subject}/{number}".encode(),
                expected_last_seq=last,
                msg_id=f"{subject}/{number}",
                timeout_ms=15_000,
            )

    following = asyncio.create_task(gather(log.follow(STREAM, "log.table.*", 1, stop), seen))
    writers = [asyncio.create_task(write(f"log.table.t{n}", total // 3)) for n in range(3)]
    for _ in range(3):
        written = len(seen)
        await eventually(lambda: len(seen) >= min(written + 60, total), seconds=20)  # noqa: B023 - ends before the next round
        broker.kill9()
        await asyncio.sleep(0.05)
        broker.restart()
    await asyncio.gather(*writers)
    await eventually(lambda: len(seen) >= total, seconds=20)
    stop.set()
    await asyncio.wait_for(following, 2)
    assert restarts() >= before + 3  # all the kills were while it followed
    assert [m.seq for m in seen] == list(range(1, total + 1))
    for n in range(3):
        subject = f"log.table.t{n}"
        own = [m.data for m in seen if m.subject == subject]
        assert own == [f"{subject}/{number}".encode() for number in range(total // 3)]


async def test_follow_waits_for_a_broker_that_is_away_and_hears_stop(
    log: FloorNats, broker: NatsServer
) -> None:
    stop = asyncio.Event()
    broker.kill9()

    async def follow() -> list[StoredMessage]:
        return [m async for m in log.follow(STREAM, SUBJECT, 1, stop)]

    following = asyncio.create_task(follow())
    await asyncio.sleep(0.3)
    assert not following.done()
    stop.set()
    assert await asyncio.wait_for(following, 1) == []


async def test_follow_begins_anew_when_its_consumer_is_gone(log: FloorNats) -> None:
    """A consumer that vanishes (an R1 consumer whose node died) sends no more heartbeats."""
    stop = asyncio.Event()
    seen: list[StoredMessage] = []

    following = asyncio.create_task(gather(log.follow(STREAM, SUBJECT, 1, stop), seen))
    await log.append(SUBJECT, b"one", expected_last_seq=0, msg_id="m1")
    await eventually(lambda: data(seen) == [b"one"])
    (consumer,) = await log.js.consumers_info(STREAM)
    await log.js.delete_consumer(STREAM, consumer.name)
    await log.append(SUBJECT, b"two", expected_last_seq=1, msg_id="m2")
    await eventually(lambda: data(seen) == [b"one", b"two"], seconds=8)
    stop.set()
    await following


async def test_a_reader_left_early_leaves_no_consumer(log: FloorNats) -> None:
    for number in range(5):
        await log.append(SUBJECT, b"", expected_last_seq=number, msg_id=str(number))
    messages: AsyncIterator[StoredMessage] = log.read_from(STREAM, SUBJECT, 1)
    async for _ in messages:
        break
    await messages.aclose()  # type: ignore[attr-defined]  # it is an async generator
    async with asyncio.timeout(5):
        while await log.js.consumers_info(STREAM):
            pass


async def test_a_log_that_lost_its_end_is_noticed(log: FloorNats) -> None:
    for number in range(3):
        await log.append(SUBJECT, b"", expected_last_seq=number, msg_id=str(number))
    assert [m async for m in log.read_from(STREAM, SUBJECT, 4)] == []
    with pytest.raises(LogTruncated):
        _ = [m async for m in log.read_from(STREAM, SUBJECT, 5)]
    with pytest.raises(LogTruncated):
        _ = [m async for m in log.follow(STREAM, SUBJECT, 9, asyncio.Event())]
