"""Hand history files: single files, folders, tar and zip archives."""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from pokerfloor.phh import PhhError

SUFFIXES: Final = (".phh", ".phhs")
ARCHIVES: Final = (".tar.gz", ".tgz", ".tar", ".tar.xz", ".tar.bz2", ".zip")
MAX_FILE_BYTES: Final = 64 << 20
MAX_FILES: Final = 1_000_000


def read_texts(path: Path) -> Iterator[tuple[str, str | PhhError]]:
    """Yield (name, text) of every hand history file under a path, in order of names.

    A file that cannot be read is yielded as its error, so that the others are still seen.
    """
    if path.is_dir():
        for child in sorted(path.rglob("*")):
            if child.is_file() and child.name.endswith((*SUFFIXES, *ARCHIVES)):
                yield from read_texts(child)
    elif path.name.endswith(".zip"):
        yield from _zip(path)
    elif path.name.endswith(ARCHIVES):
        yield from _tar(path)
    elif path.is_file():
        yield str(path), _text(path.read_bytes(), str(path))
    else:
        yield str(path), PhhError("no such file or folder", str(path))


def _tar(path: Path) -> Iterator[tuple[str, str | PhhError]]:
    try:
        with tarfile.open(path) as archive:
            for number, member in enumerate(archive):
                if number >= MAX_FILES:
                    yield str(path), PhhError(f"more than {MAX_FILES} files", str(path))
                    return
                if member.isfile() and member.name.endswith(SUFFIXES):
                    name = f"{path}:{member.name}"
                    stream = archive.extractfile(member)
                    assert stream is not None, "a regular member has content"
                    yield name, _text(_bounded(stream), name)
    except (tarfile.TarError, OSError, EOFError) as error:
        yield str(path), PhhError(f"cannot be read: {error}", str(path))


def _zip(path: Path) -> Iterator[tuple[str, str | PhhError]]:
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist()[:MAX_FILES]:
                if info.filename.endswith(SUFFIXES):
                    name = f"{path}:{info.filename}"
                    with archive.open(info) as stream:
                        yield name, _text(_bounded(stream), name)
    except (zipfile.BadZipFile, OSError, EOFError) as error:
        yield str(path), PhhError(f"cannot be read: {error}", str(path))


def _bounded(stream: IO[bytes]) -> bytes:
    return stream.read(MAX_FILE_BYTES + 1)


def _text(data: bytes, name: str) -> str | PhhError:
    if len(data) > MAX_FILE_BYTES:
        return PhhError(f"larger than {MAX_FILE_BYTES} bytes", name)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        return PhhError(f"not UTF-8: {error}", name)
