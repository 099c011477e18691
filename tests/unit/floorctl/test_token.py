"""`floorctl token`: tokens that services accept, and clear words for wrong arguments."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from pokerfloor.api.common.v1 import identity_pb2
from pokerfloor.client import PlayerKeys
from pokerfloor.floorctl.main import main
from pokerfloor.servicekit import KeySet, now_ms


def token(capsys: pytest.CaptureFixture[str], issuer: Path, *args: str) -> str:
    assert main(["token", "--issuer", str(issuer), *args]) == 0
    return capsys.readouterr().out.strip()


def test_a_players_token_carries_role_and_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = PlayerKeys.create()
    text = base64.urlsafe_b64encode(keys.public_key).decode().rstrip("=")
    issued = token(capsys, tmp_path, "--sub", "alice", "--role", "player", f"--seal-key={text}")
    identity = KeySet.load(tmp_path / "jwks.json").verify(issued, now_ms() // 1000)
    assert identity.subject == "alice"
    assert identity.roles == frozenset({identity_pb2.ROLE_PLAYER})
    assert identity.seal_key == keys.public_key


def test_a_key_may_begin_with_a_dash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = b"\xf8" + bytes(31)  # "-" is the first letter of its base64url
    text = base64.urlsafe_b64encode(key).decode().rstrip("=")
    assert text.startswith("-")
    issued = token(capsys, tmp_path, "--sub", "alice", "--role", "player", f"--seal-key={text}")
    identity = KeySet.load(tmp_path / "jwks.json").verify(issued, now_ms() // 1000)
    assert identity.seal_key == key


def test_the_issuer_stays_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = token(capsys, tmp_path, "--sub", "x", "--role", "operations", "--role", "auditor")
    token(capsys, tmp_path, "--sub", "y", "--role", "cashier")
    identity = KeySet.load(tmp_path / "jwks.json").verify(first, now_ms() // 1000)
    assert len(identity.roles) == 2


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--role", "king"], "'king' is no role"),
        (["--role", "player", "--ttl-s", "0"], "a positive time, not 0"),
        (["--role", "player", "--seal-key=AAAA"], "has 32 bytes, not 3"),
        (["--role", "player", "--seal-key=A"], "no base64url"),
    ],
)
def test_wrong_arguments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], args: list[str], words: str
) -> None:
    assert main(["token", "--issuer", str(tmp_path), "--sub", "x", *args]) == 2
    assert words in capsys.readouterr().err
