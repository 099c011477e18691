"""Logs: one JSON object a line on stdout, with the context of the task that writes."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import structlog

_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
_SECRET_KEYS = frozenset({"token", "authorization", "password", "secret", "private_key"})
_HIDDEN = "(hidden)"
# header.payload.signature, each base64url; the header of a JWT always begins with {"  -> eyJ.
_JWT = re.compile(r"eyJ[\w-]{5,}\.[\w-]+\.[\w-]+")


def configure_logging(service: str, instance: str, level: str = "info") -> None:
    """Set logging up for the process. `level` is debug, info, warning or error.

    Libraries' own log lines pass through the same form, warnings and above.
    """
    threshold = _LEVELS[level]
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
        logger_factory=structlog.PrintLoggerFactory(sys.stdout),
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    root.handlers = [_ToStructlog()]
    root.setLevel(max(threshold, logging.WARNING))


def get_logger(name: str) -> structlog.typing.FilteringBoundLogger:
    """Give a logger whose lines carry `component=name`."""
    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger(component=name)
    return logger


@contextmanager
def bind_log(**context: object) -> Iterator[None]:
    """Add `table_id`, `hand_no`, `request_id` or the like to the lines of this task."""
    with structlog.contextvars.bound_contextvars(**context):
        yield


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
