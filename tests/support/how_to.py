"""The pages of docs/how-to: reads their blocks, and does in a copy of the checkout what they say.

The comment before a block says what it is:

    <!-- file: PATH -->                       a whole file
    <!-- file: PATH, after: "LINE" -->        goes in after the only line that reads so
    <!-- file: PATH, before: "LINE" -->       goes in before it
    <!-- file: PATH, instead of: "LINE" -->   takes its place
    <!-- file: PATH, at the end -->
    <!-- run -->                              commands; each succeeds
    <!-- run: fails with "TEXT", "TEXT" -->   commands; the last one fails and prints the texts
    <!-- example -->                          Python; the examples of a page run in their order

A LINE may be cut short with `…`. A block without such a comment is only read.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
HOW_TO: Final = ROOT / "docs" / "how-to"

_BLOCK: Final = re.compile(r"^<!-- (\w.*?) -->\n+```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE: Final = re.compile(
    r"^file: (?P<path>[\w./-]+?)"
    r'(?:, (?P<how>after|before|instead of|at the end)(?:: "(?P<line>.+)")?)?$'
)
_QUOTED: Final = re.compile(r'"([^"]+)"')
_COMMAND_S: Final = 60
_STUBS: Final = Path("libs/pokerfloor/api")


@dataclass(frozen=True, slots=True)
class Edit:
    """A block that belongs to a file."""

    path: str
    how: str
    line: str
    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """A block of commands; with `failing`, texts of the failure that the last of them ends in."""

    commands: tuple[str, ...]
    failing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A block of Python that runs as it stands."""

    code: str


@dataclass(slots=True)
class Page:
    """A page and what it has one do, in its order."""

    name: str
    text: str
    steps: list[Edit | Run | Example] = field(default_factory=list)

    @classmethod
    def read(cls, name: str) -> Page:
        """Read a page of docs/how-to by its name without `.md`."""
        text = (HOW_TO / f"{name}.md").read_text(encoding="utf-8")
        return cls(name, text, [_step(*found) for found in _BLOCK.findall(text)])


def _step(comment: str, _language: str, text: str) -> Edit | Run | Example:
    if comment == "example":
        return Example(text)
    if comment == "run" or comment.startswith("run: fails with "):
        failing = tuple(_QUOTED.findall(comment))
        assert failing or comment == "run", f"no text of the failure: {comment}"
        return Run(tuple([line for line in text.splitlines() if line.strip()]), failing)
    found = _FILE.match(comment)
    assert found is not None, f"not understood: {comment}"
    return Edit(found["path"], found["how"] or "", found["line"] or "", text)


class Checkout:
    """A copy of the checkout, in which a page can be done."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for path in _tracked():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, target)
        shutil.copytree(ROOT / _STUBS, folder / _STUBS)
        (folder / ".venv").symlink_to(sys.prefix, target_is_directory=True)
        self.shell("git init --quiet")  # some tests go through the tracked files

    def do(self, page: Page) -> None:
        """Do every step of a page, in its order."""
        names: dict[str, Any] = {"__name__": page.name}
        for step in page.steps:
            if isinstance(step, Edit):
                self.edit(step)
            elif isinstance(step, Run):
                self.run(step)
            else:
                exec(compile(step.code, f"{page.name}.md", "exec"), names)

    def edit(self, edit: Edit) -> None:
        """Put a block where it belongs."""
        path = self.folder / edit.path
        if not edit.how:
            assert not path.exists(), f"{edit.path} is there already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(edit.text, encoding="utf-8")
            return
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        if edit.how == "at the end":
            lines.append(edit.text)
        else:
            places = [no for no, line in enumerate(lines) if _reads(line.rstrip("\n"), edit.line)]
            assert len(places) == 1, f"{edit.path} has {len(places)} lines {edit.line!r}"
            start = places[0] + (edit.how == "after")
            lines[start : places[0] + (edit.how != "before")] = [edit.text]
        path.write_text("".join(lines), encoding="utf-8")

    def run(self, run: Run) -> None:
        """Run commands from the root of the copy. Raises AssertionError when one goes otherwise."""
        commands = [line for command in run.commands for line in recipe(command)]
        for number, command in enumerate(commands, start=1):
            done = self.shell(command)
            printed = done.stdout + done.stderr
            if run.failing and number == len(commands):
                assert done.returncode != 0, f"{command} does not fail\n{printed}"
                missing = [text for text in run.failing if text not in printed]
                assert not missing, f"{command} does not say {missing}\n{printed}"
            else:
                assert done.returncode == 0, f"{command}\n{printed}"

    def shell(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run one command from the root of the copy, with the copy's own packages."""
        sources = [self.folder / "libs", self.folder / "services", self.folder]
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": ":".join(map(str, sources))},
            capture_output=True,
            text=True,
            timeout=_COMMAND_S,
            check=False,
        )


def _reads(line: str, wanted: str) -> bool:
    """Tell whether a line is the wanted one, which may end in `…`."""
    start = wanted.removesuffix("…")
    return line == wanted or (start != wanted and line.startswith(start))


def recipe(command: str) -> Iterator[str]:
    """Yield what a command runs; of a `make TARGET` the recipe, without what it depends on."""
    if not command.startswith("make "):
        yield command
        return
    target = command.removeprefix("make ")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    found = re.search(rf"^{re.escape(target)}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert found is not None, f"the Makefile has no target {target}"
    for line in found[1].splitlines():
        yield line.strip().removeprefix("@").replace("$(BIN)", ".venv/bin")


def _tracked() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, check=True, capture_output=True, cwd=ROOT, text=True, timeout=60)
    return [line for line in sorted(set(done.stdout.splitlines())) if (ROOT / line).is_file()]
