"""One `Attach` stream: what is to be written to it, bounded, and how it ends.

Views are not queued for a stream. It keeps the number of the last one it was sent and reads the
next from the table's ring, so a slow reader costs nothing; one that falls out of the ring is
caught up by a snapshot. Answers, pongs and own cards wait in a bounded outbox.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

from floor_table.metrics import SLOW_CLIENTS
from floor_table.views import ViewRing
from floor_table.wire import snapshot_update, step_update
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.fairness import fingerprint
from pokerfloor.servicekit import FloorError, Identity

# A stream that needs more snapshots than this to keep up cannot.
_CATCH_UPS = 3

# A write that is still going on this long after the stream was to end is broken off.
LAST_WORD_S = 1.0

TOO_SLOW = "too_slow"

_GOODBYE: Final = {
    name.removeprefix("GOODBYE_REASON_").lower(): reason
    for name, reason in table_pb2.GoodbyeReason.items()
}


class Session:
    """A stream of one caller at one table."""

    def __init__(
        self,
        identity: Identity,
        view: int,
        ring: ViewRing,
        *,
        outbox_limit: int,
        clock: Callable[[], int],
    ) -> None:
        self.identity = identity
        self.view = view
        self.player_id = identity.subject if view == table_pb2.VIEW_KIND_PLAYER else ""
        #: Set while the own cards of the present hand are still to be sent.
        self.wants_cards = False
        #: When the write that is going on began (loop's clock, s); 0 when none is.
        self.writing_since_s = 0.0
        #: SHA-256 of the sealing key, b"" without one.
        self.key = fingerprint(identity.seal_key) if identity.seal_key is not None else b""
        self._ring = ring
        self._clock = clock
        self._outbox: deque[table_pb2.TableUpdate] = deque()
        self._outbox_limit = outbox_limit
        self._wake = asyncio.Event()
        self._cursor = 0
        self._wants_snapshot = True
        self._catch_ups = 0
        self._goodbye = ""
        self._given_up = False
        self._cut = False
        self._writer: asyncio.Task[None] | None = None

    @property
    def ending(self) -> str:
        """Why the stream is about to end, "" while it is not."""
        return self._goodbye

    def begin(self, resume_after: int) -> None:
        """Begin, or begin again, after a view number; 0 with a snapshot. Raises BAD_RESUME."""
        if resume_after > self._ring.last_view_no:
            raise FloorError(
                errors_pb2.ERROR_CODE_BAD_RESUME,
                f"the table's last view is {self._ring.last_view_no}",
                "attach.resume_after",
            )
        self._cursor = resume_after
        self._wants_snapshot = resume_after + 1 < self._ring.first_view_no or resume_after == 0
        self._wake.set()

    def wake(self) -> None:
        """Say that there may be something to write."""
        self._wake.set()

    def send(self, update: table_pb2.TableUpdate) -> None:
        """Queue an update that is no view. A stream with too many waiting is ended."""
        if self._goodbye:
            return
        if len(self._outbox) >= self._outbox_limit:
            self.end(TOO_SLOW)
            return
        self._outbox.append(update)
        self._wake.set()

    def send_cards(self, cards: table_pb2.HoleCards, *, whole: bool) -> None:
        """Send own cards: of the boxes, those that this stream's key opens.

        When none does, the key was not bound yet when they were made: the stream wants them still.
        `whole` says that these are all that the seat has been dealt in the hand.
        """
        own = table_pb2.HoleCards(
            hand_no=cards.hand_no,
            deck_no=cards.deck_no,
            seat=cards.seat,
            boxes=[box for box in cards.boxes if box.key_fingerprint == self.key],
        )
        if not own.boxes and (cards.boxes or whole):
            self.wants_cards = True
        elif whole:
            self.wants_cards = False
        if own.boxes:
            self.send(table_pb2.TableUpdate(hole_cards=own))

    def end(self, reason: str) -> None:
        """End the stream with a goodbye; what waits is still written, unless it is too slow."""
        if self._goodbye == TOO_SLOW or (self._goodbye and reason != TOO_SLOW):
            return
        self._goodbye = reason
        if reason == TOO_SLOW:
            SLOW_CLIENTS.labels("dropped").inc()
            self._outbox.clear()
        self._wake.set()

    def cut(self) -> None:
        """End without a goodbye: nothing more is written but what is being written now."""
        self._cut = True
        self._wake.set()

    def give_up(self) -> None:
        """End a stream whose reader takes nothing; broken off soon if it does not even end."""
        if self._given_up:
            return
        self._given_up = True
        self.end(TOO_SLOW)
        asyncio.get_running_loop().call_later(LAST_WORD_S, self._break_off)

    def _break_off(self) -> None:
        if self.writing_since_s and self._writer is not None:
            self._writer.cancel()

    async def write(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Write until the stream has ended with its goodbye, or is cut."""
        self._writer = asyncio.current_task()
        loop = asyncio.get_running_loop()
        while not self._cut:
            data = self._next()
            if data is None:
                if self._goodbye:
                    break
                self._wake.clear()
                await self._wake.wait()
                continue
            self.writing_since_s = loop.time()
            await write(data)
            self.writing_since_s = 0.0
        if self._cut:
            return
        goodbye = table_pb2.TableUpdate(goodbye=table_pb2.Goodbye(reason=_GOODBYE[self._goodbye]))
        await write(self._encoded(goodbye))

    def _next(self) -> bytes | None:
        if self._goodbye == TOO_SLOW:
            return None
        if self._outbox:
            return self._encoded(self._outbox.popleft())
        if self._wants_snapshot:
            return self._snapshot()
        if self._cursor >= self._ring.last_view_no:
            return None
        if self._cursor + 1 < self._ring.first_view_no:
            return self._catch_up()
        view = self._ring.view(self._cursor + 1, self.view, self.player_id)
        self._cursor += 1
        return step_update(view, self._clock())

    def _snapshot(self) -> bytes:
        self._wants_snapshot = False
        self._cursor = self._ring.last_view_no
        return snapshot_update(self._ring.snapshot(self.view, self.player_id), self._clock())

    def _catch_up(self) -> bytes | None:
        self._catch_ups += 1
        if self._catch_ups > _CATCH_UPS:
            self.end(TOO_SLOW)
            return None
        SLOW_CLIENTS.labels("snapshot").inc()
        return self._snapshot()

    def _encoded(self, update: table_pb2.TableUpdate) -> bytes:
        update.server_time_ms = self._clock()
        return update.SerializeToString()
