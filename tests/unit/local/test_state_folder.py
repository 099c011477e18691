"""The state folder: only ours is touched, and by one floor at a time."""

import stat
from pathlib import Path

import pytest

from deploy.local.run_settings import CannotRun
from deploy.local.state_folder import MARKER, StateFolder


def test_a_new_folder_is_marked(tmp_path: Path) -> None:
    folder = StateFolder.open(tmp_path / "floor", fresh=False)
    assert (tmp_path / "floor" / MARKER).is_file()
    secret = folder.write_secret("tokens/ann.token", "t")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    folder.close()


def test_state_is_kept_unless_fresh_is_asked_for(tmp_path: Path) -> None:
    folder = StateFolder.open(tmp_path, fresh=False)
    folder.write_secret("wallet/ledger", "money")
    folder.close()
    again = StateFolder.open(tmp_path, fresh=False)
    assert (tmp_path / "wallet" / "ledger").exists()
    again.close()
    fresh = StateFolder.open(tmp_path, fresh=True)
    assert [entry.name for entry in tmp_path.iterdir()] == [MARKER]
    fresh.close()


@pytest.mark.parametrize("fresh", [False, True])
def test_a_folder_of_somebody_else_is_not_touched(tmp_path: Path, fresh: bool) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(CannotRun, match="holds other things"):
        StateFolder.open(tmp_path, fresh=fresh)
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.tex"]


def test_fresh_follows_no_link_out_of_the_folder(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("kept")
    state = tmp_path / "state"
    StateFolder.open(state, fresh=False).close()
    (state / "link").symlink_to(outside)
    StateFolder.open(state, fresh=True).close()
    assert (outside / "kept").exists()
    assert not (state / "link").is_symlink()


def test_two_floors_do_not_share_a_folder(tmp_path: Path) -> None:
    first = StateFolder.open(tmp_path, fresh=False)
    with pytest.raises(CannotRun, match="another floor runs"):
        StateFolder.open(tmp_path, fresh=True)
    first.close()
    StateFolder.open(tmp_path, fresh=False).close()
