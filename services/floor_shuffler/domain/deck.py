"""A deck: its hidden order, and where its cards have gone. No face stands in a `repr`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Generic, NamedTuple, TypeVar

from floor_shuffler.domain.refs import SEAT, Cause, DeckIndex, Place
from floor_shuffler.domain.refusals import unknown_deck
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.shuffler.v1 import events_pb2, shuffler_pb2
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
from pokerfloor.refusal import Refusal

CREATED: Final = shuffler_pb2.DECK_STATE_CREATED
COMMITTED: Final = shuffler_pb2.DECK_STATE_COMMITTED
SETTLED: Final = shuffler_pb2.DECK_STATE_SETTLED
VOID: Final = shuffler_pb2.DECK_STATE_VOID

#: Which kinds of places a deck's cards are dealt to.
KINDS_OF_PURPOSE: Final[Mapping[int, frozenset[int]]] = {
    shuffler_pb2.DECK_PURPOSE_HAND: frozenset(
        {
            cards_pb2.PLACE_KIND_SEAT,
            cards_pb2.PLACE_KIND_BOARD,
            cards_pb2.PLACE_KIND_BURN,
            cards_pb2.PLACE_KIND_COMMUNITY,
        }
    ),
    shuffler_pb2.DECK_PURPOSE_BUTTON_DRAW: frozenset({cards_pb2.PLACE_KIND_BUTTON_DRAW}),
    shuffler_pb2.DECK_PURPOSE_GAME_DRAW: frozenset({cards_pb2.PLACE_KIND_GAME_DRAW}),
}

COMPOSITIONS: Final[Mapping[int, Composition]] = {
    cards_pb2.DECK_COMPOSITION_STANDARD_52: STANDARD,
    cards_pb2.DECK_COMPOSITION_SHORT_36: SHORT,
    cards_pb2.DECK_COMPOSITION_JOKER_53: STANDARD_ONE_JOKER,
    cards_pb2.DECK_COMPOSITION_JOKER_54: STANDARD_TWO_JOKERS,
}

Answer_co = TypeVar("Answer_co", covariant=True)

# Such a reveal tells the faces to one service; which of them become public is its answer.
_NOT_FOR_EVERYONE: Final = frozenset(
    {hand_events_pb2.REVEAL_REASON_SHOWDOWN, hand_events_pb2.REVEAL_REASON_SCORING}
)


class DeckSpec(NamedTuple):
    """What a deck is asked for: the hand (0 for draws), the purpose, the composition."""

    hand_no: int
    purpose: shuffler_pb2.DeckPurpose.ValueType
    composition: cards_pb2.DeckComposition.ValueType


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


class Reveal(NamedTuple):
    """Cards revealed: by which step, to whom, and for which reason each."""

    table_seq: int
    asker: str
    reasons: Mapping[Place, hand_events_pb2.RevealReason.ValueType]


@dataclass(frozen=True, slots=True)
class Deck:
    """One deck, from CreateDeck to CloseDeck.

    hand_no: 0 for draws
    purpose, composition, state: numbers of the enums on the wire
    began: the step that began the hand or the draw
    players: who sits where in the hand; hole cards are sealed to these players only
    generations: its orders; empty for a deck that was ended before it was made here
    committed_generations: how many of them have a public root
    dealt: places in dealing order
    given_up: seats' places whose cards the log says were discarded, swapped or collected
    reshuffled: for each generation after the first that the log has, the places it is made of; the
        last of them may not be made yet
    read_to: up to this number of the stream every step was applied, in order; 0 for none yet. It
        says nothing about the deck itself, and is not compared
    sets_aside: indexes may be set aside for one seat while others are dealt to (OFC-32)
    unsealed: seats' places whose first boxes are still to be made: a step's reveals may be asked
        for before its boxes are
    """

    id: DeckId
    hand_no: int
    purpose: shuffler_pb2.DeckPurpose.ValueType
    composition: cards_pb2.DeckComposition.ValueType
    began: Cause
    players: Mapping[int, str]
    generations: tuple[DeckOrder, ...] = field(repr=False)
    state: shuffler_pb2.DeckState.ValueType = CREATED
    committed_generations: int = 0
    dealt: Mapping[Place, DeckIndex] = field(default_factory=dict)
    given_up: frozenset[Place] = frozenset()
    reshuffled: tuple[tuple[Place, ...], ...] = ()
    reveals: tuple[Reveal, ...] = ()
    void_reason: str = ""
    read_to: int = field(default=0, compare=False)
    sets_aside: bool = False
    unsealed: frozenset[Place] = frozenset()

    @property
    def closed(self) -> bool:
        """Whether its hand is settled or void."""
        return self.state in (SETTLED, VOID)

    @property
    def spec(self) -> DeckSpec:
        """What it was asked for."""
        return DeckSpec(self.hand_no, self.purpose, self.composition)

    @property
    def unread_from(self) -> int:
        """The number in the stream from which on there may be steps that were not applied."""
        return self.read_to + 1 if self.read_to else self.began.stream_seq

    @property
    def size(self) -> int:
        """How many cards the generation has that the log deals from."""
        return len(self.reshuffled[-1]) if self.reshuffled else len(self.generations[0].cards)

    @property
    def newest(self) -> DeckOrder:
        """The newest generation that is made."""
        return self.generations[-1]

    def has(self, step: step_pb2.Step) -> bool:
        """Tell whether a step is one of the deck's hand, or the one that began its draw."""
        if self.purpose == shuffler_pb2.DECK_PURPOSE_HAND:
            return step.hand_no == self.hand_no and step.table_seq >= self.began.table_seq
        return step.table_seq == self.began.table_seq

    def roots(self) -> list[bytes]:
        """Return the public roots by generation."""
        return [each.commitment.root for each in self.generations[: self.committed_generations]]

    def are_committed(self, places: Iterable[Place]) -> bool:
        """Tell whether the cards of dealt places are of generations whose root is public."""
        return all(self.dealt[at].generation < self.committed_generations for at in places)

    def on_deck(self) -> dict[int, Place]:
        """Return what was dealt from each index of the generation that the log deals from."""
        present = len(self.reshuffled)
        return {
            at.deck_index: place for place, at in self.dealt.items() if at.generation == present
        }

    def places_of(self, seat: int) -> list[Place]:
        """Return the places of a seat, in dealing order."""
        return [place for place in self.dealt if (place.kind, place.owner) == (SEAT, seat)]

    def cards_at(self, places: Iterable[Place]) -> tuple[Card, ...]:
        """Return the cards that lie at dealt places. They never leave this process."""
        indexes = [self.dealt[place] for place in places]
        return tuple([self.generations[at.generation].cards[at.deck_index] for at in indexes])

    def is_public(self, place: Place) -> bool:
        """Tell whether the place was revealed to everyone."""
        return any(
            place in reveal.reasons and reveal.reasons[place] not in _NOT_FOR_EVERYONE
            for reveal in self.reveals
        )

    def has_revealed(self, table_seq: int, asker: str, places: Iterable[Place]) -> bool:
        """Tell whether all of this was revealed before, to the same asker by the same step."""
        before = {
            place
            for reveal in self.reveals
            if (reveal.table_seq, reveal.asker) == (table_seq, asker)
            for place in reveal.reasons
        }
        return before.issuperset(places)

    def face_up(self, place: Place) -> cards_pb2.RevealedCard:
        """Return a dealt place's face with its proof. To be called when it is justified only."""
        at = self.dealt[place]
        order = self.generations[at.generation]
        proof = cards_pb2.CardProof(
            deck_index=at.message(),
            salt=order.salts[at.deck_index],
            path=order.commitment.prove(at.deck_index),
        )
        card = cards_pb2.Card(code=to_wire(order.cards[at.deck_index]))
        return cards_pb2.RevealedCard(place=place.message(), card=card, proof=proof)

    def for_owner(self, place: Place) -> SealedCard:
        """Return a dealt place's card as it is put into a box."""
        at = self.dealt[place]
        order = self.generations[at.generation]
        return SealedCard(
            deck_digest=self.id.digest(),
            hand_no=self.hand_no,
            place=place.sealed(),
            generation=at.generation,
            index=at.deck_index,
            card=order.cards[at.deck_index],
            salt=order.salts[at.deck_index],
            path=order.commitment.prove(at.deck_index),
        )


@dataclass(frozen=True, slots=True)
class Decision(Generic[Answer_co]):
    """What comes of a request about a deck.

    events: published before anything else, in this order
    deck: as it is stored once they are
    answer: what the caller gets then; or why it is refused, which undoes neither
    """

    deck: Deck
    events: tuple[events_pb2.ShufflerEvent, ...]
    answer: Answer_co | Refusal


def known(deck_id: DeckId, deck: Deck | None) -> Deck | Refusal:
    """Return a deck that was created."""
    return unknown_deck(deck_id) if deck is None else deck
