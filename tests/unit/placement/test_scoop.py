"""Scoop Hold'em: the deal, hidden setting, the board afterwards."""

from __future__ import annotations

import random

import pytest

from pokerfloor.games import (
    PlacesDealt,
    RevealOrdered,
    RevealReason,
    StreetBegan,
    TurnBegan,
    WaitCards,
    board_place,
    burn_place,
    seat_place,
)
from pokerfloor.games.placement import (
    SCOOP,
    HiddenPlacement,
    LayoutRevealed,
    PlacementConfirmed,
    PlacementHand,
)
from tests.support.games.placement_table import (
    BOTTOM,
    MIDDLE,
    TOP,
    Played,
    any_confirmation,
    setup_of,
)


@pytest.mark.rule("SCP-1")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_seven_each_one_at_a_time_and_the_flop(seats: int) -> None:
    hand, events = PlacementHand.begin(setup_of(seats, game=SCOOP, button=1))
    order = [*range(2, seats + 1), 1]
    began, dealt, due = events
    assert began == StreetBegan(0, "flop")
    assert isinstance(dealt, PlacesDealt)
    to_seats = [seat_place(seat, slot) for slot in range(1, 8) for seat in order]
    flop = tuple(board_place(0, slot) for slot in (1, 2, 3))
    assert dealt == PlacesDealt((*to_seats, burn_place(1), *flop), 0, 0)
    assert due == RevealOrdered(RevealReason.BOARD, flop)
    assert hand.waits_for() == WaitCards(flop, RevealReason.BOARD)


@pytest.mark.rule("SCP-1", "SCP-2")
@pytest.mark.parametrize("burn", [True, False])
def test_hidden_and_at_the_same_time_then_turn_and_river(burn: bool) -> None:
    hand = Played(setup_of(4, game=SCOOP, burn=burn))
    rng = random.Random(4)
    turns = [event for event in hand.events if isinstance(event, TurnBegan)]
    assert turns == [TurnBegan(seat, seat) for seat in (1, 2, 3, 4)]
    for seat in (3, 1, 4):
        turn = hand.of(seat)
        assert (turn.hidden, turn.to_place, len(turn.places)) == (True, 6, 7)
        confirmed, hidden = hand.execute(any_confirmation(turn, rng))
        assert confirmed == PlacementConfirmed(seat, seat, 0, (), False)
        assert isinstance(hidden, HiddenPlacement)
    assert len(hand.hand.state.cards.faces) == 3
    events = hand.execute(any_confirmation(hand.turn, rng))
    kinds = [type(event) for event in events[2:7]]
    assert kinds == [LayoutRevealed] * 4 + [RevealOrdered]
    due = events[6]
    assert isinstance(due, RevealOrdered)
    assert due.reason is RevealReason.PLACEMENT
    assert len(due.places) == 24
    streets = [event for event in events if isinstance(event, StreetBegan)]
    assert streets == [StreetBegan(1, "turn"), StreetBegan(2, "river")]
    dealt = [event for event in events if isinstance(event, PlacesDealt)]
    burns = [(burn_place(2),), (burn_place(3),)] if burn else [(), ()]
    assert [event.places for event in dealt] == [
        (*burns[0], board_place(0, 4)),
        (*burns[1], board_place(0, 5)),
    ]
    first = 28 + 3 + burn
    assert [event.first_index for event in dealt] == [first, first + 1 + burn]
    request = hand.request
    assert len(request.board) == 5
    assert [one.seat for one in request.layouts] == [1, 2, 3, 4]
    for one in request.layouts:
        assert [len(one.faces(row)) for row in (TOP, MIDDLE, BOTTOM)] == [2, 2, 2]


@pytest.mark.rule("SCP-2")
def test_board_cards_are_turned_in_order() -> None:
    hand = Played(setup_of(2, game=SCOOP))
    hand.lay_out_all()
    state = hand.hand.state
    places = [board_place(0, slot) for slot in range(1, 6)]
    assert state.cards.board == [state.cards.faces[place] for place in places]
    indexes = [hand.hand.deck_index(place).index for place in places]
    assert indexes == [15, 16, 17, 19, 21]
    assert hand.request.board == tuple(hand.cards[index] for index in indexes)
