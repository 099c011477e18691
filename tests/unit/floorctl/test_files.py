"""Reading hand histories from files, folders and archives."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from pokerfloor.floorctl.files import read_texts
from pokerfloor.floorctl.main import main
from pokerfloor.phh import PhhError

HAND = """variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 2c7d', 'd dh p2 AsKs', 'p2 cbr 6', 'p1 f']
finishing_stacks = [98, 102]
"""


def archive(folder: Path) -> None:
    with tarfile.open(folder / "hands.tar.gz", "w:gz") as tar:
        for name in ("a/1.phh", "a/readme.txt", "b.phh"):
            info = tarfile.TarInfo(name)
            info.size = len(HAND)
            tar.addfile(info, io.BytesIO(HAND.encode()))
    with zipfile.ZipFile(folder / "hands.zip", "w") as file:
        file.writestr("1.phh", HAND)
        file.writestr("notes.md", "x")
    (folder / "sub").mkdir()
    (folder / "sub" / "two.phhs").write_text(f"[1]\n{HAND}\n[2]\n{HAND}")
    (folder / "sub" / "other.txt").write_text("not a hand")


def test_a_folder_with_archives_is_read_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive(tmp_path)
    names = [name for name, _ in read_texts(tmp_path)]
    assert [name.removeprefix(str(tmp_path)) for name in names] == [
        "/hands.tar.gz:a/1.phh",
        "/hands.tar.gz:b.phh",
        "/hands.zip:1.phh",
        "/sub/two.phhs",
    ]
    assert main(["replay", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "5 hands: 5 agree, 0 differ\n"


@pytest.mark.parametrize("name", ["x.tar.gz", "x.zip", "x.phh"])
def test_garbage_is_told_and_hides_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / name).write_bytes(b"\xff\xfe garbage")
    (tmp_path / "y.phh").write_text(HAND)
    assert main(["replay", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert f"{name}: unreadable" in out
    assert "2 hands: 1 agree, 0 differ, 1 unreadable" in out


def test_no_file_and_no_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [(_, error)] = list(read_texts(tmp_path / "none"))
    assert isinstance(error, PhhError)
    assert main(["replay", str(tmp_path / "none")]) == 1
    assert main(["replay", str(tmp_path)]) == 2
    assert "no hands found" in capsys.readouterr().out
