"""The catalogue of errors as exceptions, and the way each travels over gRPC."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Never, TypeVar, cast

import grpc
from google.rpc import status_pb2  # type: ignore[import-untyped]  # the package has no py.typed

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal

Result = TypeVar("Result")

DETAILS_KEY = "grpc-status-details-bin"
REQUEST_ID_KEY = "floor-request-id"

# Metadata is limited to 8 KiB by most proxies; a reason is a sentence.
_MAX_REASON_CHARS = 600
_MAX_FIELD_CHARS = 200


def _statuses() -> dict[int, grpc.StatusCode]:
    status = grpc.StatusCode
    invalid, precondition = status.INVALID_ARGUMENT, status.FAILED_PRECONDITION
    return {
        errors_pb2.ERROR_CODE_INVALID_FIELD: invalid,
        errors_pb2.ERROR_CODE_MESSAGE_TOO_LARGE: status.RESOURCE_EXHAUSTED,
        errors_pb2.ERROR_CODE_MALFORMED_MESSAGE: invalid,
        errors_pb2.ERROR_CODE_BAD_COMMAND_ID: invalid,
        errors_pb2.ERROR_CODE_ID_REUSED: status.ALREADY_EXISTS,
        errors_pb2.ERROR_CODE_NOT_SUPPORTED: status.UNIMPLEMENTED,
        errors_pb2.ERROR_CODE_TOKEN_MISSING: status.UNAUTHENTICATED,
        errors_pb2.ERROR_CODE_TOKEN_INVALID: status.UNAUTHENTICATED,
        errors_pb2.ERROR_CODE_TOKEN_EXPIRED: status.UNAUTHENTICATED,
        errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED: status.PERMISSION_DENIED,
        errors_pb2.ERROR_CODE_NOT_YOURS: status.PERMISSION_DENIED,
        errors_pb2.ERROR_CODE_SEAL_KEY_MISSING: precondition,
        errors_pb2.ERROR_CODE_OVERLOADED: status.RESOURCE_EXHAUSTED,
        errors_pb2.ERROR_CODE_UNAVAILABLE: status.UNAVAILABLE,
        errors_pb2.ERROR_CODE_STALE_EPOCH: precondition,
        errors_pb2.ERROR_CODE_INTERNAL: status.INTERNAL,
        errors_pb2.ERROR_CODE_RATE_LIMITED: status.RESOURCE_EXHAUSTED,
        errors_pb2.ERROR_CODE_UNKNOWN_TABLE: status.NOT_FOUND,
        errors_pb2.ERROR_CODE_TABLE_EXISTS: status.ALREADY_EXISTS,
        errors_pb2.ERROR_CODE_BAD_SETTING: invalid,
        errors_pb2.ERROR_CODE_UNKNOWN_SEAT: invalid,
        errors_pb2.ERROR_CODE_SEAT_TAKEN: precondition,
        errors_pb2.ERROR_CODE_ALREADY_SEATED: precondition,
        errors_pb2.ERROR_CODE_NOT_SEATED: precondition,
        errors_pb2.ERROR_CODE_BUY_IN_OUT_OF_RANGE: invalid,
        errors_pb2.ERROR_CODE_RAT_HOLE: precondition,
        errors_pb2.ERROR_CODE_TABLE_CLOSED: precondition,
        errors_pb2.ERROR_CODE_WRONG_STATE: precondition,
        errors_pb2.ERROR_CODE_SEAT_PENDING: precondition,
        errors_pb2.ERROR_CODE_BAD_RESUME: status.OUT_OF_RANGE,
        errors_pb2.ERROR_CODE_UNKNOWN_HAND: status.NOT_FOUND,
        errors_pb2.ERROR_CODE_NOT_YOUR_TURN: precondition,
        errors_pb2.ERROR_CODE_STALE_TURN: precondition,
        errors_pb2.ERROR_CODE_ACTION_NOT_ALLOWED: precondition,
        errors_pb2.ERROR_CODE_AMOUNT_TOO_SMALL: invalid,
        errors_pb2.ERROR_CODE_AMOUNT_TOO_LARGE: invalid,
        errors_pb2.ERROR_CODE_NOT_A_WHOLE_CHIP: invalid,
        errors_pb2.ERROR_CODE_TOO_LATE: status.DEADLINE_EXCEEDED,
        errors_pb2.ERROR_CODE_NO_HAND: precondition,
        errors_pb2.ERROR_CODE_HAND_OVER: precondition,
        errors_pb2.ERROR_CODE_UNEXPECTED_INPUT: precondition,
        errors_pb2.ERROR_CODE_WRONG_CARDS: invalid,
        errors_pb2.ERROR_CODE_BAD_LAYOUT: invalid,
        errors_pb2.ERROR_CODE_BAD_SLOT: invalid,
        errors_pb2.ERROR_CODE_BAD_SHOWDOWN: status.INTERNAL,
        errors_pb2.ERROR_CODE_UNKNOWN_DECK: status.NOT_FOUND,
        errors_pb2.ERROR_CODE_WRONG_DECK_STATE: precondition,
        errors_pb2.ERROR_CODE_CAUSE_NOT_FOUND: status.PERMISSION_DENIED,
        errors_pb2.ERROR_CODE_NOT_JUSTIFIED: status.PERMISSION_DENIED,
        errors_pb2.ERROR_CODE_DECK_NUMBER_GAP: precondition,
        errors_pb2.ERROR_CODE_GENERATOR_FAILED: status.UNAVAILABLE,
        errors_pb2.ERROR_CODE_NO_SEAT_KEY: precondition,
        errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT: status.NOT_FOUND,
        errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS: precondition,
        errors_pb2.ERROR_CODE_CURRENCY_MISMATCH: invalid,
        errors_pb2.ERROR_CODE_NOT_BALANCED: invalid,
        errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE: invalid,
        errors_pb2.ERROR_CODE_RESERVATION_GONE: precondition,
        errors_pb2.ERROR_CODE_RESERVATION_COMMITTED: precondition,
        errors_pb2.ERROR_CODE_ALREADY_REVERSED: precondition,
        errors_pb2.ERROR_CODE_SECOND_PERSON_NEEDED: status.PERMISSION_DENIED,
        errors_pb2.ERROR_CODE_TABLE_NOT_REGISTERED: precondition,
        errors_pb2.ERROR_CODE_ROLLED_BACK: precondition,
        errors_pb2.ERROR_CODE_NOT_REVERSIBLE: precondition,
        errors_pb2.ERROR_CODE_UNKNOWN_ENTRY: grpc.StatusCode.NOT_FOUND,
        errors_pb2.ERROR_CODE_UNKNOWN_GAME: invalid,
        errors_pb2.ERROR_CODE_BAD_CARDS: invalid,
    }


#: The gRPC status of every code of the catalogue (protos/floor/common/v1/errors.proto).
STATUS_OF: Mapping[int, grpc.StatusCode] = MappingProxyType(_statuses())

_CODE_WITHOUT_DETAILS: Mapping[grpc.StatusCode, int] = MappingProxyType(
    {
        grpc.StatusCode.UNAVAILABLE: errors_pb2.ERROR_CODE_UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED: errors_pb2.ERROR_CODE_UNAVAILABLE,
        grpc.StatusCode.CANCELLED: errors_pb2.ERROR_CODE_UNAVAILABLE,
        grpc.StatusCode.RESOURCE_EXHAUSTED: errors_pb2.ERROR_CODE_OVERLOADED,
        grpc.StatusCode.UNIMPLEMENTED: errors_pb2.ERROR_CODE_NOT_SUPPORTED,
        grpc.StatusCode.UNAUTHENTICATED: errors_pb2.ERROR_CODE_TOKEN_INVALID,
        grpc.StatusCode.PERMISSION_DENIED: errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED,
    }
)


class CannotStart(Exception):  # noqa: N818 - a sentence about the service, not an Error to be handled
    """A start-up failure that one clear line explains; `run` logs it and exits with 1."""


class FloorError(Exception):
    """A refusal with a stable code, a reason for people and the field at fault. Never changes."""

    __slots__ = ("code", "field", "reason")

    code: int
    reason: str
    field: str

    def __init__(self, code: int, reason: str, field: str = "") -> None:
        assert code in STATUS_OF, f"error code {code} is not in the catalogue"
        super().__init__(code, reason, field)
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "reason", reason[:_MAX_REASON_CHARS])
        object.__setattr__(self, "field", field[:_MAX_FIELD_CHARS])

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse changes, except what Python itself records while an exception travels."""
        if name in FloorError.__slots__:
            self._refuse(name)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        """Refuse removals too."""
        self._refuse(name)

    def _refuse(self, name: str) -> Never:
        raise AttributeError(f"FloorError.{name} cannot be changed")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FloorError):
            return NotImplemented
        return (self.code, self.reason, self.field) == (other.code, other.reason, other.field)

    def __hash__(self) -> int:
        return hash((self.code, self.reason, self.field))

    def __str__(self) -> str:
        name = error_name(self.code)
        at_field = f" ({self.field})" if self.field else ""
        return f"{name}: {self.reason}{at_field}"

    @property
    def status(self) -> grpc.StatusCode:
        """The gRPC status this error travels with."""
        return STATUS_OF[self.code]


def accepted(result: Result | Refusal) -> Result:
    """Return what pure code answers. Raises FloorError where it refuses."""
    if isinstance(result, Refusal):
        raise FloorError(result.code, result.reason, result.field)
    return result


def error_name(code: int) -> str:
    """Return a code's name without the prefix, such as "SEAT_TAKEN"."""
    value = cast("errors_pb2.ErrorCode.ValueType", code)
    return errors_pb2.ErrorCode.Name(value).removeprefix("ERROR_CODE_")


def wire_error(error: FloorError, request_id: str) -> errors_pb2.Error:
    """Return the error as a message, for results inside a stream."""
    code = cast("errors_pb2.ErrorCode.ValueType", error.code)  # in STATUS_OF, so in the catalogue
    return errors_pb2.Error(
        code=code, reason=error.reason, field=error.field, request_id=request_id
    )


def from_wire(error: errors_pb2.Error) -> FloorError:
    """Read an error message; a code this release does not know becomes INTERNAL."""
    code = error.code if error.code in STATUS_OF else errors_pb2.ERROR_CODE_INTERNAL
    return FloorError(code, error.reason, error.field)


def status_details(error: FloorError, request_id: str) -> bytes:
    """Return the value of `grpc-status-details-bin`: a google.rpc.Status holding the Error."""
    status = status_pb2.Status(code=error.status.value[0], message=error.reason)
    status.details.add().Pack(wire_error(error, request_id))
    return bytes(status.SerializeToString())


def error_of(failure: grpc.RpcError) -> FloorError:
    """Read what a failed call says, from its details or, without any, from its status.

    A passed deadline and a lost connection become UNAVAILABLE: the call may still have been done.
    """
    metadata: Iterable[tuple[str, str | bytes]]
    metadata = getattr(failure, "trailing_metadata", tuple)() or ()
    for key, value in metadata:
        if key == DETAILS_KEY and isinstance(value, bytes):
            found = _error_in(value)
            if found is not None:
                return from_wire(found)
    status: grpc.StatusCode = getattr(failure, "code", lambda: grpc.StatusCode.UNKNOWN)()
    text = getattr(failure, "details", str)() or str(status)
    code = _CODE_WITHOUT_DETAILS.get(status, errors_pb2.ERROR_CODE_INTERNAL)
    if status is grpc.StatusCode.RESOURCE_EXHAUSTED and "larger than max" in text:
        code = errors_pb2.ERROR_CODE_MESSAGE_TOO_LARGE
    return FloorError(code, text)


def _error_in(details: bytes) -> errors_pb2.Error | None:
    try:
        status = status_pb2.Status.FromString(details)
        for detail in status.details:
            found = errors_pb2.Error()
            if detail.Unpack(found):
                return found
    except Exception:  # noqa: BLE001 - protobuf's DecodeError is no public class of every backend
        return None
    return None
