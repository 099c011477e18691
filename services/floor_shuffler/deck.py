"""A deck: its hidden order, and where its cards have gone. Pure; no face stands in a `repr`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from floor_shuffler.places import BURN, KINDS_OF_PURPOSE, OWN, Place
from pokerfloor.api.common.v1 import cards_pb2, errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.shuffler.v1 import shuffler_pb2
from pokerfloor.cards import (
    SHORT,
    STANDARD,
    STANDARD_ONE_JOKER,
    STANDARD_TWO_JOKERS,
    Card,
    to_wire,
)
from pokerfloor.cards import Deck as Composition
from pokerfloor.fairness import Commitment, DeckId, SealedCard, commit
from pokerfloor.servicekit import FloorError

COMPOSITIONS: Final[dict[int, Composition]] = {
    cards_pb2.DECK_COMPOSITION_STANDARD_52: STANDARD,
    cards_pb2.DECK_COMPOSITION_SHORT_36: SHORT,
    cards_pb2.DECK_COMPOSITION_JOKER_53: STANDARD_ONE_JOKER,
    cards_pb2.DECK_COMPOSITION_JOKER_54: STANDARD_TWO_JOKERS,
}

OPEN: Final = shuffler_pb2.DECK_STATE_CREATED
SEALED: Final = shuffler_pb2.DECK_STATE_COMMITTED
SETTLED: Final = shuffler_pb2.DECK_STATE_SETTLED
VOID: Final = shuffler_pb2.DECK_STATE_VOID

# Such an opening tells the faces to one service; which of them become public is its answer.
_NOT_FOR_EVERYONE: Final = frozenset(
    {
        hand_events_pb2.REVEAL_REASON_SHOWDOWN,
        hand_events_pb2.REVEAL_REASON_SCORING,
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

    def message(self) -> cards_pb2.DeckIndex:
        """Give the message."""
        return cards_pb2.DeckIndex(generation=self.generation, index=self.deck_index)


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
    """One deck, from CreateDeck to CloseDeck.

    hand_no: 0 for draws
    purpose, composition, state: numbers of the enums on the wire
    opened_by: the step that opened the hand or the draw
    players: who sits where in the hand; own cards are sealed to these players only
    generations: its orders; empty for a deck that was ended before it was made here
    sealed_generations: how many of them have a public root
    dealt: places in dealing order
    given_up: own places whose cards the log says were exchanged, swapped or collected
    reshuffled: for each generation after the first that the log has, the places it is made of; the
        last of them may not be made yet
    read_to: up to this number of the stream every step was taken in, in order; 0 for none yet
    reserves: positions may be kept for one seat while others are dealt to (OFC-32)
    unsealed: own places whose first boxes are still to be made: a step's openings may be asked for
        before its boxes are
    """

    id: DeckId
    hand_no: int
    purpose: shuffler_pb2.DeckPurpose.ValueType
    composition: cards_pb2.DeckComposition.ValueType
    opened_by: Cause
    players: dict[int, str]
    generations: tuple[DeckOrder, ...] = field(repr=False)
    state: shuffler_pb2.DeckState.ValueType = OPEN
    sealed_generations: int = 0
    dealt: dict[Place, Position] = field(default_factory=dict)
    given_up: set[Place] = field(default_factory=set)
    reshuffled: list[tuple[Place, ...]] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=list)
    void_reason: str = ""
    read_to: int = 0
    reserves: bool = False
    unsealed: set[Place] = field(default_factory=set)

    @property
    def closed(self) -> bool:
        """Whether its hand is settled or void."""
        return self.state in (SETTLED, VOID)

    @property
    def sealed(self) -> bool:
        """Whether the order that the hand began with is committed."""
        return self.sealed_generations > 0

    @property
    def next_index(self) -> int:
        """The index after the last one that was dealt from the generation the log deals from."""
        return max(self._lying(), default=-1) + 1

    @property
    def size(self) -> int:
        """How many cards the generation has that the log deals from."""
        return len(self.reshuffled[-1]) if self.reshuffled else len(self.generations[0].cards)

    @property
    def order(self) -> DeckOrder:
        """The newest generation that is made."""
        return self.generations[-1]

    def roots(self) -> list[bytes]:
        """Give the public roots by generation."""
        return [each.commitment.root for each in self.generations[: self.sealed_generations]]

    def is_committed(self, place: Place) -> bool:
        """Tell whether a dealt place's card is of a generation whose root is public."""
        return self.dealt[place].generation < self.sealed_generations

    def deal(self, places: Iterable[Place], first: Position) -> None:
        """Give the places the positions from `first` on, as the log says.

        What was dealt before must be the same again. Raises FloorError NOT_JUSTIFIED, and changes
        nothing then.
        """
        news: dict[Place, Position] = {}
        lying = self._lying()
        for index, place in enumerate(places, first.deck_index):
            position = Position(first.generation, index)
            if self.dealt.get(place) == position:
                continue
            self._check_place(place)
            if place in self.dealt or place in news:
                raise not_justified("a place is dealt twice")
            if first.generation != len(self.reshuffled) or not self._fits(index, place, lying):
                raise not_justified("a deck position is used twice or left out")
            if index >= self.size:
                raise not_justified("the deck has no card left for a place")
            news[place] = position
            lying[index] = place
        self.dealt |= news

    def _lying(self) -> dict[int, Place]:
        """Give what lies at each index of the generation that the log deals from."""
        present = len(self.reshuffled)
        return {
            position.deck_index: place
            for place, position in self.dealt.items()
            if position.generation == present
        }

    def _fits(self, index: int, place: Place, lying: dict[int, Place]) -> bool:
        """Tell whether a place can be dealt from an index, beside what lies there already.

        It is the next index; or, where seats are in fantasy, one of those that were left out after
        a seat's own cards, which are that seat's alone and come in order; or the next but for
        those. Only one seat can have positions kept for it at a time (OFC-32).
        """
        end = max(lying, default=-1) + 1
        if index == end:
            return True
        if not self.reserves or index in lying or place.kind != OWN:
            return False
        before = lying.get(index - 1 if index < end else end - 1)
        if before is None or before.kind != OWN:
            return False
        if index < end:
            return before.owner == place.owner
        return before.owner != place.owner and len(lying) == end

    def give_up(self, seat: int, slots: Iterable[int]) -> None:
        """Note that a seat gives cards up (DRW-4, SWP-1)."""
        self.given_up.update([Place(OWN, seat, slot) for slot in slots])

    def collect(self) -> None:
        """Note that all own cards are collected (DRW-3)."""
        self.given_up.update([place for place in self.dealt if place.kind == OWN])

    def reshuffle(self, generation: int, places: Sequence[Place]) -> None:
        """Note which places' cards the log shuffles together into the next generation (DRW-5).

        No card that somebody holds or that lies on the board, and none twice. Raises FloorError
        NOT_JUSTIFIED.
        """
        if generation != len(self.reshuffled) + 1 or self.next_index != self.size:
            raise not_justified("a reshuffle out of order, or with cards left")
        used = {place for earlier in self.reshuffled for place in earlier}
        for place in places:
            free = place.kind == BURN or place in self.given_up
            if place not in self.dealt or place in used or not free:
                raise not_justified("a card is shuffled in that is not free")
            used.add(place)
        if not places:
            raise not_justified("a reshuffle of nothing")
        self.reshuffled.append(tuple(places))

    def cards_at(self, places: Iterable[Place]) -> tuple[Card, ...]:
        """Give the cards that lie at dealt places. They never leave this process."""
        positions = [self.dealt[place] for place in places]
        return tuple([self.generations[at].cards[index] for at, index in positions])

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

    def hole_places(self, seat: int) -> list[Place]:
        """Give the own cards of a seat, in dealing order."""
        return [place for place in self.dealt if (place.kind, place.owner) == (OWN, seat)]

    def face_up(self, place: Place) -> cards_pb2.RevealedCard:
        """Give a dealt place's face with its proof. To be called when it is justified only."""
        position = self.dealt[place]
        order = self.generations[position.generation]
        proof = cards_pb2.CardProof(
            deck_index=position.message(),
            salt=order.salts[position.deck_index],
            path=order.commitment.prove(position.deck_index),
        )
        card = cards_pb2.Card(code=to_wire(order.cards[position.deck_index]))
        return cards_pb2.RevealedCard(place=place.message(), card=card, proof=proof)

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
