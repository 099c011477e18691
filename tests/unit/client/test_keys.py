"""Keys stay with their owner."""

import stat
from pathlib import Path

import pytest

from pokerfloor.client import PlayerKeys


def test_a_file_is_made_for_its_owner_only_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "ann.key"
    keys = PlayerKeys.open(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = PlayerKeys.open(path)
    assert again.public_key == keys.public_key
    assert len(keys.public_key) == 32


def test_a_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ann.key"
    PlayerKeys.create().save(path)
    path.chmod(0o644)
    with pytest.raises(PermissionError, match="0600"):
        PlayerKeys.open(path)


def test_a_key_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "ann.key"
    PlayerKeys.create().save(path)
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        PlayerKeys.create().save(path)
    assert path.read_bytes() == before


def test_what_is_no_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ann.key"
    path.write_bytes(b"short")
    path.chmod(0o600)
    with pytest.raises(ValueError, match="5 bytes"):
        PlayerKeys.open(path)


def test_the_private_key_is_not_in_the_repr() -> None:
    keys = PlayerKeys.create()
    assert bytes(keys.private_key).hex()[:16] not in repr(keys)
