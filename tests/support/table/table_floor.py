"""The table service as a real process, a real broker, and tiny services around it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc.aio

from pokerfloor.api.common.v1 import errors_pb2, money_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc, view_pb2
from pokerfloor.servicekit import FloorError, FloorNats, connect, error_of, fixed_token, new_id
from pokerfloor.tablelog import TABLE_LOG, table_subject
from tests.support import (
    DevIdentities,
    NatsServer,
    ServiceProcess,
    eventually,
    nats_server,
    service_env,
)
from tests.support.table.tiny_services import TinyServices, tiny_services

EURO = money_pb2.Currency(code="EUR", exponent=2)
PLAYER = table_pb2.VIEW_KIND_PLAYER
SPECTATOR = table_pb2.VIEW_KIND_SPECTATOR
FOLD = hand_events_pb2.ACTION_KIND_FOLD
CALL = hand_events_pb2.ACTION_KIND_CALL
RAISE = hand_events_pb2.ACTION_KIND_RAISE


def minor(amount: int) -> money_pb2.Amount:
    return money_pb2.Amount(minor=amount)


def holdem(*, base_ms: int = 20_000, bank_ms: int = 0) -> settings_pb2.TableSettings:
    return settings_pb2.TableSettings(
        name="Test",
        room_id="room",
        stake=money_pb2.Stake(money=EURO),
        seats=6,
        game=settings_pb2.GameSettings(
            game="holdem", smallest_chip=minor(1), small_blind=minor(50), big_blind=minor(100)
        ),
        buy_in=settings_pb2.BuyInSettings(min_minor=2_000, max_minor=20_000),
        clock=settings_pb2.ClockSettings(base_ms=base_ms, bank_ms=bank_ms),
    )


class RawStream:
    """An Attach stream as it is on the wire: nothing is made good, everything is kept."""

    def __init__(self, call: Any) -> None:
        self._call = call
        self.updates: list[table_pb2.TableUpdate] = []
        self.ended = asyncio.Event()
        self.error: FloorError | None = None
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        self._task = asyncio.create_task(self._read())

    async def send(self, **command: Any) -> str:
        message = table_pb2.TableCommand(**command)
        if message.WhichOneof("command") not in {"attach", "ping", None}:
            message.command_id = message.command_id or new_id()
        await self._call.write(message)
        return message.command_id

    async def ask(self, **command: Any) -> table_pb2.CommandResult:
        """Send and wait for the answer."""
        seen = len(self.updates)
        command_id = await self.send(**command)
        return await self.result(command_id, seen)

    async def result(self, command_id: str, after: int = 0) -> table_pb2.CommandResult:
        def found() -> table_pb2.CommandResult | None:
            for update in self.updates[after:]:
                if update.HasField("result") and update.result.command_id == command_id:
                    return update.result
            return None

        await self.until(lambda: found() is not None)
        answer = found()
        assert answer is not None
        return answer

    async def act(self, kind: int, to: int = 0, **changes: Any) -> table_pb2.CommandResult:
        """Answer the turn that is this stream's now."""
        turn = await self.my_turn()
        act = table_pb2.ActCommand(hand_no=turn.hand_no, turn_no=turn.turn_no, kind=kind)  # type: ignore[arg-type]  # a number is as good
        if to:
            act.to.minor = to
        act.MergeFrom(table_pb2.ActCommand(**changes))
        answer = await self.ask(act=act)
        if answer.table_seq:
            await self.until(lambda: answer.table_seq in self.views)
        return answer

    async def my_turn(self) -> view_pb2.YourTurn:
        await self.until(lambda: self.turn() is not None)
        turn = self.turn()
        assert turn is not None
        return turn

    def turn(self) -> view_pb2.YourTurn | None:
        """The turn of this stream, as the last view that says who is to act has it."""
        for update in reversed(self.updates):
            if update.HasField("snapshot"):
                hand = update.snapshot.table.hand
                return hand.your_turn if hand.HasField("your_turn") else None
            if update.HasField("step"):
                if update.step.HasField("your_turn"):
                    return update.step.your_turn
                if any(_ends_turn(event) for event in update.step.events):
                    return None
        return None

    @property
    def views(self) -> list[int]:
        return [u.step.view_no for u in self.updates if u.HasField("step")]

    @property
    def snapshots(self) -> list[table_pb2.Snapshot]:
        return [u.snapshot for u in self.updates if u.HasField("snapshot")]

    @property
    def goodbyes(self) -> list[str]:
        reasons = [u.goodbye.reason for u in self.updates if u.HasField("goodbye")]
        names = [table_pb2.GoodbyeReason.Name(reason) for reason in reasons]
        return [name.removeprefix("GOODBYE_REASON_").lower() for name in names]

    @property
    def hole_cards(self) -> list[table_pb2.HoleCards]:
        return [u.hole_cards for u in self.updates if u.HasField("hole_cards")]

    def events(self, name: str) -> list[Any]:
        """All events of this name, of the table or of its hand."""
        found: list[Any] = []
        for update in self.updates:
            for event in update.step.events if update.HasField("step") else ():
                if event.WhichOneof("event") == name:
                    found.append(getattr(event, name))
                elif event.hand.WhichOneof("event") == name:
                    found.append(getattr(event.hand, name))
        return found

    async def until(self, condition: Callable[[], bool], seconds: float = 10) -> None:
        await eventually(condition, seconds)

    async def close(self) -> None:
        self._call.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _read(self) -> None:
        try:
            async for update in self._call:
                self.updates.append(update)
        except grpc.aio.AioRpcError as failure:
            self.error = error_of(failure)
        except asyncio.CancelledError:
            pass
        finally:
            self.ended.set()


def _ends_turn(event: Any) -> bool:
    if event.WhichOneof("event") != "hand":
        return False
    return event.hand.WhichOneof("event") in {"action_taken", "turn_began", "hand_ended"}


class TableFloor:
    """The process, its broker and its neighbours. A test has a table of its own: `table`."""

    def __init__(
        self, folder: Path, nats: NatsServer, tiny: TinyServices, settings: dict[str, object]
    ) -> None:
        self.folder = folder
        self.nats = nats
        self.tiny = tiny
        self.identities = DevIdentities(folder / "identity")
        self._settings = settings
        self.process = self.make_process("table-1")
        self.table = "t-1"
        self._tables = 1
        self._open: list[RawStream] = []
        self._channels: list[grpc.aio.Channel] = []

    def make_process(self, instance: str) -> ServiceProcess:
        env = service_env(
            "table",
            self.folder,
            self.identities,
            self.nats.url,
            **{
                "instance": instance,
                "shuffler_address": self.tiny.address,
                "showdown_address": self.tiny.address,
                "wallet_address": self.tiny.address,
                "append_timeout_ms": 500,
                "effect_timeout_ms": 500,
                **self._settings,
            },
        )
        return ServiceProcess("floor_table", env, self.folder / f"{instance}.log")

    def stub(self, token: str, process: ServiceProcess | None = None) -> Any:
        channel = connect((process or self.process).address, fixed_token(token))
        self._channels.append(channel)
        return table_pb2_grpc.TableServiceStub(channel)

    def operator(self, process: ServiceProcess | None = None, name: str = "operator") -> Any:
        return self.stub(
            self.identities.token(name, "operations", "supervisor", "auditor"), process
        )

    @asynccontextmanager
    async def at_new_table(self, *, opened: bool = True) -> AsyncIterator[TableFloor]:
        """The same processes with another table, as if no table had been there before.

        What the neighbours count and are told to fail at is of this table only.
        """
        self._tables += 1
        self.table = f"t-{self._tables}"
        self.tiny.begin_anew(self.table)
        try:
            if opened:
                await self.open_table()
            yield self
        finally:
            await self._close_streams()

    async def open_table(
        self, table_id: str = "", settings: settings_pb2.TableSettings | None = None
    ) -> int:
        table_id = table_id or self.table
        answer = await self.operator().OpenTable(
            table_pb2.OpenTableRequest(
                command_id=f"open-{table_id}", table_id=table_id, settings=settings or holdem()
            )
        )
        return int(answer.table_seq)

    async def stream(
        self,
        name: str = "watcher",
        view: int = PLAYER,
        *,
        table_id: str = "",
        resume_after: int = 0,
        roles: tuple[str, ...] = ("player",),
        key: bytes | None = None,
        process: ServiceProcess | None = None,
    ) -> RawStream:
        key = hashlib.sha256(name.encode()).digest() if key is None else key
        token = self.identities.token(name, *roles, seal_key=key)
        stream = RawStream(self.stub(token, process).Attach(wait_for_ready=True))
        self._open.append(stream)
        attach = table_pb2.AttachCommand(
            table_id=table_id or self.table,
            view=view,  # type: ignore[arg-type]  # a number is as good
            resume_after=resume_after,
        )
        await stream.send(attach=attach)
        stream.begin()
        return stream

    async def seated(self, name: str, buy_in: int = 10_000) -> RawStream:
        stream = await self.stream(name)
        sit = table_pb2.SitDownCommand(buy_in_minor=buy_in, display_name=name)
        answer = await stream.ask(sit_down=sit)
        assert not answer.HasField("error"), answer
        await stream.until(lambda: bool(stream.events("seat_taken")))
        return stream

    async def playing(self, *names: str) -> dict[str, RawStream]:
        """Players at the table, and a hand that waits for one of them."""
        streams = {name: await self.seated(name) for name in names}
        await acting(streams)
        return streams

    async def log(self, table_id: str = "") -> list[step_pb2.Step]:
        """All steps of a table, read from the broker itself."""
        nats = await FloorNats.connect(self.nats.url, name="reader", wait_ms=5_000)
        try:
            found = nats.read_from(TABLE_LOG.name, table_subject(table_id or self.table), 1)
            return [step_pb2.Step.FromString(message.data) async for message in found]
        finally:
            await nats.close()

    async def still_log(self) -> list[step_pb2.Step]:
        """All steps of the table, once none has come for half a second."""
        steps = await self.log()
        while True:
            await asyncio.sleep(0.5)
            before, steps = steps, await self.log()
            if len(before) == len(steps):
                return steps

    async def close(self) -> None:
        await self._close_streams()
        self.process.kill9()

    async def _close_streams(self) -> None:
        for stream in self._open:
            await stream.close()
        for channel in self._channels:
            await channel.close()
        self._open.clear()
        self._channels.clear()


@asynccontextmanager
async def table_floor(folder: Path, **settings: object) -> AsyncIterator[TableFloor]:
    with nats_server(folder / "nats") as nats:
        async with tiny_services() as tiny:
            floor = TableFloor(folder, nats, tiny, settings)
            try:
                await floor.process.start()
                yield floor
            finally:
                await floor.close()


@contextlib.contextmanager
def refused(code: int) -> Any:
    """Expect a call to fail with this code of the catalogue; gives what it failed with."""
    errors: list[FloorError] = []
    try:
        yield errors
    except grpc.aio.AioRpcError as failure:
        found = error_of(failure)
        assert found.code == code, f"{found}"
        assert found.reason
        errors.append(found)
    else:
        name = errors_pb2.ErrorCode.Name(errors_pb2.ErrorCode.ValueType(code))
        raise AssertionError(f"the call was not refused with {name}")


async def acting(streams: dict[str, RawStream]) -> RawStream:
    """The one stream whose turn it is, when one has it."""
    await eventually(lambda: any(one.turn() is not None for one in streams.values()), 15)
    found = [stream for stream in streams.values() if stream.turn() is not None]
    assert len(found) == 1, f"{len(found)} streams have the turn"
    return found[0]
