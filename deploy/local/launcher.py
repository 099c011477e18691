"""The whole floor on one machine, from the first check to the last process stopped."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

from deploy.local.checks import check_machine
from deploy.local.health import wait_until_serving
from deploy.local.identities import StaffTokens, issue_identities
from deploy.local.menu import CURRENCY
from deploy.local.play import Play
from deploy.local.processes import Processes
from deploy.local.run_settings import CannotRun, RunSettings
from deploy.local.service_specs import SERVICES, nats_spec, service_spec
from deploy.local.state_folder import StateFolder
from pokerfloor.board import Board
from pokerfloor.client import ConnectionLost, FloorClient, NoAnswer, ProofFailed, SessionOver
from pokerfloor.operations import StaffClient
from pokerfloor.rpc import FloorError, fixed_token

_SERVING_WITHIN_S = 60.0
_HEALTH_EVERY_S = 0.5
_INTERRUPTED = 130
# What a call to a service may raise.
_SERVICE_FAILURES = (FloorError, NoAnswer, ConnectionLost, ProofFailed, SessionOver)

T = TypeVar("T")


class LocalFloor:
    """A floor on one machine, while it runs."""

    def __init__(self, settings: RunSettings, board: Board) -> None:
        self._settings = settings
        self._board = board
        self._processes = Processes(board.say)
        self._play = Play(settings, board, self._processes)

    async def run(self) -> int:
        """Run until the hands are played, a process fails for good, or this task is cancelled.

        Return the exit code. Raises CannotRun. However it ends, everything is stopped.
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
        tokens = issue_identities(folder, self._play.player_ids)
        await self._processes.start(nats_spec(self._settings, folder, nats_server))
        for name in SERVICES:
            await self._processes.start(service_spec(name, self._settings, folder))
        await self._unless_failed(self._wait_until_serving())
        addresses = self._settings.address("table"), self._settings.address("wallet")
        async with (
            self._staff_client(tokens) as staff,
            FloorClient(*addresses, tokens.spectator) as spectator,
        ):
            restarts = asyncio.create_task(self._watch_restarts())
            try:
                return await self._unless_failed(self._play.run(folder, staff, spectator))
            except _SERVICE_FAILURES as error:
                raise CannotRun(f"the floor does not answer as it should: {error}") from error
            finally:
                restarts.cancel()
                await asyncio.gather(restarts, return_exceptions=True)

    def _staff_client(self, tokens: StaffTokens) -> StaffClient:
        return StaffClient(
            self._settings.address("table"),
            self._settings.address("wallet"),
            operator=fixed_token(tokens.operator),
            cashier=fixed_token(tokens.cashier),
            currency=CURRENCY,
        )

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
        """Note when restarted processes serve again, until cancelled."""
        while True:
            await asyncio.sleep(_HEALTH_EVERY_S)
            for name, child in self._processes.children.items():
                if child.state == "restarting" and child.spec.address:
                    deadline_s = time.monotonic() + _HEALTH_EVERY_S
                    if await wait_until_serving(child.spec.address, deadline_s):
                        self._processes.mark_up(name)

    async def _unless_failed(self, work_to_do: Coroutine[Any, Any, T]) -> T:
        """Do the work, unless a process fails for good meanwhile: then raise CannotRun."""
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
        """Stop players first, then tables, then what tables need, the broker last."""
        await self._processes.stop("bots")
        await self._processes.stop("table")
        await self._processes.stop("scoring", "showdown", "wallet", "shuffler")
        await self._processes.stop("nats")


async def run_floor(settings: RunSettings) -> int:
    """Run a floor under signals; return the exit code, and never a traceback for what can happen.

    The first SIGINT or SIGTERM stops everything in order, a second one at once. Exit codes: 0 as
    asked, 1 cannot run or the books do not balance, 130 stopped before the hands were played.
    """
    board = Board()
    try:
        floor = LocalFloor(settings, board)
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
