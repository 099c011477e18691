"""The streams attached to one table: who may attach, who gets which cards, who is connected."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

from floor_table.metrics import STREAMS
from floor_table.session import Session
from floor_table.settings import TableServiceSettings
from floor_table.views import ViewRing
from pokerfloor.api.common.v1 import errors_pb2, identity_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.servicekit import FloorError, Identity

_ROLE_OF_VIEW = {
    table_pb2.VIEW_KIND_PLAYER: identity_pb2.ROLE_PLAYER,
    table_pb2.VIEW_KIND_TERMINAL: identity_pb2.ROLE_TERMINAL,
    table_pb2.VIEW_KIND_AUDITOR: identity_pb2.ROLE_AUDITOR,
}
_VIEWS = (*_ROLE_OF_VIEW, table_pb2.VIEW_KIND_SPECTATOR)


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

    def end_all(self, reason: str) -> None:
        """End every stream with a goodbye."""
        for session in self._sessions:
            session.end(reason)

    def connected(self, player_id: str) -> bool:
        """Tell whether a player has a stream here, or had one a moment ago."""
        return player_id in self._of_player or player_id in self._left_at_s

    def keyed(self, player_id: str) -> list[Session]:
        """Give a player's streams whose token carries a sealing key, the newest first."""
        mine = self._of_player.get(player_id, ())
        return [session for session in reversed(mine) if session.identity.seal_key is not None]

    def stuck(self, before_s: float) -> list[Session]:
        """Give the streams whose one write began before this time and is not done."""
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
