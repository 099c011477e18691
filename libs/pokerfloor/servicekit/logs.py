"""Logs: one JSON object a line on stdout, with the context of the task that writes."""

from __future__ import annotations

import logging
import os
import re
import threading
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import structlog

from pokerfloor.servicekit.metrics import LOG_LINES_LOST

_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
_SECRET_KEYS = frozenset({"token", "authorization", "password", "secret", "private_key"})
_HIDDEN = "(hidden)"
_STDOUT = 1
# header.payload.signature, each base64url; the header of a JWT always begins with {"  -> eyJ.
_JWT = re.compile(r"eyJ[\w-]{5,}\.[\w-]+\.[\w-]+")


def configure_logging(service: str, instance: str, level: str = "info") -> None:
    """Set logging up for the process. `level` is debug, info, warning or error.

    Libraries' own log lines pass through the same form, warnings and above.
    """
    threshold = _LEVELS[level]
    lines = _Lines(_STDOUT)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
            structlog.processors.format_exc_info,
            _name_process(service, instance),
            _hide_secrets,
            structlog.processors.JSONRenderer(sort_keys=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=lambda *_: lines,
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    root.handlers = [_ToStructlog()]
    root.setLevel(max(threshold, logging.WARNING))


def get_logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """Return a logger whose lines carry `component=name`."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(component=name)
    return logger


@contextmanager
def bind_log(**context: object) -> Iterator[None]:
    """Add `table_id`, `hand_no`, `request_id` or the like to the lines of this task."""
    with structlog.contextvars.bound_contextvars(**context):
        yield


class _Lines:
    """Writes lines to a descriptor. One that cannot be written is lost, and counted.

    The disk that logs lie on may be full, or whoever read them gone: play goes on.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._torn = False  # the last line has no end

    def msg(self, line: str) -> None:
        with self._lock:
            rest = ("\n" * self._torn + line + "\n").encode(errors="backslashreplace")
            try:
                while rest:
                    written = os.write(self._descriptor, rest)
                    rest = rest[written:]
                    self._torn = bool(rest)
            except OSError:
                LOG_LINES_LOST.inc()

    # What structlog calls, by the line's level.
    debug = info = warning = error = critical = log = msg


def _name_process(service: str, instance: str) -> structlog.typing.Processor:
    def add(
        _logger: object, _method: str, event: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        event["service"] = service
        event["instance"] = instance
        return event

    return add


def _hide_secrets(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    for key, value in event.items():
        if key.lower() in _SECRET_KEYS:
            event[key] = _HIDDEN
        elif isinstance(value, str) and "eyJ" in value:
            event[key] = _JWT.sub(_HIDDEN, value)
    return event


class _ToStructlog(logging.Handler):
    """Passes the lines of libraries that use `logging` on."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            logger = structlog.get_logger(component=record.name)
            logger.log(record.levelno, record.getMessage(), exc_info=record.exc_info or False)
        except Exception:  # noqa: BLE001 - a log line that cannot be written must not stop play
            self.handleError(record)
