"""A deck: its hidden order, and where its cards have gone. Pure; no face stands in a `repr`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from libs.cards import (
    SHORT,
    STANDARD,
    STANDARD_ONE_JOKER,
    STANDARD_TWO_JOKERS,
    Card,
    to_wire,
)
from libs.cards import Deck as Composition
from libs.fairness import Commitment, DeckId, SealedCard, commit
from libs.floorapi.floor.common.v1 import cards_pb2, errors_pb2
from libs.floorapi.floor.events.v1 import hand_events_pb2
from libs.floorapi.floor.shuffler.v1 import shuffler_pb2
from libs.floorkit import FloorError
from services.shuffler.places import KINDS_OF_PURPOSE, OWN, Place

COMPOSITIONS: Final[dict[int, Composition]] = {
    cards_pb2.DECK_COMPOSITION_STANDARD_52: STANDARD,
    cards_pb2.DECK_COMPOSITION_SHORT_36: SHORT,
    cards_pb2.DECK_COMPOSITION_JOKER_53: STANDARD_ONE_JOKER,
    cards_pb2.DECK_COMPOSITION_JOKER_54: STANDARD_TWO_JOKERS,
}

OPEN: Final = shuffler_pb2.DECK_STATE_OPEN
SEALED: Final = shuffler_pb2.DECK_STATE_SEALED
SETTLED: Final = shuffler_pb2.DECK_STATE_SETTLED
VOID: Final = shuffler_pb2.DECK_STATE_VOID

# Such an opening tells the faces to one service; which of them become public is its answer.
_NOT_FOR_EVERYONE: Final = frozenset(
    {
        hand_events_pb2.OPENING_REASON_SHOWDOWN,
        hand_events_pb2.OPENING_REASON_SCORING,
    }
)


class Cause(NamedTuple):
    """A stored step: its number at the table and in the stream."""

    table_seq: int
    stream_seq: int


class Position(NamedTuple):
    """Where a card lies."""

    generation: int
    deck_index: int

    def message(self) -> cards_pb2.DeckPosition:
        """Give the message."""
        return cards_pb2.DeckPosition(generation=self.generation, index=self.deck_index)


class Opening(NamedTuple):
    """Cards turned up: by which step, for whom, and for which reason each."""

    table_seq: int
    asker: str
    reasons: dict[Place, int]


@dataclass(frozen=True)
class DeckOrder:
    """One generation: its cards by index, and a salt (32 bytes) for each."""

    deck: DeckId
    generation: int
    cards: tuple[Card, ...] = field(repr=False)
    salts: tuple[bytes, ...] = field(repr=False)

    @cached_property
    def commitment(self) -> Commitment:
        """The Merkle tree over this order."""
        return commit(self.deck, self.generation, self.cards, self.salts)


@dataclass(slots=True)
class Deck:
    """One deck, from OpenDeck to CloseDeck.

    hand_no: 0 for draws
    purpose, composition, state: numbers of the enums on the wire
    opened_by: the step that opened the hand or the draw
    players: who sits where in the hand; own cards are sealed to these players only
    sealed: its root is public
    generations: empty for a deck that was opened in the log and ended before it was made here
    dealt: places in dealing order
    read_to: up to this number of the stream every step was taken in, in order; 0 for none yet
    """

    id: DeckId
    hand_no: int
    purpose: shuffler_pb2.DeckPurpose.ValueType
    composition: cards_pb2.DeckComposition.ValueType
    opened_by: Cause
    players: dict[int, str]
    generations: tuple[DeckOrder, ...] = field(repr=False)
    state: shuffler_pb2.DeckState.ValueType = OPEN
    sealed: bool = False
    dealt: dict[Place, Position] = field(default_factory=dict)
    openings: list[Opening] = field(default_factory=list)
    void_reason: str = ""
    read_to: int = 0

    @property
    def closed(self) -> bool:
        """Whether its hand is settled or void."""
        return self.state in (SETTLED, VOID)

    @property
    def next_index(self) -> int:
        """The index that is dealt next from the present generation."""
        present = len(self.generations) - 1
        return sum(1 for position in self.dealt.values() if position.generation == present)

    @property
    def order(self) -> DeckOrder:
        """The present generation."""
        return self.generations[-1]

    def roots(self) -> list[bytes]:
        """Give the public roots by generation."""
        return [each.commitment.root for each in self.generations] if self.sealed else []

    def deal(self, places: Iterable[Place], first: Position) -> None:
        """Give the places the positions from `first` on, as the log says.

        What was dealt before must be the same again. Raises FloorError NOT_JUSTIFIED, and changes
        nothing then.
        """
        news: dict[Place, Position] = {}
        next_index = self.next_index
        for index, place in enumerate(places, first.deck_index):
            position = Position(first.generation, index)
            if self.dealt.get(place) == position:
                continue
            self._check_place(place)
            if place in self.dealt or place in news:
                raise not_justified("a place is dealt twice")
            if first.generation != len(self.generations) - 1 or index != next_index + len(news):
                raise not_justified("a deck position is used twice or left out")
            if index >= len(self.order.cards):
                raise not_justified("the deck has no card left for a place")
            news[place] = position
        self.dealt |= news

    def opened_for_everyone(self, place: Place) -> bool:
        """Tell whether the place was turned up for everyone."""
        return any(
            place in opening.reasons and opening.reasons[place] not in _NOT_FOR_EVERYONE
            for opening in self.openings
        )

    def has_opened(self, table_seq: int, asker: str, places: Iterable[Place]) -> bool:
        """Tell whether all of this was opened before, to the same asker by the same step."""
        before = {
            place
            for opening in self.openings
            if (opening.table_seq, opening.asker) == (table_seq, asker)
            for place in opening.reasons
        }
        return before.issuperset(places)

    def own_places(self, seat: int) -> list[Place]:
        """Give the own cards of a seat, in dealing order."""
        return [place for place in self.dealt if (place.kind, place.owner) == (OWN, seat)]

    def face_up(self, place: Place) -> cards_pb2.OpenedCard:
        """Give a dealt place's face with its proof. To be called when it is justified only."""
        position = self.dealt[place]
        order = self.generations[position.generation]
        proof = cards_pb2.CardProof(
            position=position.message(),
            salt=order.salts[position.deck_index],
            path=order.commitment.prove(position.deck_index),
        )
        card = cards_pb2.Card(code=to_wire(order.cards[position.deck_index]))
        return cards_pb2.OpenedCard(place=place.message(), card=card, proof=proof)

    def for_owner(self, place: Place) -> SealedCard:
        """Give a dealt place's card as it is put into a box."""
        position = self.dealt[place]
        order = self.generations[position.generation]
        return SealedCard(
            deck_digest=self.id.digest(),
            hand_no=self.hand_no,
            place=place.sealed(),
            generation=position.generation,
            index=position.deck_index,
            card=order.cards[position.deck_index],
            salt=order.salts[position.deck_index],
            path=order.commitment.prove(position.deck_index),
        )

    def _check_place(self, place: Place) -> None:
        if not place.is_sound or place.kind not in KINDS_OF_PURPOSE[self.purpose]:
            raise not_justified("a place of a kind that this deck is not dealt to")
        if place.kind == OWN and place.owner not in self.players:
            raise not_justified(f"seat {place.owner} is not dealt in")


def not_justified(reason: str, field: str = "cause") -> FloorError:
    """Give the refusal of what the stored step does not justify."""
    return FloorError(errors_pb2.ERROR_CODE_NOT_JUSTIFIED, reason, field)
