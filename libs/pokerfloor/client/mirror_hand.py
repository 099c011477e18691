"""The mirror of a hand: where it begins, and what it ends as."""

from __future__ import annotations

from collections.abc import Iterable

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.api.events.v1 import hand_events_pb2 as events
from pokerfloor.api.events.v1 import table_events_pb2
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.cards import from_wire
from pokerfloor.client.mirror_deck import PlaceKey
from pokerfloor.client.mirror_layouts import layout_of_view
from pokerfloor.client.mirror_state import (
    HandMirror,
    HandSeatMirror,
    LastHand,
    SeatMirror,
    Winner,
    amount_of,
)

Seats = dict[int, SeatMirror]


def place_key(place: cards_pb2.Place) -> PlaceKey:
    """Return a place as a value that can be a key."""
    return (place.kind, place.owner, place.slot)


def hand_of_began(began: table_events_pb2.HandBegan) -> HandMirror:
    """Begin the mirror of a hand that was began."""
    seats = {seat.seat: HandSeatMirror(seat.seat, amount_of(seat.stack)) for seat in began.seats}
    fantasyland = {one.seat: one.cards for one in began.fantasyland}
    return HandMirror(began.hand_no, began.deck_no, seats, game=began.game, fantasyland=fantasyland)


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
    hand.pot_total = sum(amount_of(pot.amount) for pot in view.pots)
    hand.turn_seat, hand.turn_no = view.turn_seat, view.turn_no
    hand.deadline_ms = view.deadline_ms
    hand.turns = {turn.seat: turn.deadline_ms for turn in view.turns}
    hand.fantasyland = {one.seat: one.cards for one in view.fantasyland}
    reveal(hand, view.revealed_cards)
    hand.equities = equities_of(view.equity)
    return hand


def reveal(hand: HandMirror, cards: Iterable[cards_pb2.RevealedCard]) -> None:
    """Lay cards face up."""
    for opened in cards:
        hand.faces[place_key(opened.place)] = from_wire(opened.card.code)


def result_of(hand: HandMirror, seats: Seats, ended: events.HandEnded) -> LastHand:
    """Return the result of a hand that ended."""
    players = {result.seat: result.player_id for result in ended.seats}
    winners = tuple(
        Winner(seat, players.get(seat, ""), seats[seat].name, amount, hand.shown_as.get(seat, ""))
        for seat, amount in hand.won.items()
        if amount > 0
    )
    nets = {result.seat: amount_of(result.net) for result in ended.seats}
    return LastHand(ended.hand_no, nets, amount_of(ended.rake), winners, hand.board())


def equities_of(equity: events.EquityShown) -> dict[int, int]:
    """Return the equities by seat, in millionths of the pot."""
    return {one.seat: one.high_ppm + one.low_ppm for one in equity.seats}
