"""Players of OFC and Scoop at a real floor: ready at once, laying out as the floor's bots do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

from pokerfloor.api.common.v1 import errors_pb2, money_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.bots import lay_out, say_ready_when_asked
from pokerfloor.client import CommandRefused, FloorClient, TableSession, Turn
from tests.support.floor import EURO, Floor

PRICE = 100
BUY_IN = 20_000
Hook = Callable[[str, Turn], Awaitable[None]]
Lay = Callable[[Turn, Random], Awaitable[None]]

# What an answer may be refused with that was stored, or that a service's death has held up.
_OVER = {
    errors_pb2.ERROR_CODE_STALE_TURN,
    errors_pb2.ERROR_CODE_NOT_YOUR_TURN,
    errors_pb2.ERROR_CODE_UNEXPECTED_INPUT,
    errors_pb2.ERROR_CODE_HAND_OVER,
    errors_pb2.ERROR_CODE_NO_HAND,
    errors_pb2.ERROR_CODE_TOO_LATE,
}


def points_table(
    game: str, *, seats: int, base_ms: int = 60_000, bank_ms: int = 2_000
) -> settings_pb2.TableSettings:
    """OFC in ultimate mode, or Scoop; a point is one euro."""
    settings = settings_pb2.TableSettings(
        name="Points",
        room_id="test-room",
        stake=money_pb2.Stake(points=money_pb2.PointStake(currency=EURO, point_price_minor=PRICE)),
        seats=seats,
        game=settings_pb2.GameSettings(game=game),
        buy_in=settings_pb2.BuyInSettings(min_minor=50 * PRICE, max_minor=1_000 * PRICE),
        clock=settings_pb2.ClockSettings(base_ms=base_ms, bank_ms=bank_ms),
    )
    if game == "ofc":
        settings.game.ofc.mode = settings_pb2.OFC_MODE_ULTIMATE
    return settings


async def in_order(turn: Turn, _: Random) -> None:
    """Lay cards out as they came."""
    await turn.check_or_fold()


class PointsPlayers:
    """Some players at one table. Own cards must stay the same from turn to turn of a hand."""

    def __init__(self, floor: Floor, table_id: str, lay: Lay = lay_out) -> None:
        self.lay = lay
        self.floor = floor
        self.table_id = table_id
        self.clients: dict[str, FloorClient] = {}
        self.sessions: dict[str, TableSession] = {}
        self._playing: dict[str, list[asyncio.Task[None]]] = {}
        self._cards: dict[tuple[str, int, int], int] = {}
        self.hook: Hook | None = None

    async def sit(self, *names: str) -> None:
        """Sit down and begin to play."""
        for name in names:
            self.clients[name] = await self.floor.player(name)
            await self.connect(name)
            await self.sessions[name].sit_down(BUY_IN)

    async def connect(self, name: str) -> None:
        """Attach, or attach again; and play from now on."""
        session = await self.clients[name].table(self.table_id)
        self.sessions[name] = session
        self._playing[name] = [
            asyncio.create_task(self._play(name, session), name=name),
            asyncio.create_task(say_ready_when_asked(session), name=f"{name} ready"),
        ]

    async def vanish(self, name: str) -> None:
        """Lose the connection."""
        await self._stop(name)
        await self.sessions[name].close()

    async def stop(self) -> None:
        for name in self.sessions:
            await self._stop(name)

    async def _stop(self, name: str) -> None:
        tasks = self._playing.pop(name, [])
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        for task in tasks:
            if not task.cancelled():
                task.result()

    async def _play(self, name: str, session: TableSession) -> None:
        dice = Random(name)
        await session.wait_for(lambda mirror: bool(mirror.own_seat), None)
        async for turn in session.turns():
            self._check_cards(name, turn)
            if self.hook is not None:
                await self.hook(name, turn)
            try:
                await self.lay(turn, dice)
            except CommandRefused as refused:
                if refused.code not in _OVER:
                    raise

    def _check_cards(self, name: str, turn: Turn) -> None:
        assert turn.placement is not None
        assert len(turn.placement.cards) == len(turn.placement.slots), f"{name} lacks cards"
        for slot, card in zip(turn.placement.slots, turn.placement.cards, strict=True):
            known = self._cards.setdefault((name, turn.hand_no, slot), card)
            assert known == card, f"{name}: another card at slot {slot} of hand {turn.hand_no}"

    def raise_if_failed(self) -> None:
        for tasks in self._playing.values():
            for task in tasks:
                if task.done():
                    task.result()

    async def until(
        self, condition: Callable[[], bool], what: str, timeout_s: float = 60.0
    ) -> None:
        """Wait until something holds; a player who fails ends the wait."""
        try:
            async with asyncio.timeout(timeout_s):
                while not condition():
                    self.raise_if_failed()
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise AssertionError(f"not in {timeout_s} s: {what}") from None

    async def steps(self) -> list[Step]:
        """Read the table's whole log."""
        found: list[Step] = []
        while True:
            request = table_pb2.ReadLogRequest(
                table_id=self.table_id,
                from_table_seq=1 + found[-1].table_seq if found else 0,
                page_size=500,
            )
            answer = await self.floor.tables.ReadLog(request, wait_for_ready=True)
            found += answer.steps
            if not answer.steps or found[-1].table_seq >= answer.last_table_seq:
                return found
