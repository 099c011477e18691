"""Compile the rules with mypyc: `make compiled`.

What is compiled is a copy, `build/compiled`, so that no stale binary lies beside the sources:
checks run from the sources, the floor and the benches from the copy. A copy is made aside and put
in place as a whole, so it is always of one state. It is compiled again only when something has
changed that the binaries depend on; else it is refreshed, file by file. Without a C compiler, or
when compiling fails, the copy has no binaries and runs as written.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from sysconfig import get_config_var, get_path
from tempfile import mkdtemp
from typing import Final, Literal

ROOT: Final = Path(__file__).resolve().parents[1]

# Left out: what mypyc cannot compile (`machine`, and `hand`, which overrides static methods), and
# modules that only declare (events, rows, setup, ...).
GAMES: Final = (
    *("apply", "apply_betting", "apply_cards", "apply_ending", "asking", "betting_round"),
    *("carrying", "check_setup", "dealing", "dealt_cards", "ending", "exposed", "faces", "flow"),
    *("known_deck", "legal", "paying", "pots", "rake", "resolve", "splitting", "state", "validate"),
    *("validate_action", "validate_change", "validate_showdown"),
)
MODULES: Final = tuple([f"pokerfloor/games/{name}.py" for name in GAMES])

# What the binaries depend on: the modules, and what they import.
_SOURCES: Final = ("pokerfloor/games", "pokerfloor/ranking", "pokerfloor/cards")
_DEADLINE_S: Final = 900
_BUILD: Final = """
import sys
from mypyc.build import mypycify
from setuptools import setup

options = ["--explicit-package-bases", "--namespace-packages"]
setup(
    name="rules",
    packages=[],
    ext_modules=mypycify([*options, *sys.argv[1:]], opt_level="3"),
    script_args=["--quiet", "build_ext", "--inplace", "--build-temp=objects"],
)
"""

# compiled; plain for want of a compiler; plain because compiling failed
Outcome = Literal["compiled", "plain", "failed"]


def what_is_missing() -> str:
    """Return what compiling needs and does not find here; "" when everything is there."""
    compiler = os.environ.get("CC", "") or get_config_var("CC") or "cc"
    if shutil.which(compiler.split()[0]) is None:
        return f"the C compiler {compiler.split()[0]}"
    if not Path(get_path("include"), "Python.h").is_file():
        return "Python.h (of a package such as python3-dev)"
    return "" if find_spec("mypyc") else "mypyc"


@dataclass(frozen=True, slots=True)
class CompiledCopy:
    """The copy of a checkout's `libs` in `build/compiled`, kept up to date.

    build: the script that compiles the modules named to it, beside them, in the working folder
    """

    root: Path = ROOT
    modules: tuple[str, ...] = MODULES
    build: str = _BUILD

    @property
    def target(self) -> Path:
        """The copy: a folder for the front of PYTHONPATH."""
        return self.root / "build" / "compiled"

    @property
    def report(self) -> Path:
        """The compiler's output, when it failed."""
        return self.root / "build" / "compile.log"

    def bring_up_to_date(self, *, try_again: bool = True) -> Outcome:
        """Make the copy what the sources are now, compiled if possible; say what is done.

        try_again: compile what did not compile the last time, though nothing has changed since
        """
        with self._locked():
            wanted = self._digest_of(self.root / "libs")
            outcome, made_from = self._state()
            missing = what_is_missing()
            if made_from == wanted and outcome == "compiled":
                self._refresh()
                return "compiled"
            if missing:
                print(f"{missing} is missing: the rules run as written", flush=True)
                return self._make_plain("plain")
            now: Outcome = "failed"
            if made_from == wanted and outcome == "failed" and not try_again:
                self._refresh()
            else:
                print("compiling the rules, once (about 40 s)", flush=True)
                now = self._compile()
            if now == "failed":
                print(f"the rules do not compile ({self.report}): they run as written")
            return now

    def _compile(self) -> Outcome:
        aside = self._copy_aside()
        digest = self._digest_of(aside)  # of what is compiled; the sources may change meanwhile
        command = [sys.executable, "-c", self.build, *self.modules]
        with self.report.open("w", encoding="utf-8") as report:
            try:
                built = subprocess.run(
                    command,
                    cwd=aside,
                    check=False,
                    stdout=report,
                    stderr=subprocess.STDOUT,
                    timeout=_DEADLINE_S,
                )
            except subprocess.TimeoutExpired:
                report.write(f"not done in {_DEADLINE_S} s\n")
                return self._make_plain("failed")
        if built.returncode or not self._all_compiled(aside):
            return self._make_plain("failed")
        for folder in ("build", "objects", ".mypy_cache"):
            shutil.rmtree(aside / folder, ignore_errors=True)
        self._put_in_place(aside, "compiled", digest)
        return "compiled"

    def _make_plain(self, outcome: Outcome) -> Outcome:
        aside = self._copy_aside()
        self._put_in_place(aside, outcome, self._digest_of(aside))
        return outcome

    def _copy_aside(self) -> Path:
        for left in self.target.parent.glob("compiled.new.*"):
            shutil.rmtree(left, ignore_errors=True)
        # A new name: a child of a build that was killed may still write into the old folder.
        aside = Path(mkdtemp(prefix="compiled.new.", dir=self.target.parent))
        aside.chmod(0o755)
        without = shutil.ignore_patterns("__pycache__")
        shutil.copytree(self.root / "libs", aside, ignore=without, dirs_exist_ok=True)
        return aside

    def _put_in_place(self, aside: Path, outcome: Outcome, digest: str) -> None:
        """Replace the last copy with a whole new one; for a moment there is none."""
        (aside / ".made").write_text(f"{outcome} {digest}\n", encoding="ascii")
        old = self.target.with_name("compiled.old")
        shutil.rmtree(old, ignore_errors=True)
        if self.target.exists():
            self.target.rename(old)
        aside.rename(self.target)
        shutil.rmtree(old, ignore_errors=True)

    def _refresh(self) -> None:
        """Bring up to date what the digest does not cover."""
        sources = set(_files(self.root / "libs"))
        for name in set(_files(self.target)) - sources:
            if not name.endswith(".so") and name != ".made":
                (self.target / name).unlink()
        for name in sources:
            source, copy = self.root / "libs" / name, self.target / name
            content = source.read_bytes()
            if not copy.is_file() or copy.read_bytes() != content:
                copy.parent.mkdir(parents=True, exist_ok=True)
                part = copy.with_name(f"{copy.name}.part")
                part.write_bytes(content)
                part.rename(copy)  # a reader sees the old or the new file

    def _state(self) -> tuple[str, str]:
        """Return outcome and digest of the copy that is there; two empty texts without one."""
        try:
            outcome, digest = (self.target / ".made").read_text(encoding="ascii").split()
        except (OSError, ValueError):
            return "", ""
        if outcome == "compiled" and not self._all_compiled(self.target):
            return "", ""
        return outcome, digest

    def _all_compiled(self, folder: Path) -> bool:
        suffix = get_config_var("EXT_SUFFIX")
        return all((folder / name).with_suffix(suffix).is_file() for name in self.modules)

    def _digest_of(self, folder: Path) -> str:
        """Digest everything that the binaries depend on, with the sources in `folder`."""
        mypy = version("mypy") if find_spec("mypyc") else ""
        known = sha256(repr((sys.version, get_config_var("EXT_SUFFIX"), mypy)).encode())
        known.update(repr((self.modules, self.build)).encode())
        for room in _SOURCES:
            for path in sorted((folder / room).rglob("*.py")):
                known.update(
                    repr((path.relative_to(folder).as_posix(), path.read_bytes())).encode()
                )
        return known.hexdigest()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock on the copy; wait for another process that makes it."""
        self.target.parent.mkdir(exist_ok=True)
        # The file stays: a removed one could be locked twice.
        with (self.target.parent / "compiled.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _files(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(folder).as_posix()


def main() -> int:
    """Bring the copy up to date; return 1 when it is not compiled and that is not allowed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--allow-plain", action="store_true", help="no compiler is no failure")
    parser.add_argument("--allow-failed", action="store_true", help="nor is failing to compile")
    allowed = parser.parse_args()
    outcome = CompiledCopy().bring_up_to_date(try_again=not allowed.allow_failed)
    if outcome == "compiled":
        return 0
    return 0 if (allowed.allow_plain if outcome == "plain" else allowed.allow_failed) else 1


if __name__ == "__main__":
    raise SystemExit(main())
