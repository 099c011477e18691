"""The examples in the machine's README run."""

import doctest
from pathlib import Path


def test_examples() -> None:
    readme = Path(__file__).resolve().parents[3] / "libs/pokerfloor/games/placement/README.md"
    failed, tried = doctest.testfile(str(readme), module_relative=False)
    assert tried > 0
    assert failed == 0
