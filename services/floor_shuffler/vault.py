"""Deck records at rest: encrypted, each bound to its deck, each naming the key it is under."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Final

from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_decrypt,
    crypto_aead_xchacha20poly1305_ietf_encrypt,
    crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
)
from nacl.exceptions import CryptoError

from pokerfloor.servicekit import CannotStart

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES
_KEY_ID_DOMAIN: Final = b"floor/shuffler/key-id/v1"
_ANYBODY_ELSE: Final = 0o077
# A secret that Kubernetes mounts for a pod with an fsGroup is root's, and the group may read it.
_ALL_BUT_GROUP_READING: Final = 0o037


class RecordLost(Exception):  # noqa: N818 - names the state of the record, not a mistake
    """A record that cannot be decrypted: its key is not here, or it was changed."""


class Vault:
    """Encrypts with the present key, decrypts with any key it was given.

    XChaCha20-Poly1305 with a random nonce for each record (libsodium's IETF form): 192 bits, so
    that two nonces never meet. What a record belongs to is authenticated with it, so no record
    can be put in another's place.
    """

    def __init__(self, key: bytes, retired: tuple[bytes, ...] = ()) -> None:
        self._keys = {key_id(each): each for each in (*retired, key)}
        self._key = key
        self.key_id = key_id(key)

    def __repr__(self) -> str:
        return f"Vault(key_id={self.key_id!r})"

    @property
    def key_ids(self) -> frozenset[str]:
        """The keys that records may be under."""
        return frozenset(self._keys)

    def encrypt(self, plain: bytes, belongs_to: bytes) -> bytes:
        """Return nonce and ciphertext; always 40 bytes longer than `plain`."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + crypto_aead_xchacha20poly1305_ietf_encrypt(
            plain, belongs_to, nonce, self._key
        )

    def decrypt(self, key_name: str, sealed: bytes, belongs_to: bytes) -> bytes:
        """Return what was encrypted. Raises RecordLost."""
        key = self._keys.get(key_name)
        if key is None:
            raise RecordLost(f"the record is under the key {key_name}, which is not here")
        nonce, ciphertext = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        try:
            return crypto_aead_xchacha20poly1305_ietf_decrypt(ciphertext, belongs_to, nonce, key)
        except (CryptoError, ValueError, TypeError) as error:
            raise RecordLost("the record was changed, or is another deck's") from error


def key_id(key: bytes) -> str:
    """Name a key without revealing it: 16 hexadecimal digits."""
    return sha256(_KEY_ID_DOMAIN + key).hexdigest()[:16]


def read_key(path: Path, *, group_may_read: bool = False) -> bytes:
    """Read a key of 32 bytes that only its owner can read. Raises CannotStart.

    `group_may_read` is for keys that somebody else put there: mounted, and not made here.
    """
    try:
        mode = path.stat().st_mode
        key = path.read_bytes()
    except OSError as error:
        raise CannotStart(f"record key {path} cannot be read: {error.strerror}") from error
    if mode & (_ALL_BUT_GROUP_READING if group_may_read else _ANYBODY_ELSE):
        most = "0600 or 0440" if group_may_read else "0600"
        raise CannotStart(f"record key {path} can be read by others; its mode must be {most}")
    if len(key) != KEY_BYTES:
        raise CannotStart(f"record key {path} has {len(key)} bytes instead of {KEY_BYTES}")
    return key


def make_key(path: Path) -> None:
    """Write a fresh key, whole or not at all, mode 0600. Raises CannotStart."""
    draft = path.with_suffix(".draft")
    try:
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(os.urandom(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
        # The name too must be on the disk before the first record is under this key.
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise CannotStart(f"record key {path} cannot be made: {error.strerror}") from error
