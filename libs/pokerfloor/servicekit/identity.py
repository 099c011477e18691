"""Who calls: tokens, the keys that vouch for them, and the caller of the current handler.

Tokens are JWTs (RFC 7519) signed with Ed25519 (RFC 8037); the key set is a JWKS (RFC 7517).
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.rpc import (
    AUDIENCE,
    ISSUER,
    SEAL_KEY_BYTES,
    CannotStart,
    FloorError,
    decode_base64url,
    role_of,
    working_for,
)
from pokerfloor.servicekit.logs import get_logger

_MAX_TOKEN_CHARS = 4096
_MAX_KEY_SET_BYTES = 64 * 1024
_MAX_KEYS = 32
_MAX_ROLES = 32
_MAX_SUBJECT_CHARS = 128
_MAX_REMEMBERED_TOKENS = 4096
# Clocks of issuer and service may differ by this much.
_CLOCK_LEEWAY_S = 60

_log = get_logger("servicekit.identity")


@dataclass(frozen=True, slots=True)
class Identity:
    """A caller whose token was verified.

    `seal_key` is the X25519 public key (32 bytes) that the token binds to the subject; `token` is
    what to pass on when a call is made in the caller's name, and is left out of `repr`.
    """

    subject: str
    roles: frozenset[int]
    seal_key: bytes | None
    expires_at_s: int
    token: str = field(repr=False)

    def has_role(self, *roles: int) -> bool:
        """Tell whether the caller has any of these roles."""
        return not self.roles.isdisjoint(roles)


_identity: ContextVar[Identity | None] = ContextVar("floor_identity", default=None)


def current_identity() -> Identity:
    """Return the caller of the handler that runs; fails loudly outside of a call."""
    identity = _identity.get()
    assert identity is not None, "current_identity() is only known inside a call with a token"
    return identity


@contextmanager
def acting_as(identity: Identity | None, request_id: str = "") -> Iterator[None]:
    """Set who calls for the code inside; the server does this for each call."""
    before = _identity.set(identity)
    try:
        with working_for(request_id):
            yield
    finally:
        _identity.reset(before)


class KeySet:
    """The public keys of token issuers, read again when their file changes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # Looked at before it is read: a file replaced in between is then read again.
        self._stamp = _stamp(path)
        self._keys = _read_keys(path)
        self._remembered: OrderedDict[str, Identity] = OrderedDict()

    @classmethod
    def load(cls, path: Path) -> KeySet:
        """Read a JWKS file; raises CannotStart when it cannot be used."""
        try:
            return cls(path)
        except (OSError, ValueError) as error:
            raise CannotStart(f"key set {path} cannot be used: {error}") from error

    def verify(self, token: str, now_s: float) -> Identity:
        """Return who the token speaks for at `now_s` (seconds since 1970).

        Raises FloorError TOKEN_MISSING, TOKEN_INVALID or TOKEN_EXPIRED.
        """
        if not token:
            raise FloorError(errors_pb2.ERROR_CODE_TOKEN_MISSING, "the call carries no token")
        self._reload_when_changed()
        identity = self._remembered.get(token)
        if identity is None:
            identity = self._decode(token, now_s)
            self._remember(token, identity)
        if now_s >= identity.expires_at_s:
            raise FloorError(errors_pb2.ERROR_CODE_TOKEN_EXPIRED, "the token has expired")
        return identity

    def _decode(self, token: str, now_s: float) -> Identity:
        if len(token) > _MAX_TOKEN_CHARS:
            raise _invalid("the token is too long")
        try:
            key_id = jwt.get_unverified_header(token).get("kid")
        except jwt.PyJWTError as error:
            raise FloorError(
                errors_pb2.ERROR_CODE_TOKEN_MISSING, "the token cannot be read"
            ) from error
        key = self._keys.get(key_id) if isinstance(key_id, str) else None
        if key is None:
            raise _invalid("the token's key is not known here")
        try:
            claims = jwt.decode(
                token,
                key,
                algorithms=["EdDSA"],
                audience=AUDIENCE,
                issuer=ISSUER,
                # Times are compared with the clock that was passed in, not with PyJWT's own.
                options={
                    "require": ["exp", "iat", "sub", "iss", "aud"],
                    "verify_exp": False,
                    "verify_iat": False,
                    "verify_nbf": False,
                },
            )
        except jwt.PyJWTError as error:
            raise _invalid("the token's signature, issuer or audience is wrong") from error
        return _identity_of(claims, token, now_s)

    def _remember(self, token: str, identity: Identity) -> None:
        self._remembered[token] = identity
        while len(self._remembered) > _MAX_REMEMBERED_TOKENS:
            self._remembered.popitem(last=False)

    def _reload_when_changed(self) -> None:
        try:
            stamp = _stamp(self._path)
            if stamp == self._stamp:
                return
            self._keys = _read_keys(self._path)
        except (OSError, ValueError) as error:
            # A file in the middle of being replaced; the keys known so far stay good.
            _log.warning("key_set_unreadable", path=str(self._path), reason=str(error))
            return
        self._stamp = stamp
        self._remembered.clear()


def _identity_of(claims: Mapping[str, Any], token: str, now_s: float) -> Identity:
    subject, roles = claims.get("sub"), claims.get("roles")
    expires_at_s, issued_at_s = claims.get("exp"), claims.get("iat")
    if not isinstance(subject, str) or not 0 < len(subject) <= _MAX_SUBJECT_CHARS:
        raise _invalid("the token's subject is missing or too long")
    if not isinstance(roles, list) or len(roles) > _MAX_ROLES:
        raise _invalid("the token's roles are no list of names")
    if not isinstance(expires_at_s, int) or not isinstance(issued_at_s, int):
        raise _invalid("the token's times are no whole seconds")
    not_before_s = claims.get("nbf", issued_at_s)  # optional (RFC 7519, section 4.1.5)
    if not isinstance(not_before_s, int | float):
        raise _invalid("the token's nbf is no number of seconds")
    # Written so that what compares with nothing (NaN) is refused.
    latest_s = now_s + _CLOCK_LEEWAY_S
    if not (issued_at_s <= latest_s and not_before_s <= latest_s):
        raise _invalid("the token is issued in the future, or not to be used yet")
    # Names that this release does not know grant nothing here.
    known = frozenset(
        role for name in roles if isinstance(name, str) and (role := role_of(name)) is not None
    )
    return Identity(subject, known, _seal_key(claims.get("seal_key")), expires_at_s, token)


def _seal_key(claim: object) -> bytes | None:
    if claim is None:
        return None
    if not isinstance(claim, str):
        raise _invalid("the token's seal_key is no text")
    try:
        key = decode_base64url(claim)
    except ValueError as error:
        raise _invalid("the token's seal_key is not base64url") from error
    if len(key) != SEAL_KEY_BYTES:
        raise _invalid(f"the token's seal_key is not {SEAL_KEY_BYTES} bytes")
    return key


def _invalid(reason: str) -> FloorError:
    return FloorError(errors_pb2.ERROR_CODE_TOKEN_INVALID, reason)


def _stamp(path: Path) -> tuple[int, int, int]:
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def _read_keys(path: Path) -> dict[str, Ed25519PublicKey]:
    raw = path.read_bytes()
    if len(raw) > _MAX_KEY_SET_BYTES:
        raise ValueError("the file is too large")
    document = json.loads(raw)
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list) or not 0 < len(entries) <= _MAX_KEYS:
        raise ValueError(f'it has no "keys" list of 1 to {_MAX_KEYS} keys')
    keys: dict[str, Ed25519PublicKey] = {}
    for entry in entries:
        if (
            not isinstance(entry, dict)
            or entry.get("kty") != "OKP"
            or entry.get("crv") != "Ed25519"
        ):
            continue  # a key of another kind is none of ours (RFC 7517, section 5)
        key_id, x = str(entry.get("kid", "")), str(entry.get("x", ""))
        if not key_id or not x:
            raise ValueError("an Ed25519 key without kid or x")
        keys[key_id] = Ed25519PublicKey.from_public_bytes(decode_base64url(x))
    if not keys:
        raise ValueError("it has no Ed25519 key")
    return keys
