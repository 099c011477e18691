"""Places as the shuffler counts them, and which of them a deck and a reason can be about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, Self

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.fairness import SealedPlace

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
        """Tell whether the numbers can be a place's."""
        in_range = self.owner <= _MAX_NUMBER and 0 < self.slot <= _MAX_NUMBER
        return self.kind in _ALL_KINDS and in_range

    def message(self) -> cards_pb2.Place:
        """Give the message."""
        return cards_pb2.Place(kind=self.kind, owner=self.owner, slot=self.slot)

    def sealed(self) -> SealedPlace:
        """Give the form that stands in a sealed card."""
        return SealedPlace(*self)


OWN: Final = cards_pb2.PLACE_KIND_SEAT
BURN: Final = cards_pb2.PLACE_KIND_BURN

_HAND_KINDS: Final = frozenset(
    {
        cards_pb2.PLACE_KIND_SEAT,
        cards_pb2.PLACE_KIND_BOARD,
        cards_pb2.PLACE_KIND_BURN,
        cards_pb2.PLACE_KIND_COMMUNITY,
    }
)
_ALL_KINDS: Final = _HAND_KINDS | {
    cards_pb2.PLACE_KIND_BUTTON_DRAW,
    cards_pb2.PLACE_KIND_GAME_DRAW,
}

#: Which kinds of places a deck's cards are dealt to.
KINDS_OF_PURPOSE: Final[Mapping[int, frozenset[int]]] = {
    shuffler_pb2.DECK_PURPOSE_HAND: _HAND_KINDS,
    shuffler_pb2.DECK_PURPOSE_BUTTON_DRAW: frozenset({cards_pb2.PLACE_KIND_BUTTON_DRAW}),
    shuffler_pb2.DECK_PURPOSE_GAME_DRAW: frozenset({cards_pb2.PLACE_KIND_GAME_DRAW}),
}

_OWN_ONLY: Final = frozenset({cards_pb2.PLACE_KIND_SEAT})
_TABLE_CARDS: Final = frozenset({cards_pb2.PLACE_KIND_BOARD, cards_pb2.PLACE_KIND_COMMUNITY})

#: Which kinds of places a reason can turn up. A burned card is never turned up, and an own card
#: never as a card of the board.
KINDS_OF_REASON: Final[Mapping[int, frozenset[int]]] = {
    hand_events_pb2.REVEAL_REASON_BOARD: _TABLE_CARDS,
    hand_events_pb2.REVEAL_REASON_ALL_IN: _OWN_ONLY,
    hand_events_pb2.REVEAL_REASON_SHOWDOWN: _OWN_ONLY,
    hand_events_pb2.REVEAL_REASON_UP_CARD: _OWN_ONLY | {cards_pb2.PLACE_KIND_COMMUNITY},
    hand_events_pb2.REVEAL_REASON_OWNER_SHOWS: _OWN_ONLY,
    hand_events_pb2.REVEAL_REASON_PLACEMENT: _OWN_ONLY,
    hand_events_pb2.REVEAL_REASON_BUTTON_DRAW: frozenset({cards_pb2.PLACE_KIND_BUTTON_DRAW}),
    hand_events_pb2.REVEAL_REASON_GAME_DRAW: frozenset({cards_pb2.PLACE_KIND_GAME_DRAW}),
    hand_events_pb2.REVEAL_REASON_SCORING: _OWN_ONLY,
}
