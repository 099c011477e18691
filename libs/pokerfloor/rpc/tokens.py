"""Where a client takes its token from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pokerfloor.rpc.errors import CannotStart

TokenSource = Callable[[], str]


def fixed_token(token: str) -> TokenSource:
    """Return always the same token."""
    return lambda: token


def file_token(path: Path) -> TokenSource:
    """Return the token in a file, read again when the file changes.

    Raises CannotStart at once when the file cannot be read. Later the last token that could be
    read is used: a token is replaced by writing its file, which is not always atomic.
    """
    seen = _stamp(path)
    token = _read(path)

    def current() -> str:
        nonlocal seen, token
        try:
            stamp = _stamp(path)
            if stamp != seen:
                token = _read(path)
                seen = stamp
        except CannotStart:
            return token
        return token

    return current


def _stamp(path: Path) -> tuple[int, int, int]:
    try:
        stat = path.stat()
    except OSError as error:
        raise CannotStart(f"token file {path} cannot be read: {error.strerror}") from error
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CannotStart(f"token file {path} cannot be read: {error}") from error
    if not text:
        raise CannotStart(f"token file {path} is empty")
    return text
