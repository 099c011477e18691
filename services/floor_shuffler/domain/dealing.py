"""Which cards are sealed to whom: the delivery of a step's cards, and of a seat's cards again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from floor_shuffler.domain.deck import COMMITTED, Decision, Deck
from floor_shuffler.domain.events import cards_resealed
from floor_shuffler.domain.following import follow
from floor_shuffler.domain.refs import SEAT, Place
from floor_shuffler.domain.refusals import not_justified, uncommitted, unknown_deck, wrong_state
from floor_shuffler.domain.steps import StoredStep, dealt_by, reveals_ordered_by
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.events.v1 import hand_events_pb2
from pokerfloor.api.history.v1 import step_pb2
from pokerfloor.fairness import DeckId
from pokerfloor.refusal import Refusal

#: The live keys of the players who were dealt in, by seat; none where another sits by now.
LiveKeys = Mapping[int, Sequence[bytes]]
#: Places to be sealed to the live keys of their seat, by seat.
Delivery = Mapping[int, Sequence[Place]]

# A seat's cards that are dealt face up: everybody sees them in the next moment.
_FOR_EVERYONE: Final = frozenset(
    {hand_events_pb2.REVEAL_REASON_UP_CARD, hand_events_pb2.REVEAL_REASON_ALL_IN}
)


def dealable(deck_id: DeckId, deck: Deck | None) -> Deck | Refusal:
    """Return a deck that cards may leave."""
    if deck is None:
        return unknown_deck(deck_id)
    if deck.state != COMMITTED:
        return wrong_state("the deck is not committed yet, or its hand is over")
    return deck


def deliver(
    deck: Deck, steps: Sequence[StoredStep], step: step_pb2.Step, keys: LiveKeys
) -> Decision[Delivery]:
    """Deliver the cards of a step: each that stays hidden to its seat.

    `steps` are the deck's up to and with this one, but for those applied before.
    """
    followed = follow(deck, steps)
    if followed.refusal:
        return followed.refuse(followed.refusal)
    deck = followed.deck
    places = [place for dealt in dealt_by(step) for place in dealt.places]
    if not places:
        return followed.refuse(not_justified("the step deals no cards"))
    if not deck.are_committed(places):
        return followed.refuse(uncommitted())
    # What the step reveals to everybody is no secret of its owner's.
    public = {place for place, reason in reveals_ordered_by(step) if reason in _FOR_EVERYONE}
    delivery: dict[int, list[Place]] = {}
    for place in places:
        if place.kind == SEAT and place not in public:
            delivery.setdefault(place.owner, []).append(place)
    # The step's reveals may have been asked for before, which applied its deal.
    own = {place for place in places if place.kind == SEAT}
    repeated = {place.owner for place in own - deck.unsealed}
    again = [
        cards_resealed(deck.id, seat, delivery[seat], keys[seat])
        for seat in sorted(delivery)
        if seat in repeated and keys[seat]
    ]
    sealed = replace(deck, unsealed=deck.unsealed - own)
    return Decision(sealed, (*followed.events, *again), delivery)


def check_dealt_in(deck: Deck, seat: int) -> Refusal | None:
    """Refuse a seat that is not dealt in."""
    return None if seat in deck.players else not_justified("the seat is not dealt in", "seat")


def deliver_again(
    deck: Deck, steps: Sequence[StoredStep], seat: int, keys: LiveKeys
) -> Decision[Delivery]:
    """Deliver all cards of a seat again, but for those that are public.

    `steps` are the deck's up to the newest: the table may have stopped between dealing in the log
    and asking for the cards.
    """
    followed = follow(deck, steps)
    if followed.refusal:
        return followed.refuse(followed.refusal)
    deck = followed.deck
    if not keys[seat]:
        reason = "the player in this seat has no key"
        return followed.refuse(Refusal(errors_pb2.ERROR_CODE_NO_SEAT_KEY, reason, "seat"))
    places = [
        place
        for place in deck.places_of(seat)
        if deck.are_committed([place]) and not deck.is_public(place)
    ]
    again = [cards_resealed(deck.id, seat, places, keys[seat])] if places else []
    return Decision(deck, (*followed.events, *again), {seat: places})
