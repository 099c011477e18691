"""How the compiled copy is kept: always whole, never older than what it depends on.

What compiles is a stand-in here, for mypyc takes ten seconds for the smallest module; it is tried
in tests/integration/test_compiled_rules.py.
"""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from sysconfig import get_config_var

import pytest

from tests.support.needed import need
from tools import compile_rules
from tools.compile_rules import CompiledCopy

RULE, OTHER = "pokerfloor/games/rule.py", "other/read.py"
BINARY = f"pokerfloor/games/rule{get_config_var('EXT_SUFFIX')}"
BUILD = f"""
import sys, time
from pathlib import Path

[name] = sys.argv[1:]
text = Path(name).read_text()
if "broken" in text:
    sys.exit("this does not compile")
Path({BINARY!r}).write_text("half of it")
time.sleep(60 if "long" in text else 0)
Path({BINARY!r}).write_text(f"binary of {{text}}")
"""


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CompiledCopy:
    """The copy of a checkout of one rule, and of something that no rule depends on."""
    monkeypatch.setenv("CC", sys.executable)  # a program that is there
    need("compiler")
    write(tmp_path / "libs" / RULE, "rule 1")
    write(tmp_path / "libs" / OTHER, "other 1")
    return CompiledCopy(tmp_path, (RULE,), BUILD)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def content(copy: CompiledCopy) -> dict[str, str]:
    """All files of the copy, with what they hold."""
    files = [path for path in copy.target.rglob("*") if path.is_file()]
    found = {path.relative_to(copy.target).as_posix(): path.read_text() for path in files}
    del found[".made"]
    return found


def whole(rule: int, other: int, *, compiled: bool = True) -> dict[str, str]:
    plain = {RULE: f"rule {rule}", OTHER: f"other {other}"}
    return plain | ({BINARY: f"binary of rule {rule}"} if compiled else {})


def test_two_at_once_compile_once(copy: CompiledCopy, capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor(4) as several:
        outcomes = list(several.map(lambda _: copy.bring_up_to_date(), range(4)))
    assert outcomes == ["compiled"] * 4
    assert capsys.readouterr().out.count("compiling") == 1
    assert content(copy) == whole(1, 1)


def test_what_no_rule_depends_on_is_only_copied(
    copy: CompiledCopy, capsys: pytest.CaptureFixture[str]
) -> None:
    copy.bring_up_to_date()
    first = (copy.target / BINARY).stat().st_ino
    capsys.readouterr()
    write(copy.root / "libs" / OTHER, "other 2")
    write(copy.root / "libs" / "other/__pycache__/read.pyc", "bytes")
    write(copy.root / "libs" / "other/new.md", "words")
    assert copy.bring_up_to_date() == "compiled"
    assert content(copy) == whole(1, 2) | {"other/new.md": "words"}
    (copy.root / "libs" / "other/new.md").unlink()
    assert copy.bring_up_to_date() == "compiled"
    assert content(copy) == whole(1, 2)
    assert (copy.target / BINARY).stat().st_ino == first
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("changed", [RULE, "pokerfloor/ranking/one.py", "pokerfloor/cards/two.py"])
def test_what_a_rule_depends_on_is_compiled_again(copy: CompiledCopy, changed: str) -> None:
    write(copy.root / "libs" / changed, "rule 1")
    copy.bring_up_to_date()
    first = (copy.target / BINARY).stat().st_ino
    write(copy.root / "libs" / changed, "rule 2")
    assert copy.bring_up_to_date() == "compiled"
    assert (copy.target / changed).read_text() == "rule 2"
    assert (copy.target / BINARY).stat().st_ino != first


def test_a_lost_binary_is_made_again(copy: CompiledCopy) -> None:
    copy.bring_up_to_date()
    (copy.target / BINARY).unlink()
    assert copy.bring_up_to_date() == "compiled"
    assert content(copy) == whole(1, 1)


def test_an_interrupted_build_leaves_the_copy_of_before(copy: CompiledCopy) -> None:
    copy.bring_up_to_date()
    write(copy.root / "libs" / RULE, "long rule")
    script = (
        "import sys\nfrom pathlib import Path\n"
        "from tools.compile_rules import CompiledCopy\n"
        "CompiledCopy(Path(sys.argv[1]), (sys.argv[2],), sys.argv[3]).bring_up_to_date()\n"
    )
    building = subprocess.Popen(
        [sys.executable, "-c", script, str(copy.root), RULE, BUILD],
        cwd=Path(__file__).resolve().parents[3],
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while not list(copy.target.parent.glob(f"compiled.new.*/{BINARY}")):
            assert building.poll() is None
            time.sleep(0.01)
        assert content(copy) == whole(1, 1)
    finally:
        subprocess.run(["kill", "-9", "--", f"-{building.pid}"], check=True)  # what it runs, too
        building.wait(10)
    assert content(copy) == whole(1, 1)
    write(copy.root / "libs" / RULE, "rule 2")
    assert copy.bring_up_to_date() == "compiled"
    assert content(copy) == whole(2, 1)


def test_what_does_not_compile_runs_as_written(
    copy: CompiledCopy, capsys: pytest.CaptureFixture[str]
) -> None:
    copy.bring_up_to_date()
    write(copy.root / "libs" / RULE, "broken rule")
    plain = {RULE: "broken rule", OTHER: "other 1"}
    capsys.readouterr()
    assert copy.bring_up_to_date() == "failed"
    assert f"do not compile ({copy.report}): they run as written" in capsys.readouterr().out
    assert "this does not compile" in copy.report.read_text(encoding="utf-8")
    assert content(copy) == plain
    # The floor does not try again for nothing; who asks for compiled rules does.
    assert copy.bring_up_to_date(try_again=False) == "failed"
    assert "compiling" not in capsys.readouterr().out
    assert copy.bring_up_to_date() == "failed"
    assert "compiling" in capsys.readouterr().out
    write(copy.root / "libs" / RULE, "rule 2")
    assert copy.bring_up_to_date(try_again=False) == "compiled"


@pytest.mark.parametrize(
    ("variable", "missing"),
    [
        ("CC", "the C compiler no-such-compiler"),
        ("", "Python.h (of a package such as python3-dev)"),
    ],
)
def test_without_a_compiler_the_sources_run(
    copy: CompiledCopy,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    missing: str,
) -> None:
    copy.bring_up_to_date()
    write(copy.root / "libs" / RULE, "rule 2")
    capsys.readouterr()
    with monkeypatch.context() as without:
        if variable:
            without.setenv(variable, "no-such-compiler")
        else:
            without.setattr(compile_rules, "get_path", lambda _: str(copy.root))
        assert copy.bring_up_to_date() == "plain"
    said = f"{missing} is missing: the rules run as written\n"
    assert capsys.readouterr().out == said
    assert content(copy) == whole(2, 1, compiled=False)
    assert copy.bring_up_to_date() == "compiled"  # it has been installed
    assert content(copy) == whole(2, 1)
