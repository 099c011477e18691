"""Real processes: restarts are bounded and reported in one line, and nothing stays behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from deploy.local.processes import Processes, ProcessSpec, last_reason
from deploy.local.run_settings import CannotRun

_TETHER = Path(__file__).resolve().parents[3] / "deploy" / "local" / "tether.py"


def spec(folder: Path, code: str, **more: object) -> ProcessSpec:
    command = (sys.executable, "-c", code)
    log = folder / "thing.log"
    return ProcessSpec("thing", command, dict(os.environ), log, folder, **more)  # type: ignore[arg-type]  # fields of the spec


async def until(condition: object, lines: Sequence[str] = ()) -> None:
    deadline = time.monotonic() + 20
    while not condition():  # type: ignore[operator]  # any callable
        assert time.monotonic() < deadline, lines
        await asyncio.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def test_a_killed_process_is_reported_and_started_again(tmp_path: Path) -> None:
    lines: list[str] = []
    processes = Processes(lines.append)
    child = await processes.start(spec(tmp_path, "import time; time.sleep(60)"))
    assert child.process is not None
    first = child.process.pid
    os.kill(first, signal.SIGKILL)
    await until(lambda: child.process is not None and child.process.pid != first, lines)
    assert lines == [
        f"thing was killed by signal SIGKILL (log {tmp_path / 'thing.log'}); started again, 1 of 5"
    ]
    await processes.stop("thing")
    assert child.state == "stopped"
    assert not alive(child.process.pid)


async def test_a_process_that_keeps_ending_is_given_up_with_its_reason(tmp_path: Path) -> None:
    lines: list[str] = []
    processes = Processes(lines.append)
    code = 'print(\'{"level": "error", "reason": "no key set"}\'); raise SystemExit(2)'
    await processes.start(spec(tmp_path, code))
    async with asyncio.timeout(30):
        await processes.failed.wait()
    assert len(lines) == 5
    with pytest.raises(CannotRun, match="thing ended with exit code 2: no key set") as failed:
        processes.raise_if_failed()
    assert "\n" not in str(failed.value)


async def test_a_final_exit_code_is_not_tried_again(tmp_path: Path) -> None:
    lines: list[str] = []
    processes = Processes(lines.append)
    await processes.start(spec(tmp_path, "raise SystemExit(3)", final_exits=frozenset({3})))
    async with asyncio.timeout(10):
        await processes.failed.wait()
    assert lines == []


async def test_one_that_ignores_sigterm_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deploy.local.processes._STOP_WITHIN_S", 0.3)
    lines: list[str] = []
    processes = Processes(lines.append)
    code = (
        "import pathlib, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "pathlib.Path('ready').touch(); time.sleep(60)"
    )
    child = await processes.start(spec(tmp_path, code))
    await until((tmp_path / "ready").exists)
    await processes.stop("thing")
    assert child.exit_code == -signal.SIGKILL
    assert "did not stop" in lines[0]


def test_a_tethered_process_dies_with_its_parent(tmp_path: Path) -> None:
    """The parent is killed with SIGKILL, so it cannot clean up."""
    code = (
        "import os, subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, {str(_TETHER)!r}, str(os.getpid()),"
        " sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    deadline = time.monotonic() + 10
    # While a process becomes another its command line is empty for a moment.
    while Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")[1:2] != [b"-c"]:
        assert time.monotonic() < deadline, "the child never became its command"
        time.sleep(0.01)
    assert alive(child)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    while alive(child):
        assert time.monotonic() < deadline, "the child outlives its parent"
        time.sleep(0.01)


def test_a_process_without_its_parent_does_not_start() -> None:
    ended = subprocess.run(
        [sys.executable, str(_TETHER), "1", sys.executable, "-c", "print('ran')"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")


def test_reasons_are_read_from_the_last_line(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    assert last_reason(log) == ""
    log.write_text('{"level": "error", "reason": "port in use"}\n')
    assert last_reason(log) == "port in use"
    log.write_text('{"level": "error", "reason": "old"}\n{"level": "info", "event": "stopped"}\n')
    assert last_reason(log) == ""
    log.write_text("Traceback (most recent call last):\nImportError: no module\n")
    assert last_reason(log) == "ImportError: no module"
