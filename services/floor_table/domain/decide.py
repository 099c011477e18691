"""From an input to the step that follows it.

decision = decide(table, given, now_ms)      # changes nothing
await log.append(decision.step)
table = decision.after
"""

from typing import Final, NamedTuple

from floor_table.domain.handlers import EVENTS, FOLLOW_UPS, INPUTS
from floor_table.domain.inputs import OpenTableIn, RequestIn, TableInput, TookOverIn
from floor_table.domain.step import RULES_VERSION, SCHEMA_VERSION, StepBuilder
from floor_table.domain.table import Table
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1.table_pb2 import CommandResult
from pokerfloor.limits import COMMAND_ID_RULE, is_command_id
from pokerfloor.refusal import Refusal

_DIGEST_BYTES: Final = 32


class Decision(NamedTuple):
    """The step to store, and the table after it. `seat` is what a `sit_down` got, 0 else."""

    step: Step
    after: Table
    seat: int


def decide(table: Table, given: TableInput, at_ms: int) -> Decision | Refusal:
    """Return what an input leads to, or why it is refused. Changes nothing.

    `at_ms` is the table's clock; time never runs backwards (an earlier one counts as the last). A
    refused command is not remembered: sent again under the same id it is decided again.
    """
    refusal = _validate_state(table, given) or _validate_id(table, given)
    if refusal is not None:
        return refusal
    step = StepBuilder(table, at_ms, EVENTS)
    refusal = INPUTS[type(given)](step, given)
    if refusal is not None:
        return refusal
    for follow_up in FOLLOW_UPS:
        follow_up(step)
    return _decision(step, given)


def _decision(built: StepBuilder, given: TableInput) -> Decision:
    after = built.table
    step = Step(
        schema_version=SCHEMA_VERSION,
        table_id=after.table_id,
        table_seq=after.table_seq,
        hand_no=built.before.step_hand_no or after.step_hand_no,
        owner_epoch=after.owner_epoch,
        at_ms=after.at_ms,
        rules_version=RULES_VERSION,
        input=given.logged(after.table_id, after.at_ms),
        events=built.events,
    )
    if isinstance(given, RequestIn):
        step.command_sender = given.sender
        step.command_id = given.command_id
        step.command_digest = given.digest
    seat = after.note_command(step)
    after.check_chips()
    step.state_digest = after.digest()
    return Decision(step, after, seat)


def answer_for(
    table: Table, sender: str, command_id: str, digest: bytes
) -> CommandResult | Refusal | None:
    """Return the answer given before to a command, ID_REUSED, or None when it is new."""
    taken = table.memory.find(sender, command_id)
    if taken is None:
        return None
    if taken.digest != digest:
        return _id_reused()
    return CommandResult(command_id=command_id, table_seq=taken.table_seq, seat=taken.seat)


def _validate_state(table: Table, given: TableInput) -> Refusal | None:
    if isinstance(given, OpenTableIn):
        if not table.exists:
            return None
        reason = "a table of this id was opened before"
        return Refusal(errors_pb2.ERROR_CODE_TABLE_EXISTS, reason, "table_id")
    if not table.exists:
        reason = f"there is no table {table.table_id}"
        return Refusal(errors_pb2.ERROR_CODE_UNKNOWN_TABLE, reason, "table_id")
    if table.closed and not isinstance(given, TookOverIn):
        return Refusal(errors_pb2.ERROR_CODE_TABLE_CLOSED, "the table is closed")
    return None


def _validate_id(table: Table, given: TableInput) -> Refusal | None:
    if not isinstance(given, RequestIn):
        return None
    if not is_command_id(given.command_id):
        return Refusal(errors_pb2.ERROR_CODE_BAD_COMMAND_ID, COMMAND_ID_RULE, "command_id")
    assert given.sender, "a command without a sender"
    assert len(given.digest) == _DIGEST_BYTES, "a command without its digest"
    known = table.memory.find(given.sender, given.command_id)
    assert known is None or known.digest != given.digest, "a repeat is to be answered before"
    return None if known is None else _id_reused()


def _id_reused() -> Refusal:
    """Refuse another content under an id that was used before."""
    reason = "this command id was used for another content"
    return Refusal(errors_pb2.ERROR_CODE_ID_REUSED, reason, "command_id")
