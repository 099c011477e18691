"""A table rebuilt from its log: stored steps applied one after the other, and checked."""

from collections.abc import Iterable
from typing import Final

from floor_table.domain.handlers import apply_event
from floor_table.domain.step import RULES_VERSION, SCHEMA_VERSION
from floor_table.domain.table import Table
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.tablelog import LogError

# Steps between two looks at the digest, when a long log is read back.
_CHECK_EVERY: Final = 64


def apply_step(table: Table, step: Step) -> Table:
    """Return the table after one more stored step. Raises LogError.

    The step's table, number, versions, time and epoch are checked, and the digest of the table.
    """
    after = table.copy()
    _apply(after, step)
    _check_digest(after, step)
    return after


def replay(table_id: str, steps: Iterable[Step]) -> Table:
    """Return the table that these steps make, from the first on. Raises LogError."""
    table = Table(table_id)
    for step in steps:
        table = apply_step(table, step)
    return table


class LogReplay:
    """A table that is rebuilt step by step; nobody else holds it meanwhile.

    Quicker than `apply_step`: the table is changed in place, and its digest is looked at every
    `_CHECK_EVERY` steps and for the last one. That is enough, for a digest tells of everything
    before it; the steps between are only how a fault is found soon.
    """

    def __init__(self, table_id: str) -> None:
        self._table = Table(table_id)
        self._last: Step | None = None

    def apply(self, step: Step) -> None:
        """Apply the next step. Raises LogError, and then this is of no use any more."""
        _apply(self._table, step)
        self._last = step
        if step.table_seq % _CHECK_EVERY == 0:
            _check_digest(self._table, step)

    def table(self) -> Table:
        """Return the table after the last step; nothing more can be applied. Raises LogError."""
        if self._last is not None:
            _check_digest(self._table, self._last)
        table = self._table
        del self._table
        return table


def _apply(table: Table, step: Step) -> None:
    """Change a table by a step, checking all but the digest. Raises LogError."""
    _check_envelope(table, step)
    table.table_seq, table.at_ms = step.table_seq, step.at_ms
    try:
        for event in step.events:
            apply_event(table, event)
        table.note_command(step)
        table.check_chips()
    except (AssertionError, LookupError) as error:
        raise LogError(f"step {step.table_seq} cannot be true: {error}", "events") from error
    if step.owner_epoch != table.owner_epoch:
        raise LogError(f"step {step.table_seq} is of another epoch", "owner_epoch")


def _check_digest(table: Table, step: Step) -> None:
    if step.state_digest != table.digest():
        raise LogError(f"step {step.table_seq} leads to another state", "state_digest")


def _check_envelope(table: Table, step: Step) -> None:
    seq = step.table_seq
    if step.table_id != table.table_id:
        raise LogError(f"a step of table {step.table_id!r}", "table_id")
    if seq != table.table_seq + 1:
        raise LogError(f"step {seq} follows step {table.table_seq}", "table_seq")
    if step.schema_version != SCHEMA_VERSION:
        raise LogError(f"step {seq} has schema {step.schema_version}", "schema_version")
    if step.rules_version != RULES_VERSION:
        raise LogError(f"step {seq} has rules {step.rules_version}", "rules_version")
    if step.at_ms < table.at_ms:
        raise LogError(f"step {seq} is before the one before it", "at_ms")
