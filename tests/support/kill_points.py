"""Killing a process at its n-th step, for every n, and looking at what it left.

The killed process is a fork of one that does nothing else: `python -m tests.support.kill_points
<module:factory> <folder>`. The factory gets the folder and gives `Trials`; what was found after
each run is printed as JSON.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Protocol

_ROOT: Final = Path(__file__).resolve().parents[2]
_MOST_RUNS: Final = 2_000
_TIMEOUT_S: Final = 600

Found = dict[str, list[str]]


class Fuse:
    """Counts steps once it is lit, and ends the process with SIGKILL at the n-th."""

    def __init__(self, burns_for: int) -> None:
        self._left = burns_for
        self._lit = False

    def light(self) -> None:
        self._lit = True

    def step(self, _what: object = None) -> None:
        """Called between any two things that the process does to the database."""
        if not self._lit:
            return
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class Trial(Protocol):
    """Something that is done again and again, and killed later each time."""

    name: str

    def run(self, number: int, fuse: Fuse) -> None:
        """Do it, in a process of its own; the fuse is lit when steps begin to count."""
        ...

    def look(self, number: int) -> str:
        """Say what was found after run `number`, and make all ready for the next."""
        ...


Trials = Callable[[Path], Iterator[Trial]]


def kill_everywhere(trials: str, folder: Path) -> Found:
    """Make all runs of "module:factory"; gives what was found after each run, by trial.

    A trial's last run is the one that was not killed before it was through.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.kill_points", trials, str(folder)],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4_000:]
    found: Found = json.loads(done.stdout.splitlines()[-1])
    return found


def _killed(trial: Trial, number: int) -> bool:
    child = os.fork()
    if child == 0:
        try:
            trial.run(number, Fuse(number))
        except BaseException:  # noqa: BLE001 - told below, and this process ends in any case
            sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
            os._exit(1)
        os._exit(0)  # nothing is closed here either: killed after the last step
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, f"run {number} ended by another signal"
        return True
    assert os.WEXITSTATUS(status) == 0, f"{trial.name}: run {number} failed"
    return False


def _found_by(trial: Trial) -> list[str]:
    found: list[str] = []
    killed = True
    while killed:
        number = len(found) + 1
        assert number < _MOST_RUNS, f"{trial.name} never ends"
        killed = _killed(trial, number)
        found.append(trial.look(number))
    return found


def main(name: str, folder: Path) -> None:
    module, _, factory = name.partition(":")
    trials: Trials = getattr(importlib.import_module(module), factory)
    gc.freeze()  # memory that is only read need not be copied for each process
    found = {trial.name: _found_by(trial) for trial in trials(folder)}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
