"""The next step of a table while it is built, and what features say about steps.

A feature is a module with commands, inputs and events side by side. It offers them in tables that
`handlers` puts together, so that no feature knows of another's events.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from google.protobuf.message import Message

from floor_table.domain.any_hand import AnyInput, execute
from floor_table.domain.inputs import Clock, CommandIn
from floor_table.domain.table import Table
from pokerfloor.api.common.v1.cards_pb2 import CardProof
from pokerfloor.api.events.v1.hand_events_pb2 import HandEvent
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.games import Place
from pokerfloor.games import Refusal as HandRefusal
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import NO_PROOFS, write_hand_event

#: A clock that is looked at later than this was kept waiting by the house: the player gets the
#: time again instead of being acted for (CLK-5).
HOUSE_DELAY_MS: Final = 2_000

#: Changes a table by an event of one kind. Raises LogError for what cannot be true of it.
Apply: TypeAlias = Callable[[Table, Any], None]
#: The name of an event in `TableEvent` or `HandEvent`, and how it is applied.
EventTable: TypeAlias = Mapping[str, Apply]


class Events(NamedTuple):
    """How each event changes a table.

    `of_table` has every event of a table. `of_hand` has what the table notes of a hand's event
    beside what the hand makes of it; most it need not know.
    """

    of_table: EventTable
    of_hand: EventTable


SCHEMA_VERSION: Final = 1
RULES_VERSION: Final = 1

_FIELD: Final[dict[object, str]] = {
    field.message_type: field.name for field in TableEvent.DESCRIPTOR.fields
}


class StepBuilder:
    """The next step of a table: events, and the table that already has them applied.

    `before` is the table that it follows. What is emitted here is what a reader of the log applies.
    """

    __slots__ = ("_events", "before", "events", "table")

    def __init__(self, before: Table, at_ms: int, events: Events) -> None:
        self.before = before
        self.table = before.copy()
        self.table.table_seq += 1
        self.table.at_ms = max(at_ms, before.at_ms)
        self.events: list[TableEvent] = []
        self._events = events

    @property
    def now_ms(self) -> int:
        """The time of the step."""
        return self.table.at_ms

    @property
    def hand_ended(self) -> bool:
        """Whether the hand in play has ended with this step, by result or void."""
        return self.before.playing is not None and self.table.playing is None

    @property
    def hand_counts(self) -> bool:
        """Whether a hand has ended with a result: one that was voided counts for nothing."""
        return self.table.last != self.before.last and self.hand_ended

    def emit(self, event: Message) -> None:
        """Add an event of the table, given as its own message, and apply it."""
        name = _FIELD[event.DESCRIPTOR]
        self._events.of_table[name](self.table, event)
        self.events.append(TableEvent(**{name: event}))  # type: ignore[arg-type]  # its own field

    def execute(
        self, given: AnyInput, proofs: Mapping[Place, CardProof] = NO_PROOFS
    ) -> Sequence[HandEvent] | HandRefusal:
        """Let the hand execute an input; `record` what follows before anything else of the hand.

        A step whose events are not recorded must be given up.
        """
        events = execute(self.table.own_hand(), given)
        if isinstance(events, HandRefusal):
            return events
        context = self.table.hand_record.context
        return [write_hand_event(event, context, proofs) for event in events]

    def record(self, executed: Iterable[HandEvent]) -> None:
        """Add events that the hand has executed."""
        of_hand = self._events.of_hand
        for message in executed:
            name = message.WhichOneof("event") or ""
            note = of_hand.get(name)
            if note is not None:
                note(self.table, getattr(message, name))
            self.events.append(TableEvent(hand=message))

    def play(
        self, given: AnyInput, proofs: Mapping[Place, CardProof] = NO_PROOFS
    ) -> HandRefusal | None:
        """Let the hand execute an input and record what follows; or return why it is refused."""
        executed = self.execute(given, proofs)
        if isinstance(executed, HandRefusal):
            return executed
        self.record(executed)
        return None

    def must_play(self, given: AnyInput) -> None:
        """Play what the table does by itself, which no hand refuses."""
        refused = self.play(given)
        assert refused is None, f"{given} was refused: {refused}"


#: Answers a front-end's command: emits what follows, or returns why it is refused.
Command: TypeAlias = Callable[[StepBuilder, CommandIn], Refusal | None]
CommandTable: TypeAlias = Mapping[str, Command]
#: Answers another input, by its class.
InputTable: TypeAlias = Mapping[type, Callable[[StepBuilder, Any], Refusal | None]]
#: Does what a clock says that has run out; nothing when it has not.
ClockTable: TypeAlias = Mapping[Clock, Callable[[StepBuilder], None]]
