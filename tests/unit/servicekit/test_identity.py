from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pokerfloor.api.common.v1 import errors_pb2, identity_pb2
from pokerfloor.servicekit import (
    CannotStart,
    DevIssuer,
    FloorError,
    Identity,
    KeySet,
    acting_as,
    current_identity,
    current_request_id,
    role_name,
    role_of,
)

NOW_S = 1_800_000_000
SEAL_KEY = bytes(range(32))
PLAYER, TABLE = identity_pb2.ROLE_PLAYER, identity_pb2.ROLE_SERVICE_TABLE


def issue(issuer: DevIssuer, *roles: int, **more: Any) -> str:
    return issuer.issue("anna", roles, 60, now_s=NOW_S, **more)


def refused(keys: KeySet, token: str, now_s: float = NOW_S) -> int:
    with pytest.raises(FloorError) as caught:
        keys.verify(token, now_s)
    return caught.value.code


@pytest.fixture
def issuer(tmp_path: Path) -> DevIssuer:
    return DevIssuer.open(tmp_path / "keys")


@pytest.fixture
def keys(issuer: DevIssuer) -> KeySet:
    return KeySet.load(issuer.jwks_path)


def test_roles_have_names_without_prefix() -> None:
    assert role_name(TABLE) == "service_table"
    assert role_of("service_table") == TABLE
    assert role_of("ROLE_PLAYER") is None
    assert role_of("unspecified") is None


def test_a_token_says_who_its_holder_is(issuer: DevIssuer, keys: KeySet) -> None:
    token = issue(issuer, PLAYER, TABLE, seal_key=SEAL_KEY)
    identity = keys.verify(token, NOW_S)
    assert identity == Identity("anna", frozenset({PLAYER, TABLE}), SEAL_KEY, NOW_S + 60, token)
    assert identity.has_role(identity_pb2.ROLE_DEALER, PLAYER)
    assert not identity.has_role(identity_pb2.ROLE_DEALER)
    assert keys.verify(issue(issuer, PLAYER), NOW_S).seal_key is None


def test_an_identity_does_not_show_its_token(issuer: DevIssuer, keys: KeySet) -> None:
    token = issue(issuer, PLAYER)
    assert token not in repr(keys.verify(token, NOW_S))


def test_the_issuer_keeps_its_key_and_hides_it(tmp_path: Path) -> None:
    first = DevIssuer.open(tmp_path / "keys")
    mode = stat.S_IMODE((tmp_path / "keys" / "issuer.key").stat().st_mode)
    assert mode == 0o600
    second = DevIssuer.open(tmp_path / "keys")
    keys = KeySet.load(first.jwks_path)
    assert keys.verify(issue(second, PLAYER), NOW_S).subject == "anna"
    assert sorted(path.name for path in (tmp_path / "keys").iterdir()) == [
        "issuer.key",
        "jwks.json",
    ]


def test_a_token_ends(issuer: DevIssuer, keys: KeySet) -> None:
    token = issue(issuer, PLAYER)
    assert keys.verify(token, NOW_S + 59.9).subject == "anna"
    assert refused(keys, token, NOW_S + 60) == errors_pb2.ERROR_CODE_TOKEN_EXPIRED


def test_a_token_from_the_future_is_refused(issuer: DevIssuer, keys: KeySet) -> None:
    token = issue(issuer, PLAYER)
    assert refused(keys, token, NOW_S - 61) == errors_pb2.ERROR_CODE_TOKEN_INVALID
    assert keys.verify(token, NOW_S - 60).subject == "anna"


def test_a_token_is_not_used_before_its_time(tmp_path: Path) -> None:
    keys, token = signed(tmp_path, nbf=NOW_S + 61, exp=NOW_S + 600)
    assert refused(keys, token) == errors_pb2.ERROR_CODE_TOKEN_INVALID
    assert keys.verify(token, NOW_S + 1).subject == "anna"
    keys, token = signed(tmp_path, nbf=NOW_S + 0.5)
    assert keys.verify(token, NOW_S).subject == "anna"


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "eyJ" * 10])
def test_what_is_no_token_counts_as_missing(keys: KeySet, token: str) -> None:
    assert refused(keys, token) == errors_pb2.ERROR_CODE_TOKEN_MISSING


def test_a_changed_token_is_refused(issuer: DevIssuer, keys: KeySet) -> None:
    head, body, signature = issue(issuer, PLAYER).split(".")
    other_body = issue(issuer, TABLE).split(".")[1]
    for forged in (
        f"{head}.{other_body}.{signature}",
        f"{head}.{body}.{signature[:-8]}AAAAAAAA",
        f"{head}.{body}.",
    ):
        assert refused(keys, forged) == errors_pb2.ERROR_CODE_TOKEN_INVALID


def test_a_token_without_signature_or_of_another_kind_is_refused(
    issuer: DevIssuer, keys: KeySet
) -> None:
    kid = jwt.get_unverified_header(issue(issuer, PLAYER))["kid"]
    claims = jwt.decode(issue(issuer, PLAYER), options={"verify_signature": False})
    unsigned = jwt.encode(claims, "", algorithm="none", headers={"kid": kid})
    public = json.loads(issuer.jwks_path.read_text())["keys"][0]["x"]
    symmetric = jwt.encode(claims, public, algorithm="HS256", headers={"kid": kid})
    for forged in (unsigned, symmetric):
        assert refused(keys, forged) == errors_pb2.ERROR_CODE_TOKEN_INVALID


def signed(tmp_path: Path, **claims: Any) -> tuple[KeySet, str]:
    """A token with claims that the issuer would never write."""
    key = Ed25519PrivateKey.generate()
    x = jwt.utils.base64url_encode(key.public_key().public_bytes_raw()).decode()
    path = tmp_path / "own.json"
    path.write_text(json.dumps({"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "k1", "x": x}]}))
    full = {
        "iss": "floor",
        "aud": "floor",
        "sub": "anna",
        "roles": ["player"],
        "iat": NOW_S,
        "exp": NOW_S + 60,
        **claims,
    }
    full = {name: value for name, value in full.items() if value is not None}
    return KeySet.load(path), jwt.encode(full, key, algorithm="EdDSA", headers={"kid": "k1"})


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "casino"},
        {"aud": "other"},
        {"sub": None},
        {"sub": "x" * 129},
        {"exp": None},
        {"iat": None},
        {"roles": None},
        {"roles": "player"},
        {"roles": ["player"] * 33},
        {"seal_key": 7},
        {"seal_key": "AAAA"},
        {"seal_key": "not base64!"},
        {"exp": "tomorrow"},
        {"nbf": "tomorrow"},
        {"nbf": float("nan")},
    ],
)
def test_claims_that_are_not_ours_are_refused(tmp_path: Path, claims: dict[str, Any]) -> None:
    keys, token = signed(tmp_path, **claims)
    assert refused(keys, token) == errors_pb2.ERROR_CODE_TOKEN_INVALID


def test_unknown_roles_grant_nothing(tmp_path: Path) -> None:
    keys, token = signed(tmp_path, roles=["player", "emperor", "ROLE_AUDITOR", 5])
    assert keys.verify(token, NOW_S).roles == {PLAYER}


def test_keys_are_read_again_when_their_file_changes(tmp_path: Path) -> None:
    old, new = DevIssuer.open(tmp_path / "old"), DevIssuer.open(tmp_path / "new")
    path = tmp_path / "jwks.json"
    path.write_bytes(old.jwks_path.read_bytes())
    keys = KeySet.load(path)
    old_token, new_token = issue(old, PLAYER), issue(new, PLAYER)
    assert keys.verify(old_token, NOW_S).subject == "anna"
    assert refused(keys, new_token) == errors_pb2.ERROR_CODE_TOKEN_INVALID

    both = [json.loads(p.read_text())["keys"][0] for p in (old.jwks_path, new.jwks_path)]
    path.write_text(json.dumps({"keys": both}))
    assert keys.verify(new_token, NOW_S).subject == "anna"
    assert keys.verify(old_token, NOW_S).subject == "anna"

    path.write_text(json.dumps({"keys": both[1:]}))
    assert refused(keys, old_token) == errors_pb2.ERROR_CODE_TOKEN_INVALID


def test_a_key_withdrawn_while_the_set_is_first_read_is_not_kept(tmp_path: Path) -> None:
    old, new = DevIssuer.open(tmp_path / "old"), DevIssuer.open(tmp_path / "new")

    class ReplacedWhileRead(type(tmp_path)):  # type: ignore[misc]  # the platform's own class
        def read_bytes(self) -> bytes:
            data = Path(self).read_bytes()
            Path(self).with_suffix(".draft").write_bytes(new.jwks_path.read_bytes())
            Path(self).with_suffix(".draft").replace(self)
            return data

    path = ReplacedWhileRead(tmp_path / "jwks.json")
    Path(path).write_bytes(old.jwks_path.read_bytes())
    keys = KeySet.load(path)
    assert refused(keys, issue(old, PLAYER)) == errors_pb2.ERROR_CODE_TOKEN_INVALID
    assert keys.verify(issue(new, PLAYER), NOW_S).subject == "anna"


def test_a_broken_key_file_keeps_the_keys_that_were_known(issuer: DevIssuer, keys: KeySet) -> None:
    token = issue(issuer, PLAYER)
    issuer.jwks_path.write_text("{ half")
    assert keys.verify(token, NOW_S).subject == "anna"
    issuer.jwks_path.unlink()
    assert keys.verify(token, NOW_S).subject == "anna"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644])
def test_an_issuers_key_that_others_can_read_is_refused(
    issuer: DevIssuer, tmp_path: Path, mode: int
) -> None:
    key = tmp_path / "keys" / "issuer.key"
    assert key.stat().st_mode & 0o777 == 0o600
    key.chmod(mode)
    with pytest.raises(CannotStart, match="can be read by others; its mode must be 0600"):
        DevIssuer.open(tmp_path / "keys")
    key.chmod(0o400)
    assert DevIssuer.open(tmp_path / "keys").jwks_path == issuer.jwks_path


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"keys": []}', '{"keys": [{"kty": "RSA"}]}'])
def test_a_key_set_that_cannot_be_used_cannot_start(tmp_path: Path, text: str) -> None:
    path = tmp_path / "jwks.json"
    path.write_text(text)
    with pytest.raises(CannotStart):
        KeySet.load(path)
    with pytest.raises(CannotStart):
        KeySet.load(tmp_path / "missing.json")


async def test_the_caller_is_known_inside_and_in_tasks_started_there(
    issuer: DevIssuer, keys: KeySet
) -> None:
    identity = keys.verify(issue(issuer, PLAYER), NOW_S)

    async def who() -> tuple[str, str]:
        return current_identity().subject, current_request_id()

    with acting_as(identity, "req-1"):
        task = asyncio.create_task(who())
    assert await task == ("anna", "req-1")
    assert current_request_id() == ""
    with pytest.raises(AssertionError):
        current_identity()
