"""What is played in a run: open tables, fund and seat bots, count hands, audit the books."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time

from deploy.local.menu import UnknownGameError, bot_plans, table_plans
from deploy.local.processes import Processes
from deploy.local.run_settings import CannotRun, RunSettings
from deploy.local.service_specs import bots_spec
from deploy.local.state_folder import StateFolder
from deploy.local.summary import Result, summary_lines
from pokerfloor.board import Board, Watch
from pokerfloor.bots import BotPlan, CrowdPlan, Pace
from pokerfloor.client import FloorClient
from pokerfloor.operations import StaffClient, audit_floor
from pokerfloor.rpc import FloorError

# A person who plays in one of the last hands may use the whole clock in each turn.
_LAST_HANDS_MS = 300_000
_LOOK_EVERY_S = 0.02
_FUND_EVERY_S = 30.0
# A bot gets 50 buy-ins of play money whenever it has less than 10.
_FUND_BUY_INS = 50
_FUND_BELOW_BUY_INS = 10
_BOTS_A_TABLE = 3
_BOTS_OF_ONE_GAME = 5
# Bots that somebody watches think like people in a hurry; with HANDS they do not.
_WATCHED = Pace(think_min_ms=250, think_max_ms=1_200, pause_min_ms=2_000, pause_max_ms=6_000)
_COUNTED = Pace(think_min_ms=1, think_max_ms=25, pause_min_ms=100, pause_max_ms=500)


class Play:
    """The tables, bots and hands of one run, on services that serve."""

    def __init__(self, settings: RunSettings, board: Board, processes: Processes) -> None:
        """Plan the tables and bots. Raises CannotRun for a game that does not exist."""
        self._settings = settings
        self._board = board
        self._processes = processes
        self._watch = Watch()
        self._paused: set[str] = set()
        try:
            self._tables = table_plans(settings.tables or 0, settings.game)
        except UnknownGameError as error:
            raise CannotRun(str(error)) from error
        each = _BOTS_OF_ONE_GAME if settings.game else _BOTS_A_TABLE
        bots = each * len(self._tables) if settings.bots is None else settings.bots
        self._bots = bot_plans(self._tables, bots)
        # What each bot had when the run began and got since, in minor units.
        self._brought: dict[str, int] = {}
        self._began_s = time.monotonic()

    @property
    def player_ids(self) -> list[str]:
        """Who plays, for tokens and keys."""
        return [bot.player_id for bot in self._bots]

    async def run(self, folder: StateFolder, staff: StaffClient, spectator: FloorClient) -> int:
        """Play until the last hand asked for is over, or until cancelled; return the exit code."""
        for table in self._tables:
            await staff.open_table(table.table_id, table.settings)
        for bot in self._bots:
            await staff.open_account(bot.player_id)
            await self._fund(staff, bot)
            self._brought[bot.player_id] = await staff.worth(bot.player_id)
        await self._watch.begin(spectator, [table.table_id for table in self._tables])
        await self._start_bots(folder)
        self._board.say(
            f"the floor is open: table service {self._settings.address('table')}, wallet "
            f"{self._settings.address('wallet')}, state and logs in {folder.path}"
        )
        beside = [
            asyncio.create_task(
                self._board.show(self._watch, self._processes.states, self._settings.hands)
            ),
            asyncio.create_task(self._watch.read_books(staff)),
            asyncio.create_task(self._keep_funded(staff)),
        ]
        try:
            await self._deal(staff)
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
        return await self._finish(staff, spectator)

    async def _deal(self, staff: StaffClient) -> None:
        """Let hands be played; return when the last one asked for is over."""
        wanted = self._settings.hands
        while not wanted or self._watch.begun < wanted:
            for table in self._watch.tables:
                table.session.raise_if_over()
            await self._keep_no_more_tables_than(wanted - self._watch.begun, staff)
            await asyncio.sleep(_LOOK_EVERY_S)
        await self._keep_no_more_tables_than(0, staff)
        for table in self._watch.tables:
            await table.session.wait_for(lambda mirror: mirror.hand is None, _LAST_HANDS_MS)

    async def _keep_no_more_tables_than(self, hands_left: int, staff: StaffClient) -> None:
        """Pause tables near the end, so that no more hands begin than were asked for."""
        if not self._settings.hands:
            return
        dealing = [table for table in self._watch.tables if table.table_id not in self._paused]
        # The busiest tables go on: the last hand could never begin where nobody can play.
        dealing.sort(key=lambda table: -table.finished)
        for table in dealing[max(0, hands_left) :]:
            self._paused.add(table.table_id)
            await staff.pause_table(table.table_id)

    async def _finish(self, staff: StaffClient, spectator: FloorClient) -> int:
        await self._processes.stop("bots")
        audit = await audit_floor(staff, [table.table_id for table in await spectator.tables()])
        results = [
            Result(
                bot.name,
                bot.table_id,
                await staff.worth(bot.player_id) - self._brought[bot.player_id],
            )
            for bot in self._bots
        ]
        seconds = time.monotonic() - self._began_s
        for line in summary_lines(self._watch, results, audit, seconds):
            self._board.say(line)
        if self._watch.finished < self._settings.hands:
            self._board.say(
                f"only {self._watch.finished} of {self._settings.hands} hands were finished"
            )
            return 1
        return 1 if audit.differences else 0

    async def _keep_funded(self, staff: StaffClient) -> None:
        """Give play money to bots that have lost nearly all of theirs, until cancelled."""
        while True:
            await asyncio.sleep(_FUND_EVERY_S)
            for bot in self._bots:
                with contextlib.suppress(FloorError):  # the wallet is away; the next round then
                    self._brought[bot.player_id] += await self._fund(staff, bot)

    async def _fund(self, staff: StaffClient, bot: BotPlan) -> int:
        """Return a bot play money if it has little; return how much, in minor units."""
        if await staff.worth(bot.player_id) >= _FUND_BELOW_BUY_INS * bot.max_buy_in_minor:
            return 0
        amount_minor = _FUND_BUY_INS * bot.max_buy_in_minor
        await staff.deposit(bot.player_id, amount_minor, "play money for a bot")
        return amount_minor

    async def _start_bots(self, folder: StateFolder) -> None:
        if not self._bots:
            return
        plan = CrowdPlan(
            self._settings.address("table"),
            self._settings.address("wallet"),
            _COUNTED if self._settings.hands else _WATCHED,
            self._bots,
        )
        path = folder.write_secret("bots.json", json.dumps(plan.to_json(), indent=1))
        await self._processes.start(bots_spec(folder, path))
