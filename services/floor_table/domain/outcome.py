"""What comes of an input: a decision or a refusal."""

from collections.abc import Sequence
from dataclasses import dataclass

from floor_table.domain.state import TableState
from pokerfloor.api.common.v1.errors_pb2 import ErrorCode
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.api.history.v1.step_pb2 import Input


@dataclass(frozen=True, slots=True)
class FloorRefusal:
    """Why an input was refused: a stable code, a sentence for people, the field at fault or ""."""

    code: ErrorCode.ValueType
    reason: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What an input leads to, before it is stored.

    `sender`, `command_id` and `command_digest` are empty for the table's own steps. `seat` is the
    seat that a `sit_down` got, 0 else. `after` is the state with the events folded in.
    """

    events: Sequence[TableEvent]
    input: Input
    sender: str
    command_id: str
    command_digest: bytes
    seat: int
    at_ms: int
    after: TableState
