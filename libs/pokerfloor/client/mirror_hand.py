"""The fold of a hand's public events into a mirror of the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as events
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.cards import from_wire
from pokerfloor.client.mirror_deck import OWN, PlaceKey
from pokerfloor.client.mirror_layouts import fold_layout_event, layout_of_view
from pokerfloor.client.mirror_state import (
    HandMirror,
    HandSeatMirror,
    LastHand,
    SeatMirror,
    Winner,
    amount_of,
)

_DEAD = frozenset(
    {
        events.FORCED_BET_KIND_ANTE,
        events.FORCED_BET_KIND_ANTE_FOR_ALL,
        events.FORCED_BET_KIND_BOMB,
        events.FORCED_BET_KIND_DEAD_SMALL,
    }
)

Seats = dict[int, SeatMirror]


def place_key(place: cards_pb2.Place) -> PlaceKey:
    """Give a place as a value that can be a key."""
    return (place.kind, place.owner, place.slot)


def hand_of_opened(opened: table_events_pb2.HandBegan) -> HandMirror:
    """Begin the mirror of a hand that was opened."""
    seats = {seat.seat: HandSeatMirror(seat.seat, amount_of(seat.stack)) for seat in opened.seats}
    fantasyland = {one.seat: one.cards for one in opened.fantasyland}
    return HandMirror(
        opened.hand_no, opened.deck_no, seats, game=opened.game, fantasyland=fantasyland
    )


def hand_of_view(view: view_pb2.HandView, stacks: Seats) -> HandMirror:
    """Begin the mirror of a hand from a snapshot taken in the middle of it."""
    seats = {}
    for seat in view.seats:
        bet = amount_of(seat.bet)
        mirror = HandSeatMirror(seat.seat, stacks[seat.seat].stack + bet, bet)
        mirror.folded, mirror.all_in = seat.folded, seat.all_in
        mirror.places = [place_key(place) for place in seat.places]
        mirror.changed = seat.cards_changed
        layout_of_view(mirror, seat)
        seats[seat.seat] = mirror
    hand = HandMirror(view.hand_no, view.deck_no, seats, game=view.game)
    hand.street, hand.street_name = view.street, view.street_name
    hand.middle = sum(amount_of(pot.amount) for pot in view.pots)
    hand.turn_seat, hand.turn_no = view.turn_seat, view.turn_no
    hand.deadline_ms = view.deadline_ms
    hand.turns = {turn.seat: turn.deadline_ms for turn in view.turns}
    hand.fantasyland = {one.seat: one.cards for one in view.fantasyland}
    turn_up(hand, view.revealed_cards)
    hand.equities = _equities(view.equity)
    return hand


def turn_up(hand: HandMirror, cards: Iterable[cards_pb2.RevealedCard]) -> None:
    """Lay cards face up."""
    for opened in cards:
        hand.faces[place_key(opened.place)] = from_wire(opened.card.code)


def fold_hand_event(hand: HandMirror, seats: Seats, event: events.HandEvent) -> None:
    """Take one event of the hand in. Events that change nothing here are passed over."""
    name = event.WhichOneof("event")
    fold = _FOLDS.get(name or "")
    if fold is not None and name is not None:
        fold(hand, seats, getattr(event, name))
    else:
        fold_layout_event(hand, event)


def result_of(hand: HandMirror, seats: Seats, ended: events.HandEnded) -> LastHand:
    """Give the result of a hand that ended."""
    players = {result.seat: result.player_id for result in ended.seats}
    winners = tuple(
        Winner(seat, players.get(seat, ""), seats[seat].name, amount, hand.shown_as.get(seat, ""))
        for seat, amount in hand.won.items()
        if amount > 0
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


def _cards_given_up(
    hand: HandMirror, seats: Seats, event: events.CardsDrawn | events.CardsSwapped
) -> None:
    """Take away what a seat gave up, where that is known: which slots only the owner is told."""
    del seats
    seat = hand.seats[event.seat]
    slots = event.discarded_slots if isinstance(event, events.CardsDrawn) else event.slots
    seat.changed += event.count if isinstance(event, events.CardsDrawn) else len(slots)
    gone = {(OWN, event.seat, slot) for slot in slots}
    seat.places = [place for place in seat.places if place not in gone]


def _hand_redealt(hand: HandMirror, seats: Seats, event: events.HandRedealt) -> None:
    del seats, event
    for seat in hand.seats.values():
        seat.places, seat.changed = [], 0


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


def _cards_turned_up(hand: HandMirror, seats: Seats, event: events.CardsRevealed) -> None:
    del seats
    turn_up(hand, event.cards)


def _hand_shown(hand: HandMirror, seats: Seats, event: events.HandShown) -> None:
    del seats
    turn_up(hand, event.cards)
    if event.ranks:
        hand.shown_as[event.seat] = event.ranks[0].hand.name


def _equity_shown(hand: HandMirror, seats: Seats, event: events.EquityShown) -> None:
    del seats
    hand.equities = _equities(event)


def _equities(equity: events.EquityShown) -> dict[int, int]:
    return {one.seat: one.high_ppm + one.low_ppm for one in equity.seats}


def _rake_taken(hand: HandMirror, seats: Seats, event: events.RakeTaken) -> None:
    del seats
    hand.middle -= amount_of(event.total)


def _pot_awarded(hand: HandMirror, seats: Seats, event: events.PotAwarded) -> None:
    amount = amount_of(event.amount)
    hand.middle -= amount
    hand.won[event.seat] = hand.won.get(event.seat, 0) + amount
    seats[event.seat].stack += amount


def _pot_carried(hand: HandMirror, seats: Seats, event: events.PotCarried) -> None:
    del seats
    hand.middle -= amount_of(event.amount)


def _carried_pot_added(hand: HandMirror, seats: Seats, event: events.CarriedPotAdded) -> None:
    del seats
    hand.carried_in = amount_of(event.amount)
    hand.middle += hand.carried_in


_FOLDS: dict[str, Callable[[HandMirror, Seats, Any], None]] = {
    "forced_bet_posted": _forced_bet,
    "places_dealt": _places_dealt,
    "street_began": _street_began,
    "turn_began": _turn_began,
    "action_taken": _action_taken,
    "bet_returned": _bet_returned,
    "bets_collected": _bets_collected,
    "cards_drawn": _cards_given_up,
    "cards_swapped": _cards_given_up,
    "hand_redealt": _hand_redealt,
    "cards_revealed": _cards_turned_up,
    "hand_shown": _hand_shown,
    "equity_shown": _equity_shown,
    "rake_taken": _rake_taken,
    "pot_awarded": _pot_awarded,
    "carried_pot_added": _carried_pot_added,
    "pot_carried": _pot_carried,
}
