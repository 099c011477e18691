"""Every recorded log is read by today's code, step by step, to the same digests and chips."""

import json
from pathlib import Path

import pytest

from floor_table.domain import Table, apply_step
from floor_table.domain.handlers import EVENTS
from pokerfloor.tablelog import HAND_EVENTS, REMARKS
from tests.support.evenings_on_record import EVENINGS
from tests.support.log_fixture import (
    FOLDER,
    MOST_BYTES,
    facts_of,
    read_fixture,
    write_fixture,
)
from tests.support.table_books import Books

FIXTURES = sorted(FOLDER.glob("*.steps.gz"))


def facts(path: Path) -> dict[str, object]:
    beside = path.with_name(path.name.removesuffix(".steps.gz") + ".json")
    found: dict[str, object] = json.loads(beside.read_text(encoding="utf-8"))
    return found


def test_there_are_fixtures() -> None:
    names = {path.name.removesuffix(".steps.gz") for path in FIXTURES}
    assert names >= set(EVENINGS), "a script without its recording"
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [name for name in names if f"`{name}`" not in readme] == []


@pytest.mark.rule("POT-5")
@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name.removesuffix(".steps.gz"))
def test_a_recorded_log_is_read_as_it_was_written(path: Path) -> None:
    assert path.stat().st_size <= MOST_BYTES
    steps = read_fixture(path)
    assert facts_of(steps) == facts(path)
    table, books = Table(steps[0].table_id), Books()
    for step in steps:
        table = apply_step(
            table, step
        )  # the digest of every step, and every chip, is checked in there
        assert table.digest() == step.state_digest
        for event in step.events:
            books.note(event)
    state = table
    assert state.playing is None, "recorded between hands"
    price = state.rules.price_minor
    seats = [seat for seat in state.seats.values() if not seat.pending]
    assert {seat.player_id: seat.stack * price for seat in seats} == books.escrow
    stacks = {seat.player_id: seat.stack for seat in seats}
    assert state.chips_in == state.chips_out + state.raked + sum(stacks.values())
    assert (books.paid_in, books.paid_out) == (state.chips_in * price, state.chips_out * price)


def test_all_kinds_of_events_are_on_record() -> None:
    """A kind that is new here wants a new fixture; see the README beside the fixtures."""
    implemented = {kind for kind in EVENTS.of_table if kind != "hand"}
    implemented |= {f"hand.{kind}" for kind in {*(row.field for row in HAND_EVENTS), *REMARKS}}
    recorded: set[str] = set()
    for path in FIXTURES:
        events = facts(path)["events"]
        assert isinstance(events, dict)
        recorded |= events.keys()
    assert implemented <= recorded, sorted(implemented - recorded)


def test_a_fixture_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "one.steps.gz"
    steps = read_fixture(FIXTURES[0])
    write_fixture(path, steps)
    assert read_fixture(path) == steps
    with pytest.raises(FileExistsError, match="recorded already"):
        write_fixture(path, steps[:1])
    assert read_fixture(path) == steps
