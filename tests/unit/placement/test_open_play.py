"""Play in turn, in the open: streets, who sees what when, what cannot be taken back."""

from __future__ import annotations

import pytest

from pokerfloor.games import (
    CardsRevealed,
    PlacesDealt,
    RevealOrdered,
    RevealReason,
    StreetBegan,
    TurnBegan,
    seat_place,
)
from pokerfloor.games.placement import (
    ConfirmPlacement,
    MovePlacement,
    PlacementConfirmed,
    PlacementMoved,
    SlotRow,
    WaitScoring,
)
from tests.support.games.placement_table import BOTTOM, MIDDLE, TOP, Played, setup_of


@pytest.mark.rule("OFC-1", "OFC-2")
@pytest.mark.parametrize("seats", [2, 3])
def test_five_streets_in_turn_button_last(seats: int) -> None:
    hand = Played(setup_of(seats))
    hand.lay_out_all()
    dealt = [event for event in hand.events if isinstance(event, PlacesDealt)]
    order = list(range(1, seats + 1))
    assert [event.places[0].owner for event in dealt] == order * 5
    assert [len(event.places) for event in dealt] == [5] * seats + [3] * 4 * seats
    assert [event.first_index for event in dealt] == [
        sum(len(earlier.places) for earlier in dealt[:number]) for number in range(len(dealt))
    ]
    streets = [event for event in hand.events if isinstance(event, StreetBegan)]
    assert [event.street_no for event in streets] == [0, 1, 2, 3, 4]
    turns = [event for event in hand.events if isinstance(event, TurnBegan)]
    assert [(event.seat, event.turn_no) for event in turns] == list(
        zip(order * 5, range(1, 5 * seats + 1), strict=True)
    )
    assert isinstance(hand.hand.waits_for(), WaitScoring)
    for layout in hand.request.layouts:
        assert [len(cards) for _, cards in layout.rows] == [3, 5, 5]
        assert layout.fantasyland_cards == 0


@pytest.mark.rule("OFC-2")
@pytest.mark.parametrize(("button", "order"), [(1, [2, 3, 1]), (2, [3, 1, 2]), (3, [1, 2, 3])])
def test_left_of_the_button_first(button: int, order: list[int]) -> None:
    hand = Played(setup_of(3, button=button))
    hand.lay_out_all()
    turns = [event.seat for event in hand.events if isinstance(event, TurnBegan)]
    assert turns == order * 5
    assert [layout.seat for layout in hand.request.layouts] == order


@pytest.mark.rule("OFC-2")
def test_the_next_seat_is_dealt_after_the_one_before_confirmed() -> None:
    hand = Played(setup_of(3))
    owners = [place.owner for place in hand.hand.state.cards.places]
    assert owners == [1] * 5
    hand.confirm(bottom="1 2", middle="3 4", top="5")
    assert hand.turn.seat == 2
    assert [place.owner for place in hand.hand.state.cards.places] == [1] * 5 + [2] * 5


@pytest.mark.rule("OFC-3")
def test_first_street_is_dealt_face_up_before_its_turn_begins() -> None:
    hand = Played(setup_of(2))
    kinds = [type(event) for event in hand.events]
    assert kinds == [StreetBegan, PlacesDealt, RevealOrdered, CardsRevealed, TurnBegan]
    due = hand.events[2]
    assert due == RevealOrdered(RevealReason.UP_CARD, tuple(seat_place(1, s) for s in range(1, 6)))
    assert len(hand.hand.state.cards.faces) == 5


@pytest.mark.rule("OFC-3", "OFC-4")
def test_moves_of_the_first_street_are_seen_and_can_be_taken_back() -> None:
    hand = Played(setup_of(2))
    turn_no = hand.turn.turn_no
    assert hand.execute(MovePlacement(1, turn_no, 3, TOP)) == (PlacementMoved(1, 3, TOP),)
    assert hand.execute(MovePlacement(1, turn_no, 1, BOTTOM)) == (PlacementMoved(1, 1, BOTTOM),)
    assert list(hand.turn.tentative) == [SlotRow(1, BOTTOM), SlotRow(3, TOP)]
    hand.execute(MovePlacement(1, turn_no, 3, MIDDLE))
    assert hand.execute(MovePlacement(1, turn_no, 1, None)) == (PlacementMoved(1, 1, None),)
    assert list(hand.turn.tentative) == [SlotRow(3, MIDDLE)]
    assert hand.hand.state.layouts[1].placed == ()


@pytest.mark.rule("OFC-4")
def test_a_confirmation_says_all_and_moves_do_not_bind() -> None:
    hand = Played(setup_of(2))
    hand.execute(MovePlacement(1, 1, 1, TOP))
    (confirmed, *_) = hand.confirm(bottom="1 2 3 4 5")
    assert isinstance(confirmed, PlacementConfirmed)
    assert confirmed.placements == tuple(SlotRow(slot, BOTTOM) for slot in range(1, 6))
    assert not confirmed.by_time
    assert len(hand.hand.state.layouts[1].row(BOTTOM)) == 5


@pytest.mark.rule("OFC-3")
def test_later_streets_show_what_is_placed_and_never_the_discard() -> None:
    hand = Played(setup_of(2))
    hand.confirm(bottom="1 2 3", middle="4 5")
    hand.confirm(bottom="1 2 3", middle="4 5")
    assert [place.slot for place in hand.turn.places] == [6, 7, 8]
    assert not hand.turn.up
    assert len(hand.hand.state.cards.faces) == 10  # the three are for their owner only
    confirmed, due, revealed, *_ = hand.confirm(middle="8", top="6")
    assert confirmed == PlacementConfirmed(1, 3, 1, (SlotRow(6, TOP), SlotRow(8, MIDDLE)), False)
    shown = (seat_place(1, 6), seat_place(1, 8))
    assert due == RevealOrdered(RevealReason.PLACEMENT, shown)
    assert isinstance(revealed, CardsRevealed)
    assert tuple(place for place, _ in revealed.cards) == shown
    assert hand.hand.state.layouts[1].discards == (seat_place(1, 7),)
    hand.lay_out_all()
    faces = hand.hand.state.cards.faces
    discards = [p for layout in hand.hand.state.layouts.values() for p in layout.discards]
    assert len(discards) == 8
    assert not set(discards) & faces.keys()
    assert len(faces) == 26


@pytest.mark.rule("OFC-2")
def test_the_order_in_which_a_confirmation_names_cards_does_not_matter() -> None:
    one, other = Played(setup_of(2)), Played(setup_of(2))
    rows = ((1, TOP), (2, TOP), (3, BOTTOM), (4, BOTTOM), (5, MIDDLE))
    said = tuple(SlotRow(slot, row) for slot, row in rows)
    assert one.execute(ConfirmPlacement(1, 1, said)) == other.execute(
        ConfirmPlacement(1, 1, said[::-1])
    )
    assert one.hand.digest() == other.hand.digest()
