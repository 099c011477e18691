"""What is said between a service and its broker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

MSG_ID_HEADER: Final = "Nats-Msg-Id"
EXPECTED_SEQUENCE_HEADER: Final = "Nats-Expected-Last-Subject-Sequence"


class LogUnavailable(Exception):  # noqa: N818 - names the state of the log, not a mistake
    """The broker did not answer within the deadline. An append may or may not have been stored."""


class WrongSequence(Exception):  # noqa: N818 - names what was found, not a mistake
    """Somebody else has written to the subject.

    `last_seq` is the stream sequence of the subject's last message, 0 for none.
    """

    def __init__(self, subject: str, last_seq: int) -> None:
        super().__init__(f"the last message on {subject} is {last_seq}, another was expected")
        self.subject = subject
        self.last_seq = last_seq


class LogTruncated(Exception):  # noqa: N818 - names the state of the log, not a mistake
    """The stream ends before a message that was read from it: stored messages were lost."""


@dataclass(frozen=True, slots=True)
class StreamSpec:
    """How a stream must be. Sizes in bytes, -1 for no limit; times in seconds, 0 for no limit."""

    name: str
    subjects: tuple[str, ...]
    storage: Literal["file", "memory"] = "file"
    max_bytes: int = -1
    max_age_s: float = 0
    max_messages: int = -1
    max_messages_per_subject: int = -1
    max_message_bytes: int = -1
    duplicate_window_s: float = 120
    replicas: int = 1
    discard: Literal["old", "new"] = "old"
    description: str = ""


class StoredMessage(NamedTuple):
    """A message of a stream. `seq` is the stream's number, `at_ms` the broker's time of storing."""

    subject: str
    headers: Mapping[str, str]
    data: bytes
    seq: int
    at_ms: int

    @property
    def msg_id(self) -> str:
        """The id its writer gave it, "" for none."""
        return self.headers.get(MSG_ID_HEADER, "")


@dataclass(frozen=True, slots=True)
class BusMessage:
    """A message that is not stored: from a subscription, or a request to answer."""

    subject: str
    headers: Mapping[str, str]
    data: bytes
