"""What the runtime has to know of the seats: taken from the stored steps, as they come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.history.v1 import step_pb2

# The shuffler keeps at most two live keys a seat.
_LIVE_KEYS = 2


@dataclass(slots=True)
class Seated:
    """A taken seat. `since_seq` is the step that seated the player."""

    seat: int
    player_id: str
    since_seq: int
    #: As the log says.
    connected: bool = False
    #: Fingerprints of the keys bound last, the newest last.
    keys: list[bytes] = field(default_factory=list)


class SeatBook:
    """The taken seats, who is dealt into the hand in play, and why the table is paused."""

    def __init__(self) -> None:
        self._seats: dict[int, Seated] = {}
        self.dealt_in: frozenset[int] = frozenset()
        self.waits_for_wallet = False

    def __iter__(self) -> Iterator[Seated]:
        return iter(tuple(self._seats.values()))

    def at(self, seat: int) -> Seated | None:
        """Give who has a seat, None for nobody."""
        return self._seats.get(seat)

    def note(self, step: step_pb2.Step) -> None:
        """Take in the next stored step."""
        for event in step.events:
            self._note_seat(step.table_seq, event)
            self._note_play(event)

    def _note_seat(self, table_seq: int, event: table_events_pb2.TableEvent) -> None:
        match event.WhichOneof("event"):
            case "seat_taken":
                taken = event.seat_taken
                self._seats[taken.seat] = Seated(taken.seat, taken.player_id, table_seq)
            case "seat_left":
                self._seats.pop(event.seat_left.seat, None)
            case "seat_key_bound":
                seated = self._seats[event.seat_key_bound.seat]
                seated.keys = [*seated.keys, event.seat_key_bound.fingerprint][-_LIVE_KEYS:]
            case "connection_changed":
                seated = self._seats[event.connection_changed.seat]
                seated.connected = event.connection_changed.connected
            case _:
                pass

    def _note_play(self, event: table_events_pb2.TableEvent) -> None:
        match event.WhichOneof("event"):
            case "hand_began":
                self.dealt_in = frozenset(seat.seat for seat in event.hand_began.seats)
            case "hand":
                if event.hand.WhichOneof("event") in {"hand_ended", "hand_voided"}:
                    self.dealt_in = frozenset()
            case "table_paused":
                # A person's pause is another matter, and names the person.
                self.waits_for_wallet |= not event.table_paused.paused_by
            case "table_resumed":
                self.waits_for_wallet &= bool(event.table_resumed.resumed_by)
            case _:
                pass
