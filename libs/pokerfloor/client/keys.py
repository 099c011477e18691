"""The key pair that a player's cards are sealed to. It never leaves the player's machine."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from nacl.public import PrivateKey

_KEY_BYTES = 32
_ONLY_OWNER = 0o600


class PlayerKeys:
    """An X25519 key pair. `public_key` (32 bytes) goes into the player's token as `seal_key`."""

    def __init__(self, private_key: PrivateKey) -> None:
        self.private_key = private_key
        self.public_key = bytes(private_key.public_key)
        self.fingerprint = hashlib.sha256(self.public_key).digest()

    @classmethod
    def create(cls) -> PlayerKeys:
        """Make a fresh pair."""
        return cls(PrivateKey.generate())

    @classmethod
    def open(cls, path: Path) -> PlayerKeys:
        """Load the pair of a file, or make one there that only its owner can read (mode 0600).

        Raises PermissionError when others can read the file, ValueError when it holds no key.
        """
        if not path.exists():
            keys = cls.create()
            keys.save(path)
            return keys
        if path.stat().st_mode & 0o077:
            raise PermissionError(f"{path} can be read by others; it should have mode 0600")
        data = path.read_bytes()
        if len(data) != _KEY_BYTES:
            raise ValueError(f"{path} holds {len(data)} bytes, a key has {_KEY_BYTES}")
        return cls(PrivateKey(data))

    def save(self, path: Path) -> None:
        """Write the private key to a new file of mode 0600; FileExistsError when there is one."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _ONLY_OWNER)
        with os.fdopen(descriptor, "wb") as file:
            file.write(bytes(self.private_key))

    def __repr__(self) -> str:
        return f"PlayerKeys(fingerprint={self.fingerprint.hex()[:16]})"
