"""How pure code of the services says no: a value. At the edge it becomes a `FloorError`."""

from dataclasses import dataclass

from pokerfloor.api.common.v1.errors_pb2 import ErrorCode


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request was refused: a catalogue code, a sentence for people, the field or ""."""

    code: ErrorCode.ValueType
    reason: str
    field: str = ""
