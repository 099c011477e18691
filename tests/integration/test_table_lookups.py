"""Tables by operations: made, listed, paused, voided, read; and what everybody may hear."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from floor_table.domain import replay
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import public_event_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.servicekit import FloorNats
from pokerfloor.tablelog import PUBLIC_EVENTS
from tests.support.log_fixture import read_fixture
from tests.support.table.table_floor import (
    CALL,
    FOLD,
    TableFloor,
    acting,
    holdem,
    refused,
    table_floor,
)
from tools.record_log_fixture import main as record_fixture

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]

CODE = errors_pb2


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def process(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TableFloor]:
    async with table_floor(tmp_path_factory.mktemp("floor")) as started:
        yield started


@pytest_asyncio.fixture(loop_scope="module")
async def floor(process: TableFloor) -> AsyncIterator[TableFloor]:
    async with process.at_new_table(opened=False) as started:
        yield started


def opening(command_id: str, table_id: str, **changes: object) -> table_pb2.OpenTableRequest:
    settings = holdem()
    settings.MergeFrom(settings_pb2.TableSettings(**changes))  # type: ignore[arg-type]  # fields
    return table_pb2.OpenTableRequest(command_id=command_id, table_id=table_id, settings=settings)


async def test_a_table_is_made_once(floor: TableFloor) -> None:
    operator = floor.operator()
    first = await operator.OpenTable(opening("a", floor.table))
    assert first.table_seq == 1
    assert await operator.OpenTable(opening("a", floor.table)) == first
    with refused(CODE.ERROR_CODE_ID_REUSED):
        await operator.OpenTable(opening("a", floor.table, name="Other"))
    with refused(CODE.ERROR_CODE_TABLE_EXISTS):
        await operator.OpenTable(opening("b", floor.table, name="Other"))
    with refused(CODE.ERROR_CODE_TABLE_EXISTS):
        await floor.operator(name="another").OpenTable(opening("a", floor.table))
    for bad in ("", "T-1", "a" * 33, "a b", "a.b", "*", ">"):
        with refused(CODE.ERROR_CODE_INVALID_FIELD):
            await operator.OpenTable(opening("c", bad))
    with refused(CODE.ERROR_CODE_INVALID_FIELD) as errors:
        await operator.OpenTable(opening("c", "cash"))
    assert "'cash' is no table's id" in errors[0].reason
    with refused(CODE.ERROR_CODE_BAD_COMMAND_ID):
        await operator.OpenTable(opening("", f"{floor.table}-2"))
    with refused(CODE.ERROR_CODE_BAD_SETTING):
        await operator.OpenTable(opening("d", f"{floor.table}-2", seats=11))
    straddled = settings_pb2.GameSettings(game="holdem", straddle=True)
    with refused(CODE.ERROR_CODE_NOT_SUPPORTED):
        await operator.OpenTable(opening("e", f"{floor.table}-2", game=straddled))
    with refused(CODE.ERROR_CODE_UNKNOWN_TABLE):
        await operator.GetTable(table_pb2.GetTableRequest(table_id=f"{floor.table}-2"))
    answers = await asyncio.gather(
        *(operator.OpenTable(opening("f", f"{floor.table}-2")) for _ in range(5))
    )
    assert {answer.table_seq for answer in answers} == {1}
    assert len([step for step in await floor.log(f"{floor.table}-2") if step.command_id]) == 1
    await floor.process.restart()
    assert await floor.operator().OpenTable(opening("a", floor.table), wait_for_ready=True) == first


async def test_only_the_right_roles_may_call(floor: TableFloor) -> None:
    await floor.open_table()
    player = floor.stub(floor.identities.token("ann", "player"))
    with refused(CODE.ERROR_CODE_ROLE_NOT_ALLOWED):
        await player.OpenTable(opening("a", f"{floor.table}-2"))
    with refused(CODE.ERROR_CODE_ROLE_NOT_ALLOWED):
        await player.ReadLog(table_pb2.ReadLogRequest(table_id=floor.table))
    with refused(CODE.ERROR_CODE_ROLE_NOT_ALLOWED):
        await floor.stub(floor.identities.token("o", "operations")).VoidHand(
            table_pb2.VoidHandRequest(command_id="v", table_id=floor.table, hand_no=1, reason="x")
        )
    listed = await player.ListTables(table_pb2.ListTablesRequest())
    assert floor.table in [table.table_id for table in listed.tables]


async def test_unknown_tables_and_bad_pages_are_refused(floor: TableFloor) -> None:
    await floor.open_table()
    operator = floor.operator()
    unknown = {
        "GetTable": table_pb2.GetTableRequest(table_id="nowhere"),
        "PauseTable": table_pb2.PauseTableRequest(command_id="a", table_id="nowhere"),
        "ResumeTable": table_pb2.ResumeTableRequest(command_id="a", table_id="nowhere"),
        "CloseTable": table_pb2.CloseTableRequest(command_id="a", table_id="nowhere"),
        "VoidHand": table_pb2.VoidHandRequest(command_id="a", table_id="nowhere", reason="x"),
        "GetHand": table_pb2.GetHandRequest(table_id="nowhere", hand_no=1),
        "ReadLog": table_pb2.ReadLogRequest(table_id="nowhere"),
    }
    for name, request in unknown.items():
        with refused(CODE.ERROR_CODE_UNKNOWN_TABLE) as errors:
            await getattr(operator, name)(request)
        assert errors[0].reason == "there is no table nowhere"
        assert errors[0].field == "table_id"
    with refused(CODE.ERROR_CODE_UNKNOWN_TABLE) as errors:
        await operator.GetTable(table_pb2.GetTableRequest(table_id="No\n" * 100))
    assert (
        errors[0].reason
        == "there is no table 'No\\nNo\\nNo\\nNo\\nNo\\nNo\\nNo\\nNo\\nNo\\nNo\\nNo'"
    )
    with refused(CODE.ERROR_CODE_INVALID_FIELD):
        await operator.ListTables(table_pb2.ListTablesRequest(page_size=201))
    with refused(CODE.ERROR_CODE_INVALID_FIELD):
        await operator.ReadLog(table_pb2.ReadLogRequest(table_id=floor.table, page_size=501))
    with refused(CODE.ERROR_CODE_UNKNOWN_HAND) as errors:
        await operator.GetHand(table_pb2.GetHandRequest(table_id=floor.table, hand_no=7))
    assert errors[0].reason == "there is no hand 7"
    with refused(CODE.ERROR_CODE_UNKNOWN_HAND):
        await operator.VoidHand(
            table_pb2.VoidHandRequest(command_id="a", table_id=floor.table, hand_no=1, reason="x")
        )
    with refused(CODE.ERROR_CODE_WRONG_STATE):
        await operator.ResumeTable(
            table_pb2.ResumeTableRequest(command_id="b", table_id=floor.table)
        )
    assert len(await floor.log()) == 1


async def test_tables_are_listed_by_pages(floor: TableFloor) -> None:
    for number in range(5):
        await floor.open_table(f"{floor.table}-{number}")
    operator = floor.operator()
    await operator.PauseTable(
        table_pb2.PauseTableRequest(command_id="p", table_id=f"{floor.table}-3")
    )
    found: list[table_pb2.TableSummary] = []
    after = floor.table
    while len(found) < 5:
        page = await operator.ListTables(table_pb2.ListTablesRequest(page_size=2, page_token=after))
        assert len(page.tables) <= 2
        found.extend(page.tables)
        after = page.next_page_token or "z"
    assert [table.table_id for table in found[:5]] == [
        f"{floor.table}-{number}" for number in range(5)
    ]
    page = await operator.ListTables(table_pb2.ListTablesRequest(page_token="z"))
    assert (list(page.tables), page.next_page_token) == ([], "")
    assert (found[0].game, found[0].seats, found[0].players) == ("holdem", 6, 0)
    assert found[0].stake.money.code == "EUR"
    states = [table.state for table in found]
    assert states[3] == view_pb2.TABLE_STATE_PAUSED
    assert states[0] == view_pb2.TABLE_STATE_WAITING


async def test_hands_and_the_log_are_read_back(floor: TableFloor) -> None:
    await floor.open_table()
    operator = floor.operator()
    streams = await floor.playing("ann", "bob")
    with refused(CODE.ERROR_CODE_WRONG_STATE):
        await operator.GetHand(table_pb2.GetHandRequest(table_id=floor.table, hand_no=1))
    await (await acting(streams)).act(CALL)
    await (await acting(streams)).act(FOLD)
    await acting(streams)
    hand = await operator.GetHand(table_pb2.GetHandRequest(table_id=floor.table, hand_no=1))
    names = [event.WhichOneof("event") for event in hand.steps[0].events]
    assert names == ["hand_began"]
    assert hand.steps[-1].events[-1].hand.HasField("hand_ended")
    assert all(step.hand_no == 1 for step in hand.steps)
    await operator.VoidHand(
        table_pb2.VoidHandRequest(command_id="v", table_id=floor.table, hand_no=2, reason="test")
    )
    await streams["ann"].until(lambda: bool(streams["ann"].events("hand_voided")))
    voided = await operator.GetHand(table_pb2.GetHandRequest(table_id=floor.table, hand_no=2))
    assert any(event.hand.HasField("hand_voided") for event in voided.steps[-1].events)
    await operator.PauseTable(table_pb2.PauseTableRequest(command_id="p", table_id=floor.table))
    whole = await floor.log()
    read: list[step_pb2.Step] = []
    while True:
        after = read[-1].table_seq if read else 0
        page = await operator.ReadLog(
            table_pb2.ReadLogRequest(table_id=floor.table, from_table_seq=1 + after, page_size=7)
        )
        assert len(page.steps) <= 7
        if not page.steps:
            break
        read.extend(page.steps)
    assert read[: len(whole)] == whole
    assert page.last_table_seq == len(read)


async def test_a_log_is_recorded_from_a_running_floor(floor: TableFloor, tmp_path: Path) -> None:
    await floor.open_table()
    streams = await floor.playing("ann", "bob")
    await (await acting(streams)).act(FOLD)
    await streams["ann"].until(lambda: bool(streams["ann"].events("hand_ended")))
    close = table_pb2.CloseTableRequest(command_id="close", table_id=floor.table)
    await floor.operator().CloseTable(close)
    token = tmp_path / "auditor.token"
    token.write_text(floor.identities.token("auditor", "auditor"), encoding="utf-8")
    wanted = ["floor", "night-1", "--address", floor.process.address, "--table-id", floor.table]
    where = ["--token-file", str(token), "--folder", str(tmp_path)]
    assert await asyncio.to_thread(record_fixture, [*wanted, *where]) == 0
    steps = read_fixture(tmp_path / "night-1.steps.gz")
    assert steps == (await floor.log())[: len(steps)]
    assert replay(floor.table, steps).hands >= 1
    assert await asyncio.to_thread(record_fixture, [*wanted, *where]) == 1


async def test_public_events_are_what_the_log_says_and_go_on_after_a_restart(
    floor: TableFloor,
) -> None:
    await floor.open_table()
    streams = await floor.playing("ann", "bob")
    await (await acting(streams)).act(FOLD)
    await acting(streams)
    nats = await FloorNats.connect(floor.nats.url, name="reader", wait_ms=5_000)

    async def heard() -> list[public_event_pb2.PublicEvent]:
        found = nats.read_from(PUBLIC_EVENTS.name, f"floor.public.{floor.table}.>", 1)
        return [public_event_pb2.PublicEvent.FromString(one.data) async for one in found]

    floor.process.kill9()
    await floor.process.start()
    steps = await floor.log()
    last_public = max(step.table_seq for step in steps if _is_public(step.events))
    async with asyncio.timeout(5):
        while (events := await heard())[-1].table_seq < last_public:  # noqa: ASYNC110 - asks the broker
            await asyncio.sleep(0.05)
    places = [(event.table_seq, event.index) for event in events]
    assert places == sorted(set(places)), "in order, and none twice"
    kinds = {event.event.WhichOneof("event") for event in events}
    assert {"table_opened", "seat_taken", "hand_began", "owner_changed", "hand"} <= kinds
    assert not kinds & {"seat_reserved", "seat_released", "seat_key_bound", "preferences_changed"}
    assert {seq for seq, _ in places} == {
        step.table_seq for step in steps if _is_public(step.events)
    }
    folds = nats.read_from(PUBLIC_EVENTS.name, f"floor.public.{floor.table}.action_taken", 1)
    assert len([one async for one in folds]) == 1
    await nats.close()


def _is_public(events: object) -> bool:
    hidden = {
        "seat_reserved",
        "seat_released",
        "seat_key_bound",
        "preferences_changed",
        "top_up_held",
        "top_up_reserved",
        "top_up_released",
    }
    return any(event.WhichOneof("event") not in hidden for event in events)  # type: ignore[attr-defined]  # TableEvents
