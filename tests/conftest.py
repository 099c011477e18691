"""What all tests share: nothing but PostgreSQL's databases, and a word about what was left out."""

from __future__ import annotations

import pytest

from tests.support import postgres


def pytest_runtest_logfinish(nodeid: str) -> None:
    """A test has ended, with all that it opened: its databases may be used again."""
    postgres.ended_test()


def pytest_sessionfinish(session: pytest.Session) -> None:
    postgres.end()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    without = [report for report in skipped if postgres.MISSING in str(report.longrepr)]
    if without:
        terminalreporter.write_sep(
            "=", "LEFT OUT: the ledger on PostgreSQL", yellow=True, bold=True
        )
        terminalreporter.write_line(
            f"{len(without)} tests were not run: {postgres.MISSING}. Install them"
            " (Debian: postgresql), or demand them with FLOOR_REQUIRE=postgres."
        )
