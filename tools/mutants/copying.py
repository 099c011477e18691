"""The copy of the project in which modules are mutated."""

import ast
import shutil
from contextlib import chdir
from pathlib import Path
from typing import Final, NoReturn

from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.mutation.trampoline_templates import trampoline_imports

from tools.mutants.forks import Answer, in_forks
from tools.mutants.groups import ROOT, Group

WORK: Final = ROOT / "build" / "mutants"
_SWITCH: Final = "from tools.mutants.switch import wrap_in_switch as _mutmut_mutated, MutantDict"


def make_copy(group: Group, paths: list[str], children: int) -> Path:
    """Return a fresh copy in which these modules are mutated."""
    copy = WORK / group.name
    shutil.rmtree(copy, ignore_errors=True)
    for folder in ("libs", "tests"):
        ignored = shutil.ignore_patterns("__pycache__", ".hypothesis")
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    # mutmut wants to know where the source is, though it gets the text itself.
    settings += '\n[tool.mutmut]\nsource_paths = ["libs"]\n'
    (copy / "pyproject.toml").write_text(settings, encoding="utf-8")
    with chdir(copy):
        for _ in in_forks(paths, _mutate, children):
            pass
    return copy


def _mutate(path: str, answer: Answer) -> NoReturn:
    """Rewrite a module of the working directory with its mutants."""
    source = Path(path)
    mutated = mutate_file_contents(path, _wrap_below(source.read_text(encoding="utf-8"))).code
    imported = trampoline_imports.strip()
    assert imported in mutated, f"mutmut imports its switch in another way in {path}"
    source.write_text(mutated.replace(imported, _SWITCH), encoding="utf-8")
    answer(path)


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
