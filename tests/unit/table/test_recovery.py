"""The log folded again: the same table, the same dues; and what no log can be."""

from collections.abc import Callable

import pytest

from floor_table.domain import LogReplay, Table, answer_for, apply_step, open_effects, replay
from floor_table.domain.command_memory import (
    COMMANDS_A_SENDER,
    SENDERS,
    CommandMemory,
    Taken,
)
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.tablelog import LogError
from tests.support.evening import Evening, table_settings
from tests.support.regulars import Regulars


def busy(seed: int = 5, moves: int = 150) -> Evening:
    evening = Evening(table_settings(), seed)
    players = Regulars(evening, 6)
    for name in players.names[:3]:
        evening.sit(name)
    for _ in range(moves):
        players.move()
    return evening


def test_after_each_step_a_new_owner_sees_the_same_table_and_has_the_same_to_do() -> None:
    seen: list[tuple[bytes, tuple[object, ...]]] = []

    def watch(_step: Step, _before: Table, after: Table) -> None:
        seen.append((after.digest(), open_effects(after)))

    evening = Evening(table_settings(), 9, watch=watch)
    players = Regulars(evening, 6)
    for name in players.names[:3]:
        evening.sit(name)
    players.evening_of(120)
    table = Table("t1")
    assert len(seen) == len(evening.steps) > 100
    for step, (digest, dues) in zip(evening.steps, seen, strict=True):
        table = apply_step(table, step)
        assert table.digest() == digest
        assert open_effects(table) == dues


def test_the_fold_reads_events_and_no_input() -> None:
    evening = busy()
    evening.pass_time(10_000)
    kinds = {step.input.WhichOneof("input") for step in evening.steps}
    assert kinds >= {"command", "time", "deck", "cards", "reservation", "owner", "scheduler"}
    table = Table("t1")
    for step in evening.steps:
        bare = Step()
        bare.CopyFrom(step)
        bare.ClearField("input")
        table = apply_step(table, bare)
        assert table.digest() == step.state_digest


@pytest.mark.parametrize(
    ("tamper", "field"),
    [
        (lambda step: setattr(step, "table_id", "t2"), "table_id"),
        (lambda step: setattr(step, "table_seq", step.table_seq + 1), "table_seq"),
        (lambda step: setattr(step, "schema_version", 2), "schema_version"),
        (lambda step: setattr(step, "rules_version", 9), "rules_version"),
        (lambda step: setattr(step, "at_ms", 5), "at_ms"),
        (lambda step: setattr(step, "owner_epoch", step.owner_epoch + 1), "owner_epoch"),
        (lambda step: setattr(step, "state_digest", b"x" * 32), "state_digest"),
        (lambda step: setattr(step, "command_id", "other"), None),
        (lambda step: step.events.add(), "events"),
        (lambda step: step.events.add().table_closed.SetInParent(), "table_closed"),
        (lambda step: step.events.add().settings_changed.SetInParent(), "events"),
        (lambda step: step.events.add().hand.SetInParent(), None),
        (lambda step: setattr(step.events.add().chips_added, "seat", 1), None),
        (lambda step: setattr(step.events.add().seat_left, "seat", 1), "seat_left"),
        (lambda step: setattr(step.events.add().seat_taken, "seat", 1), None),
        (lambda step: setattr(step.events.add().deck_committed, "deck_no", 99), None),
        (lambda step: setattr(step.events.add().hand.turn_began, "seat", 9), None),
        (lambda step: step.events.add().owner_changed.SetInParent(), "owner_changed"),
        (lambda step: step.events.add().button_drawn.SetInParent(), "button_drawn"),
        (lambda step: step.events.add().hand_began.SetInParent(), None),
        (lambda step: setattr(step.events.add().top_up_held, "seat", 1), None),
        (lambda step: setattr(step.events.add().showing_closed, "hand_no", 1), None),
    ],
)
def test_a_step_that_cannot_be_true_is_refused(
    tamper: Callable[[Step], object], field: str | None
) -> None:
    evening = Evening(table_settings())
    evening.sit("ann", 1)
    evening.sit("bob", 2)
    evening.settle()
    evening.act("call")
    last = evening.steps[-1]
    before = replay("t1", evening.steps[:-1])
    assert apply_step(before, last).digest() == evening.table.digest()
    bad = Step()
    bad.CopyFrom(last)
    tamper(bad)
    with pytest.raises(LogError) as raised:
        apply_step(before, bad)
    assert raised.value.reason
    if field is not None:
        assert raised.value.field == field


def test_a_gap_in_the_log_is_refused() -> None:
    evening = busy(moves=20)
    with pytest.raises(LogError, match="follows step"):
        replay("t1", [*evening.steps[:4], *evening.steps[5:]])


def test_commands_are_remembered_after_a_change_of_owner() -> None:
    evening = busy()
    commands = [step for step in evening.steps if step.command_id]
    evening.take_over()
    for step in commands[-20:]:
        again = answer_for(evening.table, step.command_sender, step.command_id, step.command_digest)
        assert getattr(again, "table_seq", 0) == step.table_seq


def test_the_memory_of_commands_has_a_limit() -> None:
    memory = CommandMemory()
    for number in range(COMMANDS_A_SENDER + 5):
        memory.note("ann", f"c{number}", Taken(b"d", number, 0))
    assert memory.find("ann", "c4") is None
    assert memory.find("ann", "c5") == Taken(b"d", 5, 0)
    twin = memory.copy()
    twin.note("ann", "new", Taken(b"d", 1, 0))
    assert memory.find("ann", "new") is None
    assert memory.chain != twin.chain
    for number in range(SENDERS):
        memory.note(f"s{number}", "c", Taken(b"d", 1, 0))
    assert memory.find("ann", "c5") is None
    assert memory.find("s0", "c") is not None


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 150])
def test_a_log_that_is_read_back_makes_the_same_table(count: int) -> None:
    evening = busy(8)
    steps = evening.steps[:count]
    rereading = LogReplay("t1")
    for step in steps:
        rereading.apply(step)
    table, folded = rereading.table(), replay("t1", steps)
    assert table.digest() == folded.digest()
    assert open_effects(table) == open_effects(folded)
    for step in evening.steps[count:]:
        table = apply_step(table, step)
    assert table.digest() == evening.table.digest()


def test_a_log_that_is_read_back_does_not_hide_another_past() -> None:
    """A step with another amount: found at the next look, at the latest by the last step."""
    steps = [Step.FromString(step.SerializeToString()) for step in busy(8).steps[:60]]
    at = next(i for i, step in enumerate(steps) if step.command_id)
    steps[at].command_id += "x"
    rereading = LogReplay("t1")
    for step in steps:
        rereading.apply(step)
    with pytest.raises(LogError, match="step 60 leads to another state"):
        rereading.table()


def test_a_step_that_cannot_follow_is_not_read_back() -> None:
    steps = busy(8).steps
    rereading = LogReplay("t1")
    for step in steps[:5]:
        rereading.apply(step)
    with pytest.raises(LogError, match="step 7 follows step 5"):
        rereading.apply(steps[6])
