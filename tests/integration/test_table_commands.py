"""Commands to a table: acknowledged when stored, answered once, refused with a reason."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
import pytest_asyncio

from pokerfloor.api.common.v1 import errors_pb2, money_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.servicekit import error_of
from tests.support.table.table_floor import (
    CALL,
    FOLD,
    PLAYER,
    RAISE,
    SPECTATOR,
    TableFloor,
    acting,
    table_floor,
)

pytestmark = [pytest.mark.integration, pytest.mark.asyncio(loop_scope="module")]

CODE = errors_pb2


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def process(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TableFloor]:
    async with table_floor(tmp_path_factory.mktemp("floor")) as started:
        yield started


@pytest_asyncio.fixture(loop_scope="module")
async def floor(process: TableFloor) -> AsyncIterator[TableFloor]:
    async with process.at_new_table() as started:
        yield started


def code_of(answer: table_pb2.CommandResult) -> int:
    assert answer.error.reason, answer
    assert answer.error.request_id
    assert answer.table_seq == 0
    return answer.error.code


async def test_a_hand_is_played_and_each_command_is_acknowledged_when_stored(
    floor: TableFloor,
) -> None:
    streams = await floor.playing("ann", "bob")
    for kind in (CALL, FOLD):
        answer = await (await acting(streams)).act(kind)
        assert not answer.HasField("error"), answer
        step = (await floor.log())[answer.table_seq - 1]
        assert step.command_id == answer.command_id
        for stream in streams.values():
            await stream.until(lambda one=stream, seq=answer.table_seq: seq in one.views)  # type: ignore[misc]  # bound in the loop
    for stream in streams.values():
        await stream.until(lambda stream=stream: bool(stream.events("hand_ended")))  # type: ignore[misc]  # bound in the loop
        assert [cards.hand_no for cards in stream.hole_cards][:1] == [1]
        assert len(stream.hole_cards[0].boxes) == 2
    ended = streams["ann"].events("hand_ended")[0]
    assert sum(seat.net.minor for seat in ended.seats) == 0
    steps = await floor.log()
    assert [step.table_seq for step in steps] == list(range(1, len(steps) + 1))


async def test_nothing_is_acknowledged_while_the_log_cannot_be_written(floor: TableFloor) -> None:
    ann = await floor.stream("ann")
    await ann.until(lambda: bool(ann.snapshots))
    before = len(await floor.log())
    floor.nats.freeze()
    command_id = await ann.send(
        sit_down=table_pb2.SitDownCommand(buy_in_minor=5_000, display_name="Ann")
    )
    await asyncio.sleep(1.0)
    assert not any(update.HasField("result") for update in ann.updates)
    assert not ann.views
    floor.nats.thaw()
    answer = await ann.result(command_id)
    assert answer.table_seq == before + 1
    assert answer.seat == 1
    step = (await floor.log())[answer.table_seq - 1]
    assert step.command_id == command_id


async def test_a_repeated_id_gets_the_first_answer_and_other_content_is_refused(
    floor: TableFloor,
) -> None:
    ann = await floor.stream("ann")
    sit = table_pb2.SitDownCommand(buy_in_minor=5_000, display_name="Ann")
    first = await ann.ask(command_id="once", sit_down=sit)
    await ann.until(lambda: bool(ann.events("seat_key_bound")))
    steps = len(await floor.log())
    assert await ann.ask(command_id="once", sit_down=sit) == first
    sit.buy_in_minor = 6_000
    other = await ann.ask(command_id="once", sit_down=sit)
    assert code_of(other) == CODE.ERROR_CODE_ID_REUSED
    # Two at once, from two streams of one sender, are one command as well.
    again = await floor.stream("ann")
    await asyncio.gather(
        ann.send(command_id="out", sit_out=table_pb2.SitOutCommand()),
        again.send(command_id="out", sit_out=table_pb2.SitOutCommand()),
    )
    assert await ann.result("out") == await again.result("out")
    assert len(await floor.log()) == steps + 1
    # The id is the sender's own: another sender's is another command.
    bob = await floor.stream("bob")
    sit.buy_in_minor = 5_000
    assert not (await bob.ask(command_id="once", sit_down=sit)).HasField("error")
    await floor.process.restart()
    later = await floor.stream("ann")
    sit.display_name = "Ann"
    assert await later.ask(command_id="once", sit_down=sit) == first


async def test_bad_actions_are_refused_and_change_nothing(floor: TableFloor) -> None:
    streams = await floor.playing("ann", "bob")
    first = await acting(streams)
    second = next(one for one in streams.values() if one is not first)
    turn = await first.my_turn()
    before = (await floor.log())[-1]

    def act(**changes: object) -> table_pb2.ActCommand:
        values: dict[str, object] = {
            "hand_no": turn.hand_no,
            "turn_no": turn.turn_no,
            "kind": RAISE,
            "to": money_pb2.Amount(minor=300),
        }
        return table_pb2.ActCommand(**{**values, **changes})  # type: ignore[arg-type]  # fields

    refusals = {
        CODE.ERROR_CODE_NOT_YOUR_TURN: await second.ask(act=act(kind=CALL, to=None)),
        CODE.ERROR_CODE_STALE_TURN: await first.ask(act=act(turn_no=turn.turn_no + 1)),
        CODE.ERROR_CODE_AMOUNT_TOO_SMALL: await first.ask(act=act(to=money_pb2.Amount(minor=101))),
        CODE.ERROR_CODE_AMOUNT_TOO_LARGE: await first.ask(
            act=act(to=money_pb2.Amount(minor=10**12))
        ),
        CODE.ERROR_CODE_ACTION_NOT_ALLOWED: await first.ask(
            act=act(kind=hand_events_pb2.ACTION_KIND_CHECK, to=None)
        ),
        CODE.ERROR_CODE_INVALID_FIELD: await first.ask(act=act(kind=0, to=None)),
    }
    for code, answer in refusals.items():
        assert code_of(answer) == code
    stale_hand = await first.ask(act=act(hand_no=turn.hand_no + 5))
    assert code_of(stale_hand) == CODE.ERROR_CODE_INVALID_FIELD
    tournament = await first.ask(act=act(to=money_pb2.Amount(tournament_chips=300)))
    assert code_of(tournament) == CODE.ERROR_CODE_INVALID_FIELD
    stranger = await floor.stream("eve")
    assert code_of(await stranger.ask(act=act())) in {
        CODE.ERROR_CODE_NOT_SEATED,
        CODE.ERROR_CODE_NOT_YOUR_TURN,
    }
    await asyncio.sleep(0.1)
    steps = await floor.log()
    assert steps[before.table_seq :] == []
    assert (await first.my_turn()) == turn
    assert not (await first.ask(act=act())).HasField("error")


async def test_bad_messages_get_an_answer_and_the_stream_goes_on(floor: TableFloor) -> None:
    ann = await floor.stream("ann")
    assert code_of(await ann.ask(command_id="none")) == CODE.ERROR_CODE_INVALID_FIELD
    await ann.send(command_id="x" * 129, sit_in=table_pb2.SitInCommand())
    assert code_of(await ann.result("x" * 128)) == CODE.ERROR_CODE_BAD_COMMAND_ID
    elsewhere = table_pb2.AttachCommand(table_id="nowhere", view=PLAYER)
    assert code_of(await ann.ask(command_id="a", attach=elsewhere)) == CODE.ERROR_CODE_INVALID_FIELD
    other_view = table_pb2.AttachCommand(table_id=floor.table, view=SPECTATOR)
    assert (
        code_of(await ann.ask(command_id="b", attach=other_view)) == CODE.ERROR_CODE_INVALID_FIELD
    )
    watcher = await floor.stream("ann", SPECTATOR)
    leave = await watcher.ask(leave=table_pb2.LeaveCommand())
    assert code_of(leave) == CODE.ERROR_CODE_ROLE_NOT_ALLOWED
    await ann.send(ping=table_pb2.PingCommand(nonce=77))
    await ann.until(lambda: any(update.pong.nonce == 77 for update in ann.updates))
    again = table_pb2.AttachCommand(table_id=floor.table, view=PLAYER)
    await ann.send(attach=again)
    await ann.until(lambda: len(ann.snapshots) == 2)
    assert not ann.ended.is_set()


async def test_a_flood_of_commands_is_limited(tmp_path: Path) -> None:
    async with table_floor(tmp_path, commands_per_s=5, commands_burst=10) as floor:
        await floor.open_table()
        ann = await floor.stream("ann")
        for number in range(30):
            await ann.send(command_id=f"c{number}", sit_in=table_pb2.SitInCommand())
        answers = [await ann.result(f"c{number}") for number in range(30)]
        codes = [answer.error.code for answer in answers]
        assert codes[:10] == [CODE.ERROR_CODE_NOT_SEATED] * 10
        assert codes.count(CODE.ERROR_CODE_RATE_LIMITED) >= 15
        await asyncio.sleep(0.5)
        later = await ann.ask(sit_in=table_pb2.SitInCommand())
        assert code_of(later) == CODE.ERROR_CODE_NOT_SEATED


async def test_a_full_queue_refuses_and_the_table_goes_on(tmp_path: Path) -> None:
    async with table_floor(tmp_path, queue_limit=3) as floor:
        await floor.open_table()
        ann = await floor.stream("ann")
        await ann.until(lambda: bool(ann.snapshots))
        floor.nats.freeze()
        ids = [
            await ann.send(command_id=f"c{number}", sit_down=table_pb2.SitDownCommand())
            if number
            else await ann.send(
                command_id="c0",
                sit_down=table_pb2.SitDownCommand(buy_in_minor=5_000, display_name="Ann"),
            )
            for number in range(6)
        ]
        for late in ids[-2:]:
            assert code_of(await ann.result(late)) == CODE.ERROR_CODE_OVERLOADED
        floor.nats.thaw()
        assert (await ann.result("c0")).seat == 1
        for waited in ids[1:4]:
            assert code_of(await ann.result(waited)) == CODE.ERROR_CODE_ALREADY_SEATED


# What the client's own library makes of a call that ended while it was still being written to.
_LOST_TO_A_WRITE = "Internal error from Core"


async def how_it_ends(begin: Callable[[], Any], messages: list[Any]) -> int:
    """Begin a stream, write, and give the code that it ends with."""
    for _ in range(20):
        call = begin()
        # A write may come after the stream has ended already; its own error says nothing then.
        with contextlib.suppress(grpc.aio.AioRpcError):
            for message in messages:
                await call.write(message)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            async for _update in call:
                pass
        if not (caught.value.details() or "").startswith(_LOST_TO_A_WRITE):
            return error_of(caught.value).code
    raise AssertionError("the stream never says how it ends")


def bad_beginnings(table_id: str) -> list[tuple[table_pb2.TableCommand, tuple[str, ...], int]]:
    """First messages, who sends them, and what they are answered with."""

    def attach(wanted: str, view: int = 0, resume_after: int = 0) -> table_pb2.TableCommand:
        command = table_pb2.AttachCommand(
            table_id=wanted,
            view=view,  # type: ignore[arg-type]  # a number is as good
            resume_after=resume_after,
        )
        return table_pb2.TableCommand(attach=command)

    player, auditor = ("player",), table_pb2.VIEW_KIND_AUDITOR
    ping = table_pb2.TableCommand(ping=table_pb2.PingCommand())
    return [
        (attach("nowhere", PLAYER), player, CODE.ERROR_CODE_UNKNOWN_TABLE),
        (attach(table_id), player, CODE.ERROR_CODE_INVALID_FIELD),
        (attach(table_id, PLAYER), ("spectator",), CODE.ERROR_CODE_ROLE_NOT_ALLOWED),
        (attach(table_id, auditor), player, CODE.ERROR_CODE_ROLE_NOT_ALLOWED),
        (
            attach(table_id, table_pb2.VIEW_KIND_TERMINAL),
            ("operations",),
            CODE.ERROR_CODE_ROLE_NOT_ALLOWED,
        ),
        (attach(table_id, PLAYER), ("cashier",), CODE.ERROR_CODE_ROLE_NOT_ALLOWED),
        (ping, player, CODE.ERROR_CODE_INVALID_FIELD),
        (attach(table_id, PLAYER, 999), player, CODE.ERROR_CODE_BAD_RESUME),
    ]


async def test_a_stream_that_begins_badly_ends_with_a_status(floor: TableFloor) -> None:
    for first, roles, code in bad_beginnings(floor.table):
        stub = floor.stub(floor.identities.token("ann", *roles))
        assert await how_it_ends(stub.Attach, [first]) == code


async def test_a_stream_without_token_or_with_garbage_ends_with_a_status(
    floor: TableFloor,
) -> None:
    method = "/floor.table.v1.TableService/Attach"
    good = floor.identities.token("ann", "player", seal_key=hashlib.sha256(b"").digest())
    attach = table_pb2.TableCommand(
        attach=table_pb2.AttachCommand(table_id=floor.table, view=PLAYER)
    )
    cases: list[tuple[str, list[bytes], int]] = [
        ("", [attach.SerializeToString()], CODE.ERROR_CODE_TOKEN_MISSING),
        ("Bearer nonsense", [attach.SerializeToString()], CODE.ERROR_CODE_TOKEN_MISSING),
        (f"Bearer {good[:-6]}AAAAAA", [attach.SerializeToString()], CODE.ERROR_CODE_TOKEN_INVALID),
        (f"Bearer {good}", [b"\xff\xff\xff\xff"], CODE.ERROR_CODE_MALFORMED_MESSAGE),
        (
            f"Bearer {good}",
            [attach.SerializeToString(), b"\x0a\xff\xff"],
            CODE.ERROR_CODE_MALFORMED_MESSAGE,
        ),
        (
            f"Bearer {good}",
            [attach.SerializeToString(), b"\x0a\x90\x4e" + b"x" * 300_000],
            CODE.ERROR_CODE_MESSAGE_TOO_LARGE,
        ),
    ]
    async with grpc.aio.insecure_channel(floor.process.address) as channel:
        for header, messages, code in cases:
            metadata = (("authorization", header),) if header else ()
            attaching: Any = partial(channel.stream_stream(method), metadata=metadata)
            assert await how_it_ends(attaching, messages) == code, header
    eve = await floor.stream("eve")
    await eve.until(lambda: bool(eve.snapshots))
