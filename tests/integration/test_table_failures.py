"""What a table does when its process, its broker, its owner or its neighbours go away."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import grpc.aio
import pytest
import pytest_asyncio

from floor_table.domain import decide, replay
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1.table_events_pb2 import PAUSE_CAUSE_UNSETTLED_HANDS
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.api.wallet.v1 import events_pb2
from pokerfloor.servicekit import FloorNats, StreamSpec, error_of
from pokerfloor.tablelog import (
    PUBLIC_EVENTS,
    TABLE_LOG,
    public_subject,
    step_message_id,
    table_subject,
)
from tests.support import eventually
from tests.support.table.table_floor import (
    CALL,
    FOLD,
    RawStream,
    TableFloor,
    acting,
    holdem,
    table_floor,
)

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def process(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TableFloor]:
    async with table_floor(
        tmp_path_factory.mktemp("floor"), lease_ttl_ms=1_000, scan_ms=200
    ) as started:
        yield started


@pytest_asyncio.fixture(loop_scope="module")
async def floor(process: TableFloor) -> AsyncIterator[TableFloor]:
    async with process.at_new_table() as started:
        yield started


async def back(floor: TableFloor, streams: dict[str, RawStream]) -> dict[str, RawStream]:
    """The players again, attached anew where they were."""
    found: dict[str, RawStream] = {}
    for name, old in streams.items():
        await old.close()
        found[name] = await floor.stream(name)
        await found[name].until(lambda one=found[name]: bool(one.snapshots))  # type: ignore[misc]  # bound in the loop
    return found


async def play_to_the_end(streams: dict[str, RawStream]) -> None:
    while not any(stream.events("hand_ended") for stream in streams.values()):
        answer = await (await acting(streams)).act(FOLD)
        assert not answer.HasField("error"), answer
        await asyncio.sleep(0.05)


def epochs(steps: list[step_pb2.Step]) -> list[int]:
    return sorted({step.owner_epoch for step in steps})


async def test_killed_in_mid_hand_it_goes_on_where_it_was(floor: TableFloor) -> None:
    streams = await floor.playing("ann", "bob")
    await (await acting(streams)).act(CALL)
    turn = await (await acting(streams)).my_turn()
    before = await floor.still_log()
    floor.process.kill9()
    await floor.process.start()
    streams = await back(floor, streams)
    after = await floor.log()
    assert after[: len(before)] == before
    took_over = after[len(before)]
    assert [event.WhichOneof("event") for event in took_over.events] == [
        "owner_changed",
        "clock_set",
    ]
    assert epochs(after) == [1, 2]
    # Whoever is to act has the same turn, and the base time again (CLK-5).
    again = await (await acting(streams)).my_turn()
    assert (again.hand_no, again.turn_no, again.seat) == (turn.hand_no, turn.turn_no, turn.seat)
    assert again.deadline_ms > turn.deadline_ms
    assert again.legal == turn.legal
    # The cards are dealt again from the same deck, and the decks that ended are not opened again.
    for stream in streams.values():
        await stream.until(lambda one=stream: bool(one.hole_cards))  # type: ignore[misc]  # bound in the loop
        assert stream.hole_cards[0].deck_no == 2
    assert floor.tiny.calls["CreateDeck"] == 2
    await play_to_the_end(streams)
    replay(floor.table, await floor.log())


async def test_a_broker_that_is_killed_loses_nothing_and_no_clock_runs(floor: TableFloor) -> None:
    await floor.open_table(f"{floor.table}-2", holdem(base_ms=1_500))
    fast = {name: await floor.stream(name, table_id=f"{floor.table}-2") for name in ("cyd", "dan")}
    sit = table_pb2.SitDownCommand(buy_in_minor=10_000, display_name="x")
    for stream in fast.values():
        assert not (await stream.ask(sit_down=sit)).HasField("error")
    turn = await (await acting(fast)).my_turn()
    floor.nats.kill9()
    # Well past the deadline; an action that is sent meanwhile waits.
    await asyncio.sleep(2.5)
    first = await acting(fast)
    assert not first.events("time_ran_out")
    sent = await first.send(
        act=table_pb2.ActCommand(hand_no=turn.hand_no, turn_no=turn.turn_no, kind=CALL)
    )
    await asyncio.sleep(0.3)
    assert not any(update.HasField("result") for update in first.updates[-2:])
    floor.nats.restart()
    answer = await first.result(sent)
    steps = await floor.log(f"{floor.table}-2")
    assert not any(_has(step, "time_ran_out") for step in steps[: answer.table_seq])
    fresh = [
        step for step in steps if _has(step, "clock_set") and step.table_seq < answer.table_seq
    ]
    late = answer.error.code == errors_pb2.ERROR_CODE_TOO_LATE
    assert not late, "the house's fault was the player's"
    assert fresh
    assert '"crashed"' not in floor.process.log.read_text(encoding="utf-8")
    replay(f"{floor.table}-2", steps)


async def test_a_broker_that_is_killed_leaves_public_events_and_new_tables_possible(
    floor: TableFloor,
) -> None:
    """The stream of public events lies in the broker's memory and is gone with it."""
    ann = await floor.seated("ann")
    floor.nats.kill9()
    floor.nats.restart()
    after = f"{floor.table}-2"
    await eventually_opened(floor, after)
    assert not (await ann.ask(sit_out=table_pb2.SitOutCommand())).HasField("error")
    nats = await FloorNats.connect(floor.nats.url, name="reader", wait_ms=5_000)
    for table_id in (after, floor.table):
        last = await nats.last_message(PUBLIC_EVENTS.name, public_subject(table_id, ">"))
        assert last is not None, table_id
    await nats.close()


async def eventually_opened(floor: TableFloor, table_id: str) -> None:
    """Open a table as soon as the service says that it can."""
    async with asyncio.timeout(10):
        while True:
            try:
                await floor.open_table(table_id)
            except grpc.aio.AioRpcError as failure:
                if error_of(failure).code != errors_pb2.ERROR_CODE_UNAVAILABLE:
                    raise
                await asyncio.sleep(0.05)
            else:
                return


def _has(step: step_pb2.Step, name: str) -> bool:
    return any(event.WhichOneof("event") == name for event in step.events)


async def test_a_clock_that_runs_out_acts_for_the_player(tmp_path: Path) -> None:
    async with table_floor(tmp_path) as floor:
        await floor.open_table(settings=holdem(base_ms=1_000, bank_ms=1_000))
        streams = await floor.playing("ann", "bob")
        slow = await acting(streams)
        turn = await slow.my_turn()
        await slow.until(lambda: bool(slow.events("time_bank_started")))
        await slow.until(lambda: bool(slow.events("hand_ended")))
        steps = await floor.log()
        ran_out = next(step for step in steps if _has(step, "time_ran_out"))
        bank = next(step for step in steps if _has(step, "time_bank_started"))
        assert turn.deadline_ms < bank.at_ms < turn.deadline_ms + 300
        assert turn.deadline_ms + 1_000 < ran_out.at_ms < turn.deadline_ms + 1_300
        late = await slow.ask(
            act=table_pb2.ActCommand(hand_no=turn.hand_no, turn_no=turn.turn_no, kind=CALL)
        )
        assert late.HasField("error")


async def test_a_stale_owner_steps_down_when_another_has_written(floor: TableFloor) -> None:
    ann = await floor.seated("ann")
    await ann.until(lambda: bool(ann.events("connection_changed")))
    before = await floor.still_log()
    # Another owner writes, as one would after this one's lease had ended unnoticed.
    nats = await FloorNats.connect(floor.nats.url, name="other", wait_ms=5_000)
    last = await nats.last_message(TABLE_LOG.name, table_subject(floor.table))
    assert last is not None
    step = await take_over(before)
    await nats.append(
        table_subject(floor.table),
        step.SerializeToString(deterministic=True),
        expected_last_seq=last.seq,
        msg_id=step_message_id(floor.table, step.owner_epoch, step.table_seq),
    )
    await nats.close()
    answer = await ann.ask(sit_out=table_pb2.SitOutCommand())
    assert answer.error.code == errors_pb2.ERROR_CODE_UNAVAILABLE
    await ann.ended.wait()
    assert ann.goodbyes == ["owner_changed"]
    # It still holds the lease, so it reads the log again and takes the table over once more.
    again = await _attached(floor, "ann")
    assert not (await again.ask(sit_out=table_pb2.SitOutCommand())).HasField("error")
    steps = await floor.log()
    assert epochs(steps) == [1, 2, 3]
    replay(floor.table, steps)


async def take_over(steps: list[step_pb2.Step]) -> step_pb2.Step:
    """The step by which another instance takes the table over."""
    from floor_table.domain import Decision, TookOverIn

    table = replay(steps[0].table_id, steps)
    decision = decide(table, TookOverIn("other"), steps[-1].at_ms + 1)
    assert isinstance(decision, Decision)
    return decision.step


async def _attached(floor: TableFloor, name: str, process: object = None) -> RawStream:
    """A stream, as soon as the table takes one."""
    deadline = time.monotonic() + 10
    while True:
        stream = await floor.stream(name, process=process)  # type: ignore[arg-type]  # a process
        await eventually(lambda s=stream: bool(s.updates) or s.ended.is_set())  # type: ignore[misc]  # bound in the loop
        if stream.updates:
            return stream
        assert time.monotonic() < deadline, f"{stream.error}"
        await asyncio.sleep(0.1)


async def test_two_instances_share_the_tables_and_one_takes_over_from_the_other(
    floor: TableFloor,
) -> None:
    ann = await floor.seated("ann")
    other = floor.make_process("table-2")
    async with other:
        stream = await floor.stream("ann", process=other)
        await stream.ended.wait()
        assert stream.error is not None
        assert stream.error.code == errors_pb2.ERROR_CODE_UNAVAILABLE
        assert not (await ann.ask(sit_out=table_pb2.SitOutCommand())).HasField("error")
        before = await floor.log()
        floor.process.kill9()
        again = await _attached(floor, "ann", other)
        assert not (await again.ask(sit_in=table_pb2.SitInCommand())).HasField("error")
        after = await floor.log()
        assert after[: len(before)] == before
        assert epochs(after) == [1, 2]
        # The first comes back: the table is not its any more.
        await floor.process.start()
        late = await floor.stream("ann")
        await late.ended.wait()
        assert late.error is not None
        assert late.error.code == errors_pb2.ERROR_CODE_UNAVAILABLE
        # An orderly end gives the lease back at once.
        await other.stop()
        home = await _attached(floor, "ann")
        assert not (await home.ask(sit_out=table_pb2.SitOutCommand())).HasField("error")
        replay(floor.table, await floor.log())


async def test_neighbours_that_are_away_are_waited_for(floor: TableFloor) -> None:
    await floor.tiny.down()
    ann = await floor.stream("ann")
    sit = table_pb2.SitDownCommand(buy_in_minor=10_000, display_name="Ann")
    assert (await ann.ask(sit_down=sit)).seat == 1
    # The table itself goes on meanwhile, and so do others.
    await floor.open_table(f"{floor.table}-2")
    assert (await ann.ask(sit_down=sit)).error.code == errors_pb2.ERROR_CODE_ALREADY_SEATED
    await asyncio.sleep(0.5)
    assert not ann.events("seat_taken")
    # The first attempts after the return fail as well, each in its own way.
    floor.tiny.failures["Reserve"].extend(
        [errors_pb2.ERROR_CODE_OVERLOADED, errors_pb2.ERROR_CODE_TABLE_NOT_REGISTERED]
    )
    floor.tiny.failures["CreateDeck"].append(errors_pb2.ERROR_CODE_GENERATOR_FAILED)
    floor.tiny.failures["CommitDeck"].append(errors_pb2.ERROR_CODE_UNAVAILABLE)
    floor.tiny.failures["DealCards"].append(errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND)
    await floor.tiny.up()
    await ann.until(lambda: bool(ann.events("seat_taken")))
    ids = {request.reservation_id for request in floor.tiny.requests["Reserve"]}
    assert len(ids) == 1
    bob = await floor.seated("bob")
    streams = {"ann": ann, "bob": bob}
    await acting(streams)
    for stream in streams.values():
        await stream.until(lambda one=stream: bool(one.hole_cards))  # type: ignore[misc]  # bound in the loop
    await play_to_the_end(streams)
    await eventually(lambda: floor.tiny.calls["CloseDeck"] >= 2)
    replay(floor.table, await floor.log())


async def test_a_wallet_that_refuses_frees_the_seat_with_its_reason(floor: TableFloor) -> None:
    floor.tiny.failures["Reserve"].append(errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS)
    ann = await floor.stream("ann")
    sit = table_pb2.SitDownCommand(buy_in_minor=10_000, display_name="Ann")
    assert (await ann.ask(sit_down=sit)).seat == 1
    await ann.until(lambda: bool(ann.events("seat_released")))
    assert ann.events("seat_released")[0].error.reason == "as the test wants it"
    watcher = await floor.stream("eve")
    await watcher.until(lambda: bool(watcher.snapshots))
    assert not watcher.snapshots[0].table.seats[0].player_id
    assert floor.tiny.calls["Reserve"] == 1
    assert not (await ann.ask(sit_down=sit)).HasField("error")
    await ann.until(lambda: bool(ann.events("seat_taken")))


async def test_a_table_waits_for_a_wallet_that_falls_behind(tmp_path: Path) -> None:
    async with table_floor(tmp_path, unsettled_limit=2) as floor:
        nats = await FloorNats.connect(floor.nats.url, name="wallet", wait_ms=5_000)
        await floor.open_table()
        await eventually(lambda: floor.tiny.calls["GetTableProgress"] == 1)
        await nats.ensure_stream(StreamSpec("FLOOR_LEDGER", ("floor.ledger.>",)))
        # The wallet is asked again as soon as its events are followed.
        await eventually(lambda: floor.tiny.calls["GetTableProgress"] == 2)
        streams = await floor.playing("ann", "bob")

        def ended() -> int:
            return len(streams["ann"].events("hand_ended"))

        async def play() -> None:
            while not streams["ann"].events("table_paused"):
                if any(one.turn() is not None for one in streams.values()):
                    await (await acting(streams)).act(FOLD)
                await asyncio.sleep(0.05)

        await asyncio.wait_for(play(), 20)
        assert ended() == 3
        assert streams["ann"].events("table_paused")[0].cause == PAUSE_CAUSE_UNSETTLED_HANDS
        event = events_pb2.LedgerEvent(
            event_id="1", hand_settled=events_pb2.HandSettled(table_id=floor.table, hand_no=3)
        )
        nats.publish(f"floor.ledger.{floor.table}.hand_settled", event.SerializeToString())
        await streams["ann"].until(lambda: bool(streams["ann"].events("table_resumed")))
        await acting(streams)
        # What was settled while this process was away is asked of the wallet.
        floor.tiny.settled = 3
        floor.tiny.calls.clear()
        await floor.process.restart()
        await eventually(lambda: floor.tiny.calls["GetTableProgress"] >= 1)
        await nats.close()


async def test_a_log_that_cannot_be_true_is_not_played_on(floor: TableFloor) -> None:
    ann = await floor.seated("ann")
    await ann.until(lambda: bool(ann.events("connection_changed")))
    steps = await floor.log()
    await floor.open_table(f"{floor.table}-2")
    await floor.process.stop()
    step = await take_over(steps)
    step.state_digest = bytes(32)
    nats = await FloorNats.connect(floor.nats.url, name="other", wait_ms=5_000)
    last = await nats.last_message(TABLE_LOG.name, table_subject(floor.table))
    assert last is not None
    await nats.append(
        table_subject(floor.table), step.SerializeToString(), expected_last_seq=last.seq, msg_id="x"
    )
    await nats.close()
    await floor.process.start()
    stream = await floor.stream("ann")
    await stream.ended.wait()
    assert stream.error is not None
    assert stream.error.code == errors_pb2.ERROR_CODE_UNAVAILABLE
    assert "table_log_damaged" in floor.process.log.read_text(encoding="utf-8")
    other = await floor.stream("ann", table_id=f"{floor.table}-2")
    await other.until(lambda: bool(other.snapshots))
    with pytest.raises(grpc.aio.AioRpcError):
        await floor.operator().GetTable(table_pb2.GetTableRequest(table_id=floor.table))
