from __future__ import annotations

import json
from pathlib import Path

import pytest

from pokerfloor.servicekit import CannotStart, ServiceSettings, fixed_token, load_settings


class TableSettings(ServiceSettings):
    hands: int = 5


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLOOR_KEY_SET", "keys/jwks.json")


def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(text)
    monkeypatch.setenv("FLOOR_CONFIG", str(path))


def refused(capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as caught:
        load_settings(TableSettings)
    assert caught.value.code == 2
    (line,) = capsys.readouterr().out.splitlines()
    event = json.loads(line)
    assert event["event"] == "cannot_start"
    return str(event["reason"])


def test_defaults() -> None:
    settings = load_settings(TableSettings)
    assert settings.hands == 5
    assert settings.max_message_bytes == 256 * 1024
    assert settings.key_set == Path("keys/jwks.json")
    assert settings.tls is None


def test_the_environment_wins_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, monkeypatch, 'hands = 7\nlog_level = "debug"\ninstance = "from-file"\n')
    monkeypatch.setenv("FLOOR_INSTANCE", "from-env")
    settings = load_settings(TableSettings)
    assert (settings.hands, settings.log_level, settings.instance) == (7, "debug", "from-env")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("FLOOR_HANDS", "many", "FLOOR_HANDS: "),
        ("FLOOR_GRPC_LISTEN", "7001", "FLOOR_GRPC_LISTEN: '7001' is not host:port"),
        ("FLOOR_GRPC_LISTEN", "h:99999", "is not host:port"),
        ("FLOOR_LOG_LEVEL", "loud", "FLOOR_LOG_LEVEL: "),
        ("FLOOR_INSTANCE", "a b", "FLOOR_INSTANCE: "),
        ("FLOOR_TLS_CERTIFICATE", "c.pem", "set together or not at all"),
        ("FLOOR_CONFIG", "/nowhere.toml", "FLOOR_CONFIG names /nowhere.toml, which is no file"),
    ],
)
def test_a_bad_setting_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    value: str,
    said: str,
) -> None:
    monkeypatch.setenv(name, value)
    assert said in refused(capsys)


def test_a_missing_setting_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FLOOR_KEY_SET")
    assert "FLOOR_KEY_SET: Field required" in refused(capsys)


@pytest.mark.parametrize("text", ["handz = 7\n", "not toml"])
def test_a_bad_file_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
) -> None:
    write(tmp_path, monkeypatch, text)
    assert "bad settings: " in refused(capsys)


def test_the_state_folder_is_made_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLOOR_STATE_DIR", str(tmp_path / "a" / "b"))
    path = load_settings(TableSettings).state_path("decks.db")
    assert path == tmp_path / "a" / "b" / "decks.db"
    assert path.parent.is_dir()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FLOOR_STATE_DIR", str(tmp_path / "file" / "b"))
    with pytest.raises(CannotStart):
        load_settings(TableSettings).state_path("decks.db")


def test_the_own_token_is_read_again_when_its_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "token"
    with pytest.raises(CannotStart):
        load_settings(TableSettings).token_source()
    monkeypatch.setenv("FLOOR_TOKEN_FILE", str(path))
    with pytest.raises(CannotStart):
        load_settings(TableSettings).token_source()
    path.write_text("one\n")
    source = load_settings(TableSettings).token_source()
    assert source() == "one"
    path.write_text("second")
    assert source() == "second"
    path.unlink()
    assert source() == "second"
    assert fixed_token("x")() == "x"
