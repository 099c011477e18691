"""A disk that is really full, for what is written there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tests.support.needed import mount_disk, need, unmount_disk

_CHUNK_BYTES: Final = 1 << 20


class SmallDisk:
    """A file system of its own in a folder; `fill` takes what is left of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Leave not a byte."""
        with self._ballast.open("ab", buffering=0) as ballast:
            for size in (_CHUNK_BYTES, 4096, 1):
                with suppress(OSError):
                    while True:
                        ballast.write(bytes(size))
        assert self._free_bytes() == 0

    def make_room(self) -> None:
        """Give back what `fill` took."""
        self._ballast.unlink()

    def _free_bytes(self) -> int:
        found = os.statvfs(self.folder)
        return found.f_bavail * found.f_frsize


@contextmanager
def small_disk(folder: Path, size_mb: int) -> Iterator[SmallDisk]:
    """Mount a disk in memory; skips the test where this user may not."""
    need("disk")
    folder.mkdir(parents=True)
    mount_disk(folder, size_mb)
    try:
        yield SmallDisk(folder)
    finally:
        unmount_disk(folder)
