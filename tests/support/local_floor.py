"""The floor as `make run` starts it, for a test."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from deploy.local.checks import check_ports
from deploy.local.menu import CURRENCY
from deploy.local.run_settings import BLOCK_PORTS, PORTS, CannotRun, RunSettings
from pokerfloor.api.common.v1 import identity_pb2
from pokerfloor.client import PlayerKeys
from pokerfloor.operations import StaffClient
from pokerfloor.rpc import DevIssuer, file_token, now_ms
from tests.support.ports import process_number

RUN_S: Final = 180.0
ROOT: Final = Path(__file__).resolve().parents[2]
#: Launcher, broker, five services, bots.
PROCESSES: Final = 8
# Above the ports that the kernel and the other tests' servers take; each test process has its own.
_FIRST_FREE_PORT: Final = 61_000
_BLOCKS_A_PROCESS: Final = 8


def free_offset() -> int:
    """An offset at which every port of a floor is free now, and no other test process looks."""
    first = _FIRST_FREE_PORT + process_number() * _BLOCKS_A_PROCESS * BLOCK_PORTS
    for block in range(_BLOCKS_A_PROCESS):
        offset = first + block * BLOCK_PORTS - min(PORTS.values())
        try:
            check_ports(RunSettings(state=Path(), port_offset=offset))
        except CannotRun:
            continue
        return offset
    raise AssertionError("no free ports on this machine")


def run_floor(state: Path, **more: object) -> subprocess.CompletedProcess[str]:
    """Run a floor to its end. `more` are variables, and `offset`."""
    return subprocess.run(
        [sys.executable, "-m", "deploy.local.run"],
        cwd=ROOT,
        env=_environment(state, int(str(more.pop("offset", None) or free_offset())), **more),
        capture_output=True,
        text=True,
        timeout=RUN_S,
        check=False,
    )


class LocalFloor:
    """A floor that runs: the launcher, and what is seen of it from outside."""

    def __init__(self, state: Path, offset: int, launcher: subprocess.Popen[str]) -> None:
        self.state = state
        self.launcher = launcher
        self.settings = RunSettings(state=state, port_offset=offset)

    def read_until(self, words: str) -> str:
        """Read what the launcher says up to a line with these words."""
        assert self.launcher.stdout is not None
        seen = []
        for line in self.launcher.stdout:
            seen.append(line)
            if words in line:
                return line
        raise AssertionError(f"{words!r} was not said: {''.join(seen)}")

    def until_all_processes_are_there(self) -> None:
        """Wait for them: one that is only being started has no command line yet."""
        self.until_processes(lambda found: len(found) == PROCESSES, within_s=30)

    def until_processes(self, wanted: Callable[[list[str]], bool], within_s: float) -> None:
        """Wait until the floor's processes are as wanted."""
        deadline = time.monotonic() + within_s
        while not wanted(found := processes_of(self.state)):
            assert time.monotonic() < deadline, found
            time.sleep(0.05)

    async def fund(self, player_id: str, amount_minor: int) -> None:
        """Give a player an account with play money."""
        tokens = self.state / "tokens"
        async with StaffClient(
            *(self.settings.address("table"), self.settings.address("wallet")),
            operator=file_token(tokens / "operator.token"),
            cashier=file_token(tokens / "cashier.token"),
            currency=CURRENCY,
        ) as staff:
            await staff.open_account(player_id)
            await staff.deposit(player_id, amount_minor, "play money for a test")

    def player_token(self, player_id: str, keys: PlayerKeys) -> str:
        """A token of the floor's own issuer."""
        issuer = DevIssuer.open(self.state / "identity")
        roles = [identity_pb2.ROLE_PLAYER]
        now_s = now_ms() // 1000
        return issuer.issue(player_id, roles, 600, now_s=now_s, seal_key=keys.public_key)

    def pid_of(self, words: str, within_s: float = 10) -> int:
        """The floor's process whose command line has these words, once there is one."""
        deadline = time.monotonic() + within_s
        while True:
            for pid, command in _processes(self.state):
                if words in command:
                    return pid
            assert time.monotonic() < deadline, f"no process of {self.state} runs {words}"
            time.sleep(0.05)


@contextmanager
def running_floor(state: Path, **more: object) -> Iterator[LocalFloor]:
    """A floor that has opened its tables; killed at the end, if it still runs."""
    offset = free_offset()
    process = subprocess.Popen(
        [sys.executable, "-m", "deploy.local.run"],
        cwd=ROOT,
        env=_environment(state, offset, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    floor = LocalFloor(state, offset, process)
    try:
        floor.read_until("the floor is open")
        yield floor
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def processes_of(state: Path) -> list[str]:
    """The command lines of a floor's processes."""
    return [command for _, command in _processes(state)]


def _processes(state: Path) -> Iterator[tuple[int, str]]:
    """Processes whose command line or environment names the state folder."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            named_in = command + (entry / "environ").read_bytes()
        except OSError:
            continue
        if command and str(state).encode() in named_in:
            yield int(entry.name), command.replace(b"\0", b" ").decode(errors="replace")


def number(pattern: str, output: str) -> int:
    """The number that a pattern finds in what was said."""
    found = re.search(pattern, output, re.MULTILINE)
    assert found is not None, output
    return int(found.group(1))


def _environment(state: Path, offset: int, **more: object) -> dict[str, str]:
    variables = {"STATE": state, "PORT_OFFSET": offset, **more}
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FLOOR_")}
    return kept | {key: str(value) for key, value in variables.items()}
