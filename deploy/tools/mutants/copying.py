"""The copy of the project in which mutmut works, and its run there."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from deploy.tools.mutants.groups import ROOT, Group

WORK: Final = ROOT / "build" / "mutants"
# What is too slow to run for every mutant is left out; CI lets hypothesis draw the same examples
# each time; compiled modules make every process start faster, whatever the shell was told.
PYTEST: Final = ("-q", "-p", "no:cacheprovider", "--timeout=0", "-m", "not slow")
ENVIRONMENT: Final = {**os.environ, "CI": "true", "PYTHONDONTWRITEBYTECODE": ""}

_CONFTEST: Final = '''
import json
import sys
from pathlib import Path

STATS = Path("mutmut-stats.json")


def pytest_sessionstart():
    """Empty every cache: what they keep was made before the mutant was switched on."""
    for name, module in list(sys.modules.items()):
        if name.startswith({package!r}):
            for value in list(vars(module).values()):
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def pytest_collection_modifyitems(items):
    """The quick tests first: most mutants fall to one of them."""
    if STATS.exists():
        took = json.loads(STATS.read_text())["duration_by_test"]
        items.sort(key=lambda item: took.get(item.nodeid, 1000))
'''


def make_copy(group: Group, paths: list[str]) -> Path:
    """Return a fresh copy in which these modules are to be mutated."""
    copy = WORK / group.name
    shutil.rmtree(copy, ignore_errors=True)
    for folder in ("libs", "tests"):
        ignored = shutil.ignore_patterns("__pycache__", ".hypothesis")
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    for path in paths:
        source = copy / path
        source.write_text(_wrap_below(source.read_text(encoding="utf-8")), encoding="utf-8")
    conftest = copy / "tests" / "conftest.py"
    assert not conftest.exists(), "the caches are emptied by a conftest of the copy's own"
    conftest.write_text(_CONFTEST.format(package=group.folder.replace("/", ".")), encoding="utf-8")
    settings = {
        "source_paths": ["libs"],
        "only_mutate": paths,
        "pytest_add_cli_args_test_selection": list(group.tests),
        "pytest_add_cli_args": list(PYTEST),
    }
    section = "\n".join(f"{key} = {json.dumps(value)}" for key, value in settings.items())
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (copy / "pyproject.toml").write_text(f"{project}\n[tool.mutmut]\n{section}\n", encoding="utf-8")
    return copy


def _wrap_below(source: str) -> str:
    """Return the source with `f = cache(f)` below a function instead of `@cache` above it.

    mutmut leaves functions with decorators alone.
    """
    lines = source.splitlines()
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    for node in reversed(functions):
        if len(node.decorator_list) != 1:
            continue
        decorator = ast.unparse(node.decorator_list[0])
        if decorator.partition("(")[0] not in {"cache", "lru_cache"}:
            continue
        assert node.end_lineno is not None
        lines.insert(node.end_lineno, f"{node.name} = {decorator}({node.name})")
        del lines[node.decorator_list[0].lineno - 1]
    return "\n".join(lines) + "\n"


def run_mutmut(copy: Path, children: int) -> Path:
    """Run mutmut, its progress on the terminal or else in a file; return the mutated tree."""
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(children)]
    log = copy / "mutmut.log"
    if sys.stdout.isatty():
        done = subprocess.run(command, check=False, cwd=copy, env=ENVIRONMENT)
    else:
        print(f"mutants of {copy.name}: mutmut writes to {log.relative_to(ROOT)}", flush=True)
        with log.open("w", encoding="utf-8") as out:
            done = subprocess.run(
                command, check=False, cwd=copy, env=ENVIRONMENT, stdout=out, stderr=out
            )
    if done.returncode:
        tail = log.read_text(encoding="utf-8")[-3000:] if log.exists() else ""
        raise SystemExit(f"mutmut failed with {done.returncode}\n{tail}")
    return copy / "mutants"
