"""What `make rules` knows: marks of tests, in whatever form they stand, and what has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import rules
from tests.support.rules import Survey, order, survey

MODULE = '''\
import pytest

MANY = ("BET-1", "BET-2")
WORDS = """
    LOW-1 LOW-2
""".split()


@pytest.mark.rule("POT-1", "POT-2")
def test_one() -> None: ...


@pytest.mark.parametrize(("a", "b"), [pytest.param(1, 2, marks=pytest.mark.rule("POT-3")), (3, 4)])
@pytest.mark.rule(*MANY)
async def test_two(a: int, b: int) -> None: ...


class TestThree:
    @pytest.mark.rule("POT-4")
    def test_four(self) -> None: ...


@pytest.mark.rule(*WORDS)
def test_six() -> None: ...


@pytest.mark.rule("POT-5")
def helper() -> None: ...


def test_five() -> None:
    """Speaks of mark.rule("POT-9") only."""
'''


def test_marks_are_found_in_every_form(tmp_path: Path) -> None:
    path = tmp_path / "test_module.py"
    path.write_text(MODULE, encoding="utf-8")
    assert sorted(rules._marks(path)) == [
        ("test_four", "POT-4"),
        ("test_one", "POT-1"),
        ("test_one", "POT-2"),
        ("test_six", "LOW-1"),
        ("test_six", "LOW-2"),
        ("test_two", "BET-1"),
        ("test_two", "BET-2"),
        ("test_two", "POT-3"),
    ]


@pytest.mark.parametrize("wrong", ['"POT1"', "name", '"POT-1 "'])
def test_a_mark_that_names_no_rule_is_an_error(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "test_module.py"
    path.write_text(f"@pytest.mark.rule({wrong})\ndef test_it(): ...\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        list(rules._marks(path))


def _survey(**more: object) -> Survey:
    fields: dict[str, object] = {
        "pages": {"BET-2": "a.md:1", "BET-10": "a.md:2", "BET-3": "a.md:3"},
        "not_offered": {"TBL-5": "a.md:9"},
        "tests": {"BET-2": frozenset({"t::one"}), "DLR-7": frozenset({"t::two"})},
        "examples": {"BET-10": ("a.md:5",)},
    }
    return Survey(**{**fields, **more})  # type: ignore[arg-type]  # fields by name


def test_a_rule_without_test_and_example_is_named_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rules, "survey", _survey)
    assert rules.main() == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["BET-2", "BET-3", "BET-10"]
    assert lines[2].endswith("NONE")
    assert "Not offered yet: TBL-5" in lines
    assert "Tested, but on no page (no page yet): DLR-7 (1)" in lines
    assert lines[-2:] == ["2 of 3 rules have a test or an example", "no test: BET-3"]


def test_when_every_rule_has_one_it_is_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    every = {"BET-10": ("a.md:5",), "BET-3": ("a.md:7",)}
    monkeypatch.setattr(rules, "survey", lambda: _survey(examples=every))
    assert rules.main() == 0
    assert "no test" not in capsys.readouterr().out


def test_a_mark_is_no_test_of_what_is_not_offered() -> None:
    found = survey()
    assert not found.pages.keys() & found.not_offered.keys()
    assert "BET-12" in found.pages
    assert len(found.tests["BET-12"]) > 5
    assert found.examples["BET-12"]
    assert sorted(["BET-12", "BET-2", "ANY-3"], key=order) == ["ANY-3", "BET-2", "BET-12"]
