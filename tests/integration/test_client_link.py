"""The client against a table whose misbehaviour is written down: lost streams, gaps, refusals.

The server is a real gRPC server with servicekit's chain; only what it sends is scripted.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as hand
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc
from pokerfloor.cards import parse_cards, to_wire
from pokerfloor.client import (
    CommandRefused,
    ConnectionLost,
    FloorClient,
    NoAnswer,
    PlayerKeys,
    ProofFailed,
    SessionOver,
    TableSession,
)
from pokerfloor.servicekit import FloorError, GrpcServer, KeySet
from tests.support.identities import DevIdentities
from tests.support.scripted_hand import HAND_NO, PLAYER, TABLE, ScriptedHand

pytestmark = pytest.mark.integration

Act = Callable[["Stream"], Awaitable[None]]
_SOON_MS = 10_000


class Stream:
    """The server's end of one stream."""

    def __init__(self, requests: AsyncIterator[table_pb2.TableCommand], context: Any) -> None:
        self._requests = requests
        self._context = context
        self.attach = table_pb2.AttachCommand()

    async def send(self, **update: Any) -> None:
        await self._context.write(table_pb2.TableUpdate(**update))

    async def next_command(self) -> table_pb2.TableCommand:
        """The next command; pings are answered on the way."""
        async for command in self._requests:
            if command.WhichOneof("command") != "ping":
                return command
            await self.send(pong=table_pb2.Pong(nonce=command.ping.nonce))
        raise AssertionError("the client is gone")

    async def idle(self) -> None:
        """Answer pings until the client is gone."""
        async for command in self._requests:
            await self.send(pong=table_pb2.Pong(nonce=command.ping.nonce))


class ScriptedTable(table_pb2_grpc.TableServiceServicer):
    """Plays one act for each stream that comes; the last one for all that come after."""

    def __init__(self, acts: list[Act]) -> None:
        self._acts = acts
        self.resumed_after: list[int] = []

    async def Attach(  # type: ignore[override]  # noqa: N802 - written by context, named by gRPC
        self, requests: Any, context: Any
    ) -> None:
        stream = Stream(requests, context)
        first = await stream.next_command()
        assert first.attach.table_id == TABLE
        self.resumed_after.append(first.attach.resume_after)
        await self._acts[min(len(self.resumed_after), len(self._acts)) - 1](stream)


@asynccontextmanager
async def session_with(
    folder: Path,
    *acts: Act,
    keys: PlayerKeys | None = None,
    give_up_after_ms: int = 20_000,
    on_step: Callable[[table_pb2.StepView], None] | None = None,
) -> AsyncIterator[tuple[TableSession, ScriptedTable]]:
    identities = DevIdentities(folder)
    table = ScriptedTable(list(acts))  # type: ignore[abstract]  # no other call is made
    server = GrpcServer(
        listen="127.0.0.1:0", keys=KeySet.load(identities.jwks_path), ready=lambda: True
    )
    server.add(table_pb2_grpc.add_TableServiceServicer_to_server, table)
    await server.start()
    try:
        address = f"127.0.0.1:{server.port}"
        token = identities.token(PLAYER, "player")
        async with FloorClient(address, address, token, keys) as floor:
            session = await floor.table(TABLE, on_step=on_step, give_up_after_ms=give_up_after_ms)
            yield session, table
    finally:
        await server.stop(500)


def unavailable() -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, "draining")


async def test_a_lost_stream_is_resumed_from_the_last_view(tmp_path: Path) -> None:
    scripted = ScriptedHand()

    async def half_of_it(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        for step in scripted.steps[:2]:
            await stream.send(step=step)
        raise unavailable()

    async def the_rest(stream: Stream) -> None:
        for step in scripted.steps[2:]:
            await stream.send(step=step)
        await stream.idle()

    seen: list[int] = []

    def note(step: table_pb2.StepView) -> None:
        seen.append(step.view_no)

    async with session_with(tmp_path, half_of_it, the_rest, on_step=note) as (session, table):
        await session.wait_for(lambda mirror: mirror.view_no == 15, _SOON_MS)
        assert table.resumed_after == [0, 12]
        assert session.connections == 2
        assert session.mirror.own_stack == 6_100
    assert seen == [11, 12, 13, 14, 15]


async def test_a_command_without_an_answer_is_sent_again_under_its_id(tmp_path: Path) -> None:
    scripted = ScriptedHand()
    seen: list[table_pb2.TableCommand] = []

    async def takes_it_and_dies(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        seen.append(await stream.next_command())
        raise unavailable()

    async def answers(stream: Stream) -> None:
        seen.append(await stream.next_command())
        await stream.send(result=table_pb2.CommandResult(command_id=seen[-1].command_id))
        await stream.idle()

    async with session_with(tmp_path, takes_it_and_dies, answers) as (session, _):
        await session.sit_out()
    assert [command.WhichOneof("command") for command in seen] == ["sit_out", "sit_out"]
    assert seen[0].command_id == seen[1].command_id != ""


async def test_a_gap_is_asked_for_again_and_then_a_snapshot(tmp_path: Path) -> None:
    scripted = ScriptedHand()

    async def with_a_gap(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        await stream.send(step=scripted.steps[0])
        await stream.send(step=scripted.steps[2])
        await stream.idle()

    async def with_the_same_gap(stream: Stream) -> None:
        await stream.send(step=scripted.steps[2])
        await stream.idle()

    async def from_a_snapshot(stream: Stream) -> None:
        later = table_pb2.Snapshot()
        later.CopyFrom(scripted.snapshot)
        later.view_no = 20
        await stream.send(snapshot=later)
        await stream.idle()

    acts = (with_a_gap, with_the_same_gap, from_a_snapshot)
    async with session_with(tmp_path, *acts) as (session, table):
        await session.wait_for(lambda mirror: mirror.view_no == 20, _SOON_MS)
        assert table.resumed_after == [0, 11, 0]


async def test_a_view_ahead_of_the_table_begins_again_with_a_snapshot(tmp_path: Path) -> None:
    scripted = ScriptedHand()

    async def dies(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        raise unavailable()

    async def knows_less(stream: Stream) -> None:
        if stream.attach.resume_after == 0 and len(table.resumed_after) == 2:
            raise FloorError(errors_pb2.ERROR_CODE_BAD_RESUME, "ahead of the table")
        await stream.send(snapshot=table_pb2.Snapshot(view_no=3))
        await stream.idle()

    async with session_with(tmp_path, dies, knows_less) as (session, table):
        await session.wait_for(lambda mirror: mirror.view_no == 3, _SOON_MS)
        assert table.resumed_after == [0, 10, 0]


async def test_a_table_that_refuses_is_not_asked_again(tmp_path: Path) -> None:
    async def refuses(_stream: Stream) -> None:
        raise FloorError(errors_pb2.ERROR_CODE_UNKNOWN_TABLE, "no such table", "table_id")

    with pytest.raises(CommandRefused) as refused:
        async with session_with(tmp_path, refuses):
            pass
    assert refused.value.code == errors_pb2.ERROR_CODE_UNKNOWN_TABLE
    assert refused.value.field == "table_id"


async def test_a_refused_command_says_why(tmp_path: Path) -> None:
    scripted = ScriptedHand()

    async def refuses(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        command = await stream.next_command()
        error = errors_pb2.Error(
            code=errors_pb2.ERROR_CODE_STALE_TURN, reason="turn 1 is over", field="act.turn_no"
        )
        await stream.send(
            result=table_pb2.CommandResult(command_id=command.command_id, error=error)
        )
        await stream.idle()

    async with session_with(tmp_path, refuses) as (session, _):
        with pytest.raises(CommandRefused) as refused:
            await session.act(HAND_NO, 1, hand.ACTION_KIND_FOLD)
    assert refused.value == FloorError(
        errors_pb2.ERROR_CODE_STALE_TURN, "turn 1 is over", "act.turn_no"
    )


async def test_no_answer_in_time_is_told_apart(tmp_path: Path) -> None:
    scripted = ScriptedHand()

    async def says_nothing(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        await stream.next_command()
        await stream.idle()

    async with session_with(tmp_path, says_nothing) as (session, _):
        with pytest.raises(NoAnswer):
            await session.command(
                table_pb2.TableCommand(leave=table_pb2.LeaveCommand()), timeout_ms=100
            )


async def test_a_false_card_ends_the_session_loudly(tmp_path: Path) -> None:
    scripted = ScriptedHand()
    cards = scripted.steps[3].events[3].hand.cards_revealed.cards
    cards[0].card.code = to_wire(parse_cards("9s")[0])

    async def lies(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        for step in scripted.steps:
            await stream.send(step=step)
        await stream.idle()

    async with session_with(tmp_path, lies) as (session, table):
        with pytest.raises(ProofFailed, match=r"b0\.1"):
            await session.wait_for(lambda mirror: mirror.view_no == 15, _SOON_MS)
        with pytest.raises(ProofFailed):
            await session.leave()
        assert table.resumed_after == [0]


@pytest.mark.parametrize("early", [False, True], ids=["boxes after the root", "boxes before it"])
async def test_a_turn_comes_with_own_cards_and_its_answer_names_it(
    tmp_path: Path, early: bool
) -> None:
    scripted, keys = ScriptedHand(), PlayerKeys.create()
    own = scripted.hole_cards(keys.public_key, keys.fingerprint)
    acted: list[table_pb2.ActCommand] = []

    async def deals(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        await stream.send(step=scripted.steps[0])
        if early:
            await stream.send(hole_cards=own)
        await stream.send(step=scripted.steps[1])
        if not early:
            await stream.send(hole_cards=own)
        command = await stream.next_command()
        acted.append(command.act)
        await stream.send(result=table_pb2.CommandResult(command_id=command.command_id))
        for step in scripted.steps[2:]:
            await stream.send(step=step)
        await stream.idle()

    async with session_with(tmp_path, deals, keys=keys) as (session, _):
        turns = []
        async for turn in session.turns(hands=1):
            turns.append(turn)
            assert turn.legal.raise_ is not None
            await turn.raise_to(turn.legal.raise_.nearest(10**9))
    (turn,) = turns
    assert turn.hole_cards == parse_cards("AsAd")
    assert (turn.pot, turn.stack, turn.opponents) == (330, 4_990, 2)
    assert (turn.legal.call_by, turn.legal.check, turn.legal.bet) == (200, False, None)
    (act,) = acted
    assert (act.hand_no, act.turn_no, act.kind) == (HAND_NO, 1, hand.ACTION_KIND_RAISE)
    assert act.to.minor == 5_000
    assert session.cards_checked == 9  # two own, five of the board, two shown


async def test_a_silent_line_is_given_up_and_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pokerfloor.client.link._SILENCE_S", 0.3)
    scripted = ScriptedHand()

    async def goes_silent(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        await asyncio.sleep(60)

    async def is_back(stream: Stream) -> None:
        await stream.send(step=scripted.steps[0])
        await stream.idle()

    async with session_with(tmp_path, goes_silent, is_back) as (session, table):
        await session.wait_for(lambda mirror: mirror.view_no == 11, _SOON_MS)
        assert table.resumed_after == [0, 10]


async def test_a_call_that_was_cancelled_under_it_is_opened_again(tmp_path: Path) -> None:
    """As gRPC does when a write is given up, for instance by a deadline of the caller's."""
    scripted = ScriptedHand()

    async def begins(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        await stream.idle()

    async def goes_on(stream: Stream) -> None:
        await stream.send(step=scripted.steps[0])
        await stream.idle()

    async with session_with(tmp_path, begins, goes_on) as (session, table):
        session._link._call.cancel()
        await session.wait_for(lambda mirror: mirror.view_no == 11, _SOON_MS)
        assert table.resumed_after == [0, 10]
        assert not session.over


async def test_a_table_that_stays_away_is_given_up(tmp_path: Path) -> None:
    scripted = ScriptedHand()

    async def comes_once(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        raise unavailable()

    async def is_away(_stream: Stream) -> None:
        raise unavailable()

    async with session_with(tmp_path, comes_once, is_away, give_up_after_ms=300) as (session, _):
        with pytest.raises(ConnectionLost):
            await session.wait_for(lambda mirror: mirror.view_no == 11, _SOON_MS)


async def test_a_closed_table_ends_the_session(tmp_path: Path) -> None:
    scripted = ScriptedHand()

    async def closes(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        await stream.send(goodbye=table_pb2.Goodbye(reason=table_pb2.GOODBYE_REASON_TABLE_CLOSED))

    async with session_with(tmp_path, closes) as (session, table):
        with pytest.raises(SessionOver, match="closed"):
            await session.wait_for(lambda mirror: mirror.view_no == 11, _SOON_MS)
        assert table.resumed_after == [0]


async def test_a_closed_session_says_so(tmp_path: Path) -> None:
    scripted = ScriptedHand()

    async def idles(stream: Stream) -> None:
        await stream.send(snapshot=scripted.snapshot)
        await stream.idle()

    async with session_with(tmp_path, idles) as (session, _):
        await session.close()
        with pytest.raises(SessionOver):
            await session.sit_out()
