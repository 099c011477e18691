"""A step in the making: a copy of the state that takes each event in as it is decided."""

from collections.abc import Mapping

from floor_table.domain.any_hand import AnyInput, play
from floor_table.domain.folds import fold_event
from floor_table.domain.hand_folds import note_hand_event
from floor_table.domain.state import TableState
from pokerfloor.api.common.v1.cards_pb2 import CardProof
from pokerfloor.api.events.v1.table_events_pb2 import TableEvent
from pokerfloor.games import Place
from pokerfloor.games import Refusal as HandRefusal
from pokerfloor.tablelog import NO_PROOFS, write_hand_event


class Draft:
    """The next step of a table. What is emitted here is what a reader of the log will fold."""

    __slots__ = ("events", "state")

    def __init__(self, state: TableState, at_ms: int) -> None:
        self.state = state.copy()
        self.state.table_seq += 1
        self.state.at_ms = max(at_ms, state.at_ms)
        self.events: list[TableEvent] = []

    @property
    def now_ms(self) -> int:
        """The time of the step."""
        return self.state.at_ms

    def emit(self, event: TableEvent) -> None:
        """Add an event and fold it in."""
        fold_event(self.state, event)
        self.events.append(event)

    def play(
        self, given: AnyInput, proofs: Mapping[Place, CardProof] = NO_PROOFS
    ) -> HandRefusal | None:
        """Give the hand an input and add what follows; or return why the hand refuses it.

        After a refusal the draft holds what it held before.
        """
        record = self.state.record
        assert record is not None, "no hand"
        events = play(self.state.own_hand(), given)
        if isinstance(events, HandRefusal):
            return events
        for event in events:
            message = write_hand_event(event, record.context, proofs)
            note_hand_event(self.state, message)
            self.events.append(TableEvent(hand=message))
        return None
