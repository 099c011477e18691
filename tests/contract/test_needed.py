"""`make test` says at its start what it leaves out on this machine, and why."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.needed import NEEDS, Need, main

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has everything but hledger."""
    monkeypatch.delenv("FLOOR_REQUIRE", raising=False)
    for name, one in list(NEEDS.items()):
        why = "hledger is not installed" if name == "hledger" else ""
        monkeypatch.setitem(NEEDS, name, Need(name, one.tested, lambda why=why: why))  # type: ignore[misc]  # bound in the loop


@pytest.mark.usefixtures("machine")
def test_what_is_left_out_is_named_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert first == (
        "left out here: the exported book, added up by hledger (hledger): hledger is not installed"
    )
    assert not [line for line in others if line.startswith("left out here")]


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize(
    ("demanded", "code"), [("postgres compiler", 0), ("postgres hledger", 1), ("postgresql", 1)]
)
def test_what_is_demanded_has_to_be_there(
    demanded: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLOOR_REQUIRE", demanded)
    assert main() == code


def test_make_test_says_it_first_and_ci_demands_what_there_is() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ntest: ")[2]
    assert "tests.support.needed" in recipe.splitlines()[1]
    [demanded] = re.findall(
        r'FLOOR_REQUIRE="(.*)"', (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    )
    assert set(demanded.split()) <= NEEDS.keys()
