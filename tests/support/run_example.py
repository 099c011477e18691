"""Runs a worked example of a rule page (`tests/support/rule_pages.py`), block by block."""

from __future__ import annotations

import doctest
import re
import shlex
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import Any, Final

from pokerfloor.floorctl.main import main as floorctl
from pokerfloor.phh import Document, Outcome, read_documents, replay
from tests.support.rule_pages import Block, Example
from tests.support.worked_hands import ExampleError, play_hand
from tests.support.worked_layouts import play_layout
from tests.support.worked_tables import play_table

_OPTIONS: Final = doctest.ELLIPSIS
_REFUSED: Final = re.compile(r"^# refused at action (\d+): (.*)$", re.MULTILINE)
_PROMPT: Final = "$ floorctl "


def run_example(example: Example) -> None:
    """Run every block. Raises ExampleError, naming the page and the line, for one that fails."""
    names: dict[str, Any] = {}  # what the doctests of an example define, they share
    for block in example.blocks:
        try:
            _run(block, names)
        except ExampleError as error:
            raise ExampleError(f"{example.page}:{block.line}: {error}") from error


def _run(block: Block, names: dict[str, Any]) -> None:
    if block.kind == "pycon":
        run_doctest(block.text, names)
    elif block.kind in _RUNNERS:
        _RUNNERS[block.kind](block.text)
    else:
        raise ExampleError(f"a block of no kind that is run: {block.kind!r}")


def replay_phh(text: str) -> None:
    """Replay a recorded hand: to its final stacks, or to the action that it says is refused."""
    [(_, document)] = read_documents(text, "the example")
    if not isinstance(document, Document):
        raise ExampleError(str(document))
    refused = _REFUSED.search(text)
    played = replay(document)
    if refused is not None:
        number, reason = int(refused[1]), refused[2]
        [action] = [one for one in document.actions if one.number == number]
        wanted = f"action {number} {action.text!r}: refused, {reason}"
        if played.problem != wanted:
            raise ExampleError(f"wanted is {wanted!r}, but: {played.problem or played.outcome}")
    elif document.finishing_stacks is None:
        raise ExampleError("the example claims nothing: it has no finishing_stacks")
    elif played.outcome is not Outcome.AGREES or played.half_chips or played.folds_left_out:
        raise ExampleError(played.problem or str(played))


def run_console(text: str) -> None:
    """Run each `$ floorctl …` and compare what it prints, `...` standing for anything."""
    head, *parts = re.split(r"^\$ floorctl ", text, flags=re.MULTILINE)
    if head or not parts:
        raise ExampleError(f"a console block begins with {_PROMPT!r}")
    for part in parts:
        words, _, wanted = part.partition("\n")
        printed = StringIO()
        with redirect_stdout(printed), redirect_stderr(printed):
            floorctl(shlex.split(words))
        if not wanted.strip():
            raise ExampleError(f"{words!r} claims nothing")
        if not doctest.OutputChecker().check_output(wanted, printed.getvalue(), _OPTIONS):
            raise ExampleError(f"{words!r} prints\n{printed.getvalue()}")


def run_doctest(text: str, names: dict[str, Any]) -> None:
    """Run a doctest; `names` are what earlier ones have defined, and take what this one does."""
    test = doctest.DocTestParser().get_doctest(text, names, "example", None, 0)
    if not any(example.want for example in test.examples):
        raise ExampleError("the example claims nothing")
    told = StringIO()
    doctest.DocTestRunner(optionflags=_OPTIONS).run(test, out=told.write, clear_globs=False)
    if told.getvalue():
        raise ExampleError(told.getvalue())
    names.update(test.globs)


_RUNNERS: Final[dict[str, Callable[[str], None]]] = {
    "hand": play_hand,
    "table": play_table,
    "layout": play_layout,
    "phh": replay_phh,
    "console": run_console,
}
