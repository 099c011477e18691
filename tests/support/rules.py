"""Which rule of the rulebook has which tests: `make rules`.

Tests name the rules they cover with `@pytest.mark.rule("BET-12")`. Where the rulebook lies beside
the repository, rules without a test are listed as well.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULEBOOK = ROOT.parent / "shared" / "rulebook"
RULE_ID = re.compile(r"[A-Z]{3}-\d+")


class _Collector:
    """A pytest plugin that keeps what was collected."""

    def __init__(self) -> None:
        self.tests: dict[str, set[str]] = defaultdict(set)

    def pytest_collection_modifyitems(self, items: Sequence[pytest.Item]) -> None:
        for item in items:
            for mark in item.iter_markers("rule"):
                for rule in mark.args:
                    assert RULE_ID.fullmatch(rule), f"{item.nodeid}: {rule!r} is no rule id"
                    self.tests[rule].add(item.nodeid.split("[")[0])


def order(rule: str) -> tuple[str, int]:
    letters, number = rule.split("-")
    return letters, int(number)


def main() -> int:
    collector = _Collector()
    with redirect_stdout(StringIO()):
        code = pytest.main(["--collect-only", "-qq", "tests"], [collector])
    if code != pytest.ExitCode.OK:
        print(f"the tests cannot be collected ({code})")
        return 1
    for rule in sorted(collector.tests, key=order):
        print(f"{rule:8} {len(collector.tests[rule]):3}  {min(collector.tests[rule])}")
    if RULEBOOK.is_dir():
        known = {
            rule
            for page in RULEBOOK.glob("*.md")
            for rule in re.findall(r"\*\*([A-Z]{3}-\d+)\*\*", page.read_text(encoding="utf-8"))
        }
        missing = sorted(known - set(collector.tests), key=order)
        covered = len(known & set(collector.tests))
        print(f"\n{covered} of {len(known)} rules have a test; none yet: {' '.join(missing)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
