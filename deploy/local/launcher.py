"""The whole floor on one machine, from the first check to the last process stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import time
from collections.abc import Coroutine
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from deploy.local.board import Board
from deploy.local.books import audit
from deploy.local.bot_life import Pace
from deploy.local.checks import check_machine
from deploy.local.desk import Desk, wait_until_serving
from deploy.local.game_names import UnknownGameError
from deploy.local.identities import issue_identities
from deploy.local.processes import Processes
from deploy.local.run_settings import CannotRun, RunSettings
from deploy.local.service_specs import SERVICES, bots_spec, nats_spec, service_spec
from deploy.local.state_folder import StateFolder
from deploy.local.summary import Result, summary_lines
from deploy.local.tables import bot_plans, table_plans
from deploy.local.watch import Watch
from pokerfloor.client import ConnectionLost, FloorClient, NoAnswer, ProofFailed, SessionOver
from pokerfloor.servicekit import FloorError

_SERVING_WITHIN_S = 60.0
_LAST_HANDS_MS = 60_000
_LOOK_EVERY_S = 0.02
_HEALTH_EVERY_S = 0.5
_FUND_EVERY_S = 30.0
_BOTS_A_TABLE = 3
_BOTS_OF_ONE_GAME = 5
# Bots that somebody watches think like people in a hurry; bots that are counted do not.
_WATCHED = Pace(think_min_ms=250, think_max_ms=1_200, pause_min_ms=2_000, pause_max_ms=6_000)
_COUNTED = Pace(think_min_ms=1, think_max_ms=25, pause_min_ms=100, pause_max_ms=500)
_INTERRUPTED = 130
# What services may do to those who call them.
_LETS_US_DOWN = (FloorError, NoAnswer, ConnectionLost, ProofFailed, SessionOver)

T = TypeVar("T")


class Floor:
    """A floor on one machine, while it runs."""

    def __init__(self, settings: RunSettings, board: Board) -> None:
        self._settings = settings
        self._board = board
        self._processes = Processes(board.say)
        self._watch = Watch()
        try:
            self._tables = table_plans(settings.tables or 0, settings.game)
        except UnknownGameError as error:
            raise CannotRun(str(error)) from error
        each = _BOTS_OF_ONE_GAME if settings.game else _BOTS_A_TABLE
        bots = each * len(self._tables) if settings.bots is None else settings.bots
        self._bots = bot_plans(self._tables, bots)
        # What each bot had when the run began, and was given since, in minor units.
        self._brought: dict[str, int] = {}
        self._began_s = time.monotonic()

    async def run(self) -> int:
        """Run until the hands are played, a process is given up, or this task is cancelled.

        Gives the exit code. Raises CannotRun. However it ends, everything is stopped.
        """
        nats_server = check_machine(self._settings)
        folder = StateFolder.open(self._settings.state, fresh=self._settings.fresh)
        try:
            return await self._run_in(folder, nats_server)
        finally:
            await self._stop_all()
            folder.close()

    def kill(self) -> None:
        """Stop everything at once."""
        self._processes.kill_all()

    async def _run_in(self, folder: StateFolder, nats_server: Path) -> int:
        tokens = issue_identities(folder, [bot.player_id for bot in self._bots])
        await self._processes.start(nats_spec(self._settings, folder, nats_server))
        for name in SERVICES:
            await self._processes.start(service_spec(name, self._settings, folder))
        await self._unless_failed(self._wait_until_serving())
        desk = Desk(self._settings, tokens)
        addresses = self._settings.address("table"), self._settings.address("wallet")
        try:
            async with FloorClient(*addresses, tokens.spectator) as spectator:
                try:
                    return await self._unless_failed(self._play(folder, desk, spectator))
                except _LETS_US_DOWN as error:
                    raise CannotRun(f"the floor does not answer as it should: {error}") from error
        finally:
            await desk.close()

    async def _play(self, folder: StateFolder, desk: Desk, spectator: FloorClient) -> int:
        for table in self._tables:
            await desk.open_table(table)
        for bot in self._bots:
            await desk.fund(bot.player_id, bot.max_buy_in_minor)
            self._brought[bot.player_id] = await desk.worth(bot.player_id)
        await self._watch.begin(spectator, [table.table_id for table in self._tables])
        await self._start_bots(folder)
        self._board.say(
            f"the floor is open: table service {self._settings.address('table')}, wallet "
            f"{self._settings.address('wallet')}, state and logs in {folder.path}"
        )
        beside = [
            asyncio.create_task(
                self._board.show(self._watch, self._processes.children, self._settings.hands)
            ),
            asyncio.create_task(self._watch.read_books(desk)),
            asyncio.create_task(self._watch_restarts()),
            asyncio.create_task(self._keep_funded(desk)),
        ]
        try:
            await self._deal(desk)
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
        return await self._finish(desk, spectator)

    async def _deal(self, desk: Desk) -> None:
        """Let hands be played; returns when the last one asked for is over."""
        wanted = self._settings.hands
        while not wanted or self._watch.opened < wanted:
            for table in self._watch.tables:
                table.session.raise_if_over()
            await self._keep_no_more_tables_than(wanted - self._watch.opened, desk)
            await asyncio.sleep(_LOOK_EVERY_S)
        await self._keep_no_more_tables_than(0, desk)
        for table in self._watch.tables:
            await table.session.wait_for(lambda mirror: mirror.hand is None, _LAST_HANDS_MS)

    async def _keep_no_more_tables_than(self, hands_left: int, desk: Desk) -> None:
        """Pause tables near the end, so that no more hands begin than were asked for."""
        if not self._settings.hands:
            return
        dealing = [table for table in self._watch.tables if not table.paused]
        # The busiest deal on: one where nobody can play would keep the last hand waiting for ever.
        dealing.sort(key=lambda table: -table.finished)
        for table in dealing[max(0, hands_left) :]:
            table.paused = True
            await desk.pause_table(table.table_id)

    async def _finish(self, desk: Desk, spectator: FloorClient) -> int:
        await self._processes.stop("bots")
        books = await audit(desk, [table.table_id for table in await spectator.tables()])
        results = [
            Result(
                bot.name,
                bot.table_id,
                await desk.worth(bot.player_id) - self._brought[bot.player_id],
            )
            for bot in self._bots
        ]
        seconds = time.monotonic() - self._began_s
        for line in summary_lines(self._watch, results, books, seconds):
            self._board.say(line)
        if self._watch.finished < self._settings.hands:
            self._board.say(
                f"only {self._watch.finished} of {self._settings.hands} hands were finished"
            )
            return 1
        return 1 if books.differences else 0

    async def _keep_funded(self, desk: Desk) -> None:
        """Give play money to bots that have lost nearly all of theirs, until cancelled."""
        while True:
            await asyncio.sleep(_FUND_EVERY_S)
            for bot in self._bots:
                with contextlib.suppress(FloorError):  # the wallet is away; at the next round then
                    deposited_minor = await desk.fund(bot.player_id, bot.max_buy_in_minor)
                    self._brought[bot.player_id] += deposited_minor

    async def _start_bots(self, folder: StateFolder) -> None:
        if not self._bots:
            return
        plan = {
            "table_address": self._settings.address("table"),
            "wallet_address": self._settings.address("wallet"),
            "pace": asdict(_COUNTED if self._settings.hands else _WATCHED),
            "bots": [asdict(bot) for bot in self._bots],
        }
        path = folder.write_secret("bots.json", json.dumps(plan, indent=1))
        await self._processes.start(bots_spec(folder, path))

    async def _wait_until_serving(self) -> None:
        deadline_s = time.monotonic() + _SERVING_WITHIN_S
        for name in SERVICES:
            if not await wait_until_serving(self._settings.address(name), deadline_s):
                log = self._processes.children[name].spec.log
                raise CannotRun(
                    f"{name} does not serve after {_SERVING_WITHIN_S:.0f} s (log {log})"
                )
            self._processes.mark_up(name)

    async def _watch_restarts(self) -> None:
        """See when processes that were started again serve again, until cancelled."""
        while True:
            await asyncio.sleep(_HEALTH_EVERY_S)
            for name, child in self._processes.children.items():
                if child.state == "restarting" and child.spec.address:
                    deadline_s = time.monotonic() + _HEALTH_EVERY_S
                    if await wait_until_serving(child.spec.address, deadline_s):
                        self._processes.mark_up(name)

    async def _unless_failed(self, work_to_do: Coroutine[Any, Any, T]) -> T:
        """Do something, unless a process is given up meanwhile: then raise CannotRun."""
        work = asyncio.ensure_future(work_to_do)
        failed = asyncio.create_task(self._processes.failed.wait())
        try:
            await asyncio.wait({work, failed}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                self._processes.raise_if_failed()
            return await work
        finally:
            for task in (work, failed):
                task.cancel()
            await asyncio.gather(work, failed, return_exceptions=True)

    async def _stop_all(self) -> None:
        """Players first, then tables, then what tables need, the broker last."""
        await self._processes.stop("bots")
        await self._processes.stop("table")
        await self._processes.stop("scoring", "showdown", "wallet", "shuffler")
        await self._processes.stop("nats")


async def run_floor(settings: RunSettings) -> int:
    """Run a floor under signals; gives the exit code, and never a traceback for what can happen.

    The first SIGINT or SIGTERM stops everything in order, a second one at once. Exit codes: 0 as
    asked, 1 cannot run or the books do not balance, 130 stopped before the hands were played.
    """
    board = Board()
    try:
        floor = Floor(settings, board)
    except CannotRun as error:
        board.say(f"the floor cannot run: {error}")
        return 1
    work = asyncio.create_task(floor.run())
    signals = 0

    def heard() -> None:
        nonlocal signals
        signals += 1
        if signals == 1:
            board.say("stopping ...")
            work.cancel()
        else:
            floor.kill()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, heard)
    try:
        return await work
    except CannotRun as error:
        board.say(f"the floor cannot run: {error}")
        return 1
    except asyncio.CancelledError:
        board.say(f"stopped; the state is kept in {settings.state}")
        return _INTERRUPTED if settings.hands or signals > 1 else 0
