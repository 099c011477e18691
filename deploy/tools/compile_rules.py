"""Compile the modules that a table asks all the time, by mypyc: `make compiled`.

What is compiled is a copy, `build/compiled/libs`, so that no binary of an older state lies
beside the sources: tests and checks run from the sources, the floor and the benches from the copy.
Without a C compiler or mypyc the copy stays as it is, and runs at the speed of the sources.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_config_var
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
TARGET: Final = ROOT / "build" / "compiled"

# Left out is what mypyc cannot compile (`machine`, and `hand`, which overrides static methods) and
# what only declares (events, rows, setup, ...).
GAMES: Final = (
    *("asking", "betting_round", "carrying", "check_setup", "dealing", "dealt_cards", "ending"),
    *("exposed", "faces", "flow", "fold_betting", "fold_cards", "fold_ending", "folds", "judge"),
    *("judge_action", "judge_change", "judge_showdown", "known_deck", "legal", "paying", "pots"),
    *("rake", "resolve", "splitting", "state"),
)
MODULES: Final = tuple([f"libs/games/{name}.py" for name in GAMES])

_BUILD: Final = """
import sys
from mypyc.build import mypycify
from setuptools import setup

options = ["--explicit-package-bases", "--namespace-packages"]
setup(
    name="rules",
    packages=[],
    ext_modules=mypycify([*options, *sys.argv[1:]], opt_level="3"),
    script_args=["--quiet", "build_ext", "--inplace"],
)
"""


def what_is_missing() -> str:
    """Return what there must be for compiling, and is not; or ""."""
    compiler = os.environ.get("CC", "") or get_config_var("CC") or "cc"
    if shutil.which(compiler.split()[0]) is None:
        return f"the C compiler {compiler}"
    return "" if find_spec("mypyc") else "mypyc"


def main() -> int:
    """Make the copy and compile in it; 1 when what is there cannot be compiled."""
    shutil.rmtree(TARGET, ignore_errors=True)
    shutil.copytree(ROOT / "libs", TARGET / "libs", ignore=shutil.ignore_patterns("__pycache__"))
    missing = what_is_missing()
    if missing:
        print(f"not compiled, {missing} is missing: the rules run as they are", file=sys.stderr)
        return 0
    print(f"compiling {len(MODULES)} modules of the rules (some half a minute of one core)")
    command = [sys.executable, "-c", _BUILD, *MODULES]
    built = subprocess.run(command, cwd=TARGET, check=False, capture_output=True, text=True)
    if built.returncode:
        print(built.stdout[-4000:], built.stderr[-4000:], sep="\n", file=sys.stderr)
    return built.returncode


if __name__ == "__main__":
    raise SystemExit(main())
