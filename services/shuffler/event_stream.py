"""The shuffler's own stream: what happens to decks, stored before it has any effect outside."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from libs.floorapi.floor.common.v1 import errors_pb2
from libs.floorapi.floor.shuffler.v1 import events_pb2
from libs.floorkit import FloorError, FloorNats, StreamSpec, WrongSequence

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
    """Give an event's subject; `kind` is the name of its field."""
    return f"floor.shuffler.{table_id or _NO_TABLE}.{kind}"


class EventStream:
    """Appends events. For each table one call at a time, which the callers see to."""

    def __init__(self, nats: FloorNats, instance: str, now_ms: Callable[[], int]) -> None:
        self._nats = nats
        self._instance = instance
        self._now_ms = now_ms
        self._last: OrderedDict[str, int] = OrderedDict()

    async def append(self, event: events_pb2.ShufflerEvent, event_id: str, table_id: str) -> None:
        """Store an event; it is on the stream when this returns.

        The same id may be appended again after a crash, so its content must follow from what was
        stored before. Raises LogUnavailable, FloorError UNAVAILABLE.
        """
        event.event_id, event.table_id = event_id, table_id
        event.at_ms, event.instance = self._now_ms(), self._instance
        kind = event.WhichOneof("event")
        assert kind is not None, "an event says what happened"
        subject = event_subject(table_id, kind)
        data = event.SerializeToString(deterministic=True)
        for _ in range(_ATTEMPTS):
            # Forgotten until the answer is here: without it nobody knows what is stored.
            last = self._last.pop(subject, None)
            if last is None:
                stored = await self._nats.last_message(SHUFFLER_STREAM.name, subject)
                last = 0 if stored is None else stored.seq
                if stored is not None and stored.msg_id == event_id:
                    self._remember(subject, last)
                    return
            try:
                seq = await self._nats.append(
                    subject, data, expected_last_seq=last, msg_id=event_id
                )
            except WrongSequence:
                continue
            # A repeat within the broker's window is answered with the first one's sequence.
            self._remember(subject, max(last, seq))
            return
        raise FloorError(
            errors_pb2.ERROR_CODE_UNAVAILABLE, "somebody else writes to the shuffler's stream"
        )

    async def last(self, table_id: str, kind: str) -> events_pb2.ShufflerEvent | None:
        """Give the last event of a kind, None for none. Raises LogUnavailable."""
        stored = await self._nats.last_message(SHUFFLER_STREAM.name, event_subject(table_id, kind))
        return None if stored is None else events_pb2.ShufflerEvent.FromString(stored.data)

    def _remember(self, subject: str, seq: int) -> None:
        self._last[subject] = seq
        while len(self._last) > _MAX_REMEMBERED:
            self._last.popitem(last=False)
