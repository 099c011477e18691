"""Which two cards of a recorded hand may be exchanged, and what must follow when they are."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from floor_table.domain import Table, apply_step, replay
from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.cards import Card, from_wire
from pokerfloor.fairness import SealedCard, unseal
from pokerfloor.games import Hand
from tests.support.hidden_cards import opened_cards
from tests.support.planted_decks import PlantedDecks, private_key
from tests.support.points_evening import NOTHING, QUEENS_ON_TOP, stacked_cards
from tests.support.recorded_games import NAMES, Decks, RecordedFloor, RecordedTable
from tests.support.recorded_play import Recording

_OWN = cards_pb2.PLACE_KIND_SEAT


class FantasylandDecks(PlantedDecks):
    """Decks of which the first hand's earns Fantasyland, when two lay it out in order."""

    def order(self, deck_no: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        order = PlantedDecks(self.seed).order(deck_no, cards)
        if deck_no == 2:
            order = stacked_cards(order, (1, 2), {1: QUEENS_ON_TOP, 2: NOTHING})
        if deck_no in self.swaps:
            one, other = self.swaps[deck_no]
            exchanged = list(order)
            exchanged[one], exchanged[other] = exchanged[other], exchanged[one]
            order = tuple(exchanged)
        return order


class Pair(NamedTuple):
    """Two cards of a hand's deck, by index and as cards; and what they were, for people."""

    indices: tuple[int, int]
    cards: tuple[Card, Card]
    what: str


@dataclass
class Known:
    """What the log, and those who made it, know of the cards of one hand."""

    table_id: str
    hand_no: int
    deck_no: int
    order: tuple[Card, ...]
    own: dict[Card, int] = field(default_factory=dict)
    dealt: set[Card] = field(default_factory=set)
    open: set[Card] = field(default_factory=set)
    read: set[Card] = field(default_factory=set)

    def pair(self, dice: random.Random) -> Pair:
        """Choose two cards that nobody but an owner knows: two seats' own ones, if there are."""
        free = [card for card in self.order if card not in self.open | self.read]
        own = [card for card in free if card in self.own]
        one = dice.choice(own or free)
        others = [card for card in own if self.own[card] != self.own.get(one)]
        if not others or dice.random() < 0.4:
            others = [card for card in free if card not in self.own]
        other = dice.choice(others)
        indices = self.order.index(one), self.order.index(other)
        return Pair(indices, (one, other), f"{self._name(one)} and {self._name(other)}")

    def _name(self, card: Card) -> str:
        if card in self.own:
            return f"own of seat {self.own[card]}"
        return "dealt" if card in self.dealt else "stub"


def known_hands(table: RecordedTable, decks: Decks) -> list[Known]:
    """What is known of each hand of a table."""
    hands: list[Known] = []
    folded = Table(table.table_id)
    for step in table.steps:
        folded = apply_step(folded, step)
        for event in step.events:
            if event.HasField("hand_began"):
                deck_no = event.hand_began.deck_no
                order = decks.made[table.table_id, deck_no, 0].cards
                hands.append(Known(table.table_id, event.hand_began.hand_no, deck_no, order))
            elif event.HasField("hand") and hands:
                _take(hands[-1], event.hand, decks, folded)
        for opened in opened_cards(step):
            if hands and step.hand_no == hands[-1].hand_no:
                hands[-1].open.add(from_wire(opened.card.code))
    return hands


def _take(known: Known, event: object, decks: Decks, folded: Table) -> None:
    which = event.WhichOneof("event")  # type: ignore[attr-defined]  # a hand's event
    if which == "places_dealt":
        dealt = event.places_dealt  # type: ignore[attr-defined]  # as above
        made = decks.made[known.table_id, known.deck_no, dealt.first.generation].cards
        for index, place in enumerate(dealt.places, dealt.first.index):
            known.dealt.add(made[index])
            if place.kind == _OWN:
                known.own[made[index]] = place.owner
    elif which == "showdown_began":
        hand = folded.hand
        assert isinstance(hand, Hand)
        for seat in event.showdown_began.seats:  # type: ignore[attr-defined]  # as above
            for place in hand.state.hole_places(seat):
                generation, index = hand.deck_index(place)
                made = decks.made[known.table_id, known.deck_no, generation].cards
                known.read.add(made[index])


def exchanged_decks(first: Decks, pairs: Mapping[str, Mapping[int, Pair]]) -> Decks:
    """Return the same decks, with the pairs of each table and deck number exchanged."""
    return Decks(
        {
            table_id: type(decks)(
                decks.seed, {at: pair.indices for at, pair in pairs.get(table_id, {}).items()}
            )
            for table_id, decks in first.by_table.items()
        }
    )


def assert_owners_alone_know(
    one: RecordedFloor, other: RecordedFloor, pairs: Mapping[str, Mapping[int, Pair]]
) -> int:
    """What the comparison leaves out is what it should be, and only owners see the exchange.

    Gives how many boxes hold an exchanged card.
    """
    changed = 0
    for table_id in one.tables_played:
        for floor in (one, other):
            _assert_proofs(floor, table_id)
        for seat, name in enumerate(NAMES, start=1):
            before = list(_boxes(one.recording, table_id, seat, name))
            after = list(_boxes(other.recording, table_id, seat, name))
            assert len(before) == len(after)
            for (deck_no, card), (_, changed_card) in zip(before, after, strict=True):
                pair = pairs[table_id][deck_no].cards
                expected = pair[1 - pair.index(card.card)] if card.card in pair else card.card
                assert changed_card.card == expected, f"{table_id}, seat {seat}"
                assert (card.salt, card.index) == (changed_card.salt, changed_card.index)
                changed += card.card in pair
                for floor, sealed in ((one, card), (other, changed_card)):
                    made = floor.decks.made[table_id, deck_no, sealed.generation]
                    assert sealed.path == made.commitment.prove(sealed.index)
    return changed


def _boxes(
    recording: Recording, table_id: str, seat: int, name: str
) -> Iterator[tuple[int, SealedCard]]:
    for message in recording.messages.get(f"{table_id}: seat {seat}, boxes", ()):
        own = table_pb2.TableUpdate.FromString(message.data).hole_cards
        for box in own.boxes:
            yield own.deck_no, unseal(box.ciphertext, bytes(private_key(name)))


def _assert_proofs(floor: RecordedFloor, table_id: str) -> None:
    """Roots and paths are those of the decks that were put in; the log folds to its digests."""
    steps = floor.tables_played[table_id].steps
    replay(table_id, steps)
    deck_no = 0
    for step in steps:
        deck_no = _deck_of(step, deck_no)
        for event in step.events:
            if event.HasField("deck_committed"):
                committed = event.deck_committed
                made = floor.decks.made[table_id, committed.deck_no, committed.generation]
                assert committed.root == made.commitment.root
        for opened in opened_cards(step):
            at = opened.proof.deck_index
            made = floor.decks.made[table_id, deck_no, at.generation]
            assert tuple(opened.proof.path) == made.commitment.prove(at.index)


def _deck_of(step: Step, deck_no: int) -> int:
    for event in step.events:
        for kind in ("hand_began", "button_draw_began", "game_draw_began"):
            if event.HasField(kind):
                found: int = getattr(event, kind).deck_no
                return found
    return deck_no
