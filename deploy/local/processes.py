"""The floor's processes: start, watch, restart a bounded number of times, stop."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from deploy.local.run_settings import CannotRun
from pokerfloor.rpc import wait_for_stop

State = Literal["starting", "up", "restarting", "stopped", "failed"]

_TETHER = Path(__file__).with_name("tether.py")
_MAX_RESTARTS = 5
_RESTARTS_WITHIN_S = 60.0
_RESTART_PAUSE_MS = 300
_STOP_WITHIN_S = 8.0
_MAX_LOG_BYTES = 32 * 1024 * 1024
_TAIL_BYTES = 8 * 1024
_MAX_REASON_CHARS = 200


@dataclass(frozen=True, slots=True)
class ProcessSpec:
    """A process.

    address: where it answers health checks; empty when it counts as up once it is started
    final_exits: exit codes after which it is not started again
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    folder: Path
    address: str = ""
    final_exits: frozenset[int] = frozenset()


@dataclass(slots=True)
class Child:
    """A process of the floor; `state` is what the board shows."""

    spec: ProcessSpec
    state: State = "starting"
    process: asyncio.subprocess.Process | None = None
    restarts: deque[float] = field(default_factory=lambda: deque(maxlen=_MAX_RESTARTS))
    exit_code: int | None = None
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    watch: asyncio.Task[None] | None = None


class Processes:
    """All processes of a floor. `say` prints a line; `failed` is set when one failed for good."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self.children: dict[str, Child] = {}
        self.failed = asyncio.Event()
        self.failure = ""

    async def start(self, spec: ProcessSpec) -> Child:
        """Start a process and watch it."""
        child = Child(spec)
        self.children[spec.name] = child
        _shorten(spec.log)
        await self._spawn(child)
        child.watch = asyncio.create_task(self._watch(child), name=f"watch {spec.name}")
        return child

    def states(self) -> dict[str, State]:
        """Return the state of each process by name."""
        return {name: child.state for name, child in self.children.items()}

    def mark_up(self, name: str) -> None:
        """Note that a process serves."""
        child = self.children[name]
        if child.state in ("starting", "restarting"):
            child.state = "up"

    def raise_if_failed(self) -> None:
        """Raise CannotRun when a process failed for good."""
        if self.failed.is_set():
            raise CannotRun(self.failure)

    async def stop(self, *names: str) -> None:
        """Stop processes together: SIGTERM, and SIGKILL to those that take too long."""
        stopping = [self.children[name] for name in names if name in self.children]
        for child in stopping:
            child.stopping.set()
            _send(child, signal.SIGTERM)
        watches = [child.watch for child in stopping if child.watch is not None]
        if not watches:
            return
        _, late = await asyncio.wait(watches, timeout=_STOP_WITHIN_S)
        for child in stopping:
            if child.watch in late:
                self._say(f"{child.spec.name} did not stop in {_STOP_WITHIN_S:.0f} s, killed")
                _send(child, signal.SIGKILL)
        await asyncio.wait(watches)

    def kill_all(self) -> None:
        """Kill every process at once."""
        for child in self.children.values():
            child.stopping.set()
            _send(child, signal.SIGKILL)

    async def _spawn(self, child: Child) -> None:
        spec = child.spec
        tethered = (sys.executable, "-I", "-S", str(_TETHER), str(os.getpid()), *spec.command)
        descriptor = os.open(spec.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            child.process = await asyncio.create_subprocess_exec(
                *tethered,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=descriptor,
                stderr=descriptor,
                env=dict(spec.environment),
                cwd=spec.folder,
                start_new_session=True,  # so that Ctrl-C reaches the launcher alone
            )
        finally:
            os.close(descriptor)
        if not spec.address:
            child.state = "up"

    async def _watch(self, child: Child) -> None:
        while True:
            assert child.process is not None, "a watched process was started"
            child.exit_code = await child.process.wait()
            if child.stopping.is_set():
                child.state = "stopped"
                return
            line = f"{child.spec.name} {_ending(child.exit_code)}"
            reason = last_reason(child.spec.log) if child.exit_code > 0 else ""
            if reason:
                line += f": {reason}"
            line += f" (log {child.spec.log})"
            if child.exit_code in child.spec.final_exits or not _may_restart(child):
                child.state = "failed"
                self.failure = line
                self.failed.set()
                return
            child.state = "restarting"
            self._say(f"{line}; started again, {len(child.restarts)} of {_MAX_RESTARTS}")
            if await wait_for_stop(child.stopping, _RESTART_PAUSE_MS):
                child.state = "stopped"
                return
            await self._spawn(child)


def last_reason(log: Path) -> str:
    """Return why a process ended, from the last line of its log; "" when that does not say.

    A service that cannot start says why in JSON; what breaks before that ends in one plain line.
    """
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - _TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    last = next((line for line in reversed(lines) if line.strip()), "")
    try:
        entry = json.loads(last)
    except ValueError:
        return last.strip()[:_MAX_REASON_CHARS]
    if isinstance(entry, dict) and entry.get("level") in ("error", "critical"):
        return str(entry.get("reason", ""))[:_MAX_REASON_CHARS]
    return ""


def _may_restart(child: Child) -> bool:
    """Count a restart; return False when there were too many within a short time."""
    now = time.monotonic()
    while child.restarts and now - child.restarts[0] > _RESTARTS_WITHIN_S:
        child.restarts.popleft()
    if len(child.restarts) >= _MAX_RESTARTS:
        return False
    child.restarts.append(now)
    return True


def _ending(exit_code: int) -> str:
    if exit_code >= 0:
        return f"ended with exit code {exit_code}"
    try:
        name = signal.Signals(-exit_code).name
    except ValueError:
        name = str(-exit_code)
    return f"was killed by signal {name}"


def _send(child: Child, number: signal.Signals) -> None:
    if child.process is not None and child.process.returncode is None:
        try:
            child.process.send_signal(number)
        except ProcessLookupError:
            return  # it ended by itself; its watch sees that


def _shorten(log: Path) -> None:
    """Put an old log aside when it has grown large; one old one is kept."""
    if log.exists() and log.stat().st_size > _MAX_LOG_BYTES:
        log.replace(log.with_suffix(".1.log"))
