"""A table as its owner holds it: told something, it decides; stored, it goes on from there.

outcome = table.decide(given, now_ms)        # changes nothing
step, after = table.prepare(outcome)         # append `step` to the log; then
table = after                                # the table goes on as `after`
"""

from collections.abc import Iterable

from floor_table.domain.command_memory import Taken
from floor_table.domain.decide import decide
from floor_table.domain.dues import Due
from floor_table.domain.folds import fold_event
from floor_table.domain.inputs import TableInput
from floor_table.domain.open_dues import open_dues
from floor_table.domain.outcome import Decision, FloorRefusal
from floor_table.domain.readiness import all_ready
from floor_table.domain.state import RULES_VERSION, TableState
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1.settings_pb2 import TableSettings
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.api.table.v1.table_pb2 import CommandResult
from pokerfloor.tablelog import LogError

SCHEMA_VERSION = 1
# Steps between two looks at the digest, when a long log is read back.
_CHECK_EVERY = 64


class Table:
    """A table at one moment: a value that is never changed, but followed by the next."""

    __slots__ = ("_dues", "_state")

    def __init__(self, state: TableState) -> None:
        self._state = state
        self._dues: tuple[Due, ...] | None = None

    @classmethod
    def empty(cls, table_id: str) -> "Table":
        """Return a table of which nothing is stored yet. It takes `OpenTableIn` only."""
        return cls(TableState(table_id))

    @classmethod
    def fold(cls, table_id: str, steps: Iterable[Step]) -> "Table":
        """Return the table that these steps make, from the first on. Raises LogError."""
        table = cls.empty(table_id)
        for step in steps:
            table = table.apply(step)
        return table

    def apply(self, step: Step) -> "Table":
        """Return the table after one more stored step. Raises LogError.

        The step's table, number, versions, time and epoch are checked, and the digest of the state.
        """
        state = self._state.copy()
        _fold_step(state, step)
        _check_digest(state, step)
        return Table(state)

    def decide(self, given: TableInput, at_ms: int) -> Decision | FloorRefusal:
        """Return what an input leads to, or why it is refused. Changes nothing.

        `at_ms` is the table's clock; time never runs backwards (an earlier one counts as the last).
        """
        return decide(self._state, given, at_ms)

    def prepare(self, decision: Decision) -> tuple[Step, "Table"]:
        """Return the step to store, and the table that it makes of this one."""
        before, state = self._state, decision.after
        assert state.table_seq == before.table_seq + 1, "a decision of another moment"
        step = Step(
            schema_version=SCHEMA_VERSION,
            table_id=state.table_id,
            table_seq=state.table_seq,
            hand_no=_hand_of_step(before, state),
            owner_epoch=state.owner_epoch,
            at_ms=state.at_ms,
            command_sender=decision.sender,
            command_id=decision.command_id,
            command_digest=decision.command_digest,
            rules_version=RULES_VERSION,
            input=decision.input,
            events=decision.events,
        )
        _note_command(state, step)
        state.check_chips()
        step.state_digest = state.digest()
        return step, Table(state)

    def answer_for(
        self, sender: str, command_id: str, digest: bytes
    ) -> CommandResult | FloorRefusal | None:
        """Return the answer given before to a command, ID_REUSED, or None when it is new."""
        taken = self._state.memory.find(sender, command_id)
        if taken is None:
            return None
        if taken.digest != digest:
            reason = "this command id was used for another content"
            return FloorRefusal(errors_pb2.ERROR_CODE_ID_REUSED, reason, "command_id")
        return CommandResult(command_id=command_id, table_seq=taken.table_seq, seat=taken.seat)

    def dues(self) -> tuple[Due, ...]:
        """Return all that has to be done outside now."""
        if self._dues is None:
            self._dues = open_dues(self._state)
        return self._dues

    def digest(self) -> bytes:
        """Return 32 bytes that tell this state from every other."""
        return self._state.digest()

    @property
    def state(self) -> TableState:
        """The state, to be read only."""
        return self._state

    @property
    def table_id(self) -> str:
        """The table's id."""
        return self._state.table_id

    @property
    def table_seq(self) -> int:
        """The number of the last step, 0 for none."""
        return self._state.table_seq

    @property
    def owner_epoch(self) -> int:
        """The epoch of the present owner."""
        return self._state.owner_epoch

    @property
    def at_ms(self) -> int:
        """When the last step happened."""
        return self._state.at_ms

    @property
    def exists(self) -> bool:
        """Whether the table has been opened."""
        return self._state.settings is not None

    @property
    def closed(self) -> bool:
        """Whether the table is closed for good."""
        return self._state.closed

    @property
    def settings(self) -> TableSettings:
        """The settings with the defaults filled in, to be read only."""
        assert self._state.settings is not None, "a table that was not opened"
        return self._state.settings

    @property
    def players(self) -> int:
        """How many seats are taken."""
        return len([seat for seat in self._state.seats.values() if not seat.pending])

    @property
    def hands(self) -> int:
        """How many hands have been opened."""
        return self._state.hands

    @property
    def hand_no(self) -> int:
        """The hand in play, 0 between hands."""
        return self._state.hand_no

    @property
    def deck_no(self) -> int:
        """The deck of the hand or of the draw in play, 0 for none."""
        state = self._state
        if state.draw is not None:
            return state.draw.deck_no
        return state.record.opened.deck_no if state.record and not state.hand_over else 0

    @property
    def state_code(self) -> view_pb2.TableState.ValueType:
        """What the table does now."""
        return table_state(self._state)

    def seat_of(self, player_id: str) -> int:
        """Return the seat that a player has or has reserved, or 0."""
        seat = self._state.seat_of(player_id)
        return seat.seat if seat else 0

    def player_at(self, seat: int) -> str:
        """Return who has a seat or has reserved it, or ""."""
        held = self._state.seats.get(seat)
        return held.player_id if held else ""

    def is_pending(self, seat: int) -> bool:
        """Tell whether a seat is reserved and the wallet has not answered."""
        held = self._state.seats.get(seat)
        return held is not None and held.pending


class Rereading:
    """A table that is read back from its log, step by step; nobody else holds it meanwhile.

    Quicker than `Table.apply`: the state is folded in place, and its digest is looked at every
    `_CHECK_EVERY` steps and for the last one. That is enough, for a digest tells of everything
    before it; the steps between are only how a fault is found soon.
    """

    def __init__(self, table_id: str) -> None:
        self._state = TableState(table_id)
        self._last: Step | None = None

    def take(self, step: Step) -> None:
        """Fold the next step. Raises LogError, and then this is of no use any more."""
        _fold_step(self._state, step)
        self._last = step
        if step.table_seq % _CHECK_EVERY == 0:
            _check_digest(self._state, step)

    def table(self) -> Table:
        """Return the table after the last step; nothing more can be taken in. Raises LogError."""
        if self._last is not None:
            _check_digest(self._state, self._last)
        table = Table(self._state)
        del self._state
        return table


def table_state(state: TableState) -> view_pb2.TableState.ValueType:
    """Return what a table does now, in the words of its views."""
    if state.closed:
        return view_pb2.TABLE_STATE_CLOSED
    if state.closing:
        return view_pb2.TABLE_STATE_CLOSING
    if state.paused or state.unsettled:
        return view_pb2.TABLE_STATE_PAUSED
    if state.playing is not None or state.draw is not None or state.matches.match is not None:
        return view_pb2.TABLE_STATE_PLAYING
    if len([seat for seat in state.seats.values() if seat.ready]) >= 2 and all_ready(state):
        return view_pb2.TABLE_STATE_PLAYING
    return view_pb2.TABLE_STATE_WAITING


def _hand_of_step(before: TableState, after: TableState) -> int:
    """Return the hand that a step belongs to; also one whose winner shows cards after its end."""
    for state in (before, after):
        if state.hand_no:
            return state.hand_no
        if state.record is not None and state.hand_shows:
            return state.record.opened.hand_no
    return 0


def _fold_step(state: TableState, step: Step) -> None:
    """Take a step into a state, checking all but the digest. Raises LogError."""
    _check_envelope(state, step)
    state.table_seq, state.at_ms = step.table_seq, step.at_ms
    try:
        for event in step.events:
            fold_event(state, event)
        _note_command(state, step)
        state.check_chips()
    except (AssertionError, LookupError) as error:
        raise LogError(f"step {step.table_seq} cannot be true: {error}", "events") from error
    if step.owner_epoch != state.owner_epoch:
        raise LogError(f"step {step.table_seq} is of another epoch", "owner_epoch")


def _check_digest(state: TableState, step: Step) -> None:
    if step.state_digest != state.digest():
        raise LogError(f"step {step.table_seq} leads to another state", "state_digest")


def _check_envelope(state: TableState, step: Step) -> None:
    seq = step.table_seq
    if step.table_id != state.table_id:
        raise LogError(f"a step of table {step.table_id!r}", "table_id")
    if seq != state.table_seq + 1:
        raise LogError(f"step {seq} follows step {state.table_seq}", "table_seq")
    if step.schema_version != SCHEMA_VERSION:
        raise LogError(f"step {seq} has schema {step.schema_version}", "schema_version")
    if step.rules_version != RULES_VERSION:
        raise LogError(f"step {seq} has rules {step.rules_version}", "rules_version")
    if step.at_ms < state.at_ms:
        raise LogError(f"step {seq} is before the one before it", "at_ms")


def _note_command(state: TableState, step: Step) -> None:
    """Remember the command that became this step, with the seat it was given."""
    if not step.command_id:
        return
    reserved = [event for event in step.events if event.WhichOneof("event") == "seat_reserved"]
    seat = reserved[0].seat_reserved.seat if reserved else 0
    taken = Taken(step.command_digest, step.table_seq, seat)
    state.memory.note(step.command_sender, step.command_id, taken)
