"""One Attach stream to a table, opened again whenever it is lost, and the commands on it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import grpc
import grpc.aio

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc
from pokerfloor.api.table.v1.table_pb2 import GOODBYE_REASON_TABLE_CLOSED
from pokerfloor.client.errors import CommandRefused, ConnectionLost, NoAnswer, SessionOver
from pokerfloor.client.mirror import ViewGap
from pokerfloor.rpc import Backoff, error_of, from_wire, new_id, stream

_MAX_PENDING = 64
_WRITE_TIMEOUT_S = 5.0
_PING_EVERY_S = 5.0
_SILENCE_S = 15.0

# What passes by itself: the service is starting, draining, changing owner, or overloaded.
_PASSES = frozenset(
    {
        errors_pb2.ERROR_CODE_UNAVAILABLE,
        errors_pb2.ERROR_CODE_OVERLOADED,
        errors_pb2.ERROR_CODE_RATE_LIMITED,
        errors_pb2.ERROR_CODE_STALE_EPOCH,
        errors_pb2.ERROR_CODE_INTERNAL,
    }
)


@dataclass(slots=True)
class _Pending:
    command: table_pb2.TableCommand
    answer: asyncio.Future[table_pb2.CommandResult]


class TableLink:
    """Keeps a stream up and tells commands' answers apart.

    `take` is called with every update that is no answer and no pong; `resume_after` gives the last
    view number applied. After a loss the stream is opened again, with growing pauses, and commands
    without an answer are sent again under the same ids, which the table answers only once.
    """

    def __init__(
        self,
        stub: table_pb2_grpc.TableServiceAsyncStub,
        attach: table_pb2.AttachCommand,
        *,
        take: Callable[[table_pb2.TableUpdate], None],
        resume_after: Callable[[], int],
        give_up_after_ms: int,
    ) -> None:
        self._stub = stub
        self._attach = attach
        self._take = take
        self._resume_after = resume_after
        self._give_up_after_s = give_up_after_ms / 1000
        self._pending: dict[str, _Pending] = {}
        self._call: Any = None
        self._write_lock = asyncio.Lock()
        self._backoff = Backoff(50, 2_000)
        self._heard_at_s = time.monotonic()
        self._from_snapshot = False
        self._closed_by_table = False
        self._failure: BaseException | None = None
        self.connections = 0

    async def run(self) -> None:
        """Keep the stream up until it is cancelled or the table is closed.

        Raises CommandRefused when the table will not have this client, ConnectionLost when it
        could not be reached for `give_up_after_ms`, and what `take` raises.
        """
        try:
            await self._keep_up()
        except BaseException as failure:
            self._failure = failure
            self._fail_pending(failure)
            raise

    async def _keep_up(self) -> None:
        self._heard_at_s = time.monotonic()
        while True:
            await self._one_stream()
            if self._closed_by_table:
                raise SessionOver("the table is closed")
            if time.monotonic() - self._heard_at_s > self._give_up_after_s:
                raise ConnectionLost(f"nothing heard for {self._give_up_after_s:.0f} s")
            await self._backoff.sleep()

    async def command(
        self, command: table_pb2.TableCommand, timeout_ms: int
    ) -> table_pb2.CommandResult:
        """Send a command and wait for its answer.

        Raises CommandRefused, or NoAnswer when the time is over.
        """
        if self._failure is not None:
            raise SessionOver(f"the session is over: {self._failure}") from self._failure
        if len(self._pending) >= _MAX_PENDING:
            raise CommandRefused(
                errors_pb2.ERROR_CODE_OVERLOADED, f"{_MAX_PENDING} commands wait for an answer"
            )
        command.command_id = command.command_id or new_id()
        answer: asyncio.Future[table_pb2.CommandResult] = asyncio.Future()
        self._pending[command.command_id] = _Pending(command, answer)
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                if self._call is not None:
                    await self._write(self._call, command)
                result = await answer
        except TimeoutError:
            raise NoAnswer(f"no answer to {command.WhichOneof('command')} in time") from None
        finally:
            self._pending.pop(command.command_id, None)
        if result.HasField("error"):
            raise CommandRefused.of(from_wire(result.error))
        return result

    async def _one_stream(self) -> None:
        """Attach, send what has no answer yet, and take updates until the stream is lost."""
        attach = table_pb2.TableCommand()
        attach.attach.CopyFrom(self._attach)
        attach.attach.resume_after = 0 if self._from_snapshot else self._resume_after()
        call = self._stub.Attach()
        async with stream(call):
            heartbeat: asyncio.Task[None] | None = None
            try:
                await self._write(call, attach)
                self._call = call
                self.connections += 1
                for pending in list(self._pending.values()):
                    await self._write(call, pending.command)
                heartbeat = asyncio.create_task(self._beat(call))
                await self._read(call)
            except grpc.aio.AioRpcError as failure:
                self._judge(failure)
            except ViewGap:
                # Once from the last view; if that does not close the gap, from a snapshot.
                self._from_snapshot = attach.attach.resume_after == self._resume_after()
            except TimeoutError:
                pass  # silent for too long: a half-open connection
            except asyncio.CancelledError:
                # gRPC says so of a call too that ended because a write on it was given up.
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
            finally:
                self._call = None
                if heartbeat is not None:
                    heartbeat.cancel()
                    with contextlib.suppress(asyncio.CancelledError):
                        await heartbeat

    async def _read(self, call: Any) -> None:
        while True:
            async with asyncio.timeout(_SILENCE_S):
                update = await call.read()
            if update is grpc.aio.EOF:
                return
            self._heard_at_s = time.monotonic()
            kind = update.WhichOneof("update")
            if kind == "result":
                self._answered(update.result)
            elif kind == "goodbye":
                self._closed_by_table = update.goodbye.reason == GOODBYE_REASON_TABLE_CLOSED
            elif kind != "pong":
                self._take(update)
                self._from_snapshot = False
            self._backoff.reset()

    async def _write(self, call: Any, command: table_pb2.TableCommand) -> None:
        """Write, or leave the command to be sent again by the next stream."""
        try:
            async with asyncio.timeout(_WRITE_TIMEOUT_S), self._write_lock:
                await call.write(command)
        except (asyncio.InvalidStateError, grpc.aio.UsageError, grpc.aio.AioRpcError):
            return  # the stream is over; its reader finds out why
        except TimeoutError:
            call.cancel()

    async def _beat(self, call: Any) -> None:
        """Ping, so that a line that died without a word is found.

        Not at once: a write on a stream that the table is just refusing would hide why it does.
        """
        nonce = 0
        while True:
            await asyncio.sleep(_PING_EVERY_S)
            nonce += 1
            await self._write(call, table_pb2.TableCommand(ping=table_pb2.PingCommand(nonce=nonce)))

    def _judge(self, failure: grpc.aio.AioRpcError) -> None:
        """Raise what will not pass by itself."""
        error = error_of(failure)
        if error.code == errors_pb2.ERROR_CODE_BAD_RESUME:
            self._from_snapshot = True
        elif error.code not in _PASSES:
            raise CommandRefused.of(error) from failure

    def _answered(self, result: table_pb2.CommandResult) -> None:
        pending = self._pending.get(result.command_id)
        if pending is not None and not pending.answer.done():
            pending.answer.set_result(result)

    def _fail_pending(self, failure: BaseException) -> None:
        for pending in self._pending.values():
            if not pending.answer.done():
                pending.answer.set_exception(SessionOver(f"the session is over: {failure}"))
