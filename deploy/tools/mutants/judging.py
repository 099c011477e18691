"""Which mutants survive: those that mutmut's run left alive, tried once more."""

import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from deploy.tools.mutants.changes import left_alive
from deploy.tools.mutants.copying import ENVIRONMENT, PYTEST
from deploy.tools.mutants.groups import Group, Module, Mutant

_EQUIVALENT: Final = Path(__file__).with_name("equivalent.toml")


def read_equivalents() -> set[tuple[str, str, str]]:
    """Return the keys of the mutants that change nothing anyone can see."""
    listed = tomllib.loads(_EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    return {(entry["function"], entry["was"], entry["becomes"]) for entry in listed}


def judge(
    group: Group,
    tree: Path,
    paths: list[str],
    children: int,
    equivalents: set[tuple[str, str, str]],
) -> tuple[list[Module], set[tuple[str, str, str]]]:
    """Return what became of the modules' mutants, and which of `equivalents` were met."""
    modules = [Module(path) for path in paths]
    met: set[tuple[str, str, str]] = set()
    again: list[tuple[Module, Mutant]] = []
    for module in modules:
        for mutant in left_alive(tree, module):
            if mutant.key in equivalents:
                met.add(mutant.key)
                module.equivalent += 1
            else:
                again.append((module, mutant))
    survived = _try_again(group, tree, [mutant for _, mutant in again], children)
    for (module, mutant), alive in zip(again, survived, strict=True):
        if alive:
            module.survivors.append(mutant)
    return modules, met


def _try_again(group: Group, tree: Path, alive: list[Mutant], children: int) -> list[bool]:
    """Return for each mutant whether it survives in a process of its own, with more tests too."""
    if not alive:
        return []
    tests = (*group.tests, *group.more_tests)
    started = time.monotonic()
    if not _passes(tree, "", tests, None):
        raise SystemExit(f"the tests of {group.name} fail without a mutant")
    limit_s = 10 * (time.monotonic() - started) + 10
    print(f"mutants of {group.name}: {len(alive)} are tried again", flush=True)
    with ThreadPoolExecutor(children) as pool:
        return list(pool.map(lambda mutant: _passes(tree, mutant.name, tests, limit_s), alive))


def _passes(tree: Path, name: str, tests: tuple[str, ...], limit_s: float | None) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", *PYTEST, *tests]
    environment = {**ENVIRONMENT, "MUTANT_UNDER_TEST": name}
    with tempfile.TemporaryFile() as out:
        try:
            done = subprocess.run(
                command,
                check=False,
                cwd=tree,
                env=environment,
                stdout=out,
                stderr=out,
                timeout=limit_s,
            )
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0
