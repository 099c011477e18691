"""Tables of any game whose players act at once, and wait at a point of the hand when told to.

Every player's own cards must stay the same, place by place, whatever happens to the services.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.bots import choose_game_when_asked, say_ready_when_asked
from pokerfloor.cards import Card
from pokerfloor.client import CommandRefused, FloorClient, NoAnswer, TableSession, Turn
from pokerfloor.servicekit import error_name
from tests.support.every_table import EVERY_TABLE
from tests.support.floor import Floor
from tests.support.floor_audit import assert_books_balance
from tests.support.points_players import PRICE

# Longer than any player is ever held: no clock acts for one.
_BASE_MS: Final = 600_000
_BUY_IN: Final = 400
_CARDS_MS: Final = 20_000
_HELD_S: Final = 60.0

# What an answer is refused with that was stored while its answer was lost.
_OVER: Final = frozenset(
    {
        errors_pb2.ERROR_CODE_STALE_TURN,
        errors_pb2.ERROR_CODE_NOT_YOUR_TURN,
        errors_pb2.ERROR_CODE_UNEXPECTED_INPUT,
        errors_pb2.ERROR_CODE_HAND_OVER,
        errors_pb2.ERROR_CODE_NO_HAND,
    }
)
# What is answered while a service is away.
_AWAY: Final = frozenset({errors_pb2.ERROR_CODE_UNAVAILABLE, errors_pb2.ERROR_CODE_OVERLOADED})
# Asked by chance, so no table can be brought there.
_RARE: Final = "split"
_ANYWHERE: Final = "anywhere"


def point_of(turn: Turn) -> str:
    """Name where in a hand a turn is: its street, and what is asked besides betting."""
    if turn.placement is not None:
        return f"street {turn.placement.street}"
    if turn.discard is not None:
        return f"{turn.street_name}: exchange"
    if turn.asks_facing:
        return f"{turn.street_name}: facing"
    return _RARE if turn.asks_split else turn.street_name


class KillTable:
    """The players of one table, until `end`."""

    def __init__(self, floor: Floor, name: str, settings: settings_pb2.TableSettings) -> None:
        self.table_id = name.replace("_", "-")
        self.settings = settings
        self.settings.clock.base_ms = _BASE_MS
        self.in_points = settings.stake.HasField("points")
        self.points: dict[str, None] = {}
        self.refused: Counter[str] = Counter()
        self.clients: list[FloorClient] = []
        self.sessions: list[TableSession] = []
        self._floor = floor
        self._cards: dict[tuple[str, int, int], Card] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._wanted = ""
        self._held = asyncio.Event()
        self._holding: TableSession | None = None
        self._go = asyncio.Event()

    # --- an evening

    async def sit_down(self, players: int) -> None:
        """Open the table and seat everybody; play begins with `begin`."""
        await self._floor.open_table(self.table_id, self.settings)
        for number in range(1, players + 1):
            client = await self._floor.player(f"{self.table_id}-{number}", 100_000_000)
            session = await client.table(self.table_id)
            self.clients.append(client)
            self.sessions.append(session)
            await session.sit_down(self._buy_in_minor, number, post_to_enter=not self.in_points)

    @property
    def _buy_in_minor(self) -> int:
        return self.settings.buy_in.max_minor if self.in_points else _BUY_IN

    def begin(self) -> None:
        for number, session in enumerate(self.sessions):
            random = Random(f"{self.table_id}/{number}")
            self._tasks.append(asyncio.create_task(self._play(session, random)))
            self._tasks.append(asyncio.create_task(self._come_back(session)))
            if self.in_points:
                self._tasks.append(asyncio.create_task(say_ready_when_asked(session)))
            elif self.settings.HasField("mixed"):
                self._tasks.append(asyncio.create_task(choose_game_when_asked(session, random)))

    @property
    def hands(self) -> int:
        """How many hands were begun, as the first player has seen."""
        return self.sessions[0].mirror.hands

    async def end(self) -> None:
        """Play the hand that is under way to its end."""
        try:
            await self._floor.pause(self.table_id)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks)
        self.raise_if_failed()

    def raise_if_failed(self) -> None:
        for task in self._tasks:
            if task.done() and not task.cancelled():
                task.result()

    # --- held at a point

    def hold(self, number: int) -> None:
        """Whoever comes to this one of the points seen does not answer until `release`.

        At a table of several games whoever is asked next: a game may not be played for long.
        """
        self._held.clear()
        self._go.clear()
        points = [*self.points]
        mixed = self.settings.HasField("mixed")
        self._wanted = _ANYWHERE if mixed else points[number % len(points)]

    async def until_held(self) -> None:
        waiting = asyncio.create_task(self._held.wait())
        done, _ = await asyncio.wait(
            {waiting, *self._tasks}, timeout=_HELD_S, return_when=asyncio.FIRST_COMPLETED
        )
        waiting.cancel()
        self.raise_if_failed()
        assert done, f"{self.table_id} does not come to {self._wanted!r}: {await self._where()}"

    def release(self) -> None:
        self._wanted = ""
        self._go.set()

    async def assert_same_cards(self) -> None:
        """A player who is held attaches once more: the cards are those that were known before."""
        assert self._holding is not None, "nobody is held"
        session = self._holding
        client = self.clients[self.sessions.index(session)]
        async with await client.table(self.table_id) as again:
            await again.wait_for(lambda mirror: mirror.own_cards_complete, _CARDS_MS)
            self._check_cards(again)
            hand = session.mirror.hand
            assert hand is not None
            assert again.mirror.hole_cards == session.mirror.hole_cards
            assert again.mirror.hand is not None
            assert again.mirror.hand.hand_no == hand.hand_no
            yours = again.mirror.your_turn
            assert yours is not None, f"{self.table_id}: the turn is lost"

    async def _where(self) -> str:
        view = await self._floor.view(self.table_id)
        turns = [session.mirror.your_turn for session in self.sessions]
        return f"{view}\nturns: {turns}\nrefused: {self.refused}"

    # --- playing

    async def _play(self, session: TableSession, random: Random) -> None:
        while True:
            hand = session.mirror.hand
            plays = hand is not None and session.mirror.own_seat in hand.seats
            if not plays and session.mirror.own_stack < self._least_stack:
                await self._top_up(session)
            async for turn in session.turns(hands=1):
                await self._cards_are_here(session)
                self._check_cards(session)
                point = point_of(turn)
                if point != _RARE:
                    self.points.setdefault(point)
                if self._wanted in (point, _ANYWHERE):
                    self._holding = session
                    self._held.set()
                    await self._go.wait()
                await self._answer(turn, session, random)
            await asyncio.sleep(0.01)

    async def _come_back(self, session: TableSession) -> None:
        """Sit in again, whenever the table counted the player as gone for too long."""
        while True:
            await session.wait_for(
                lambda m: m.own_seat in m.seats and m.seats[m.own_seat].sitting_out, None
            )
            self.refused["SAT_OUT"] += 1
            with contextlib.suppress(CommandRefused, NoAnswer):
                await session.sit_in(post_to_enter=not self.in_points)
            await asyncio.sleep(0.5)

    @property
    def _least_stack(self) -> int:
        return self._buy_in_minor // PRICE // 2 if self.in_points else _BUY_IN // 4

    async def _top_up(self, session: TableSession) -> None:
        amount = self._buy_in_minor // 2 // PRICE * PRICE if self.in_points else _BUY_IN // 2
        with contextlib.suppress(CommandRefused, NoAnswer):
            await session.top_up(amount)

    async def _cards_are_here(self, session: TableSession) -> None:
        """Wait until all own cards are known: a shuffler that was killed has to come back first."""
        try:
            await session.wait_for(lambda mirror: mirror.own_cards_complete, _CARDS_MS)
        except NoAnswer:
            where = await self._where()
            raise AssertionError(f"{session.mirror.player_id} lacks own cards: {where}") from None

    def _check_cards(self, session: TableSession) -> None:
        mirror = session.mirror
        assert mirror.hand is not None
        for slot, card in zip(mirror.own_slots, mirror.hole_cards, strict=True):
            known = self._cards.setdefault((mirror.player_id, mirror.hand.hand_no, slot), card)
            assert known == card, f"{mirror.player_id} has another card at slot {slot}"

    async def _answer(self, turn: Turn, session: TableSession, random: Random) -> None:
        """Answer a turn; again, where it is not known whether that was done."""
        for attempt in range(100):
            try:
                await act(turn, random, first=not attempt)
            except NoAnswer:
                self.refused["NO_ANSWER"] += 1
            except CommandRefused as refused:
                self.refused[error_name(refused.code)] += 1
                if refused.code not in _OVER | _AWAY:
                    raise
            with contextlib.suppress(NoAnswer):
                await session.wait_for(lambda _: _is_over(turn, session), 500)
                return
        raise AssertionError(f"{session.mirror.player_id}: a turn that is never over")

    async def log(self) -> list[Step]:
        """Read the table's whole log."""
        steps: list[Step] = []
        while True:
            request = table_pb2.ReadLogRequest(
                table_id=self.table_id, from_table_seq=1 + len(steps), page_size=500
            )
            page = await self._floor.tables.ReadLog(request, wait_for_ready=True)
            steps.extend(page.steps)
            if len(steps) >= page.last_table_seq:
                return steps


def _is_over(turn: Turn, session: TableSession) -> bool:
    yours = session.mirror.your_turn
    return yours is None or (yours.hand_no, yours.turn_no) != (turn.hand_no, turn.turn_no)


async def act(turn: Turn, random: Random, *, first: bool = True) -> None:
    """Use what a game has, and mostly go on to the end of the hand."""
    if turn.placement is not None:
        if first and turn.placement.moves and random.random() < 0.3:
            rows = [row for row, room in turn.placement.room.items() if room]
            await turn.move(turn.placement.slots[0], random.choice(rows))
        await turn.check_or_fold()
    elif turn.discard is not None:
        count = random.randint(turn.discard.least, turn.discard.most)
        await turn.discard_cards(sorted(random.sample(turn.discard.slots, count)))
    elif turn.asks_facing:
        await turn.choose_facing(face_down=random.random() < 0.4)
    elif turn.asks_split:
        await turn.answer_split(agrees=random.random() < 0.7)
    else:
        if first and turn.swap is not None and random.random() < 0.4:
            turn = await turn.swap_cards(random.sample(turn.swap.slots, 1))
        await _bet(turn, random)


async def _bet(turn: Turn, random: Random) -> None:
    legal, roll = turn.legal, random.random()
    if roll < 0.08 and legal.bet is not None:
        await turn.bet_to(legal.bet.min_to)
    elif roll < 0.08 and legal.raise_ is not None:
        await turn.raise_to(legal.raise_.min_to)
    elif roll > 0.96 and turn.opponents > 1 and not legal.check:
        await turn.fold()
    else:
        await turn.check_or_call()


def hands_of(steps: Sequence[Step]) -> tuple[int, list[str]]:
    """Count the hands of a log, and say of each that did not end as it should why."""
    opened, wrong = 0, []
    open_hand = 0
    for step in steps:
        for event in step.events:
            if event.HasField("hand_began"):
                opened += 1
                if open_hand:
                    wrong.append(f"hand {open_hand} did not end")
                open_hand = event.hand_began.hand_no
                if open_hand != opened:
                    wrong.append(f"hand {opened} is missing")
            elif event.hand.HasField("hand_voided"):
                wrong.append(f"hand {open_hand} is void: {event.hand.hand_voided}")
            elif event.hand.HasField("hand_ended"):
                open_hand = 0
    if open_hand:
        wrong.append(f"hand {open_hand} did not end")
    return opened, wrong


async def sit_down(floor: Floor, names: Sequence[str]) -> list[KillTable]:
    """Open tables of these games, and play until two hands are over at each."""
    tables = [KillTable(floor, name, EVERY_TABLE[name]()) for name in names]
    for table in tables:
        # Six who exchange cards need the deck shuffled again.
        players = 6 if table.table_id == "draw27-triple" else 3
        await table.sit_down(min(players, table.settings.seats))
    for table in tables:
        table.begin()
    await until_hands(tables, [3] * len(tables), timeout_s=90)
    return tables


async def until_hands(
    tables: Sequence[KillTable], wanted: Sequence[int], *, timeout_s: float
) -> None:
    """Wait until each table has begun so many hands; raises what its players failed with."""
    async with asyncio.timeout(timeout_s):
        while any(table.hands < hands for table, hands in zip(tables, wanted, strict=True)):
            for table in tables:
                table.raise_if_failed()
            await asyncio.sleep(0.05)


async def finish(floor: Floor, tables: Sequence[KillTable], least_hands: int) -> None:
    """Every hand ends, at every table, and the books balance."""
    await asyncio.gather(*[table.end() for table in tables])
    for table in tables:
        hands, wrong = hands_of(await table.log())
        assert wrong == [], table.table_id
        assert hands >= least_hands, table.table_id
    table_ids = [table.table_id for table in tables]
    await floor.assert_books(table_ids)
    await assert_books_balance(floor, table_ids)
