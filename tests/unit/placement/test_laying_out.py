"""Time ran out: how the cards are laid out for a player (OFC-42, SCP-6)."""

from __future__ import annotations

import pytest

from pokerfloor.games import seat_place
from pokerfloor.games.placement import (
    SCOOP,
    HiddenPlacement,
    MovePlacement,
    PlacementConfirmed,
    SlotRow,
)
from tests.support.games.placement_table import BOTTOM, DISCARD, MIDDLE, TOP, Played, setup_of


def rows_of(hand: Played, seat: int) -> list[list[int]]:
    layout = hand.hand.state.layouts[seat]
    return [[place.slot for place in layout.row(row)] for row in (BOTTOM, MIDDLE, TOP)]


@pytest.mark.rule("OFC-42")
def test_the_bottom_first_and_the_third_card_discarded() -> None:
    hand = Played(setup_of(2))
    (confirmed, *_) = hand.time_up()
    assert confirmed == PlacementConfirmed(
        1, 1, 0, tuple(SlotRow(slot, BOTTOM) for slot in range(1, 6)), True
    )
    hand.lay_out_all()
    assert rows_of(hand, 1) == [[1, 2, 3, 4, 5], [6, 7, 9, 10, 12], [13, 15, 16]]
    discards = hand.hand.state.layouts[1].discards
    assert discards == tuple(seat_place(1, slot) for slot in (8, 11, 14, 17))


@pytest.mark.rule("OFC-42")
def test_unconfirmed_placements_are_dropped() -> None:
    hand = Played(setup_of(2))
    for slot, row in ((1, TOP), (2, MIDDLE), (3, TOP)):
        hand.execute(MovePlacement(1, 1, slot, row))
    hand.time_up()
    assert rows_of(hand, 1) == [[1, 2, 3, 4, 5], [], []]


@pytest.mark.rule("OFC-42")
def test_around_what_lies_there() -> None:
    hand = Played(setup_of(2))
    hand.confirm(bottom="1 2 3 4", top="5")
    hand.time_up()
    hand.time_up()
    assert rows_of(hand, 1) == [[1, 2, 3, 4, 6], [7], [5]]
    hand.time_up()
    hand.confirm(middle="11", top="9")
    hand.time_up()
    hand.time_up()
    assert rows_of(hand, 1) == [[1, 2, 3, 4, 6], [7, 11, 12, 13], [5, 9]]
    hand.time_up()
    hand.time_up()
    assert rows_of(hand, 1) == [[1, 2, 3, 4, 6], [7, 11, 12, 13, 15], [5, 9, 16]]


@pytest.mark.rule("OFC-42")
def test_fantasyland_the_first_thirteen() -> None:
    hand = Played(setup_of(2, (1, 16), (2, 14)))
    confirmed, hidden, *_ = hand.time_up(1)
    assert confirmed == PlacementConfirmed(1, 1, 5, (), True)
    rows = [BOTTOM] * 5 + [MIDDLE] * 5 + [TOP] * 3 + [DISCARD] * 3
    assert hidden == HiddenPlacement(
        1, tuple(SlotRow(slot, row) for slot, row in enumerate(rows, 1))
    )


@pytest.mark.rule("SCP-6")
def test_scoop_two_by_two_and_the_last_discarded() -> None:
    hand = Played(setup_of(2, game=SCOOP))
    confirmed, hidden, *_ = hand.time_up(2)
    assert confirmed == PlacementConfirmed(2, 2, 0, (), True)
    rows = (TOP, TOP, MIDDLE, MIDDLE, BOTTOM, BOTTOM, DISCARD)
    assert hidden == HiddenPlacement(
        2, tuple(SlotRow(slot, row) for slot, row in enumerate(rows, 1))
    )
