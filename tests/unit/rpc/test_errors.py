from __future__ import annotations

import copy
import pickle
import re
from pathlib import Path

import grpc
import grpc.aio
import pytest

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal
from pokerfloor.rpc import DETAILS_KEY, accepted, status_details
from pokerfloor.servicekit import STATUS_OF, FloorError, error_name, error_of, from_wire, wire_error

_PROTO = Path(__file__).resolve().parents[3] / "protos/floor/common/v1/errors.proto"
_CODE = re.compile(r"//[^\n]*— (\w+)\.\n  ERROR_CODE_\w+ = (\d+);")


def test_the_table_of_statuses_is_what_the_catalogue_says() -> None:
    text = _PROTO.read_text(encoding="utf-8")
    written = {int(number): grpc.StatusCode[name] for name, number in _CODE.findall(text)}
    assert set(written) == set(errors_pb2.ErrorCode.values()) - {0}
    assert dict(STATUS_OF) == written


def test_an_error_cannot_be_changed() -> None:
    error = FloorError(errors_pb2.ERROR_CODE_SEAT_TAKEN, "seat 4 is taken", "seat")
    with pytest.raises(AttributeError):
        error.reason = "other"
    with pytest.raises(AttributeError):
        del error.code
    assert str(error) == "SEAT_TAKEN: seat 4 is taken (seat)"
    assert error.status is grpc.StatusCode.FAILED_PRECONDITION


def test_an_error_travels_through_raise_and_cause() -> None:
    error = FloorError(errors_pb2.ERROR_CODE_TOO_LATE, "too late")

    def refuse() -> None:
        raise error from ValueError("inner")

    with pytest.raises(FloorError) as caught:
        refuse()
    assert caught.value is error
    assert isinstance(error.__cause__, ValueError)
    error.add_note("a note")


def test_an_error_is_equal_to_its_copy() -> None:
    error = FloorError(errors_pb2.ERROR_CODE_TOO_LATE, "too late", "turn")
    assert pickle.loads(pickle.dumps(error)) == error
    assert copy.copy(error) == error
    assert len({error, copy.copy(error)}) == 1
    assert error != FloorError(errors_pb2.ERROR_CODE_TOO_LATE, "too late")


@pytest.mark.parametrize("code", [0, 999])
def test_a_code_outside_of_the_catalogue_is_a_mistake(code: int) -> None:
    with pytest.raises(AssertionError):
        FloorError(code, "no such thing")


def test_a_reason_is_bounded() -> None:
    error = FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, "x" * 10_000, "y" * 10_000)
    assert len(status_details(error, "r")) < 2_000


def test_there_and_back_as_a_message() -> None:
    error = FloorError(errors_pb2.ERROR_CODE_BAD_SLOT, "no such card", "slots[1]")
    wire = wire_error(error, "req-1")
    assert wire.request_id == "req-1"
    assert from_wire(wire) == error


def test_a_code_of_a_later_release_becomes_internal() -> None:
    wire = errors_pb2.Error(reason="new")
    wire.MergeFromString(b"\x08\xe7\x07")  # code = 999
    assert from_wire(wire) == FloorError(errors_pb2.ERROR_CODE_INTERNAL, "new")


def failure(
    status: grpc.StatusCode, text: str = "", details: bytes | None = None
) -> grpc.aio.AioRpcError:
    metadata = grpc.aio.Metadata() if details is None else grpc.aio.Metadata((DETAILS_KEY, details))
    return grpc.aio.AioRpcError(status, grpc.aio.Metadata(), metadata, text)


def test_a_failed_call_is_read_from_its_details() -> None:
    error = FloorError(errors_pb2.ERROR_CODE_RAT_HOLE, "bring what you left with", "buy_in")
    call = failure(error.status, "text", status_details(error, "r"))
    assert error_of(call) == error


@pytest.mark.parametrize(
    ("status", "text", "name"),
    [
        (grpc.StatusCode.UNAVAILABLE, "connection refused", "UNAVAILABLE"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, "", "UNAVAILABLE"),
        (grpc.StatusCode.CANCELLED, "", "UNAVAILABLE"),
        (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "Received message larger than max",
            "MESSAGE_TOO_LARGE",
        ),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "", "OVERLOADED"),
        (grpc.StatusCode.UNIMPLEMENTED, "", "NOT_SUPPORTED"),
        (grpc.StatusCode.DATA_LOSS, "", "INTERNAL"),
    ],
)
@pytest.mark.parametrize("details", [None, b"\xff\xff no status"])
def test_a_failed_call_without_details(
    status: grpc.StatusCode, text: str, name: str, details: bytes | None
) -> None:
    assert error_name(error_of(failure(status, text, details)).code) == name


def test_what_pure_code_refuses_is_raised_at_the_edge() -> None:
    refusal = Refusal(errors_pb2.ERROR_CODE_NOT_JUSTIFIED, "another step", "cause")
    with pytest.raises(FloorError) as caught:
        accepted(refusal)
    assert caught.value == FloorError(refusal.code, refusal.reason, refusal.field)
    assert accepted(3) == 3
    assert accepted(None) is None
