"""The pages of docs/how-to do what they say, step by step, in a copy of the checkout."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.how_to import HOW_TO, ROOT, Checkout, Edit, Page, Run

PAGES = sorted(path.stem for path in HOW_TO.glob("*.md"))
# Each starts pytest anew in the copy, some seconds; a busy machine takes a multiple of it.
pytestmark = pytest.mark.timeout(300)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_does_what_it_says(name: str, tmp_path: Path) -> None:
    page = Page.read(name)
    assert len(page.steps) >= 4
    Checkout(tmp_path / "floor").do(page)


def test_the_pages_are_those_that_the_readme_names() -> None:
    named = re.findall(r"docs/how-to/([\w-]+)\.md", (ROOT / "README.md").read_text("utf-8"))
    assert sorted(named) == PAGES


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_names_is_there(name: str) -> None:
    """Files, tests and links in its prose, but for those that the page itself makes."""
    page = Page.read(name)
    prose = re.sub(r"^```.*?^```$", "", page.text, flags=re.MULTILINE | re.DOTALL)
    made = {step.path for step in page.steps if isinstance(step, Edit) and not step.how}
    for path in re.findall(r"`((?:libs|services|protos|tests|deploy|docs)/[\w./-]+)`", prose):
        there = (ROOT / path).exists() or path in made or any(p.startswith(path) for p in made)
        assert there, f"{name} names {path}"
    for link in re.findall(r"\]\(([\w./-]+\.md)[#\w-]*\)", prose):
        assert (HOW_TO / link).is_file(), f"{name} links {link}"
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    for test in re.findall(r"`(test_\w+)`", prose):
        assert f"def {test}(" in tests, f"{name} names {test}"


def test_a_call_without_roles_or_a_comment_is_found(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path / "floor")
    edits = [step for step in Page.read("add-an-rpc").steps if isinstance(step, Edit)]
    call, messages = (step for step in edits if step.path.endswith("scoring.proto"))
    comment, rpc, *_, end = call.text.splitlines(keepends=True)
    assert comment.lstrip().startswith("//")
    checkout.edit(replace(call, text=f"{rpc}{end}"))
    checkout.edit(messages)
    checkout.run(Run(("make stubs",)))
    checkout.run(Run((".venv/bin/buf lint protos",), ("ScoreLayout",)))
    roles = ".venv/bin/python -m pytest -q tests/contract/test_protos.py -k who_may_make_it"
    checkout.run(Run((roles,), ("ScoringService.ScoreLayout names no role",)))
