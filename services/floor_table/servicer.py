"""The gRPC face of the table service."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, TypeAlias

import grpc.aio
from google.protobuf.message import Message

from floor_table.domain import OpenTableIn, OperateIn, Operation, Table, state_code
from floor_table.intake import Intake, Pace
from floor_table.runtime.actor import TableActor
from floor_table.runtime.directory import Directory
from floor_table.runtime.streams import LAST_WORD_S, TOO_SLOW
from floor_table.settings import TableServiceSettings
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc
from pokerfloor.servicekit import (
    FloorError,
    LogUnavailable,
    after_token,
    bind_log,
    current_identity,
    next_token,
    page_size,
)

Context: TypeAlias = grpc.aio.ServicerContext[Any, Any]

_MOST_TABLES: Final = 200
_USUAL_TABLES: Final = 50
_MOST_STEPS: Final = 500
_USUAL_STEPS: Final = 100
_MOST_PAGE_BYTES: Final = 1024 * 1024
# A client takes 4 MiB; a hand of 10 players to its river has some hundred kilobytes at most.
_MOST_HAND_BYTES: Final = 3 * 1024 * 1024
_MIXED: Final = "mixed"


class TableServicer(table_pb2_grpc.TableServiceServicer):
    """Answers calls from the tables of the directory."""

    def __init__(
        self, directory: Directory, settings: TableServiceSettings, clock: Callable[[], int]
    ) -> None:
        self._directory = directory
        self._settings = settings
        self._clock = clock

    # --- streams

    async def Attach(  # type: ignore[override]  # noqa: N802 - the proto's name; a coroutine that writes through its context
        self, request_iterator: AsyncIterator[table_pb2.TableCommand], context: Context
    ) -> None:
        """Show a table and take commands until either side ends the stream.

        Updates are written as bytes (see wire.py).
        """
        attach = await self._first(request_iterator)
        actor = await self._directory.find(attach.table_id)
        session = actor.attach(current_identity(), attach)
        pace = Pace(self._settings.commands_per_s, self._settings.commands_burst)
        intake = Intake(actor, session, pace, self._clock)
        with bind_log(table_id=attach.table_id):
            writer = asyncio.create_task(session.write(context.write))
            reader = asyncio.create_task(_read(request_iterator, intake))
            try:
                await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
                if not writer.done():
                    # A front-end that commands no more may go on watching; a bad message ends it.
                    if reader.exception() is not None:
                        # gRPC loses the status of a call that is ended while it is written to.
                        session.cut()
                        await asyncio.wait({writer}, timeout=LAST_WORD_S)
                    reader.result()
                    await asyncio.wait({writer})
                _raise_failure(writer, too_slow=session.ending == TOO_SLOW)
            finally:
                actor.hub.detach(session)
                for task in (reader, writer):
                    task.cancel()
                await asyncio.wait({reader, writer})
                _take_exceptions(reader, writer)

    async def _first(
        self, requests: AsyncIterator[table_pb2.TableCommand]
    ) -> table_pb2.AttachCommand:
        try:
            async with asyncio.timeout(self._settings.attach_wait_ms / 1000):
                first = await anext(requests)
        except (StopAsyncIteration, TimeoutError):
            first = table_pb2.TableCommand()
        if first.WhichOneof("command") != "attach":
            raise FloorError(
                errors_pb2.ERROR_CODE_INVALID_FIELD,
                "the first message of a stream must be attach",
                "command",
            )
        return first.attach

    # --- operations

    async def OpenTable(  # noqa: N802 - the name is the proto's
        self, request: table_pb2.OpenTableRequest, _context: Context
    ) -> table_pb2.OpenTableResponse:
        """Make a table."""
        given = OpenTableIn(
            sender=current_identity().subject,
            command_id=request.command_id,
            digest=_digest(request),
            settings=request.settings,
            instance=self._settings.instance,
        )
        result = await self._directory.open_table(request.table_id, given)
        return table_pb2.OpenTableResponse(table_seq=result.table_seq)

    async def PauseTable(  # noqa: N802 - the name is the proto's
        self, request: table_pb2.PauseTableRequest, _context: Context
    ) -> table_pb2.PauseTableResponse:
        """Begin no new hand."""
        seq = await self._operate(Operation.PAUSE, request, reason=request.reason)
        return table_pb2.PauseTableResponse(table_seq=seq)

    async def ResumeTable(  # noqa: N802 - the name is the proto's
        self, request: table_pb2.ResumeTableRequest, _context: Context
    ) -> table_pb2.ResumeTableResponse:
        """Go on."""
        seq = await self._operate(Operation.RESUME, request)
        return table_pb2.ResumeTableResponse(table_seq=seq)

    async def CloseTable(  # noqa: N802 - the name is the proto's
        self, request: table_pb2.CloseTableRequest, _context: Context
    ) -> table_pb2.CloseTableResponse:
        """Play the hand to its end and close."""
        seq = await self._operate(Operation.CLOSE, request)
        return table_pb2.CloseTableResponse(table_seq=seq)

    async def VoidHand(  # noqa: N802 - the name is the proto's
        self, request: table_pb2.VoidHandRequest, _context: Context
    ) -> table_pb2.VoidHandResponse:
        """Void the hand in play."""
        seq = await self._operate(
            Operation.VOID, request, reason=request.reason, hand_no=request.hand_no
        )
        return table_pb2.VoidHandResponse(table_seq=seq)

    async def _operate(
        self, kind: Operation, request: Any, *, reason: str = "", hand_no: int = 0
    ) -> int:
        actor = await self._directory.find(request.table_id)
        given = OperateIn(
            kind=kind,
            sender=current_identity().subject,
            command_id=request.command_id,
            digest=_digest(request),
            reason=reason,
            hand_no=hand_no,
        )
        return (await actor.ask(given)).table_seq

    # --- looking things up

    async def ListTables(  # noqa: N802 - the name is the proto's
        self, request: table_pb2.ListTablesRequest, _context: Context
    ) -> table_pb2.ListTablesResponse:
        """Return a page of tables by id."""
        size = page_size(request.page_size, usual=_USUAL_TABLES, most=_MOST_TABLES)
        after = [
            actor for actor in self._directory.actors() if actor.table.table_id > request.page_token
        ]
        page = [_summary(actor.table) for actor in after[:size]]
        more = len(after) > size
        return table_pb2.ListTablesResponse(
            tables=page, next_page_token=page[-1].table_id if more else ""
        )

    async def GetTable(  # noqa: N802 - the name is the proto's
        self, request: table_pb2.GetTableRequest, _context: Context
    ) -> table_pb2.GetTableResponse:
        """Return a table as spectators see it."""
        actor = await self._directory.find(request.table_id)
        return table_pb2.GetTableResponse(snapshot=actor.snapshot())

    async def GetHand(  # noqa: N802 - the name is the proto's
        self, request: table_pb2.GetHandRequest, _context: Context
    ) -> table_pb2.GetHandResponse:
        """Return the steps of a finished hand."""
        actor = await self._directory.find(request.table_id)
        first = actor.log.index.hand_start(request.hand_no)
        if first is None:
            raise FloorError(
                errors_pb2.ERROR_CODE_UNKNOWN_HAND, f"there is no hand {request.hand_no}", "hand_no"
            )
        if request.hand_no == actor.table.hand_no:
            raise FloorError(
                errors_pb2.ERROR_CODE_WRONG_STATE,
                f"hand {request.hand_no} is still being played",
                "hand_no",
            )
        steps = await _read_log(_hand(actor, first, request.hand_no))
        return table_pb2.GetHandResponse(steps=steps)

    async def ReadLog(  # noqa: N802 - the name is the proto's
        self, request: table_pb2.ReadLogRequest, _context: Context
    ) -> table_pb2.ReadLogResponse:
        """Return a page of steps."""
        size = page_size(request.page_size, usual=_USUAL_STEPS, most=_MOST_STEPS)
        actor = await self._directory.find(request.table_id)
        last = actor.log.index.last_table_seq
        first = max(request.from_table_seq, 1, after_token(request.page_token) + 1)
        steps = await _read_log(_page(actor, first, min(last, first + size - 1)))
        reached = steps[-1].table_seq if steps else last
        return table_pb2.ReadLogResponse(
            steps=steps,
            last_table_seq=last,
            next_page_token=next_token(reached, more=reached < last),
        )


async def _read(requests: AsyncIterator[table_pb2.TableCommand], intake: Intake) -> None:
    async for command in requests:
        intake.take(command)


def _raise_failure(writer: asyncio.Task[None], *, too_slow: bool) -> None:
    if writer.cancelled() or too_slow:
        raise FloorError(errors_pb2.ERROR_CODE_OVERLOADED, "the stream is read too slowly")
    writer.result()


def _take_exceptions(*tasks: asyncio.Task[None]) -> None:
    """Take what they ended with, or asyncio would report it as never looked at."""
    for task in tasks:
        if not task.cancelled():
            task.exception()


def _summary(table: Table) -> table_pb2.TableSummary:
    """Return a table's line in a list of tables."""
    settings = table.settings
    game = _MIXED if settings.WhichOneof("play") == "mixed" else settings.game.game
    return table_pb2.TableSummary(
        table_id=table.table_id,
        name=settings.name,
        game=game,
        stake=settings.stake,
        seats=settings.seats,
        players=len([seat for seat in table.seats.values() if not seat.pending]),
        hands=table.hands,
        state=state_code(table),
    )


async def _read_log(steps: Awaitable[list[step_pb2.Step]]) -> list[step_pb2.Step]:
    try:
        return await steps
    except LogUnavailable as reason:
        raise FloorError(
            errors_pb2.ERROR_CODE_UNAVAILABLE, "the log cannot be read now"
        ) from reason


async def _hand(actor: TableActor, first: int, hand_no: int) -> list[step_pb2.Step]:
    found: list[step_pb2.Step] = []
    size = 0
    last = actor.log.index.last_table_seq
    async with contextlib.aclosing(actor.log.steps(first, last)) as steps:
        async for step in steps:
            found.append(step)
            size += step.ByteSize()
            if size > _MOST_HAND_BYTES:
                raise FloorError(
                    errors_pb2.ERROR_CODE_MESSAGE_TOO_LARGE, "read this hand by ReadLog"
                )
            if _ends_hand(step, hand_no):
                break
    return found


async def _page(actor: TableActor, first: int, last: int) -> list[step_pb2.Step]:
    found: list[step_pb2.Step] = []
    size = 0
    async with contextlib.aclosing(actor.log.steps(first, last)) as steps:
        async for step in steps:
            size += step.ByteSize()
            if found and size > _MOST_PAGE_BYTES:
                break
            found.append(step)
    return found


def _ends_hand(step: step_pb2.Step, hand_no: int) -> bool:
    for event in step.events:
        if event.WhichOneof("event") != "hand":
            continue
        match event.hand.WhichOneof("event"):
            case "hand_ended":
                ended = event.hand.hand_ended.hand_no
            case "hand_voided":
                ended = event.hand.hand_voided.hand_no
            case _:
                continue
        if ended == hand_no:
            return True
    return False


def _digest(request: Message) -> bytes:
    """Return SHA-256 of a call's content; the name of its type keeps two kinds of call apart."""
    name = request.DESCRIPTOR.full_name.encode()
    return hashlib.sha256(name + b"\0" + request.SerializeToString(deterministic=True)).digest()
