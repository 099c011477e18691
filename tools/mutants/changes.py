"""What each mutant changes, read from the modules that mutmut wrote."""

import ast
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from tools.mutants.groups import Module, Mutant


def read_module(copy: Path, path: str) -> Module:
    """Return a mutated module of the copy with the mutants that count."""
    module = Module(path)
    texts = dict(_functions((copy / path).read_text("utf-8")))
    for name, after in texts.items():
        mangled, _, which = name.partition("__mutmut_")
        if which == "orig":
            continue
        before = texts[f"{mangled}__mutmut_orig"]
        if _what_counts(before) == _what_counts(after):
            module.uncounted += 1
            continue
        # `x_name`, or `xǁClassǁname` for a method.
        plain = mangled[2:].replace("ǁ", ".")
        module.mutants.append(
            Mutant(f"{module.dotted}.{name}", f"{module.dotted}.{plain}", *_changed(before, after))
        )
    return module


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
        if isinstance(node, ast.Raise) and ast.unparse(node).startswith("raise AssertionError("):
            node.exc = None
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
