"""The id of the request that this task works for; calls made meanwhile carry it on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_request_id: ContextVar[str] = ContextVar("floor_request_id", default="")


def current_request_id() -> str:
    """Return the id of the request being handled, "" outside of a call."""
    return _request_id.get()


@contextmanager
def working_for(request_id: str) -> Iterator[None]:
    """Set the id for the code inside."""
    before = _request_id.set(request_id)
    try:
        yield
    finally:
        _request_id.reset(before)
