"""The folder a floor keeps its state in: marked as ours, used by one floor at a time."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

from deploy.local.run_settings import CannotRun

MARKER = ".floor-state"
_MARKER_TEXT = (
    "The state of a poker floor on one machine. FRESH=1 removes what is in this folder.\n"
)


class StateFolder:
    """An opened state folder; the lock is held until `close` or the end of the process."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def open(cls, path: Path, *, fresh: bool) -> StateFolder:
        """Make or open a state folder; `fresh` removes what it holds.

        Raises CannotRun for a folder that holds other things, or that another floor uses.
        """
        marker = path / MARKER
        try:
            if path.exists() and not marker.is_file() and any(path.iterdir()):
                raise CannotRun(
                    f"{path} holds other things than a floor's state (there is no {MARKER} in "
                    "it); nothing was touched, name another folder with STATE"
                )
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.open(marker, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise CannotRun(f"the state folder {path} cannot be used: {error}") from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            raise CannotRun(f"another floor runs on the state in {path}") from None
        os.truncate(lock, 0)
        os.write(lock, _MARKER_TEXT.encode())
        folder = cls(path, lock)
        if fresh:
            folder._remove_all()
        return folder

    def close(self) -> None:
        """Let another floor use the folder."""
        os.close(self._lock)

    def write_secret(self, name: str, text: str) -> Path:
        """Write a whole file that only its owner can read."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_name(path.name + ".draft")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(path)
        return path

    def log_path(self, name: str) -> Path:
        """Return the path of a process's log, making the folder."""
        folder = self.path / "logs"
        folder.mkdir(exist_ok=True, mode=0o700)
        return folder / f"{name}.log"

    def _remove_all(self) -> None:
        for entry in self.path.iterdir():
            if entry.name == MARKER:
                continue
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            else:
                entry.unlink()
