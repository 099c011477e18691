"""An evening with real services: a table of every game at once, every kind of action, two kills."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.bots import (
    Character,
    choose_action,
    choose_discards,
    choose_game_when_asked,
    send_choice,
    situation_of,
)
from pokerfloor.client import CommandRefused, NoAnswer, TableSession, Turn
from pokerfloor.tablelog import game_row, replay_hand
from tests.support.floor import Floor, whole_floor
from tests.support.game_tables import GAME_TABLES
from tests.support.mixed_tables import MIXED_TABLES

TABLES = {**GAME_TABLES, **MIXED_TABLES}

_HANDS = 3
_BUY_IN = 400
_CARDS_MS = 20_000

Policy = Callable[[Turn, TableSession, Random], Awaitable[None]]


async def as_it_comes(turn: Turn, session: TableSession, random: Random) -> None:
    """Use everything that the game has, by the bots' own judgement."""
    if turn.discard is not None:
        row = game_row(turn.game)
        slots = choose_discards(row, turn.hole_cards, turn.own_slots, turn.discard, random)
        await turn.discard_cards(slots)
    elif turn.asks_facing:
        await turn.choose_facing(face_down=random.random() < 0.4)
    elif turn.asks_split:
        await turn.answer_split(agrees=random.random() < 0.5)
    else:
        if turn.swap is not None and random.random() < 0.5:
            before = set(turn.own_slots)
            turn = await turn.swap_cards(random.sample(turn.swap.slots, 1))
            assert len(set(turn.own_slots) - before) == 1
            assert turn.swap is None
        choice = choose_action(situation_of(turn), Character.drawn(random), random)
        await send_choice(turn, choice)
    if session.mirror.settings.HasField("bomb_pot"):
        await _vote(session)


async def _vote(session: TableSession) -> None:
    mirror = session.mirror
    by_vote = mirror.settings.bomb_pot.mode == settings_pb2.BOMB_POT_MODE_WHEN_ALL_AGREE
    if by_vote and mirror.own_seat not in mirror.bomb_votes:
        await session.vote_bomb_pot(agrees=True)


async def exchange_all(turn: Turn, session: TableSession, random: Random) -> None:
    """Exchange every card and call, so that the deck runs out."""
    del session, random
    if turn.discard is not None:
        await turn.discard_cards(turn.discard.slots)
    else:
        await turn.check_or_call()


async def check_once(turn: Turn, session: TableSession, random: Random) -> None:
    """Check the first deal through, so that the hand is dealt again."""
    hand = session.mirror.hand
    first_deal = hand is not None and max(turn.own_slots) <= len(turn.own_slots)
    if first_deal and turn.legal.check:
        await turn.check()
    else:
        await as_it_comes(turn, session, random)


class Evening:
    """The players of one table, until it has played enough."""

    def __init__(self, floor: Floor, name: str, policy: Policy) -> None:
        self.table_id = name.replace("_", "-")
        self.settings = TABLES[name]()
        self.cards_checked = 0
        self._floor = floor
        self._policy = policy
        self._sessions: list[TableSession] = []
        self._playing: list[asyncio.Task[None]] = []
        self._goal = 0

    async def sit_down(self, players: int) -> None:
        await self._floor.open_table(self.table_id, self.settings)
        for number in range(1, min(players, self.settings.seats) + 1):
            client = await self._floor.player(f"{self.table_id}-{number}")
            session = await client.table(self.table_id)
            self._sessions.append(session)
            await session.sit_down(_BUY_IN, number, post_to_enter=True)

    def begin(self) -> None:
        self._goal = self._sessions[0].mirror.hands + _HANDS
        self._playing = [
            asyncio.create_task(self._one(session, Random(f"{self.table_id}/{number}")))
            for number, session in enumerate(self._sessions)
        ]
        if self.settings.HasField("mixed"):
            self._playing += [
                asyncio.create_task(
                    choose_game_when_asked(session, Random(session.mirror.own_seat))
                )
                for session in self._sessions
            ]

    async def enough(self) -> None:
        """Wait until so many hands are over; raises what went wrong for a player."""
        reached = self._sessions[0].wait_for(lambda mirror: mirror.hands > self._goal, 50_000)
        over = asyncio.create_task(reached)
        done, _ = await asyncio.wait({over, *self._playing}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def end(self) -> None:
        """Play the hand that is under way to its end."""
        try:
            await self._floor.pause(self.table_id)
        finally:
            for task in self._playing:
                task.cancel()
            await asyncio.wait(self._playing)
        self.cards_checked = sum(session.cards_checked for session in self._sessions)

    async def _one(self, session: TableSession, random: Random) -> None:
        while True:
            hand = session.mirror.hand
            plays = hand is not None and session.mirror.own_seat in hand.seats
            if session.mirror.own_stack == 0 and not plays:
                with contextlib.suppress(CommandRefused, NoAnswer):
                    await session.top_up(_BUY_IN)
            async for turn in session.turns(hands=1):
                # A shuffler that was killed has to come back first.
                await session.wait_for(lambda mirror: mirror.own_cards_complete, _CARDS_MS)
                assert len(session.mirror.hole_cards) == len(turn.own_slots) > 0
                try:
                    await self._policy(turn, session, random)
                except (CommandRefused, NoAnswer):
                    continue  # answered before a service was killed, or the turn is over
            await asyncio.sleep(0.01)

    async def log(self) -> list[Step]:
        steps: list[Step] = []
        while True:
            request = table_pb2.ReadLogRequest(
                table_id=self.table_id, from_table_seq=1 + len(steps), page_size=500
            )
            page = await self._floor.tables.ReadLog(request)
            steps.extend(page.steps)
            if len(steps) >= page.last_table_seq:
                return steps


@pytest.mark.integration
@pytest.mark.timeout(240)
@pytest.mark.rule("DRW-4", "DRW-5", "SWP-1", "BMB-2", "STD-3", "MAT-3", "DBL-2")
async def test_a_table_of_every_game(tmp_path: Path) -> None:
    special: dict[str, Policy] = {"draw27_triple": exchange_all, "draw5_antes": check_once}
    async with whole_floor(tmp_path) as floor:
        evenings = [Evening(floor, name, special.get(name, as_it_comes)) for name in TABLES]
        for evening in evenings:
            await evening.sit_down(6 if evening.table_id == "draw27-triple" else 3)
        for evening in evenings:
            evening.begin()
        await _kill_two(floor)
        await asyncio.gather(*[evening.enough() for evening in evenings])
        await asyncio.gather(*[evening.end() for evening in evenings])
        kinds: Counter[str] = Counter()
        for evening in evenings:
            steps = await evening.log()
            check_log(steps)
            kinds.update(kinds_in(steps))
            assert evening.cards_checked > 20, evening.table_id
        assert {
            "bomb_pot_voted",
            "cards_drawn",
            "cards_swapped",
            "deck_reshuffled",
            "facing_chosen",
            "hand_redealt",
            "opener_announced",
        } <= set(kinds)
        await floor.assert_books([evening.table_id for evening in evenings])


async def _kill_two(floor: Floor) -> None:
    """Kill the shuffler, and later the table service, in the middle of everything."""
    await asyncio.sleep(2)
    await floor.services["shuffler"].restart()
    await asyncio.sleep(2)
    await floor.services["table"].restart()


def check_log(steps: list[Step]) -> None:
    """Every hand of a table folds to its end, from what is stored alone."""
    hands: dict[int, list[Step]] = {}
    for step in steps:
        if step.hand_no:
            hands.setdefault(step.hand_no, []).append(step)
    assert len(hands) >= _HANDS
    for of_hand in hands.values():
        state = replay_hand(of_hand).state
        assert state.ended
        assert not state.voided


def kinds_in(steps: list[Step]) -> Counter[str]:
    return Counter(
        event.hand.WhichOneof("event") or event.WhichOneof("event") or ""
        for step in steps
        for event in step.events
    )
