"""What customers run: the rules compiled, on the logs of record and on the rules' own tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pokerfloor.games import GAMES
from tools.compile_rules import MODULES, CompiledCopy

pytestmark = [
    pytest.mark.integration,
    pytest.mark.needs("compiler"),
    pytest.mark.timeout(900),
]

_ROOT = Path(__file__).resolve().parents[2]
_COPY = CompiledCopy()
_LOGS = "tests/contract/test_log_fixtures.py"


@pytest.fixture(scope="module", autouse=True)
def a_compiled_copy() -> None:
    assert _COPY.bring_up_to_date() == "compiled", _COPY.report.read_text(encoding="utf-8")


def python(*args: str, path: tuple[Path, ...] = (_COPY.target, _ROOT)) -> str:
    """Run Python, on the compiled copy if nothing else is said, and give what it prints."""
    done = subprocess.run(
        [sys.executable, *args],
        cwd=_ROOT,
        env={**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(map(str, path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-8_000:]
    return done.stdout


def test_each_module_is_compiled_and_says_so() -> None:
    names = [name.removesuffix(".py").replace("/", ".") for name in MODULES]
    script = (
        "import sys; from importlib import import_module; from pokerfloor.games import COMPILED\n"
        "assert COMPILED\n"
        "for name in sys.argv[1:]: print(import_module(name).__file__)\n"
    )
    files = python("-c", script, *names).splitlines()
    assert len(files) == len(MODULES)
    assert [file for file in files if not file.endswith(".so")] == []
    assert [file for file in files if not file.startswith(str(_COPY.target))] == []


def test_every_game_is_the_same_compiled() -> None:
    first, *compiled = python("-m", "tests.support.rules_trace").splitlines()
    assert first == "compiled"
    first, *plain = python("-m", "tests.support.rules_trace", path=(_ROOT,)).splitlines()
    assert first == "plain"
    assert len(plain) > len(GAMES)
    assert compiled == plain


def test_the_logs_of_record_and_the_rules_tests_hold_compiled() -> None:
    said = python(
        *("-m", "pytest", "-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:xdist"),
        *("-o", f"pythonpath={_COPY.target} {_ROOT}", _LOGS, "tests/unit/games"),
    )
    assert " passed" in said
    assert "failed" not in said
