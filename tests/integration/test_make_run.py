"""The whole floor on one machine, as `make run` starts it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.local.checks import check_ports
from deploy.local.run_settings import (
    BLOCK_PORTS,
    METRICS_PORTS,
    PORTS,
    CannotRun,
    RunSettings,
)
from pokerfloor.games import COMPILED

pytestmark = [pytest.mark.integration, pytest.mark.timeout(240)]

_ROOT = Path(__file__).resolve().parents[2]
_RUN_S = 180.0
_FIRST_FREE_PORT = 61_000


def free_offset() -> int:
    """An offset at which every port of a floor is free now.

    The ports lie above those that the kernel and the other tests' servers take.
    """
    lowest = min(*PORTS.values(), *METRICS_PORTS.values())
    last = 65_536 - BLOCK_PORTS
    for offset in range(_FIRST_FREE_PORT - lowest, last - lowest, BLOCK_PORTS):
        try:
            check_ports(RunSettings(state=Path(), port_offset=offset))
        except CannotRun:
            continue
        return offset
    raise AssertionError("no free ports on this machine")


def processes_of(state: Path) -> list[str]:
    """Command lines and environments that name the state folder: the floor's processes."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            told = command + (entry / "environ").read_bytes()
        except OSError:
            continue
        if command and str(state).encode() in told:
            found.append(command.replace(b"\0", b" ").decode(errors="replace"))
    return found


def environment(state: Path, offset: int, **more: object) -> dict[str, str]:
    told = {"STATE": state, "PORT_OFFSET": offset, **more}
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FLOOR_")}
    return kept | {key: str(value) for key, value in told.items()}


def run_floor(state: Path, **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deploy.local.run"],
        cwd=_ROOT,
        env=environment(state, more.pop("offset", None) or free_offset(), **more),  # type: ignore[arg-type]  # an int
        capture_output=True,
        text=True,
        timeout=_RUN_S,
        check=False,
    )


@contextmanager
def running_floor(state: Path, **more: object) -> Iterator[subprocess.Popen[str]]:
    """A floor that has opened its tables; killed at the end, if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "deploy.local.run"],
        cwd=_ROOT,
        env=environment(state, free_offset(), **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        read_until(process, "the floor is open")
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def read_until(process: subprocess.Popen[str], words: str) -> str:
    assert process.stdout is not None
    seen = []
    for line in process.stdout:
        seen.append(line)
        if words in line:
            return line
    raise AssertionError(f"{words!r} was not said: {''.join(seen)}")


def nothing_stays(state: Path, within_s: float) -> None:
    deadline = time.monotonic() + within_s
    while left := processes_of(state):
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def test_thirty_hands_and_then_more_on_the_same_state(tmp_path: Path) -> None:
    state = tmp_path / "state"
    first = run_floor(state, HANDS=30, FRESH=1)
    assert first.returncode == 0, first.stdout + first.stderr
    assert "Traceback" not in first.stdout + first.stderr
    # A table may have begun one more before its pause reached it.
    played = number(r"^(\d+) hands in ", first.stdout)
    assert 30 <= played <= 33, first.stdout
    assert "the books balance" in first.stdout
    assert number(r"(\d+) hands settled", first.stdout) == played
    assert processes_of(state) == []
    rules = '"rules": "compiled"' if COMPILED else '"rules": "plain"'
    assert rules in (state / "logs" / "table.log").read_text(encoding="utf-8")

    again = run_floor(state, HANDS=10)
    assert again.returncode == 0, again.stdout + again.stderr
    # The first run's hands are still in the ledger.
    more = number(r"^(\d+) hands in ", again.stdout)
    assert number(r"(\d+) hands settled", again.stdout) == played + more


def number(pattern: str, output: str) -> int:
    found = re.search(pattern, output, re.MULTILINE)
    assert found is not None, output
    return int(found.group(1))


def test_ctrl_c_stops_everything_in_order(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_floor(state, TABLES=1, BOTS=2) as floor:
        assert len(processes_of(state)) >= 8  # launcher, broker, five services, bots
        floor.send_signal(signal.SIGINT)
        output, _ = floor.communicate(timeout=60)
        assert floor.returncode == 0, output
        assert "stopped; the state is kept" in output
        assert "Traceback" not in output
        assert processes_of(state) == []


def test_a_second_ctrl_c_waits_for_nobody(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_floor(state, TABLES=1, BOTS=2) as floor:
        os.kill(pid_of(state, "floor_table"), signal.SIGSTOP)  # it cannot stop in order now
        floor.send_signal(signal.SIGINT)
        read_until(floor, "stopping")
        floor.send_signal(signal.SIGINT)
        output, _ = floor.communicate(timeout=5)
        assert floor.returncode == 130, output
        assert processes_of(state) == []


def test_a_launcher_killed_at_once_leaves_nothing_behind(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_floor(state, TABLES=1, BOTS=2) as floor:
        floor.send_signal(signal.SIGKILL)
        floor.wait(10)
        nothing_stays(state, within_s=10)


def test_a_killed_service_is_told_of_and_play_goes_on(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_floor(state, TABLES=1, BOTS=3, HANDS=25) as floor:
        for name in ("floor_showdown", "floor_table"):
            subprocess.run(["kill", "-9", str(pid_of(state, name))], check=True)
        line = read_until(floor, "table was killed by signal SIGKILL")
        assert re.search(r"\(log .*/logs/table\.log\); started again, 1 of 5", line), line
        output, _ = floor.communicate(timeout=_RUN_S)
        assert floor.returncode == 0, output
        assert "the books balance" in output


def pid_of(state: Path, words: str) -> int:
    """The floor's process whose command line has these words."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_bytes().decode(errors="replace")
            told = (entry / "environ").read_bytes()
        except OSError:
            continue
        if words in command and str(state).encode() in told:
            return int(entry.name)
    raise AssertionError(f"no process of {state} runs {words}")


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    offset = free_offset()
    with socket.create_server(("127.0.0.1", PORTS["showdown"] + offset)):
        refused = run_floor(tmp_path / "state", offset=offset, HANDS=1)
    assert refused.returncode == 1
    lines = (refused.stdout + refused.stderr).splitlines()
    assert len(lines) == 1, lines
    assert f"port {PORTS['showdown'] + offset} (showdown)" in lines[0]
    assert not (tmp_path / "state").exists()


def test_a_folder_that_is_not_ours_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "letters").write_text("mine")
    refused = run_floor(tmp_path, HANDS=1, FRESH=1)
    assert refused.returncode == 1
    lines = (refused.stdout + refused.stderr).splitlines()
    assert len(lines) == 1, lines
    assert "holds other things" in lines[0]
    assert (tmp_path / "letters").read_text() == "mine"
