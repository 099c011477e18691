"""kill -9 between any two steps leaves either all of an entry or nothing.

A process is killed at its first database statement, at its second, and so on, in the midst of
each thing that a ledger does; and the power fails in the midst of a commit.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.support.kill_points import kill_everywhere
from tests.support.postgres import postgres_server
from tests.support.wallet.kill_scenarios import SCENARIOS
from tests.support.wallet.killed_ledgers import NOW_MS, SqliteShelf, fill
from tests.support.wallet.ledger import Ledger

pytestmark = pytest.mark.integration

# What a frame of SQLite's write-ahead log takes: its head and a page.
_FRAME = 24 + 4096
# Processes die here, the machine does not: a disk would only make them slower.
_MEMORY = Path("/dev/shm")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    where = _MEMORY if _MEMORY.is_dir() else tmp_path
    with tempfile.TemporaryDirectory(dir=where) as name:
        yield Path(name)


# A process that connects to a server takes longer: by default not all of it is done there.
_FEW = ("hand of six seats",)
_REST = tuple(name for name in SCENARIOS if name not in _FEW)


@pytest.mark.parametrize(
    ("store", "scenarios"),
    [
        ("sqlite", tuple(SCENARIOS)),
        ("postgres", _FEW),
        pytest.param("postgres", _REST, marks=[pytest.mark.slow, pytest.mark.timeout(900)]),
    ],
    ids=["sqlite", "postgres", "postgres-rest"],
)
def test_all_or_nothing(store: str, scenarios: Sequence[str], folder: Path) -> None:
    (folder / store).mkdir()
    if store == "postgres":
        database = json.dumps(postgres_server().bare_database())
        (folder / store / "database").write_text(database, encoding="utf-8")
    (folder / store / "scenarios").write_text("\n".join(scenarios), encoding="utf-8")
    found = kill_everywhere("tests.support.wallet.killed_ledgers:trials", folder / store)
    assert list(found) == list(scenarios)
    for scenario, states in found.items():
        # Nothing of it up to some step, and all of it from there on.
        assert set(states) == {"nothing", "all"}, (scenario, states)
        assert states == sorted(states, reverse=True), (scenario, states)
        assert len(states) > 4, f"{scenario} takes only {len(states)} steps"


@pytest.mark.parametrize("scenario", ["hand of six seats", "deposit"])
async def test_the_power_fails_in_the_midst_of_a_commit(scenario: str, tmp_path: Path) -> None:
    """SQLite's write-ahead log ends anywhere, or a page of it never came to the disk."""
    shelf = SqliteShelf(tmp_path)
    await fill(shelf)
    shelf.keep()
    before = shelf.contents()
    store = await shelf.open()
    await SCENARIOS[scenario](Ledger(store, NOW_MS))
    log = shelf.path.with_name("ledger.db-wal")
    written = log.read_bytes()
    await store.close()
    after = shelf.contents()
    assert len(written) > 3 * _FRAME

    def found(left: bytes) -> str:
        shelf.put_back()
        log.write_bytes(left)
        rows = shelf.contents()
        assert rows in (before, after)
        return "all" if rows == after else "nothing"

    cuts = range(0, len(written), _FRAME // 3)
    assert {found(written[:cut]) for cut in cuts} == {"nothing"}
    lost = [written[:at] + bytes(512) + written[at + 512 :] for at in cuts]
    assert {found(left) for left in lost if left != written} == {"nothing"}
    assert found(written) == "all"
