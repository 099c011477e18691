"""What all tests share: what they need of the machine, and PostgreSQL's databases."""

from __future__ import annotations

import pytest

from tests.support import postgres
from tests.support.needed import NEEDS, need


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("needs"):
        for name in marker.args:
            need(name)


def pytest_runtest_logfinish(nodeid: str) -> None:
    """A test has ended, with all that it opened: its databases may be used again."""
    postgres.ended_test()


def pytest_sessionfinish(session: pytest.Session) -> None:
    postgres.end()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    for one in NEEDS.values():
        left_out = sum(f"{one.tested}: " in reason for reason in skipped)
        if left_out:
            terminalreporter.write_line(
                f"LEFT OUT: {left_out} tests of {one.tested}: {one.why_missing()}"
                f" (FLOOR_REQUIRE={one.name} demands them)",
                yellow=True,
                bold=True,
            )
