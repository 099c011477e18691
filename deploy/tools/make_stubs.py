"""Generate the Python stubs of `protos/` into `libs/pokerfloor/api/` (what `make stubs` runs).

protoc writes `from floor.common.v1 import ...`; the package `floor` would claim that name for
everybody, so the imports are rewritten to `pokerfloor.api...`. The proto file names stay as they
are, so the descriptors (and reflection) say `floor/common/v1/...` like everywhere else.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROTOS = ROOT / "protos"
TARGET = ROOT / "libs" / "pokerfloor" / "api"
BUILD = ROOT / "build" / "stubs"

_IMPORT = re.compile(r"^(\s*)(from|import) floor(\.|\s)", re.MULTILINE)
_QUALIFIED = re.compile(r"(?<![\w./\"'])floor\.([\w.]+\.v1\w*)\.(\w+_pb2)")
_FACE = '"""Stubs generated from `protos/` by `make stubs`. Never edited, never committed."""\n'


def main() -> int:
    """Write the stubs; returns protoc's exit code."""
    files = sorted(str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto"))
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    bin_dir = Path(sys.executable).parent
    command = [
        sys.executable,
        "-m",
        "grpc_tools.protoc",
        f"--proto_path={PROTOS}",
        f"--plugin=protoc-gen-mypy={bin_dir / 'protoc-gen-mypy'}",
        f"--plugin=protoc-gen-mypy_grpc={bin_dir / 'protoc-gen-mypy_grpc'}",
        f"--python_out={BUILD}",
        f"--grpc_python_out={BUILD}",
        f"--mypy_out=quiet:{BUILD}",
        f"--mypy_grpc_out=quiet:{BUILD}",
        *files,
    ]
    done = subprocess.run(command, check=False, cwd=ROOT)
    if done.returncode != 0:
        return done.returncode
    for folder in {BUILD / "floor", *(p for p in (BUILD / "floor").rglob("*") if p.is_dir())}:
        (folder / "__init__.py").touch()
    for path in (BUILD / "floor").rglob("*.py*"):
        text = path.read_text(encoding="utf-8")
        text = _IMPORT.sub(r"\1\2 pokerfloor.api\3", text)
        text = _QUALIFIED.sub(r"pokerfloor.api.\1.\2", text)
        path.write_text(text, encoding="utf-8")
    # Swapped in whole, so that nobody ever imports half a set.
    (BUILD / "floor" / "__init__.py").write_text(_FACE, encoding="utf-8")
    shutil.rmtree(TARGET, ignore_errors=True)
    (BUILD / "floor").rename(TARGET)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
