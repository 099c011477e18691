"""Which rule of the product's pages has which tests: `make rules`.

The rules are those of `libs/pokerfloor/games/rules`. A test names the rules that it covers with
`@pytest.mark.rule("BET-12")`; a worked example on a page names them too, and runs as a test. A rule
with neither is named, and the exit code is 1.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.rule_pages import ROOT, RULE_ID, read_pages

TESTS = ROOT / "tests"


@dataclass(frozen=True)
class Survey:
    """What is known of the rules: where each stands, its tests and its examples.

    `pages` and `not_offered` are by id, the place on the page; `tests` are by id the tests that
    name it, of ids on no page as well; `examples` are by id the examples that show it.
    """

    pages: Mapping[str, str]
    not_offered: Mapping[str, str]
    tests: Mapping[str, frozenset[str]]
    examples: Mapping[str, tuple[str, ...]]

    def untested(self) -> list[str]:
        """Return the rules without a test and without an example, in order."""
        tested = self.tests.keys() | self.examples.keys()
        return sorted(self.pages.keys() - tested, key=order)

    def strangers(self) -> list[str]:
        """Return the ids that tests name and no page has, in order."""
        return sorted(self.tests.keys() - self.pages.keys() - self.not_offered.keys(), key=order)


def order(rule: str) -> tuple[str, int]:
    """Sort ids by their letters, then by number."""
    letters, number = rule.split("-")
    return letters, int(number)


@cache
def survey() -> Survey:
    """Read the pages and the tests."""
    pages: dict[str, str] = {}
    not_offered: dict[str, str] = {}
    examples: dict[str, list[str]] = defaultdict(list)
    for page in read_pages():
        for found, lines in ((pages, page.rules), (not_offered, page.not_offered)):
            for rule, line in lines.items():
                place = f"{page.name}:{line}"
                other = pages.get(rule) or not_offered.get(rule)
                assert other is None, f"{rule} stands at {other} and at {place}"
                found[rule] = place
        for example in page.examples:
            for rule in example.rules:
                examples[rule].append(example.name)
    tests: dict[str, set[str]] = defaultdict(set)
    for path in sorted(TESTS.rglob("*.py")):
        for name, rule in _marks(path):
            tests[rule].add(f"{path.relative_to(ROOT)}::{name}")
    return Survey(
        pages,
        not_offered,
        {rule: frozenset(names) for rule, names in tests.items()},
        {rule: tuple(names) for rule, names in examples.items()},
    )


def _marks(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (test, rule id) for each mark of a module's tests."""
    text = path.read_text(encoding="utf-8")
    if "mark.rule" not in text:
        return
    module = ast.parse(text)
    named = _constants(module)
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    for node in [*module.body, *[inner for one in classes for inner in one.body]]:
        yield from _marks_of(node, path, named)


def _constants(module: ast.Module) -> dict[str, list[str]]:
    """Return the lists of words at module level, which marks may unpack: as they are, or split."""
    named: dict[str, list[str]] = {}
    for node in module.body:
        if not isinstance(node, ast.Assign):
            continue
        value = node.value
        if isinstance(value, ast.Tuple | ast.List):
            words = [str(one.value) for one in value.elts if isinstance(one, ast.Constant)]
        elif ast.unparse(value).endswith(".split()"):
            words = ast.literal_eval(ast.unparse(value).removesuffix(".split()")).split()
        else:
            continue
        named.update({target.id: words for target in node.targets if isinstance(target, ast.Name)})
    return named


def _marks_of(
    node: ast.stmt, path: Path, named: Mapping[str, list[str]]
) -> Iterator[tuple[str, str]]:
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return
    if not node.name.startswith("test_"):
        return
    calls = [inner for one in node.decorator_list for inner in ast.walk(one)]
    for call in calls:
        if not isinstance(call, ast.Call) or not ast.unparse(call.func).endswith("mark.rule"):
            continue
        for argument in call.args:
            for rule in _ids(argument, named):
                assert RULE_ID.fullmatch(rule), f"{path.name}, {node.name}: {rule!r} is no rule id"
                yield node.name, rule


def _ids(argument: ast.expr, named: Mapping[str, list[str]]) -> Iterator[str]:
    if isinstance(argument, ast.Starred) and isinstance(argument.value, ast.Name):
        yield from named[argument.value.id]
    else:
        assert isinstance(argument, ast.Constant), (
            f"a rule's id is a constant: {ast.dump(argument)}"
        )
        yield str(argument.value)


def main() -> int:
    """Print every rule with its tests; 1 when one has none."""
    found = survey()
    print(f"{'rule':8} {'page':22} tests examples  the first of them")
    for rule in sorted(found.pages, key=order):
        tests, examples = found.tests.get(rule, frozenset()), found.examples.get(rule, ())
        first = min(tests) if tests else (examples[0] if examples else "NONE")
        place = found.pages[rule]
        print(f"{rule:8} {place:22} {len(tests):5} {len(examples):8}  {first}")
    _print_apart("Not offered yet", sorted(found.not_offered, key=order))
    early = sorted(found.not_offered.keys() & found.tests.keys(), key=order)
    _print_apart("Of these there are tests: are they offered after all?", early)
    strangers = [f"{rule} ({len(found.tests[rule])})" for rule in found.strangers()]
    _print_apart("Tested, but on no page (no page yet)", strangers)
    by_example = [rule for rule in found.pages if rule not in found.tests]
    _print_apart("By examples alone", sorted(set(by_example) & found.examples.keys(), key=order))
    missing = found.untested()
    tested = len(found.pages) - len(missing)
    print(f"\n{tested} of {len(found.pages)} rules have a test or an example")
    if missing:
        print(f"no test: {' '.join(missing)}")
    return 1 if missing else 0


def _print_apart(title: str, rules: list[str]) -> None:
    if rules:
        print(f"\n{title}: {', '.join(rules)}")


if __name__ == "__main__":
    sys.exit(main())
