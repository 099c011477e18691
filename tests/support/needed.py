"""What some tests need of the machine besides the project: without it they are left out, and named.

A test says so with `@pytest.mark.needs("postgres")`, or calls `need`. FLOOR_REQUIRE="postgres
hledger" names what must not be left out: without it these tests fail. `make test` begins with
`python -m tests.support.needed`, which says what will be left out here, and why.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

_REQUIRE: Final = "FLOOR_REQUIRE"
_POSTGRES_FOLDERS: Final = "/usr/lib/postgresql"
_SHARED: Final = Path(__file__).resolve().parents[3] / "shared"
#: Hands that others have recorded, and the rulebook: beside the repository, where they are there.
RECORDED_HANDS: Final = _SHARED / "phh"
RULEBOOK: Final = _SHARED / "rulebook"
_MOUNT_S: Final = 10


class Need(NamedTuple):
    """Something that tests need: its name, what is tested with it, and why it is missing, or ""."""

    name: str
    tested: str
    why_missing: Callable[[], str]


def postgres_folder() -> Path | None:
    """Where PostgreSQL's programs are, the newest there are; None without any."""
    found = shutil.which("initdb")
    folders = (
        [Path(found).parent]
        if found
        else sorted(Path(_POSTGRES_FOLDERS).glob("*/bin"), reverse=True)
    )
    whole = [one for one in folders if (one / "initdb").exists() and (one / "postgres").exists()]
    return whole[0] if whole else None


def mount_disk(folder: Path, size_mb: int) -> None:
    """Mount a disk in memory. Raises OSError or subprocess.CalledProcessError."""
    options = f"size={size_mb}m,mode=755"
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder],
        capture_output=True,
        text=True,
        timeout=_MOUNT_S,
        check=True,
    )


def unmount_disk(folder: Path) -> None:
    """Take a disk away, also while it is in use."""
    subprocess.run(["umount", "--lazy", folder], check=True, timeout=_MOUNT_S)


def _postgres() -> str:
    return "" if postgres_folder() else f"no initdb on the path or in {_POSTGRES_FOLDERS}"


def _hledger() -> str:
    return "" if shutil.which("hledger") else "hledger is not installed"


def _compiler() -> str:
    from tools.compile_rules import what_is_missing

    missing = what_is_missing()
    return f"{missing} is missing" if missing else ""


@cache
def _disk() -> str:
    with tempfile.TemporaryDirectory() as folder:
        try:
            mount_disk(Path(folder), 1)
        except (OSError, subprocess.CalledProcessError) as error:
            said: str = getattr(error, "stderr", "") or str(error)
            return f"no disk can be mounted here: {' '.join(said.split())}"
        unmount_disk(Path(folder))
    return ""


def _folder(path: Path) -> Callable[[], str]:
    shown = f"../{path.parent.name}/{path.name}"
    return lambda: "" if path.is_dir() else f"{shown} is not beside the repository"


NEEDS: Final = {
    need.name: need
    for need in (
        Need("postgres", "the ledger on PostgreSQL", _postgres),
        Need("hledger", "the exported book, added up by hledger", _hledger),
        Need("compiler", "the rules compiled", _compiler),
        Need("disk", "services on a disk that is full", _disk),
        Need("hands", "hands that others have recorded", _folder(RECORDED_HANDS)),
        Need("rulebook", "the rule pages against the rulebook", _folder(RULEBOOK)),
    )
}


def need(name: str) -> None:
    """Go on when this is there; else skip the test, or fail it when FLOOR_REQUIRE names it."""
    why = NEEDS[name].why_missing()
    if not why:
        return
    reason = f"{NEEDS[name].tested}: {why}"
    if name in _required():
        pytest.fail(f"{_REQUIRE} names {name}: {reason}")
    pytest.skip(reason)


def _required() -> list[str]:
    return os.environ.get(_REQUIRE, "").split()


def main() -> int:
    """Say what is left out here; 1 when FLOOR_REQUIRE names something of it, or what is no need."""
    missing = {name: why for name, one in NEEDS.items() if (why := one.why_missing())}
    for name, why in missing.items():
        print(f"left out here: {NEEDS[name].tested} ({name}): {why}")
    if not missing:
        print("left out here: nothing")
    print("left to commands of their own: make test-slow, kill-matrix, noninterference, hammer")
    unknown = [name for name in _required() if name not in NEEDS]
    if unknown:
        known = ", ".join(NEEDS)
        print(f"{_REQUIRE} names {' '.join(unknown)}; there are {known}", file=sys.stderr)
    demanded = [name for name in _required() if name in missing]
    if demanded:
        print(f"{_REQUIRE} demands {' '.join(demanded)}", file=sys.stderr)
    return 1 if unknown or demanded else 0


if __name__ == "__main__":
    raise SystemExit(main())
