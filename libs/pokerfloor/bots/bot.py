"""A bot's evening: sit down, play, top up, sit out for a while, leave and come back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from random import Random
from typing import Any

from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.bots.betting import Character
from pokerfloor.bots.game_choice import choose_game_when_asked
from pokerfloor.bots.placing import say_ready_when_asked
from pokerfloor.bots.turns import answer_turn
from pokerfloor.client import (
    CommandRefused,
    ConnectionLost,
    FloorClient,
    NoAnswer,
    SessionOver,
    TableSession,
    Turn,
)
from pokerfloor.rpc import Backoff

_TOP_UP_WAIT_MS = 10_000
# How often a bot agrees to a bomb pot when players vote.
_VOTES = 0.6
_BY_VOTE = (
    settings_pb2.BOMB_POT_MODE_UNSPECIFIED,
    settings_pb2.BOMB_POT_MODE_WHEN_ALL_AGREE,
)
_HAND_S = 30.0


@dataclass(frozen=True, slots=True)
class Pace:
    """How long bots think and pause, in ms."""

    think_min_ms: int
    think_max_ms: int
    pause_min_ms: int
    pause_max_ms: int


@dataclass(frozen=True, slots=True)
class BotPlan:
    """Who a bot is, and where it plays. Amounts are in minor units, buy-ins in whole chips.

    `unit_minor` is the worth of one unit of a stack: the price of a point, or 1.
    """

    player_id: str
    name: str
    table_id: str
    currency: str
    chip_minor: int
    min_buy_in_minor: int
    max_buy_in_minor: int
    unit_minor: int = 1


class Bot:
    """One bot at one table. Its character is drawn from `random`, as is all that it does."""

    def __init__(self, floor: FloorClient, plan: BotPlan, pace: Pace, random: Random) -> None:
        self._floor = floor
        self._plan = plan
        self._pace = pace
        self._character = Character.drawn(random)
        self._random = random

    async def live(self) -> None:
        """Play until cancelled. Raises ProofFailed, and nothing else."""
        backoff = Backoff(200, 5_000)
        while True:
            try:
                async with (
                    await self._floor.table(self._plan.table_id) as session,
                    _beside(say_ready_when_asked(session)),
                    _beside(choose_game_when_asked(session, self._random)),
                ):
                    while True:
                        await self._one_sitting(session)
                        backoff.reset()
            except (CommandRefused, NoAnswer, ConnectionLost, SessionOver):
                # Refused or out of reach for now; attaching again shows what became of it.
                await backoff.sleep()

    async def _one_sitting(self, session: TableSession) -> None:
        """Play some hands; then perhaps leave, sit out for a while, or add chips."""
        if not session.mirror.own_seat and not await self._sit_down(session):
            await self._pause(4)
            return
        for _ in range(self._random.randint(8, 40)):
            if not await self._ready_for_a_hand(session):
                return
            # Wait for a while only: a seat that is not dealt in has no turns.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_HAND_S):
                    async for turn in session.turns(hands=1):
                        await self._act(turn)
        whim = self._random.random()
        if whim < 0.35:
            await session.leave()
            await self._pause(2)
        elif whim < 0.6:
            await session.sit_out()
            await self._pause(1)
            await session.sit_in(post_to_enter=True)
        elif self._stack_minor(session) < self._plan.min_buy_in_minor:
            await self._top_up(session)

    async def _sit_down(self, session: TableSession) -> bool:
        """Sit down; return False when the wallet holds too little or no seat is free."""
        balance = await self._floor.balance(self._plan.currency)
        most = min(self._plan.max_buy_in_minor, balance.cash_minor)
        if most < self._plan.min_buy_in_minor:
            return False
        try:
            await session.sit_down(
                self._some_amount(most), name=self._plan.name, post_to_enter=True
            )
        except CommandRefused:
            return bool(session.mirror.own_seat)
        return True

    async def _ready_for_a_hand(self, session: TableSession) -> bool:
        """Make sure that the bot has chips and sits in; return False when it lost its seat."""
        mirror = session.mirror
        if not mirror.own_seat:
            return False
        plays = mirror.hand is not None and mirror.own_seat in mirror.hand.seats
        if mirror.own_stack == 0 and not plays and not await self._top_up(session):
            if session.mirror.own_seat:
                await session.leave()
            return False
        if mirror.own_seat and mirror.seats[mirror.own_seat].sitting_out:
            await session.sit_in(post_to_enter=True)
        if mirror.own_seat:
            await self._vote(session)
        return bool(mirror.own_seat)

    async def _top_up(self, session: TableSession) -> bool:
        """Bring the stack to at least the minimum buy-in; return False when that cannot be done."""
        balance = await self._floor.balance(self._plan.currency)
        chip = self._plan.chip_minor
        wanted = self._some_amount(self._plan.max_buy_in_minor)
        amount_minor = min(wanted - self._stack_minor(session), balance.cash_minor // chip * chip)
        if not session.mirror.own_seat or amount_minor <= 0:
            return False
        try:
            await session.top_up(amount_minor, _TOP_UP_WAIT_MS)
        except (CommandRefused, NoAnswer):
            return False
        return session.mirror.own_stack > 0

    def _stack_minor(self, session: TableSession) -> int:
        return session.mirror.own_stack * self._plan.unit_minor

    async def _act(self, turn: Turn) -> None:
        think_ms = self._random.randint(self._pace.think_min_ms, self._pace.think_max_ms)
        await asyncio.sleep(think_ms / 1000)
        try:
            await answer_turn(turn, self._character, self._random)
        except (CommandRefused, NoAnswer) as failure:
            # Mostly the clock was quicker, or the hand is void. The next turn comes anyway.
            print(f"{self._plan.name}, hand {turn.hand_no}: {failure}", flush=True)

    async def _vote(self, session: TableSession) -> None:
        """Agree to a bomb pot now and then, where players vote."""
        mirror = session.mirror
        bomb_pot = mirror.settings.bomb_pot
        by_vote = mirror.settings.HasField("bomb_pot") and bomb_pot.mode in _BY_VOTE
        if by_vote and mirror.own_seat not in mirror.bomb_votes and self._random.random() < _VOTES:
            with contextlib.suppress(CommandRefused):
                await session.vote_bomb_pot(agrees=True)

    def _some_amount(self, most_minor: int) -> int:
        """Draw a buy-in between the table's minimum and `most_minor`, in whole chips."""
        chip = self._plan.chip_minor
        chips = self._random.randint(self._plan.min_buy_in_minor // chip, most_minor // chip)
        return chips * chip

    async def _pause(self, times: int) -> None:
        pause_ms = self._random.randint(self._pace.pause_min_ms, self._pace.pause_max_ms)
        await asyncio.sleep(times * pause_ms / 1000)


@contextlib.asynccontextmanager
async def _beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run `work` as long as the block runs; what ends it early ends the session too."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
