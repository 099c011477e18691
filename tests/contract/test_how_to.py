"""The pages of docs/how-to do what they say, step by step, in a copy of the checkout."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.how_to import HOW_TO, ROOT, Checkout, Page

PAGES = sorted(path.stem for path in HOW_TO.glob("*.md"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_does_what_it_says(name: str, tmp_path: Path) -> None:
    page = Page.read(name)
    assert len(page.steps) >= 4
    Checkout(tmp_path / "floor").do(page)


def test_the_pages_are_those_that_the_readme_names() -> None:
    named = re.findall(r"docs/how-to/([\w-]+)\.md", (ROOT / "README.md").read_text("utf-8"))
    assert sorted(named) == PAGES
