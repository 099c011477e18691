"""Players of a test: they sit down and play through the public API, by a policy."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.cards import Card
from pokerfloor.client import CommandRefused, TableSession, Turn
from tests.support.floor import Floor

Policy = Callable[[Turn], Awaitable[None]]
Hook = Callable[[Turn], Awaitable[None]]

# What a repeated action may be answered when the first one was stored and its answer was lost.
_ALREADY_ANSWERED = {
    errors_pb2.ERROR_CODE_STALE_TURN,
    errors_pb2.ERROR_CODE_NOT_YOUR_TURN,
    errors_pb2.ERROR_CODE_HAND_OVER,
    errors_pb2.ERROR_CODE_NO_HAND,
}


async def check_or_call(turn: Turn) -> None:
    await turn.check_or_call()


class Players:
    """Some players at one table. Every hand's own cards must stay the same from turn to turn."""

    def __init__(self, table_id: str, sessions: dict[str, TableSession]) -> None:
        self.table_id = table_id
        self.sessions = sessions
        self._cards: dict[tuple[str, int], tuple[Card, ...]] = {}

    @classmethod
    async def seated(
        cls, floor: Floor, table_id: str, names: list[str], buy_in_minor: int = 10_000
    ) -> Players:
        sessions = {}
        for name in names:
            client = await floor.player(name)
            sessions[name] = await client.table(table_id)
        for seat, session in enumerate(sessions.values(), start=1):
            await session.sit_down(buy_in_minor, seat)
        return cls(table_id, sessions)

    async def play(
        self, hands: int, policy: Policy = check_or_call, hook: Hook | None = None
    ) -> None:
        """Play until the table has finished so many hands more; everyone goes on until then."""
        first = next(iter(self.sessions.values()))
        goal = first.mirror.hands + hands
        playing = [
            asyncio.create_task(self._one(name, session, policy, hook), name=name)
            for name, session in self.sessions.items()
        ]
        over = asyncio.create_task(first.wait_for(lambda mirror: mirror.hands > goal, None))
        try:
            done, _ = await asyncio.wait({over, *playing}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            assert over.done(), "a player lost the seat"
        finally:
            for task in (over, *playing):
                task.cancel()
            await asyncio.wait({over, *playing})

    async def finish(self, floor: Floor) -> None:
        """Play the hand that is under way to its end; no other begins (the table is paused)."""
        playing = asyncio.create_task(self.play(hands=1_000_000))
        try:
            await floor.pause(self.table_id)
        finally:
            playing.cancel()
            await asyncio.wait({playing})

    async def _one(
        self, name: str, session: TableSession, policy: Policy, hook: Hook | None
    ) -> None:
        async for turn in session.turns():
            assert len(turn.hole_cards) == 2, f"{name} has the cards {turn.hole_cards}"
            known = self._cards.setdefault((name, turn.hand_no), turn.hole_cards)
            assert turn.hole_cards == known, f"{name}: other cards in hand {turn.hand_no}"
            if hook is not None:
                await hook(turn)
            try:
                await policy(turn)
            except CommandRefused as refused:
                if refused.code not in _ALREADY_ANSWERED:
                    raise
