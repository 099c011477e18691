"""An input that waits to be decided, and how it is answered."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from floor_table.domain import Refusal, TableInput
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.servicekit import FloorError

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


def given_up(reason: str) -> FloorError:
    """Give the error of a table that takes nothing more; see `TableActor.stop`."""
    text = "the service is stopping" if reason == "draining" else "the table changes its owner"
    return FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, text)


def refusal_of(error: FloorError) -> Refusal:
    """Give an error of the runtime as a refusal."""
    return Refusal(errors_pb2.ErrorCode.ValueType(error.code), error.reason, error.field)
