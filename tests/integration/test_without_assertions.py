"""Without assertions nothing runs that judges chips or cards: one clear line, and an exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration

_ROOT = Path(__file__).resolve().parents[2]
_WHY = "Python drops assertions here (-O or PYTHONOPTIMIZE)"


def python(*args: str, optimize: str = "") -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FLOOR_")}
    return subprocess.run(
        [sys.executable, *args],
        cwd=_ROOT,
        env=kept | {"PYTHONOPTIMIZE": optimize, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def the_line(refused: subprocess.CompletedProcess[str]) -> str:
    """The only line that was said."""
    lines = (refused.stdout + refused.stderr).splitlines()
    assert len(lines) == 1, lines
    assert _WHY in lines[0]
    return lines[0]


@pytest.mark.parametrize("name", ["shuffler", "table", "showdown", "scoring", "wallet"])
def test_a_service_refuses_to_start(name: str) -> None:
    refused = python("-O", "-m", f"floor_{name}")
    assert refused.returncode == 1
    line = json.loads(the_line(refused))
    assert (line["event"], line["level"], line["service"]) == ("cannot_start", "error", name)


def test_the_variable_counts_like_the_option() -> None:
    refused = python("-m", "floor_table", optimize="1")
    assert refused.returncode == 1
    assert json.loads(the_line(refused))["event"] == "cannot_start"
    started = python("-m", "floor_table")
    assert _WHY not in started.stdout
    assert started.returncode == 2  # with assertions it goes on to its settings, and has none


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("-m", "pokerfloor.floorctl.main", "rank", "holdem", "AsAd"), 2),
        (("-m", "pokerfloor.bots", "no-such-plan.json"), 1),
        (("-m", "deploy.local.run"), 1),
    ],
)
def test_nor_does_what_stands_beside_the_services(args: tuple[str, ...], code: int) -> None:
    refused = python("-O", *args)
    assert refused.returncode == code
    the_line(refused)
