"""The whole floor on one machine, as `make run` starts it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.local.run_settings import PORTS
from pokerfloor.games import COMPILED
from tests.support.local_floor import (
    RUN_S,
    free_offset,
    number,
    processes_of,
    run_floor,
    running_floor,
)

pytestmark = [pytest.mark.integration, pytest.mark.timeout(240)]


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


def test_ctrl_c_stops_everything_in_order(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_floor(state, TABLES=1, BOTS=2) as floor:
        floor.until_all_processes_are_there()
        floor.launcher.send_signal(signal.SIGINT)
        output, _ = floor.launcher.communicate(timeout=60)
        assert floor.launcher.returncode == 0, output
        assert "stopped; the state is kept" in output
        assert "Traceback" not in output
        assert processes_of(state) == []


def test_a_second_ctrl_c_waits_for_nobody(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with running_floor(state, TABLES=1, BOTS=2) as floor:
        os.kill(floor.pid_of("floor_table"), signal.SIGSTOP)  # it cannot stop in order now
        floor.launcher.send_signal(signal.SIGINT)
        floor.read_until("stopping")
        floor.launcher.send_signal(signal.SIGINT)
        output, _ = floor.launcher.communicate(timeout=5)
        assert floor.launcher.returncode == 130, output
        assert processes_of(state) == []


def test_a_launcher_killed_at_once_leaves_nothing_behind(tmp_path: Path) -> None:
    with running_floor(tmp_path / "state", TABLES=1, BOTS=2) as floor:
        floor.until_all_processes_are_there()
        floor.launcher.send_signal(signal.SIGKILL)
        floor.launcher.wait(10)
        floor.until_processes(lambda left: not left, within_s=10)


def test_a_killed_service_is_reported_and_play_goes_on(tmp_path: Path) -> None:
    with running_floor(tmp_path / "state", TABLES=1, BOTS=3, HANDS=25) as floor:
        for name in ("floor_showdown", "floor_table"):
            os.kill(floor.pid_of(name), signal.SIGKILL)
        line = floor.read_until("table was killed by signal SIGKILL")
        assert re.search(r"\(log .*/logs/table\.log\); started again, 1 of 5", line), line
        output, _ = floor.launcher.communicate(timeout=RUN_S)
        assert floor.launcher.returncode == 0, output
        assert "the books balance" in output


def test_a_person_sits_down_as_the_readme_says_and_has_time(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with (
        running_floor(state, TABLES=1, BOTS=2, HANDS=100_000) as floor,
        subprocess.Popen(
            [
                Path(sys.executable).with_name("floorctl"),
                *("play", "main-1", "--deposit", "200", "--state", state),
                *("--address", floor.settings.address("table")),
                *("--wallet", floor.settings.address("wallet")),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as person,
    ):
        assert person.stdin is not None
        assert person.stdout is not None
        turn = next(line for line in person.stdout if "your turn" in line)
        assert re.search(r"\b(20|19) s, then 30 s of your time bank", turn), turn
        person.stdin.close()  # the seat is given up
        said = person.stdout.read()
        assert person.wait(30) == 0, said
        assert "in your wallet: " in said


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
