"""The development issuer of tokens. A casino brings its own and hands over its key set."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pokerfloor.rpc.claims import AUDIENCE, ISSUER, SEAL_KEY_BYTES, encode_base64url
from pokerfloor.rpc.errors import CannotStart
from pokerfloor.rpc.roles import role_name

_KEY_FILE = "issuer.key"
_JWKS_FILE = "jwks.json"
_KEY_BYTES = 32
_OTHERS = 0o077


class DevIssuer:
    """Signs tokens with a key kept in a file that only its owner can read."""

    def __init__(self, key: Ed25519PrivateKey, jwks_path: Path) -> None:
        self._key = key
        self.jwks_path = jwks_path
        self._public = key.public_key().public_bytes_raw()
        # RFC 7638's idea, not its form: the id is a fingerprint of the key.
        self._key_id = hashlib.sha256(self._public).hexdigest()[:16]

    @classmethod
    def open(cls, folder: Path) -> DevIssuer:
        """Load `issuer.key` of the folder, or make it (mode 0600); writes `jwks.json` beside it.

        Raises CannotStart when the folder cannot be used, or when others can read the key: who has
        it can be anybody.
        """
        key_path = folder / _KEY_FILE
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not key_path.exists():
                _write_new(key_path, os.urandom(_KEY_BYTES))
            if key_path.stat().st_mode & _OTHERS:
                raise CannotStart(
                    f"the issuer's key {key_path} can be read by others; its mode must be 0600"
                )
            seed = key_path.read_bytes()
            issuer = cls(Ed25519PrivateKey.from_private_bytes(seed), folder / _JWKS_FILE)
            issuer._write_jwks()
        except (OSError, ValueError) as error:
            raise CannotStart(f"the issuer's key in {folder} cannot be used: {error}") from error
        return issuer

    def issue(
        self,
        subject: str,
        roles: Iterable[int],
        ttl_s: int,
        *,
        now_s: int,
        seal_key: bytes | None = None,
    ) -> str:
        """Sign a token of `ttl_s` seconds from `now_s`; `seal_key` is an X25519 public key."""
        assert subject, "a token needs a subject"
        assert ttl_s > 0, "a token needs a time to live"
        claims: dict[str, object] = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": subject,
            "roles": sorted(role_name(role) for role in roles),
            "iat": now_s,
            "exp": now_s + ttl_s,
        }
        if seal_key is not None:
            assert len(seal_key) == SEAL_KEY_BYTES, "a seal key is 32 bytes"
            claims["seal_key"] = encode_base64url(seal_key)
        return jwt.encode(claims, self._key, algorithm="EdDSA", headers={"kid": self._key_id})

    def _write_jwks(self) -> None:
        entry = {
            "kty": "OKP",
            "crv": "Ed25519",
            "use": "sig",
            "alg": "EdDSA",
            "kid": self._key_id,
            "x": encode_base64url(self._public),
        }
        text = json.dumps({"keys": [entry]}, indent=2) + "\n"
        if self.jwks_path.exists() and self.jwks_path.read_text(encoding="utf-8") == text:
            return
        # Replaced whole, because services read it again while they run.
        draft = self.jwks_path.with_suffix(f".{os.getpid()}.draft")
        draft.write_text(text, encoding="utf-8")
        draft.replace(self.jwks_path)


def _write_new(path: Path, data: bytes) -> None:
    """Write a secret file whole, so that a crash or another process never sees half of it."""
    draft = path.with_suffix(f".{os.getpid()}.draft")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    try:
        os.link(draft, path)  # fails when another process was first, whose key then counts
    except FileExistsError:
        pass
    finally:
        draft.unlink()
