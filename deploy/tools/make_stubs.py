"""Generate the Python stubs of `protos/` into `libs/floorapi/` (what `make stubs` runs).

protoc writes `from floor.common.v1 import ...`; here an import path equals a file path, so the
imports are rewritten to `libs.floorapi.floor...`. The proto file names stay as they are, so the
descriptors (and reflection) say `floor/common/v1/...` like everywhere else.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROTOS = ROOT / "protos"
TARGET = ROOT / "libs" / "floorapi"
BUILD = ROOT / "build" / "stubs"

_IMPORT = re.compile(r"^(\s*)(from|import) floor(\.|\s)", re.MULTILINE)
_QUALIFIED = re.compile(r"(?<![\w./\"'])floor\.(\w+)\.v1\.(\w+_pb2)")


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
        text = _IMPORT.sub(r"\1\2 libs.floorapi.floor\3", text)
        text = _QUALIFIED.sub(r"libs.floorapi.floor.\1.v1.\2", text)
        path.write_text(text, encoding="utf-8")
    # Swapped in whole, so that nobody ever imports half a set.
    shutil.rmtree(TARGET / "floor", ignore_errors=True)
    (BUILD / "floor").rename(TARGET / "floor")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
