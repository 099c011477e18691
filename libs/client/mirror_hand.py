"""The fold of a hand's public events into a mirror of the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from libs.cards import from_wire
from libs.client.mirror_deck import PlaceKey
from libs.client.mirror_state import (
    OWN,
    HandMirror,
    HandSeatMirror,
    LastHand,
    SeatMirror,
    Winner,
    amount_of,
)
from libs.floorapi.floor.common.v1 import cards_pb2
from libs.floorapi.floor.events.v1 import hand_events_pb2 as events
from libs.floorapi.floor.events.v1 import table_events_pb2
from libs.floorapi.floor.table.v1 import view_pb2

_DEAD = frozenset(
    {
        events.FORCED_BET_KIND_ANTE,
        events.FORCED_BET_KIND_ANTE_FOR_ALL,
        events.FORCED_BET_KIND_DEAD_SMALL,
    }
)

Seats = dict[int, SeatMirror]


def place_key(place: cards_pb2.Place) -> PlaceKey:
    """Give a place as a value that can be a key."""
    return (place.kind, place.owner, place.slot)


def hand_of_opened(opened: table_events_pb2.HandOpened) -> HandMirror:
    """Begin the mirror of a hand that was opened."""
    seats = {seat.seat: HandSeatMirror(seat.seat, amount_of(seat.stack)) for seat in opened.seats}
    return HandMirror(opened.hand_no, opened.deck_no, seats)


def hand_of_view(view: view_pb2.HandView, stacks: Seats) -> HandMirror:
    """Begin the mirror of a hand from a snapshot taken in the middle of it."""
    seats = {}
    for seat in view.seats:
        bet = amount_of(seat.bet)
        mirror = HandSeatMirror(seat.seat, stacks[seat.seat].stack + bet, bet)
        mirror.folded, mirror.all_in = seat.folded, seat.all_in
        mirror.places = [place_key(place) for place in seat.own_places]
        seats[seat.seat] = mirror
    hand = HandMirror(view.hand_no, view.deck_no, seats)
    hand.street, hand.street_name = view.street, view.street_name
    hand.middle = sum(amount_of(pot.amount) for pot in view.pots)
    hand.turn_seat, hand.turn_no = view.turn_seat, view.turn_no
    hand.deadline_ms = view.deadline_ms
    turn_up(hand, view.open_cards)
    return hand


def turn_up(hand: HandMirror, cards: Iterable[cards_pb2.OpenedCard]) -> None:
    """Lay cards face up."""
    for opened in cards:
        hand.faces[place_key(opened.place)] = from_wire(opened.card.code)


def fold_hand_event(hand: HandMirror, seats: Seats, event: events.HandEvent) -> None:
    """Take one event of the hand in. Events that change nothing here are passed over."""
    name = event.WhichOneof("event")
    fold = _FOLDS.get(name or "")
    if fold is not None and name is not None:
        fold(hand, seats, getattr(event, name))


def result_of(hand: HandMirror, seats: Seats, ended: events.HandEnded) -> LastHand:
    """Give the result of a hand that ended."""
    players = {result.seat: result.player_id for result in ended.seats}
    winners = tuple(
        Winner(seat, players.get(seat, ""), seats[seat].name, amount, hand.shown_as.get(seat, ""))
        for seat, amount in hand.won.items()
    )
    nets = {result.seat: amount_of(result.net) for result in ended.seats}
    return LastHand(ended.hand_no, nets, amount_of(ended.rake), winners, hand.board())


def _forced_bet(hand: HandMirror, seats: Seats, event: events.ForcedBetPosted) -> None:
    amount = amount_of(event.amount)
    seats[event.seat].stack -= amount
    hand.seats[event.seat].all_in = event.all_in
    if event.kind in _DEAD:
        hand.middle += amount
    else:
        hand.seats[event.seat].bet += amount


def _places_dealt(hand: HandMirror, seats: Seats, event: events.PlacesDealt) -> None:
    del seats
    for place in event.places:
        key = place_key(place)
        if place.kind == OWN and key not in hand.seats[place.owner].places:
            hand.seats[place.owner].places.append(key)


def _street_began(hand: HandMirror, seats: Seats, event: events.StreetBegan) -> None:
    del seats
    hand.street, hand.street_name = event.street, event.name


def _turn_began(hand: HandMirror, seats: Seats, event: events.TurnBegan) -> None:
    del seats
    hand.turn_seat, hand.turn_no, hand.deadline_ms = event.seat, event.turn_no, 0


def _action_taken(hand: HandMirror, seats: Seats, event: events.ActionTaken) -> None:
    seat = hand.seats[event.seat]
    hand.turn_seat, hand.deadline_ms = 0, 0
    seats[event.seat].stack -= amount_of(event.by)
    if event.kind == events.ACTION_KIND_FOLD:
        seat.folded = True
    elif event.HasField("by") and amount_of(event.by):
        seat.bet, seat.all_in = amount_of(event.to), event.all_in


def _bet_returned(hand: HandMirror, seats: Seats, event: events.BetReturned) -> None:
    amount = amount_of(event.amount)
    hand.seats[event.seat].bet -= amount
    hand.seats[event.seat].all_in = False
    seats[event.seat].stack += amount


def _bets_collected(hand: HandMirror, seats: Seats, event: events.BetsCollected) -> None:
    del seats
    hand.middle = sum(amount_of(pot.amount) for pot in event.pots)
    for seat in hand.seats.values():
        seat.bet = 0


def _cards_turned_up(hand: HandMirror, seats: Seats, event: events.CardsTurnedUp) -> None:
    del seats
    turn_up(hand, event.cards)


def _hand_shown(hand: HandMirror, seats: Seats, event: events.HandShown) -> None:
    del seats
    turn_up(hand, event.cards)
    if event.ranks:
        hand.shown_as[event.seat] = event.ranks[0].hand.name


def _rake_taken(hand: HandMirror, seats: Seats, event: events.RakeTaken) -> None:
    del seats
    hand.middle -= amount_of(event.total)


def _pot_awarded(hand: HandMirror, seats: Seats, event: events.PotAwarded) -> None:
    amount = amount_of(event.amount)
    hand.middle -= amount
    hand.won[event.seat] = hand.won.get(event.seat, 0) + amount
    seats[event.seat].stack += amount


def _carried_pot_added(hand: HandMirror, seats: Seats, event: events.CarriedPotAdded) -> None:
    del seats
    hand.middle += amount_of(event.amount)


_FOLDS: dict[str, Callable[[HandMirror, Seats, Any], None]] = {
    "forced_bet_posted": _forced_bet,
    "places_dealt": _places_dealt,
    "street_began": _street_began,
    "turn_began": _turn_began,
    "action_taken": _action_taken,
    "bet_returned": _bet_returned,
    "bets_collected": _bets_collected,
    "cards_turned_up": _cards_turned_up,
    "hand_shown": _hand_shown,
    "rake_taken": _rake_taken,
    "pot_awarded": _pot_awarded,
    "carried_pot_added": _carried_pot_added,
}
