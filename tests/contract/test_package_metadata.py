"""What the package declares agrees with the locks that the tests run with, and with the code."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT: Final = Path(__file__).resolve().parents[2]
PYPROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT: Final = PYPROJECT["project"]
EXTRAS: Final[dict[str, list[str]]] = PROJECT["optional-dependencies"]
# What is imported by another name than it is installed by.
_INSTALLED_BY: Final = {
    "google.protobuf": "protobuf",
    "google.rpc": "googleapis-common-protos",
    "grpc": "grpcio",
    "grpc_health": "grpcio-health-checking",
    "grpc_reflection": "grpcio-reflection",
    "jwt": "pyjwt",
    "nacl": "pynacl",
    "nats": "nats-py",
    "prometheus_client": "prometheus-client",
    "pydantic_settings": "pydantic-settings",
}


def locked() -> dict[str, Version]:
    text = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    pins = re.findall(r"^([a-z0-9-]+)==(\S+) ", text, re.MULTILINE)
    return {name: Version(version) for name, version in pins}


def requirements(texts: list[str]) -> list[Requirement]:
    return [Requirement(text) for text in texts]


DECLARED: Final = [*PROJECT["dependencies"], *[text for texts in EXTRAS.values() for text in texts]]


@pytest.mark.parametrize("text", DECLARED)
def test_a_floor_is_what_the_lock_has(text: str) -> None:
    requirement = Requirement(text)
    version = locked()[canonicalize_name(requirement.name)]
    [floor] = [Version(one.version) for one in requirement.specifier if one.operator == ">="]
    assert floor == version
    assert requirement.specifier.contains(version)


def test_the_build_generates_stubs_with_the_locked_tools() -> None:
    pins = {
        one.name: str(one.specifier) for one in requirements(PYPROJECT["build-system"]["requires"])
    }
    for name in ("grpcio-tools", "mypy-protobuf"):
        assert pins[name] == f"=={locked()[name]}"
    # Generated code runs on the release that it was generated for, or a newer one.
    assert locked()["grpcio"] >= locked()["grpcio-tools"]


def names_of(texts: list[str]) -> set[str]:
    return {canonicalize_name(one.name) for one in requirements(texts)}


def test_the_client_and_floorctl_import_what_is_declared() -> None:
    libs = [path for path in (ROOT / "libs" / "pokerfloor").iterdir() if path.is_dir()]
    callers = [path for path in libs if path.name not in ("api", "servicekit", "board")]
    modules = [path for folder in callers for path in folder.rglob("*.py")]
    modules = [path for path in modules if path.parts[-2:] != ("bots", "__main__.py")]
    assert third_party(modules) == names_of(PROJECT["dependencies"])


@pytest.mark.parametrize(
    ("extra", "folders", "not_imported"),
    [
        # Python reads time zones from tzdata where the system has none.
        ("services", ("libs/pokerfloor/servicekit", "services"), {"tzdata"}),
        ("bots", ("libs/pokerfloor/bots",), set[str]()),
        ("board", ("libs/pokerfloor/board",), set[str]()),
    ],
)
def test_an_extra_has_what_its_packages_import(
    extra: str, folders: tuple[str, ...], not_imported: set[str]
) -> None:
    modules = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    more = third_party(modules) - names_of(PROJECT["dependencies"])
    assert more == names_of(EXTRAS[extra]) - not_imported


def third_party(modules: list[Path]) -> set[str]:
    """What modules import of others when they are imported, by the name it is installed by."""
    own = {"pokerfloor", *[path.name for path in (ROOT / "services").iterdir()]}
    names = {name for path in modules for name in imported(path)}
    tops = {
        ".".join(name.split(".")[:2]) if name.startswith("google.") else name.split(".")[0]
        for name in names
    }
    return {_INSTALLED_BY.get(top, top) for top in tops - own - sys.stdlib_module_names}


def imported(path: Path) -> list[str]:
    names = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.append(str(node.module))
    return names


def test_no_licence_is_named_before_there_is_one() -> None:
    there = list(ROOT.glob("LICEN[CS]E*"))
    named = {"license", "license-files"} & PROJECT.keys()
    assert bool(there) == bool(named), "the project names a licence if and only if there is one"
