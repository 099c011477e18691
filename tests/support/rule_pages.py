"""The rule pages (`libs/pokerfloor/games/rules`) as values: rules by id, and worked examples.

A rule is a list item that begins with its id in bold. What stands under the heading "Not offered
yet" is no rule of the product so far. An example is a paragraph that begins with
`**Example (BET-20, BET-22).**`; the fenced blocks up to the next example or heading are its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "libs" / "pokerfloor" / "games" / "rules"

RULE_ID = re.compile(r"[A-Z]{3}-\d+")
NOT_OFFERED = "Not offered yet"
_RULE = re.compile(r"- \*\*([A-Z]{3}-\d+)\*\*")
_EXAMPLE = re.compile(r"\*\*Example \((.*?)\)\.\*\*")
_HEADING = re.compile(r"(#+) (.*)")
_FENCE = re.compile(r"```(\w*)$")


class PageError(ValueError):
    """A page that is not written in the form that programs read."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its kind (`hand`, `phh`, `console`, `pycon`), and the line it begins on."""

    kind: str
    line: int
    text: str


@dataclass(frozen=True)
class Example:
    """A worked example: the rules that it shows, and its blocks in order."""

    page: str
    line: int
    rules: tuple[str, ...]
    blocks: tuple[Block, ...]

    @property
    def name(self) -> str:
        """The page, the place of the example in it, and what it is about."""
        return f"{self.page}:{self.line}"


@dataclass(frozen=True)
class Page:
    """A page: the lines on which each id stands, as a rule or as not offered yet; the examples."""

    name: str
    text: str
    rules: dict[str, int] = field(default_factory=dict)
    not_offered: dict[str, int] = field(default_factory=dict)
    examples: list[Example] = field(default_factory=list)


def read_pages() -> list[Page]:
    """Return every page with rules, by name. Raises PageError."""
    paths = [path for path in sorted(PAGES.glob("*.md")) if path.name != "README.md"]
    return [read_page(path.name, path.read_text(encoding="utf-8")) for path in paths]


def read_page(name: str, text: str) -> Page:
    """Return one page. Raises PageError with its name and the line."""
    reader = _Reader(Page(name, text))
    for number, line, block in _lines(name, text):
        if block is not None:
            reader.block(block)
        else:
            reader.line(number, line)
    reader.close()
    return reader.page


class _Reader:
    """Reads a page line by line."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._offered = True
        self._example: tuple[int, tuple[str, ...]] | None = None
        self._blocks: list[Block] = []

    def close(self) -> None:
        """End the example that is open, if any."""
        if self._example is None:
            return
        line, rules = self._example
        if not self._blocks:
            raise PageError(f"{self.page.name}:{line}: an example without a block")
        self.page.examples.append(Example(self.page.name, line, rules, tuple(self._blocks)))
        self._example, self._blocks = None, []

    def block(self, block: Block) -> None:
        """Take a fenced block."""
        if self._example is None:
            raise PageError(f"{self.page.name}:{block.line}: a block that belongs to no example")
        self._blocks.append(block)

    def line(self, number: int, line: str) -> None:
        """Take a line outside of blocks."""
        if heading := _HEADING.match(line):
            self.close()
            self._offered = heading[2] != NOT_OFFERED
        elif example := _EXAMPLE.match(line):
            self.close()
            self._example = number, _ids(self.page.name, number, example[1])
        elif rule := _RULE.match(line):
            page = self.page
            if rule[1] in page.rules or rule[1] in page.not_offered:
                raise PageError(f"{page.name}:{number}: {rule[1]} stands twice")
            (page.rules if self._offered else page.not_offered)[rule[1]] = number


def _ids(name: str, number: int, text: str) -> tuple[str, ...]:
    ids = tuple(text.split(", "))
    if not all(RULE_ID.fullmatch(rule) for rule in ids):
        raise PageError(f"{name}:{number}: {text!r} are no rule ids")
    return ids


def _lines(name: str, text: str) -> Iterator[tuple[int, str, Block | None]]:
    """Yield each line outside of a block, and each block, with the number of its first line."""
    lines = iter(enumerate(text.splitlines(), start=1))
    for number, line in lines:
        fence = _FENCE.match(line)
        if fence is None:
            yield number, line, None
            continue
        inside: list[str] = []
        for _, inner in lines:
            if inner == "```":
                break
            inside.append(inner)
        else:
            raise PageError(f"{name}:{number}: a block without an end")
        yield number, "", Block(fence[1], number, "\n".join(inside) + "\n")
