"""The log in JetStream: appending with a sequence, and reading back."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

import nats.js.api
from nats.js.errors import APIError, NotFoundError

from pokerfloor.rpc import (
    CannotStart,
    StopSignal,
)
from pokerfloor.servicekit.metrics import APPEND_SECONDS
from pokerfloor.servicekit.nats_connection import NatsConnection
from pokerfloor.servicekit.nats_reader import LogReader
from pokerfloor.servicekit.nats_types import (
    EXPECTED_SEQUENCE_HEADER,
    MSG_ID_HEADER,
    StoredMessage,
    StreamSpec,
    WrongSequence,
)

_WRONG_LAST_SEQUENCE: Final = 10071
_STREAM_NOT_FOUND: Final = 10059
_READ_TIMEOUT_MS: Final = 5_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class NatsLog(NatsConnection):
    """Streams: made, appended to, read."""

    async def ensure_stream(self, spec: StreamSpec, *, timeout_ms: int = 10_000) -> None:
        """Make the stream, or change it to what the spec says; may be called at every start.

        Raises LogUnavailable at the deadline, CannotStart when the broker refuses the change.
        """
        deadline_s = time.monotonic() + timeout_ms / 1000
        config = _stream_config(spec)
        try:
            try:
                await self.ask(lambda: self.js.update_stream(config), deadline_s)
            except APIError as error:
                if error.err_code != _STREAM_NOT_FOUND:
                    raise
                await self.ask(lambda: self.js.add_stream(config), deadline_s)
        except APIError as error:
            reason = f"the broker refuses stream {spec.name}: {error.description}"
            raise CannotStart(reason) from error

    async def append(
        self,
        subject: str,
        data: bytes,
        *,
        expected_last_seq: int,
        msg_id: str,
        timeout_ms: int = 2_000,
        headers: Mapping[str, str] | None = None,
    ) -> int:
        """Store a message if the subject's last one has the stream sequence `expected_last_seq`.

        Gives the stream sequence it is stored at. `msg_id` is unique in the stream: a repeat
        within the broker's window is answered with the sequence of the subject's first message
        under this id, whatever that says. Raises WrongSequence when another writer was first, also
        under this id with other content, and LogUnavailable at the deadline: then
        nobody here knows whether the message was or will be stored, and the only safe thing is
        to append again with the same arguments, or to stop.
        """
        began_s = time.monotonic()
        deadline_s = began_s + timeout_ms / 1000
        full = {
            **(headers or {}),
            MSG_ID_HEADER: msg_id,
            EXPECTED_SEQUENCE_HEADER: str(expected_last_seq),
        }
        try:
            ack = await self.ask(
                lambda: self.js.publish(subject, data, timeout=60, headers=full), deadline_s
            )
        except APIError as error:
            if error.err_code != _WRONG_LAST_SEQUENCE:
                raise
            # Also the answer to a repeat after a lost acknowledgement: the broker compares the
            # sequence before it looks for the id. So look who wrote the last message.
            last = await self._last(await self._stream_of(subject, deadline_s), subject, deadline_s)
            if last is None or (last.msg_id, last.data) != (msg_id, data):
                raise WrongSequence(subject, 0 if last is None else last.seq) from None
            seq = last.seq
        else:
            seq = int(ack.seq)
            if ack.duplicate:
                await self._check_subject(subject, seq, deadline_s)
        APPEND_SECONDS.observe(time.monotonic() - began_s)
        return seq

    async def last_message(
        self, stream: str, subject: str, *, timeout_ms: int = _READ_TIMEOUT_MS
    ) -> StoredMessage | None:
        """Return the subject's last message, as the stream's leader has it; None for none.

        Raises LogUnavailable.
        """
        return await self._last(stream, subject, time.monotonic() + timeout_ms / 1000)

    async def message_at(
        self, stream: str, seq: int, *, timeout_ms: int = _READ_TIMEOUT_MS
    ) -> StoredMessage | None:
        """Return the message with this stream sequence, None when there is none.

        Raises LogUnavailable.
        """
        if seq <= 0:
            return None
        deadline_s = time.monotonic() + timeout_ms / 1000
        try:
            found = await self.ask(lambda: self.js.get_msg(stream, seq=seq), deadline_s)
        except NotFoundError:
            return None
        return _stored(found)

    async def last_seq(self, stream: str, *, timeout_ms: int = _READ_TIMEOUT_MS) -> int:
        """Return the highest stream sequence, 0 for an empty stream. Raises LogUnavailable."""
        deadline_s = time.monotonic() + timeout_ms / 1000
        info = await self.ask(lambda: self.js.stream_info(stream), deadline_s)
        return int(info.state.last_seq)

    async def read_from(
        self, stream: str, subject_filter: str, start_seq: int = 1
    ) -> AsyncGenerator[StoredMessage]:
        """Yield what is stored when this begins, from `start_seq` on, in order and without gaps.

        Raises LogUnavailable when the broker is silent for long, LogTruncated.
        """
        reader = LogReader(self, stream, subject_filter, start_seq)
        async for message in reader.stored():
            yield message

    async def follow(
        self, stream: str, subject_filter: str, start_seq: int, stop: StopSignal
    ) -> AsyncGenerator[StoredMessage]:
        """Yield what is stored from `start_seq` on and all that comes, until `stop` is set.

        In order, without gaps or repeats. A broker that goes away is waited for without end.
        Raises LogTruncated.
        """
        reader = LogReader(self, stream, subject_filter, start_seq)
        async for message in reader.followed(stop):
            yield message

    async def _check_subject(self, subject: str, seq: int, deadline_s: float) -> None:
        """Refuse an id that stands on another subject: the broker knows ids by stream only.

        Whoever may write anywhere in the stream could else make a message count as stored.
        """
        stream = await self._stream_of(subject, deadline_s)
        found = await self.ask(lambda: self.js.get_msg(stream, seq=seq), deadline_s)
        if found.subject != subject:
            raise WrongSequence(subject, seq)

    async def _stream_of(self, subject: str, deadline_s: float) -> str:
        return await self.ask(lambda: self.js.find_stream_name_by_subject(subject), deadline_s)

    async def _last(self, stream: str, subject: str, deadline_s: float) -> StoredMessage | None:
        # Asked of the leader, not by a direct get: a replica may be behind.
        try:
            found = await self.ask(lambda: self.js.get_last_msg(stream, subject), deadline_s)
        except NotFoundError as error:
            if error.err_code == _STREAM_NOT_FOUND:
                raise
            return None
        return _stored(found)


def _stream_config(spec: StreamSpec) -> nats.js.api.StreamConfig:
    api = nats.js.api
    # What is kept in files is what hands, decks and money are checked by: no message is ever taken
    # out, by whomever. The broker lets nobody change that back.
    kept = spec.storage == "file"
    return api.StreamConfig(
        name=spec.name,
        description=spec.description or None,
        subjects=list(spec.subjects),
        retention=api.RetentionPolicy.LIMITS,
        storage=api.StorageType.FILE if spec.storage == "file" else api.StorageType.MEMORY,
        max_bytes=spec.max_bytes,
        max_age=spec.max_age_s,
        max_msgs=spec.max_messages,
        max_msgs_per_subject=spec.max_messages_per_subject,
        max_msg_size=spec.max_message_bytes,
        duplicate_window=spec.duplicate_window_s,
        num_replicas=spec.replicas,
        discard=api.DiscardPolicy.OLD if spec.discard == "old" else api.DiscardPolicy.NEW,
        allow_direct=True,
        deny_delete=kept,
        deny_purge=kept,
    )


def _stored(found: nats.js.api.RawStreamMsg) -> StoredMessage:
    assert found.subject is not None, "a stored message has a subject"
    assert found.seq is not None, "a stored message has a sequence"
    assert found.time is not None, "a stored message has a time"
    return StoredMessage(
        subject=found.subject,
        headers=dict(found.headers or {}),
        data=found.data or b"",
        seq=found.seq,
        at_ms=(found.time - _EPOCH) // timedelta(milliseconds=1),
    )
