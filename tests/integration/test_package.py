"""The package in an environment of its own: `floorctl`, the client and the README's ten lines."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from tests.support.local_floor import running_floor
from tests.support.readme import ten_lines

pytestmark = [pytest.mark.integration, pytest.mark.timeout(300)]

_ROOT: Final = Path(__file__).resolve().parents[2]
_UV: Final = Path(sys.executable).with_name("uv")
_SERVICES: Final = ("scoring", "showdown", "shuffler", "table", "wallet")
# What a player does around the README's function: a key, a token for it, and the call.
_PROGRAM: Final = """
{ten_lines}

import asyncio, base64, subprocess, sys
from pathlib import Path

floorctl, issuer, table_address, wallet_address = sys.argv[1:]
keys = PlayerKeys.open(Path("alice.key"))
key = base64.urlsafe_b64encode(keys.public_key).decode()
issued = [floorctl, "token", "--issuer", issuer, "--sub", "alice", "--role", "player"]
issued.append(f"--seal-key={{key}}")
token = subprocess.run(issued, check=True, capture_output=True, text=True).stdout.strip()
print("cash", asyncio.run(play_one_hand(table_address, wallet_address, token, keys)))
"""


class Installed(NamedTuple):
    """The wheel, and an empty environment in which nothing but it was installed."""

    wheel: Path
    bin: Path

    def run(self, program: str, *args: str | Path, cwd: Path | None = None) -> str:
        """Run a program of the environment, outside of the repository; return what it says."""
        done = self.attempt(program, *args, cwd=cwd)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def attempt(
        self, program: str, *args: str | Path, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.bin / program, *args],
            cwd=cwd or self.bin,
            env=_plain_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


def _plain_environment() -> dict[str, str]:
    """The environment without what leads to the repository's own environment."""
    ours = ("FLOOR_", "PYTHON", "VIRTUAL_ENV")
    return {key: value for key, value in os.environ.items() if not key.startswith(ours)}


def _uv(*args: str | Path) -> None:
    done = subprocess.run(
        [_UV, *args],
        cwd=_ROOT,
        env=_plain_environment(),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _install(wheel: Path, folder: Path, extra: str = "") -> Installed:
    """Install with the versions that the lock has."""
    _uv("venv", "--quiet", "--python", sys.executable, folder)
    wanted = f"poker-floor{extra} @ {wheel.as_uri()}"
    lock = _ROOT / "requirements" / "run.txt"
    _uv("pip", "install", "--quiet", "--python", folder / "bin" / "python", "-c", lock, wanted)
    return Installed(wheel, folder / "bin")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as a release is: from the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    # With the build's requirements of the lock: tests/contract/test_package_metadata.py.
    _uv("build", "--quiet", "--no-build-isolation", "--python", sys.executable, "-o", folder)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return _install(wheel, tmp_path_factory.mktemp("environment") / "venv")


def test_the_wheel_claims_its_own_names_and_is_typed(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        files = archive.namelist()
    packages = {"pokerfloor", *[f"floor_{name}" for name in _SERVICES]}
    names = {name.split("/")[0] for name in files}
    assert {name for name in names if not name.endswith(".dist-info")} == packages
    assert {f"{name}/py.typed" for name in packages} <= set(files)
    assert "pokerfloor/api/table/v1/table_pb2_grpc.py" in files
    assert "pokerfloor/api/table/v1/table_pb2.pyi" in files
    kinds = {Path(name).suffix for name in files if not name.split("/")[0].endswith(".dist-info")}
    assert kinds == {".py", ".pyi", ".typed"}


def test_floorctl_works(installed: Installed) -> None:
    assert "COMMAND" in installed.run("floorctl", "--help")
    said = installed.run("floorctl", "rank", "holdem", "AsKs", "/", "QsJsTs")
    assert said.startswith("high: royal flush")
    refused = installed.attempt("floorctl", "ledger", "audit", "--nats", "nats://127.0.0.1:1")
    assert refused.returncode == 2  # no token here; nothing is missing that it imports
    assert "TOKEN_MISSING" in refused.stderr


def test_what_only_the_services_need_is_named(installed: Installed, tmp_path: Path) -> None:
    token = tmp_path / "auditor.token"
    token.write_text("a.b.c")
    refused = installed.attempt(
        *("floorctl", "ledger", "audit", "--nats", "nats://127.0.0.1:1", "--token-file", token)
    )
    assert refused.returncode == 2
    assert "--nats needs nats: install poker-floor[services]" in refused.stderr


async def test_the_readmes_ten_lines_run_from_it(installed: Installed, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM.format(ten_lines=ten_lines()), encoding="utf-8")
    state = tmp_path / "state"
    with running_floor(state, TABLES=1, BOTS=3, HANDS=100_000) as floor:
        await floor.fund("alice", 50_000)
        addresses = floor.settings.address("table"), floor.settings.address("wallet")
        said = await asyncio.to_thread(
            lambda: installed.run(
                *("python", program, installed.bin / "floorctl", state / "identity", *addresses),
                cwd=tmp_path,
            )
        )
    assert "pre-flop" in said
    assert re.search(r"^cash \d+$", said, re.MULTILINE)


def test_the_services_start_from_it_with_their_extra(
    wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    installed = _install(wheel, tmp_path_factory.mktemp("services") / "venv", "[services]")
    for name in _SERVICES:
        started = installed.attempt("python", "-m", f"floor_{name}")
        assert started.returncode == 2, started.stdout + started.stderr
        [line] = started.stdout.splitlines()  # all is imported, and the settings are asked for
        assert json.loads(line)["reason"] == "bad settings: FLOOR_KEY_SET: Field required"
