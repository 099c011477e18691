"""The streams attached to one table: what is written to each, who may attach, who is connected.

Views are not queued for a stream. It keeps the number of the last one it was sent and reads the
next from the table's ring, so a slow reader costs nothing; one that falls out of the ring is
caught up by a snapshot. Answers, pongs and hole cards wait in a bounded outbox.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from typing import Final

from floor_table.runtime.metrics import SLOW_CLIENTS, STREAMS
from floor_table.runtime.view_ring import ViewRing
from floor_table.runtime.wire import at_time
from floor_table.settings import TableServiceSettings
from pokerfloor.api.common.v1 import errors_pb2, identity_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.fairness import fingerprint
from pokerfloor.servicekit import FloorError, Identity

_ROLE_OF_VIEW = {
    table_pb2.VIEW_KIND_PLAYER: identity_pb2.ROLE_PLAYER,
    table_pb2.VIEW_KIND_TERMINAL: identity_pb2.ROLE_TERMINAL,
    table_pb2.VIEW_KIND_AUDITOR: identity_pb2.ROLE_AUDITOR,
}
_VIEWS = (*_ROLE_OF_VIEW, table_pb2.VIEW_KIND_SPECTATOR)

# A stream that needs more snapshots than this to keep up cannot.
_CATCH_UPS = 3

# A write that is still going on this long after the stream was to end is broken off.
LAST_WORD_S = 1.0

TOO_SLOW: Final = table_pb2.GOODBYE_REASON_TOO_SLOW


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
        #: Set while the hole cards of the present hand are still to be sent.
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
        self._goodbye = table_pb2.GOODBYE_REASON_UNSPECIFIED
        self._given_up = False
        self._cut = False
        self._writer: asyncio.Task[None] | None = None

    @property
    def ending(self) -> table_pb2.GoodbyeReason.ValueType:
        """Why the stream is about to end, UNSPECIFIED while it is not."""
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
        """Send hole cards: of the boxes, those that this stream's key opens.

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

    def end(self, reason: table_pb2.GoodbyeReason.ValueType) -> None:
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
        goodbye = table_pb2.TableUpdate(goodbye=table_pb2.Goodbye(reason=self._goodbye))
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
        return at_time(view, self._clock())

    def _snapshot(self) -> bytes:
        self._wants_snapshot = False
        self._cursor = self._ring.last_view_no
        return at_time(self._ring.snapshot(self.view, self.player_id), self._clock())

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


class Hub:
    """The streams of one table.

    `on_change` is called when a player's first stream has come or the last one has gone, and
    when a player's stream with a sealing key has come.
    """

    def __init__(
        self,
        ring: ViewRing,
        settings: TableServiceSettings,
        *,
        clock: Callable[[], int],
        on_change: Callable[[], None],
    ) -> None:
        self._ring = ring
        self._settings = settings
        self._clock = clock
        self._on_change = on_change
        self._sessions: set[Session] = set()
        self._of_player: dict[str, list[Session]] = {}
        self._watching: Counter[str] = Counter()  # streams of other views, by subject
        self._left_at_s: dict[str, float] = {}

    def attach(self, identity: Identity, command: table_pb2.AttachCommand) -> Session:
        """Let a stream in. Raises ROLE_NOT_ALLOWED, OVERLOADED, INVALID_FIELD, BAD_RESUME."""
        self._check(identity, command.view)
        session = Session(
            identity,
            command.view,
            self._ring,
            outbox_limit=self._settings.outbox_limit,
            clock=self._clock,
        )
        session.begin(command.resume_after)
        self._sessions.add(session)
        STREAMS.labels(_view_name(session.view)).inc()
        if session.player_id:
            self._of_player.setdefault(session.player_id, []).append(session)
            self._left_at_s.pop(session.player_id, None)
            self._on_change()
        else:
            self._watching[identity.subject] += 1
        return session

    def detach(self, session: Session) -> None:
        """Let a stream go."""
        if session not in self._sessions:
            return
        self._sessions.discard(session)
        STREAMS.labels(_view_name(session.view)).dec()
        if not session.player_id:
            self._stop_watching(session.identity.subject)
            return
        mine = self._of_player[session.player_id]
        mine.remove(session)
        if not mine:
            del self._of_player[session.player_id]
            loop = asyncio.get_running_loop()
            grace_s = self._settings.disconnect_grace_ms / 1000
            self._left_at_s[session.player_id] = loop.time()
            loop.call_later(grace_s, self._forget, session.player_id)

    def wake_all(self) -> None:
        """Say that there is a new step."""
        for session in self._sessions:
            session.wake()

    def end_all(self, reason: table_pb2.GoodbyeReason.ValueType) -> None:
        """End every stream with a goodbye."""
        for session in self._sessions:
            session.end(reason)

    def connected(self, player_id: str) -> bool:
        """Tell whether a player has a stream here, or had one a moment ago."""
        return player_id in self._of_player or player_id in self._left_at_s

    def keyed(self, player_id: str) -> list[Session]:
        """Return a player's streams whose token carries a sealing key, the newest first."""
        mine = self._of_player.get(player_id, ())
        return [session for session in reversed(mine) if session.identity.seal_key is not None]

    def stuck(self, before_s: float) -> list[Session]:
        """Return the streams whose one write began before this time and is not done."""
        return [one for one in self._sessions if 0 < one.writing_since_s < before_s]

    def __len__(self) -> int:
        return len(self._sessions)

    def _forget(self, player_id: str) -> None:
        left_at_s = self._left_at_s.get(player_id)
        grace_s = self._settings.disconnect_grace_ms / 1000
        if left_at_s is None or asyncio.get_running_loop().time() < left_at_s + grace_s:
            return  # back, or gone once more since
        del self._left_at_s[player_id]
        self._on_change()

    def _stop_watching(self, subject: str) -> None:
        self._watching[subject] -= 1
        if not self._watching[subject]:
            del self._watching[subject]

    def _check(self, identity: Identity, view: int) -> None:
        if view not in _VIEWS:
            raise FloorError(
                errors_pb2.ERROR_CODE_INVALID_FIELD, f"there is no view {view}", "attach.view"
            )
        role = _ROLE_OF_VIEW.get(table_pb2.ViewKind.ValueType(view))
        if role is not None and not identity.has_role(role):
            raise FloorError(
                errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED,
                "the caller's roles do not allow this view",
                "attach.view",
            )
        if len(self._sessions) >= self._settings.streams_per_table:
            raise FloorError(errors_pb2.ERROR_CODE_OVERLOADED, "too many streams at this table")
        if view == table_pb2.VIEW_KIND_PLAYER:
            mine = len(self._of_player.get(identity.subject, ()))
            most = self._settings.streams_per_player
        else:
            # Else one token could take every stream there is, and no player would get one.
            mine, most = self._watching[identity.subject], self._settings.streams_per_watcher
        if mine >= most:
            raise FloorError(
                errors_pb2.ERROR_CODE_OVERLOADED, "too many streams of this caller at this table"
            )


def _view_name(view: int) -> str:
    name = table_pb2.ViewKind.Name(table_pb2.ViewKind.ValueType(view))
    return name.removeprefix("VIEW_KIND_").lower()
