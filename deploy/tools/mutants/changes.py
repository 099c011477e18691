"""What each mutant changes, read from the modules that mutmut wrote."""

import ast
import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

from deploy.tools.mutants.groups import Module, Mutant

_SURVIVED: Final = 0  # mutmut's exit codes
_NO_TESTS: Final = 33


def left_alive(tree: Path, module: Module) -> list[Mutant]:
    """Count the mutants of a module and return those that no test has killed."""
    meta = tree / (module.path + ".meta")
    if not meta.exists():
        return []
    results: dict[str, int | None] = json.loads(meta.read_text("utf-8"))["exit_code_by_key"]
    assert None not in results.values(), f"mutmut has not finished with {module.path}"
    texts = dict(_functions((tree / module.path).read_text("utf-8"))) if results else {}
    alive: list[Mutant] = []
    for name, code in results.items():
        short = name.rpartition(".")[2]
        mangled = short.partition("__mutmut_")[0]
        before, after = texts[f"{mangled}__mutmut_orig"], texts[short]
        if _what_counts(before) == _what_counts(after):
            module.uncounted += 1
            continue
        module.mutants += 1
        if code in (_SURVIVED, _NO_TESTS):
            # `x_name`, or `xǁClassǁname` for a method.
            plain = mangled[2:].replace("ǁ", ".")
            alive.append(Mutant(name, f"{module.dotted}.{plain}", *_changed(before, after)))
    return alive


def _functions(source: str) -> Iterator[tuple[str, str]]:
    """Yield name and text of each function that mutmut made, the text under a common name."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and "__mutmut_" in node.name:
            text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            yield node.name, text.replace(node.name + "(", "mutated(", 1)


def _what_counts(function: str) -> str:
    """Return a function without what does not count.

    Sentences, which are strings with a space; what an assertion says when it fails; zip's strict.
    """
    indent = len(function) - len(function.lstrip())
    tree = ast.parse("\n".join(line[indent:] for line in function.splitlines()))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            node.value = ""
        if isinstance(node, ast.Assert):
            node.msg = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip":
            node.keywords = []
    return ast.unparse(tree)


def _changed(before: str, after: str) -> tuple[str, str]:
    old = [line.strip() for line in before.splitlines()]
    new = [line.strip() for line in after.splitlines()]
    gone: list[str] = []
    come: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += old[a:b]
            come += new[c:d]
    return " ".join(gone), " ".join(come)
