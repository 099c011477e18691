"""The commands of one stream: checked, paced, handed to the table, and each one answered."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Final

from floor_table.domain import CommandIn, Refusal
from floor_table.runtime.actor import TableActor
from floor_table.runtime.mailbox import Answer
from floor_table.runtime.streams import Session
from pokerfloor.api.common.v1 import errors_pb2, identity_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.servicekit import FloorError, current_request_id, wire_error

# An answer names the command by as much of its id as an id may have.
_MOST_ID_CHARS: Final = 128


class Pace:
    """At most `per_s` commands a second, and `burst` at once (a token bucket)."""

    def __init__(
        self, per_s: float, burst: int, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_s = per_s
        self._burst = burst
        self._left = float(burst)
        self._clock_s = clock_s
        self._at_s = clock_s()

    def allows(self) -> bool:
        """Tell whether one more may come now, and count it."""
        now_s = self._clock_s()
        self._left = min(self._burst, self._left + (now_s - self._at_s) * self._per_s)
        self._at_s = now_s
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


class Intake:
    """Accepts the commands of a stream after its `attach`."""

    def __init__(
        self, actor: TableActor, session: Session, pace: Pace, clock: Callable[[], int]
    ) -> None:
        self._actor = actor
        self._session = session
        self._pace = pace
        self._clock = clock
        self._request_id = current_request_id()

    def take(self, command: table_pb2.TableCommand) -> None:
        """Accept one. Its answer goes to the stream; a bad command does not end that."""
        # The moment of arrival (CLK-4): nothing is waited for between reading and here.
        arrived_at_ms = self._clock()
        if not self._pace.allows():
            limited = FloorError(errors_pb2.ERROR_CODE_RATE_LIMITED, "too many commands")
            self._refuse(command.command_id, limited)
            return
        try:
            self._take(command, arrived_at_ms)
        except FloorError as error:
            self._refuse(command.command_id, error)

    def _take(self, command: table_pb2.TableCommand, arrived_at_ms: int) -> None:
        kind = command.WhichOneof("command")
        if kind == "ping":
            pong = table_pb2.Pong(nonce=command.ping.nonce)
            self._session.send(table_pb2.TableUpdate(pong=pong))
        elif kind == "attach":
            self._begin_again(command.attach)
        elif kind is None:
            raise FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, "no command is set", "command")
        else:
            self._hand_over(command, arrived_at_ms)

    def _hand_over(self, command: table_pb2.TableCommand, arrived_at_ms: int) -> None:
        self._check_role()
        identity = self._session.identity
        given = CommandIn(
            sender=identity.subject,
            command_id=command.command_id,
            digest=hashlib.sha256(command.SerializeToString(deterministic=True)).digest(),
            command=command,
            arrived_at_ms=arrived_at_ms,
            has_seal_key=identity.seal_key is not None,
        )
        self._actor.offer(given, lambda answer: self._answer(command.command_id, answer))

    def _begin_again(self, attach: table_pb2.AttachCommand) -> None:
        if attach.table_id != self._actor.table.table_id:
            raise FloorError(
                errors_pb2.ERROR_CODE_INVALID_FIELD,
                "a stream shows one table",
                "attach.table_id",
            )
        if attach.view != self._session.view:
            raise FloorError(
                errors_pb2.ERROR_CODE_INVALID_FIELD, "a stream has one view", "attach.view"
            )
        self._session.begin(attach.resume_after)

    def _check_role(self) -> None:
        """Only players command, in their own view; who watches commands nothing."""
        player = self._session.identity.has_role(identity_pb2.ROLE_PLAYER)
        if self._session.view != table_pb2.VIEW_KIND_PLAYER or not player:
            raise FloorError(
                errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED, "this stream may not command that"
            )

    def _answer(self, command_id: str, answer: Answer) -> None:
        if isinstance(answer, Refusal):
            self._refuse(command_id, FloorError(answer.code, answer.reason, answer.field))
        else:
            result = table_pb2.CommandResult()
            result.CopyFrom(answer)
            self._session.send(table_pb2.TableUpdate(result=result))

    def _refuse(self, command_id: str, error: FloorError) -> None:
        result = table_pb2.CommandResult(
            command_id=command_id[:_MOST_ID_CHARS], error=wire_error(error, self._request_id)
        )
        self._session.send(table_pb2.TableUpdate(result=result))
