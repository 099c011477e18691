"""Public events: what everybody may know of a table, on subjects of its own.

Made from stored steps only. They may be lost or come twice (each carries its step's number and
its place in the step); the stream that keeps them for an hour drops repeats by the message's id.
"""

from __future__ import annotations

from collections.abc import Iterable

from floor_table.domain import public_events
from floor_table.runtime.metrics import PUBLIC_EVENTS_SENT
from floor_table.runtime.view_ring import ViewRing
from pokerfloor.api.events.v1 import public_event_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.servicekit import FloorNats, LogUnavailable, StreamSpec, get_logger
from pokerfloor.tablelog import PUBLIC_EVENTS, public_subject

_log = get_logger("table.publisher")


class Publisher:
    """Sends the public events of all tables owned here."""

    def __init__(self, nats: FloorNats, stream: StreamSpec) -> None:
        self._nats = nats
        self._stream = stream

    async def keep_stream(self) -> None:
        """See to it that the stream is there.

        To be called again and again: it lies in the broker's memory, so a broker that was
        restarted has lost it. Raises LogUnavailable, CannotStart.
        """
        await self._nats.ensure_stream(self._stream)

    def publish(self, step: step_pb2.Step) -> None:
        """Send what a stored step says to everybody. Does not wait for the broker."""
        for kind, event in public_events(step):
            self._nats.publish(
                public_subject(step.table_id, kind),
                event.SerializeToString(deterministic=True),
                {"Nats-Msg-Id": f"{step.table_id}/{step.table_seq}/{event.index}"},
            )
            PUBLIC_EVENTS_SENT.inc()

    async def catch_up(self, table_id: str, ring: ViewRing) -> None:
        """Send what a former owner stored and did not send, as far as the ring goes back.

        Nothing when the stream holds no event of the table: then there is no telling.
        """
        try:
            await self.keep_stream()
            last = await self._nats.last_message(PUBLIC_EVENTS.name, public_subject(table_id, ">"))
        except LogUnavailable as reason:
            _log.warning("public_events_interrupted", reason=str(reason))
            return
        if last is not None:
            sent = public_event_pb2.PublicEvent.FromString(last.data)
            # That step may have been sent in part; repeats are dropped by their id.
            self._publish_all(ring.since(sent.table_seq - 1))

    def _publish_all(self, steps: Iterable[step_pb2.Step]) -> None:
        for step in steps:
            self.publish(step)
