"""An attached stream that keeps the bytes it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from pokerfloor.api.table.v1 import table_pb2, view_pb2
from tests.support.eventually import eventually

_PATIENCE_S: Final = 20.0
_TURN_ENDS: Final = frozenset({"action_taken", "turn_began", "hand_ended"})


class Message(NamedTuple):
    """Bytes that somebody could read, the type that they are of, and where they were."""

    type: str
    where: str
    data: bytes


class Watcher:
    """An attached stream as bytes: `received` holds every one, in order."""

    def __init__(self, call: Any, table_id: str, received: list[Message]) -> None:
        self._call = call
        self._table_id = table_id
        self.received = received
        self.updates: list[table_pb2.TableUpdate] = []
        self.view_no = 0
        self._task: asyncio.Task[None] | None = None

    async def begin(self, view: table_pb2.ViewKind.ValueType) -> None:
        attach = table_pb2.AttachCommand(table_id=self._table_id, view=view)
        await self.send(table_pb2.TableCommand(attach=attach))
        self._task = asyncio.create_task(self._read())
        await self.until(lambda: bool(self.updates))

    async def send(self, command: table_pb2.TableCommand) -> None:
        await self._call.write(command.SerializeToString())

    async def ask(self, command_id: str, **command: Any) -> table_pb2.CommandResult:
        await self.send(table_pb2.TableCommand(command_id=command_id, **command))
        found: list[table_pb2.CommandResult] = []

        def answered() -> bool:
            found[:] = [one.result for one in self.updates if one.result.command_id == command_id]
            return bool(found)

        await self.until(answered)
        assert not found[0].HasField("error"), found[0]
        return found[0]

    async def until(self, condition: Callable[[], bool]) -> None:
        await eventually(condition, _PATIENCE_S)

    async def until_seen(self, *events: str) -> None:
        await self.until(lambda: {*events} <= {*self.events()})

    def hole_cards(self, hand_no: int) -> list[table_pb2.HoleCards]:
        found = [one.hole_cards for one in self.updates if one.HasField("hole_cards")]
        return [cards for cards in found if cards.hand_no == hand_no]

    def events(self) -> list[str]:
        """The names of all events seen, of the table and of its hands."""
        return [name for update in self.updates for name in _names(update.step)]

    def turn(self) -> view_pb2.YourTurn | None:
        """The turn that is this stream's now."""
        for update in reversed(self.updates):
            if update.step.HasField("your_turn"):
                return update.step.your_turn
            if not _TURN_ENDS.isdisjoint(_names(update.step)):
                return None
            if update.HasField("snapshot"):
                hand = update.snapshot.table.hand
                return hand.your_turn if hand.HasField("your_turn") else None
        return None

    async def close(self) -> None:
        self._call.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _read(self) -> None:
        async for data in self._call:
            update = table_pb2.TableUpdate.FromString(data)
            self.received.append(Message("floor.table.v1.TableUpdate", "", data))
            self.updates.append(update)
            self.view_no = max(self.view_no, update.step.view_no, update.snapshot.view_no)


def _names(step: table_pb2.StepView) -> list[str]:
    return [
        str(event.hand.WhichOneof("event") or event.WhichOneof("event")) for event in step.events
    ]
