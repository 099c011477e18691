"""Fantasyland: who lays out when, what the others see, and which cards of the deck are whose."""

from __future__ import annotations

import random

import pytest

from pokerfloor.games import (
    Code,
    PlacesDealt,
    RevealOrdered,
    RevealReason,
    StreetBegan,
    TurnBegan,
    seat_place,
)
from pokerfloor.games.placement import (
    OFC_JOKER,
    ConfirmPlacement,
    FantasylandHeadsUp,
    HiddenPlacement,
    LayoutRevealed,
    PlacementConfirmed,
    SlotRow,
)
from tests.support.games.placement_table import (
    DISCARD,
    TOP,
    Played,
    any_confirmation,
    placements,
    setup_of,
)

OPEN_FIRST = FantasylandHeadsUp.OPEN_FIRST


def indexes(hand: Played, seat: int) -> list[int]:
    places = hand.hand.state.cards.places
    return [index.index for place, index in places.items() if place.owner == seat]


@pytest.mark.rule("OFC-31")
@pytest.mark.parametrize("cards", [14, 15, 16, 17])
def test_all_cards_at_once_thirteen_placed_in_one_go(cards: int) -> None:
    hand = Played(setup_of(2, (1, cards), (2, 14), game=OFC_JOKER))
    turn = hand.of(1)
    assert [place.slot for place in turn.places] == list(range(1, cards + 1))
    assert (turn.to_place, turn.hidden, turn.up) == (13, True, False)
    assert [room.cards for room in turn.room] == [3, 5, 5]
    hand.execute(any_confirmation(turn, random.Random(1)))
    layout = hand.hand.state.layouts[1]
    assert (len(layout.placed), len(layout.discards)) == (13, cards - 13)


@pytest.mark.rule("OFC-31")
def test_thirteen_and_not_fewer() -> None:
    hand = Played(setup_of(2, (1, 14), (2, 14)))
    turn = hand.of(1)
    good = any_confirmation(turn, random.Random(2))
    laid = dict(good.placements)
    placed = next(slot for slot, row in laid.items() if row is not DISCARD)
    refusal = hand.refused(ConfirmPlacement(1, turn.turn_no, placements(laid | {placed: DISCARD})))
    assert (refusal.code, refusal.reason) == (Code.TOO_FEW_PLACED, "12 cards placed, 13 must be")
    given_up = next(slot for slot, row in laid.items() if row is DISCARD)
    refusal = hand.refused(ConfirmPlacement(1, turn.turn_no, placements(laid | {given_up: TOP})))
    assert refusal.code is Code.WRONG_DISCARDS


@pytest.mark.rule("OFC-32")
def test_one_of_three_waits_until_the_others_have_played_in_the_open() -> None:
    hand = Played(setup_of(3, (2, 15)))
    while hand.turns[0].seat != 2:
        assert len(hand.turns) == 1
        assert hand.turn.street_no < 5
        assert not hand.turn.hidden
        assert indexes(hand, 2) == []
        hand.time_up()
    assert indexes(hand, 2) == list(range(34, 49))
    assert StreetBegan(5, "Fantasyland") in hand.events
    assert hand.turn.street_no == 5
    hand.time_up()
    assert [one.fantasyland_cards for one in hand.request.layouts] == [0, 15, 0]


@pytest.mark.rule("OFC-32")
@pytest.mark.parametrize("first", [1, 2, 3])
def test_all_but_one_of_three_lay_out_at_the_same_time(first: int) -> None:
    """The one aside gets 5, then 3 at a time, hidden, out of the cards kept for it."""
    packets = [(seat, 13 + seat) for seat in (1, 2, 3) if seat != first]
    hand = Played(setup_of(3, *packets))
    assert [turn.seat for turn in hand.turns] == [1, 2, 3]
    assert all(turn.hidden and not turn.up for turn in hand.turns)
    assert [event for event in hand.events if isinstance(event, RevealOrdered)] == []
    assert indexes(hand, first) == [0, 1, 2, 3, 4]
    (one, many), (other, more) = packets
    assert indexes(hand, one) == list(range(17, 17 + many))
    assert indexes(hand, other) == list(range(17 + many, 17 + many + more))
    hand.time_up(one)
    for street in range(5):
        turn = hand.of(first)
        assert (turn.street_no, turn.to_place) == (street, 2 if street else 5)
        assert len(turn.places) == (3 if street else 5)
        hand.time_up(first)
    assert indexes(hand, first) == list(range(17))
    assert not any(isinstance(event, LayoutRevealed) for event in hand.events)
    assert hand.hand.state.cards.faces == {}
    events = hand.time_up(other)
    revealed = [event for event in events if isinstance(event, LayoutRevealed)]
    assert [event.seat for event in revealed] == [1, 2, 3]
    (due,) = [event for event in events if isinstance(event, RevealOrdered)]
    assert due.reason is RevealReason.PLACEMENT
    assert due.places == tuple(
        seat_place(event.seat, slot) for event in revealed for slot, _ in event.placements
    )
    assert len(due.places) == 39
    assert len(hand.hand.state.cards.faces) == 39
    assert [one.seat for one in hand.request.layouts] == [1, 2, 3]


@pytest.mark.rule("OFC-32")
def test_packets_come_from_the_left_of_the_button() -> None:
    hand = Played(setup_of(3, (1, 14), (2, 15), (3, 17), button=1))
    dealt = [event for event in hand.events if isinstance(event, PlacesDealt)]
    assert [(event.places[0].owner, event.first_index) for event in dealt] == [
        (2, 0),
        (3, 15),
        (1, 32),
    ]
    turns = [event for event in hand.events if isinstance(event, TurnBegan)]
    assert turns == [TurnBegan(2, 1), TurnBegan(3, 2), TurnBegan(1, 3)]


@pytest.mark.rule("OFC-32")
def test_heads_up_hidden() -> None:
    hand = Played(setup_of(2, (1, 14)))
    assert [turn.seat for turn in hand.turns] == [1, 2]
    assert indexes(hand, 2) == [0, 1, 2, 3, 4]
    assert indexes(hand, 1) == list(range(17, 31))
    hand.lay_out_all()
    assert len(hand.hand.state.cards.faces) == 26


@pytest.mark.rule("OFC-32")
def test_heads_up_open_first() -> None:
    hand = Played(setup_of(2, (1, 14), heads_up=OPEN_FIRST))
    for street in range(5):
        assert (hand.turn.seat, hand.turn.street_no, hand.turn.hidden) == (2, street, False)
        hand.time_up()
    assert len(hand.hand.state.cards.faces) == 13
    assert hand.turn.seat == 1
    assert indexes(hand, 1) == list(range(17, 31))


@pytest.mark.rule("OFC-32")
def test_the_option_is_for_two_players_only() -> None:
    hand = Played(setup_of(3, (1, 14), (2, 14), heads_up=OPEN_FIRST))
    assert len(hand.turns) == 3
    both = Played(setup_of(2, (1, 14), (2, 14), heads_up=OPEN_FIRST))
    assert len(both.turns) == 2


@pytest.mark.rule("OFC-32")
def test_what_others_learn_of_a_hidden_confirmation() -> None:
    """That it was made, in which turn: nothing that depends on where the cards lie."""
    hand = Played(setup_of(3, (1, 14), (3, 15)))
    rng = random.Random(5)
    for seat, street in ((1, 5), (2, 0), (2, 1)):
        turn = hand.of(seat)
        given = any_confirmation(turn, rng)
        confirmed, hidden, *more = hand.execute(given)
        assert confirmed == PlacementConfirmed(seat, turn.turn_no, street, (), False)
        assert hidden == HiddenPlacement(seat, tuple(sorted(given.placements)))
        assert all(isinstance(event, PlacesDealt | TurnBegan) for event in more)


@pytest.mark.rule("OFC-32")
def test_a_revealed_layout_names_no_discard() -> None:
    hand = Played(setup_of(2, (1, 16), (2, 16)))
    given = any_confirmation(hand.of(1), random.Random(3))
    hand.execute(given)
    events = hand.time_up(2)
    revealed = next(event for event in events if isinstance(event, LayoutRevealed))
    assert revealed == LayoutRevealed(
        1, tuple(sorted(SlotRow(s, row) for s, row in given.placements if row is not DISCARD))
    )
    discards = hand.hand.state.layouts[1].discards
    assert len(discards) == 3
    assert not set(discards) & hand.hand.state.cards.faces.keys()
