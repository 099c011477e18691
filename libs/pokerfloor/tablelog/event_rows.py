"""What a row of the table of hand events is, and the codecs of its columns.

Rows are read and written at every step of every table: columns that stand in the message as they
stand in the event cost no call.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.games import Hand, Place
from pokerfloor.games.placement import PlacementHand
from pokerfloor.tablelog.amounts import StakeKind, from_amount, to_amount
from pokerfloor.tablelog.card_messages import from_places, from_revealed, to_places, to_revealed
from pokerfloor.tablelog.enum_codes import look_up, turned

AnyHand: TypeAlias = Hand | PlacementHand


@dataclass(frozen=True, slots=True)
class HandContext:
    """What stands in messages and is no business of the engine: number, stake, players by seat."""

    hand_no: int
    kind: StakeKind
    players: Mapping[int, str]


class HandsOf(Enum):
    """Which hands have an event."""

    BETTING = auto()
    PLACEMENT = auto()
    ALL = auto()


# An engine event is a NamedTuple of any kind and a message one of the generated classes: both are
# `Any` in here, and a round trip of every row is a test.
Reader: TypeAlias = Callable[[Any, AnyHand, StakeKind], Any]
Proofs: TypeAlias = Mapping[Place, cards_pb2.CardProof]
Writer: TypeAlias = Callable[[Any, HandContext, Proofs], Any]


class EventRow(NamedTuple):
    """One event of the contract: its field in `HandEvent`, its class here, and both ways.

    `read` makes the event of the message in the field, and may raise LogError; `write` gives that
    message, or a dict of its fields.
    """

    field: str
    event: type[Any]
    hands: HandsOf
    read: Reader
    write: Writer


class Column(NamedTuple):
    """A field of an event in its message. `wire` is "" where it has the event's name for it.

    Without `read` and `write` the value is the same on both sides.
    """

    wire: str = ""
    read: Callable[[Any, StakeKind, str], Any] | None = None
    write: Callable[[Any, StakeKind, Proofs], Any] | None = None

    def named(self, wire: str) -> "Column":
        """Return the column under another name in the message."""
        return self._replace(wire=wire)


PLAIN: Final = Column()
AMOUNT: Final = Column(read=from_amount, write=lambda value, kind, _: to_amount(value, kind))
NUMBERS: Final = Column(read=lambda value, _kind, _field: tuple(value))
PLACES: Final = Column(
    read=lambda value, _kind, field: from_places(value, field),
    write=lambda value, _kind, _: to_places(value),
)
FACES: Final = Column(
    read=lambda value, _kind, field: from_revealed(value, field),
    write=lambda value, _kind, proofs: to_revealed(value, proofs),
)


def code(codes: Mapping[Any, int]) -> Column:
    """Return a column of an enum, by its codes on the wire."""
    members = turned(codes)

    def read(value: int, _kind: StakeKind, field: str) -> Any:
        return members.get(value) or look_up(members, value, field)

    return Column(read=read, write=lambda value, _kind, _: codes[value])


def items(
    read: Callable[[Iterable[Any], str], Any], write: Callable[[Iterable[Any]], Any]
) -> Column:
    """Return a column of messages without amounts."""
    return Column(
        read=lambda value, _kind, field: read(value, field),
        write=lambda value, _kind, _: write(value),
    )


def row(
    field: str, event: type[Any], hands: HandsOf = HandsOf.BETTING, **columns: Column
) -> EventRow:
    """Return the row of an event whose fields stand in its message one by one, in their order."""
    assert tuple(columns) == event._fields, f"{event.__name__} has fields {event._fields}"
    wires = [column.wire or name for name, column in columns.items()]
    message_type = pb.HandEvent.DESCRIPTOR.fields_by_name[field].message_type
    assert message_type is not None, f"{field} is no message"
    known = set(message_type.fields_by_name)
    assert set(wires) == known, f"{field} has fields {sorted(known)}"
    taken = attrgetter(*wires)
    make = event._make
    reads = [
        (number, column.read, wires[number])
        for number, column in enumerate(columns.values())
        if column.read is not None
    ]
    writes = [
        (wires[number], column.write)
        for number, column in enumerate(columns.values())
        if column.write is not None
    ]

    def read(message: Any, _hand: AnyHand, kind: StakeKind) -> Any:
        values = [taken(message)] if len(wires) == 1 else list(taken(message))
        for number, convert, wire in reads:
            values[number] = convert(values[number], kind, wire)
        return make(values)

    def write(written: Any, context: HandContext, proofs: Proofs) -> dict[str, Any]:
        values = dict(zip(wires, written, strict=True))
        for wire, convert in writes:
            values[wire] = convert(values[wire], context.kind, proofs)
        return values

    return EventRow(field, event, hands, read, write)
