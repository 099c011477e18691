"""Inputs that wait to be decided by one table, and how each is answered."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeAlias, TypeVar

from floor_table.domain import Refusal, TableInput
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.servicekit import FloorError

T = TypeVar("T")

# The table's own inputs are few by nature: one for each effect, seat and alarm.
_MOST_OF_OWN: Final = 4_096

#: What a command or another input is answered with.
Answer: TypeAlias = table_pb2.CommandResult | Refusal

#: The answer to an alarm that rang for a clock which does not run any more.
NO_LONGER: Final = Refusal(errors_pb2.ERROR_CODE_UNEXPECTED_INPUT, "no longer due")


@dataclass(frozen=True, slots=True)
class Waiting:
    """An input. `on_answer` is called once; `arrived_s` is by the monotonic clock."""

    given: TableInput
    on_answer: Callable[[Answer], None] | None = None
    arrived_s: float = field(default_factory=time.monotonic)

    def answer(self, answer: Answer) -> None:
        """Answer it, if anybody wants to know."""
        if self.on_answer is not None:
            self.on_answer(answer)


def given_up(reason: table_pb2.GoodbyeReason.ValueType) -> FloorError:
    """Return the error of a table that accepts no input any more; see `TableActor.stop`."""
    draining = reason == table_pb2.GOODBYE_REASON_DRAINING
    text = "the service is stopping" if draining else "the table changes its owner"
    return FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, text)


def refusal_of(error: FloorError) -> Refusal:
    """Return an error of the runtime as a refusal."""
    return Refusal(errors_pb2.ErrorCode.ValueType(error.code), error.reason, error.field)


class Mailbox(Generic[T]):
    """First in, first out. What comes from outside is refused when `limit` of it wait already."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._waiting: deque[tuple[T, bool]] = deque()
        self._from_outside = 0
        self._filled = asyncio.Event()

    def offer(self, item: T) -> bool:
        """Put in what came from outside; False when the box is full."""
        if self._from_outside >= self._limit:
            return False
        self._from_outside += 1
        self._put(item, outside=True)
        return True

    def push(self, item: T) -> None:
        """Put in the table's own; there is always room for it."""
        assert len(self._waiting) - self._from_outside < _MOST_OF_OWN, "own inputs are few"
        self._put(item, outside=False)

    async def take(self) -> T:
        """Take the first, waiting for one."""
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        item, outside = self._waiting.popleft()
        self._from_outside -= outside
        return item

    def empty(self) -> list[T]:
        """Take all that waits."""
        items = [item for item, _ in self._waiting]
        self._waiting.clear()
        self._from_outside = 0
        return items

    def _put(self, item: T, *, outside: bool) -> None:
        self._waiting.append((item, outside))
        self._filled.set()
