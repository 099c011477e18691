"""Stubs are put in place as a whole, or not at all."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools import make_stubs
from tools.make_stubs import TARGET


def stubs(folder: Path) -> dict[str, str]:
    """Every stub under a folder, with its text."""
    files = [path for path in folder.rglob("*.py*") if path.suffix != ".pyc"]
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


def test_the_stubs_are_those_of_the_protos(tmp_path: Path) -> None:
    make_stubs.make_stubs(tmp_path / "api")
    made = stubs(tmp_path / "api")
    assert made == stubs(TARGET)
    assert "common/v1/money_pb2.pyi" in made
    assert not [name for name, text in made.items() if "\nfrom floor." in text]


def test_protos_that_are_refused_leave_the_old_stubs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "protos" / "floor").mkdir(parents=True)
    (tmp_path / "protos" / "floor" / "broken.proto").write_text("message {")
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "__init__.py").write_text("old")
    monkeypatch.setattr(make_stubs, "PROTOS", tmp_path / "protos")
    with pytest.raises(subprocess.CalledProcessError):
        make_stubs.make_stubs(tmp_path / "api")
    assert stubs(tmp_path / "api") == {"__init__.py": "old"}
