"""Places, deck indexes and steps as values: what the wire names them by, and nothing else."""

from __future__ import annotations

from typing import Final, NamedTuple, Self

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.fairness import DeckId, SealedPlace

SEAT: Final = cards_pb2.PLACE_KIND_SEAT
BURN: Final = cards_pb2.PLACE_KIND_BURN

_KINDS: Final = frozenset(cards_pb2.PlaceKind.values()) - {cards_pb2.PLACE_KIND_UNSPECIFIED}
_MAX_NUMBER: Final = (1 << 16) - 1


class Place(NamedTuple):
    """A place by its numbers on the wire: kind, owner (seat or board), slot from 1."""

    kind: cards_pb2.PlaceKind.ValueType
    owner: int
    slot: int

    @classmethod
    def of(cls, message: cards_pb2.Place) -> Self:
        """Read a message."""
        return cls(message.kind, message.owner, message.slot)

    @property
    def is_sound(self) -> bool:
        """Whether the numbers can be a place's."""
        return self.kind in _KINDS and self.owner <= _MAX_NUMBER and 0 < self.slot <= _MAX_NUMBER

    def message(self) -> cards_pb2.Place:
        """Return the message."""
        return cards_pb2.Place(kind=self.kind, owner=self.owner, slot=self.slot)

    def sealed(self) -> SealedPlace:
        """Return the form that stands in a sealed card."""
        return SealedPlace(*self)


class DeckIndex(NamedTuple):
    """Where a card lies: the deck's generation, and the index in it from 0."""

    generation: int
    deck_index: int

    def message(self) -> cards_pb2.DeckIndex:
        """Return the message."""
        return cards_pb2.DeckIndex(generation=self.generation, index=self.deck_index)


class Cause(NamedTuple):
    """A stored step: its number at the table and in the stream."""

    table_seq: int
    stream_seq: int

    @classmethod
    def of(cls, message: cards_pb2.StepRef) -> Self:
        """Read a message."""
        return cls(message.table_seq, message.stream_seq)

    def message(self, table_id: str) -> cards_pb2.StepRef:
        """Return the message."""
        return cards_pb2.StepRef(
            table_id=table_id, table_seq=self.table_seq, stream_seq=self.stream_seq
        )


def deck_ref(deck: DeckId) -> cards_pb2.DeckRef:
    """Return a deck's id as a message."""
    return cards_pb2.DeckRef(table_id=deck.table_id, deck_no=deck.deck_no)
