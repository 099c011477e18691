"""The shuffler's own stream: what happens to decks, stored before it has any effect outside."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from google.protobuf.message import DecodeError

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.shuffler.v1 import events_pb2
from pokerfloor.servicekit import (
    FloorError,
    FloorNats,
    StoredMessage,
    StreamSpec,
    WrongSequence,
    new_id,
)

SHUFFLER_STREAM: Final = StreamSpec(
    name="FLOOR_SHUFFLER",
    subjects=("floor.shuffler.>",),
    description="what happened to every deck and seat key, without a hidden face",
)
# In place of a table's id, for events of the service itself; no table can have this id.
_NO_TABLE: Final = "_"
_ATTEMPTS: Final = 3
_MAX_REMEMBERED: Final = 16_384


def event_subject(table_id: str, kind: str) -> str:
    """Return an event's subject; `kind` is the name of its field."""
    return f"floor.shuffler.{table_id or _NO_TABLE}.{kind}"


class EventStream:
    """Appends events. For each table one call at a time, which the callers see to."""

    def __init__(self, nats: FloorNats, instance: str, now_ms: Callable[[], int]) -> None:
        self._nats = nats
        self._instance = instance
        self._now_ms = now_ms
        self._last: OrderedDict[str, int] = OrderedDict()

    async def append(self, event: events_pb2.ShufflerEvent) -> None:
        """Store an event; it is on the stream when this returns. One without an id gets a new one.

        The same id may be appended again after a crash, so all that the event says must follow
        from its id and from what was stored before. Raises LogUnavailable, FloorError UNAVAILABLE,
        also when the id is taken by something else.
        """
        kind = event.WhichOneof("event")
        assert kind is not None, "an event says what happened"
        subject = event_subject(event.table_id, kind)
        event = self._stamped(event)
        data = event.SerializeToString(deterministic=True)
        for _ in range(_ATTEMPTS):
            # Forgotten until the answer is here: without it nobody knows what is stored.
            last = self._last.pop(subject, None)
            if last is None:
                stored = await self._nats.last_message(SHUFFLER_STREAM.name, subject)
                last = 0 if stored is None else stored.seq
                if stored is not None and stored.msg_id == event.event_id:
                    _check_same(stored, event)
                    self._remember(subject, last)
                    return
            try:
                seq = await self._nats.append(
                    subject, data, expected_last_seq=last, msg_id=event.event_id
                )
            except WrongSequence:
                continue
            if seq <= last:
                # A repeat within the broker's window, answered with the first one's sequence.
                _check_same(await self._nats.message_at(SHUFFLER_STREAM.name, seq), event)
            self._remember(subject, max(last, seq))
            return
        raise _somebody_else()

    async def last(self, table_id: str, kind: str) -> events_pb2.ShufflerEvent | None:
        """Return the last event of a kind, None for none. Raises LogUnavailable."""
        stored = await self._nats.last_message(SHUFFLER_STREAM.name, event_subject(table_id, kind))
        return None if stored is None else events_pb2.ShufflerEvent.FromString(stored.data)

    def _stamped(self, event: events_pb2.ShufflerEvent) -> events_pb2.ShufflerEvent:
        stamped = events_pb2.ShufflerEvent(
            event_id=event.event_id or new_id(), at_ms=self._now_ms(), instance=self._instance
        )
        stamped.MergeFrom(event)
        return stamped

    def _remember(self, subject: str, seq: int) -> None:
        self._last[subject] = seq
        while len(self._last) > _MAX_REMEMBERED:
            self._last.popitem(last=False)


def _check_same(stored: StoredMessage | None, event: events_pb2.ShufflerEvent) -> None:
    """Raise UNAVAILABLE when what is stored under an event's id does not say the same.

    Otherwise whoever can write to the stream could make an event count as published that is not.
    A repeat after a crash has another time and perhaps another instance.
    """
    found = events_pb2.ShufflerEvent()
    try:
        found.ParseFromString(b"" if stored is None else stored.data)
    except DecodeError as error:
        raise _somebody_else() from error
    found.at_ms, found.instance = event.at_ms, event.instance
    if found != event:
        raise _somebody_else()


def _somebody_else() -> FloorError:
    reason = "somebody else writes to the shuffler's stream"
    return FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, reason)
