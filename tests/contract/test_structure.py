"""What the house promises about its structure: imports, sizes, words."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def tracked(*patterns: str) -> list[Path]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    done = subprocess.run(command, check=True, capture_output=True, cwd=ROOT, text=True, timeout=60)
    return [path for line in done.stdout.splitlines() if (path := ROOT / line).is_file()]


def test_imports_point_one_way() -> None:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    done = subprocess.run(
        command, check=False, capture_output=True, cwd=ROOT, text=True, timeout=100
    )
    assert done.returncode == 0, done.stdout


def test_a_library_is_imported_by_its_face_only() -> None:
    # A folder within a library may have a face of its own; a module within one is private.
    pattern = re.compile(r"^\s*(?:from|import) (pokerfloor\.(?!api)\w+\.[\w.]+)", re.MULTILINE)
    strangers = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in tracked("libs/*.py", "services/*.py", "deploy/*.py", "tools/*.py")
        for name in pattern.findall(path.read_text(encoding="utf-8"))
        if "/".join(name.split(".")[:2]) not in str(path.relative_to(ROOT))
        and not (ROOT / "libs" / name.replace(".", "/") / "__init__.py").is_file()
    ]
    assert not strangers


def test_no_file_is_too_long() -> None:
    long = [
        f"{path.relative_to(ROOT)} ({lines})"
        for path in tracked("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 500
    ]
    assert not long


def test_every_folder_of_the_house_has_its_readme() -> None:
    folders = [
        path
        for room in ("libs/pokerfloor", "services", "deploy")
        for path in sorted((ROOT / room).iterdir())
        if path.is_dir() and path.name not in ("__pycache__", "api")
    ]
    folders.append(ROOT / "tools")
    assert len(folders) >= 15
    missing = [
        str(path.relative_to(ROOT)) for path in folders if not (path / "README.md").is_file()
    ]
    assert not missing


def test_services_tell_what_they_own_promise_and_how_they_fail() -> None:
    for readme in sorted((ROOT / "services").glob("*/README.md")):
        text = readme.read_text(encoding="utf-8").lower()
        for word in ("owns", "promises", "fails", "metrics", "events", "settings"):
            assert word in text, f"{readme.parent.name}'s README does not speak of {word}"


def test_no_host_of_a_registry_and_no_path_of_a_machine() -> None:
    hosts = [b"pypi" + b".org", b"python" + b"hosted", b"registry.npm" + b"js", b"deb.deb" + b"ian"]
    paths = [b"/work" + b"/main", b"/work" + b"/shared", b"/ro" + b"ot/"]
    for path in tracked():
        content = path.read_bytes()
        for word in hosts + paths:
            assert word not in content, f"{path.relative_to(ROOT)} has {word.decode()}"


def test_locks_have_a_hash_for_every_package() -> None:
    for lock in sorted((ROOT / "requirements").glob("*.txt")):
        text = lock.read_text(encoding="utf-8")
        pins = [
            line for line in text.splitlines() if "==" in line and not line.startswith((" ", "#"))
        ]
        assert pins
        assert all(line.endswith("\\") for line in pins), lock.name
        assert "http" not in text


READMES = sorted(
    path
    for room in ("libs/pokerfloor", "services")
    for path in (ROOT / room).glob("*/README.md")
    if ">>>" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("readme", READMES, ids=lambda path: path.parent.name)
def test_examples_in_readmes_run(readme: Path) -> None:
    failed, tried = doctest.testfile(str(readme), module_relative=False)
    assert tried > 0
    assert failed == 0
