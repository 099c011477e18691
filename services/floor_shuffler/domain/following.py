"""What the steps of the table log mean for a deck: where its cards go.

Always applied in the order of the log, so that of two steps that deal differently the first one
counts, whichever is asked about first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Never

from floor_shuffler.domain.deck import KINDS_OF_PURPOSE, Decision, Deck
from floor_shuffler.domain.events import cards_dealt
from floor_shuffler.domain.refs import BURN, SEAT, DeckIndex, Place
from floor_shuffler.domain.refusals import not_justified
from floor_shuffler.domain.steps import StoredStep, read_dealt
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.api.shuffler.v1 import events_pb2
from pokerfloor.refusal import Refusal


class Followed(NamedTuple):
    """A deck after steps of the log, and the event of each step that dealt cards.

    Where a step is refused, what the steps before it dealt stands.
    """

    deck: Deck
    events: tuple[events_pb2.ShufflerEvent, ...]
    refusal: Refusal | None = None

    def refuse(self, refusal: Refusal) -> Decision[Never]:
        """Refuse what was asked; what the log deals is published and stored all the same."""
        return Decision(self.deck, self.events, refusal)


def of_hand(deck: Deck, stored: StoredStep) -> StoredStep | Refusal:
    """Return a step of the deck's hand."""
    return stored if deck.has(stored.step) else not_justified("the step belongs to another hand")


def follow(deck: Deck, steps: Iterable[StoredStep]) -> Followed:
    """Apply those steps of a deck's hand that were not applied yet."""
    events: list[events_pb2.ShufflerEvent] = []
    for step, cause in steps:
        if cause.stream_seq <= deck.read_to:
            continue
        after = apply_step(deck, step)
        if isinstance(after, Refusal):
            return Followed(deck, tuple(events), after)
        new = {place: at for place, at in after.dealt.items() if place not in deck.dealt}
        if new:
            events.append(cards_dealt(deck.id, new, cause))
        deck = replace(after, read_to=cause.stream_seq)
    return Followed(deck, tuple(events))


def apply_step(deck: Deck, step: step_pb2.Step) -> Deck | Refusal:
    """Return the deck after a step of its hand, all of it or nothing."""
    for event in step.events:
        after = _apply_event(deck, event)
        if isinstance(after, Refusal):
            return after
        deck = after
    return deck


def deal(deck: Deck, places: Sequence[Place], first: DeckIndex) -> Deck | Refusal:
    """Deal the places from an index on, as the log says; what was dealt before must be the same."""
    new: dict[Place, DeckIndex] = {}
    on_deck = deck.on_deck()
    for index, place in enumerate(places, first.deck_index):
        at = DeckIndex(first.generation, index)
        if deck.dealt.get(place) == at:
            continue
        if refusal := _wrong_place(deck, place):
            return refusal
        if place in deck.dealt or place in new:
            return not_justified("a place is dealt twice")
        if at.generation != len(deck.reshuffled) or not _fits(deck, index, place, on_deck):
            return not_justified("a deck index is used twice or left out")
        if index >= deck.size:
            return not_justified("the deck has no card left for a place")
        new[place] = at
        on_deck[index] = place
    seats = {place for place in new if place.kind == SEAT}
    return replace(deck, dealt={**deck.dealt, **new}, unsealed=deck.unsealed | seats)


def _apply_event(deck: Deck, event: table_events_pb2.TableEvent) -> Deck | Refusal:
    kind = event.hand.WhichOneof("event")
    if kind == "places_dealt":
        return deal(deck, *read_dealt(event.hand.places_dealt))
    if kind == "cards_drawn":
        return _give_up(deck, event.hand.cards_drawn.seat, event.hand.cards_drawn.discarded_slots)
    if kind == "cards_swapped":
        return _give_up(deck, event.hand.cards_swapped.seat, event.hand.cards_swapped.slots)
    if kind == "hand_redealt":
        # All hole cards are collected (DRW-3).
        held = {place for place in deck.dealt if place.kind == SEAT}
        return replace(deck, given_up=deck.given_up | held)
    if kind == "deck_reshuffled":
        reshuffled = event.hand.deck_reshuffled
        places = tuple([Place.of(place) for place in reshuffled.places])
        return _reshuffle(deck, reshuffled.generation, places)
    return deck


def _give_up(deck: Deck, seat: int, slots: Iterable[int]) -> Deck:
    """Return the deck after a seat gave cards up (DRW-4, SWP-1)."""
    places = {Place(SEAT, seat, slot) for slot in slots}
    return replace(deck, given_up=deck.given_up | places)


def _reshuffle(deck: Deck, generation: int, places: tuple[Place, ...]) -> Deck | Refusal:
    """Note which places' cards the log shuffles together into the next generation (DRW-5).

    No card that somebody holds or that lies on the board, and none twice.
    """
    cards_left = deck.size - max(deck.on_deck(), default=-1) - 1
    if generation != len(deck.reshuffled) + 1 or cards_left:
        return not_justified("a reshuffle out of order, or with cards left")
    used = {place for earlier in deck.reshuffled for place in earlier}
    for place in places:
        free = place.kind == BURN or place in deck.given_up
        if place not in deck.dealt or place in used or not free:
            return not_justified("a card is shuffled in that is not free")
        used.add(place)
    if not places:
        return not_justified("a reshuffle of nothing")
    return replace(deck, reshuffled=(*deck.reshuffled, places))


def _fits(deck: Deck, index: int, place: Place, on_deck: Mapping[int, Place]) -> bool:
    """Tell whether a place can be dealt from an index, beside what was dealt already.

    It is the next index; or, where seats are in Fantasyland, one of those that were set aside
    after a seat's cards, which are that seat's alone and come in order; or the next but for those.
    Only one seat can have indexes set aside for it at a time (OFC-32).
    """
    end = max(on_deck, default=-1) + 1
    if index == end:
        return True
    if not deck.sets_aside or index in on_deck or place.kind != SEAT:
        return False
    before = on_deck.get(index - 1 if index < end else end - 1)
    if before is None or before.kind != SEAT:
        return False
    if index < end:
        return before.owner == place.owner
    return before.owner != place.owner and len(on_deck) == end


def _wrong_place(deck: Deck, place: Place) -> Refusal | None:
    if not place.is_sound or place.kind not in KINDS_OF_PURPOSE[deck.purpose]:
        return not_justified("a place of a kind that this deck is not dealt to")
    if place.kind == SEAT and place.owner not in deck.players:
        return not_justified(f"seat {place.owner} is not dealt in")
    return None
