"""Generate the Python stubs of `protos/` into `libs/pokerfloor/api/` (what `make stubs` runs).

protoc writes `from floor.common.v1 import ...`; the package `floor` would claim that name for
everybody, so the imports are rewritten to `pokerfloor.api...`. The proto file names stay as they
are, so the descriptors (and reflection) say `floor/common/v1/...` like everywhere else.

`setup.py` generates them the same way into the package that it builds.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PROTOS: Final = ROOT / "protos"
TARGET: Final = ROOT / "libs" / "pokerfloor" / "api"
_BUILD: Final = ROOT / "build"

_IMPORT: Final = re.compile(r"^(\s*)(from|import) floor(\.|\s)", re.MULTILINE)
_QUALIFIED: Final = re.compile(r"(?<![\w./\"'])floor\.([\w.]+\.v1\w*)\.(\w+_pb2)")
_FACE: Final = (
    '"""Stubs generated from `protos/` by `make stubs`. Never edited, never committed."""\n'
)
# Entry points of mypy-protobuf. In an isolated build its scripts do not lie beside this Python.
_PLUGINS: Final = {"mypy": "main", "mypy_grpc": "grpc"}


def make_stubs(target: Path = TARGET) -> None:
    """Write the stubs to `target`, replacing what is there.

    Raises subprocess.CalledProcessError when protoc refuses; what was there is then kept.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    _BUILD.mkdir(exist_ok=True)
    with TemporaryDirectory(prefix="stubs.", dir=_BUILD) as folder:
        _generate(Path(folder))
        stubs = Path(folder) / "floor"
        for package in {stubs, *(path for path in stubs.rglob("*") if path.is_dir())}:
            (package / "__init__.py").touch()
        (stubs / "__init__.py").write_text(_FACE, encoding="utf-8")
        for path in stubs.rglob("*.py*"):
            path.write_text(_renamed(path.read_text(encoding="utf-8")), encoding="utf-8")
        # Swapped in whole, so that nobody ever imports half a set.
        shutil.rmtree(target, ignore_errors=True)
        shutil.move(stubs, target)


def _generate(folder: Path) -> None:
    """Let protoc write the stubs to `folder`."""
    plugins = []
    for name, function in _PLUGINS.items():
        plugin = folder / f"protoc-gen-{name}"
        script = f"from mypy_protobuf.main import {function}; {function}()"
        plugin.write_text(
            f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(script)}\n",
            encoding="utf-8",
        )
        plugin.chmod(0o755)
        plugins.append(f"--plugin=protoc-gen-{name}={plugin}")
    command = [
        *(sys.executable, "-m", "grpc_tools.protoc", f"--proto_path={PROTOS}", *plugins),
        *(f"--python_out={folder}", f"--grpc_python_out={folder}"),
        *(f"--mypy_out=quiet:{folder}", f"--mypy_grpc_out=quiet:{folder}"),
        *sorted(str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto")),
    ]
    subprocess.run(command, check=True, cwd=ROOT)


def _renamed(text: str) -> str:
    """Return a stub whose imports name `pokerfloor.api` instead of `floor`."""
    return _QUALIFIED.sub(r"pokerfloor.api.\1.\2", _IMPORT.sub(r"\1\2 pokerfloor.api\3", text))


def main() -> int:
    """Write the stubs; return the exit code."""
    try:
        make_stubs()
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
