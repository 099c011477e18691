"""What a seat cannot do: each refusal has its code, its numbers, its field, and changes nothing."""

from __future__ import annotations

import pytest

from pokerfloor.games import Begin, Code, Refusal, Reveal, Void, seat_place
from pokerfloor.games.placement import (
    SCOOP,
    ConfirmPlacement,
    LayoutRow,
    MovePlacement,
    PlacementHand,
    PlacementTimeUp,
    Scored,
    ScoringResult,
    faces_at,
)
from tests.support.games.placement_table import (
    BOTTOM,
    DISCARD,
    MIDDLE,
    TOP,
    Played,
    placements,
    score,
    setup_of,
)


def first_street() -> Played:
    return Played(setup_of(3))


def second_street() -> Played:
    """Seat 1 has one card on top, two in the middle and two at the bottom, and holds 6, 7, 8."""
    hand = Played(setup_of(2))
    hand.confirm(top="1", middle="2 3", bottom="4 5")
    hand.confirm(top="1 2 3", middle="4 5")
    return hand


@pytest.mark.rule("OFC-4")
@pytest.mark.parametrize(
    ("laid", "refusal"),
    [
        (
            {1: TOP, 2: TOP, 3: TOP, 4: TOP, 5: MIDDLE},
            Refusal(Code.ROW_OVERFILLED, "the top row takes 3 more cards, not 4", "placements"),
        ),
        (
            {1: TOP, 2: TOP, 3: MIDDLE, 4: MIDDLE},
            Refusal(Code.TOO_FEW_PLACED, "4 cards placed, 5 must be", "placements"),
        ),
        (
            {1: TOP, 2: TOP, 3: MIDDLE, 4: MIDDLE, 5: DISCARD},
            Refusal(Code.TOO_FEW_PLACED, "4 cards placed, 5 must be", "placements"),
        ),
        ({}, Refusal(Code.TOO_FEW_PLACED, "0 cards placed, 5 must be", "placements")),
        (
            {1: TOP, 2: TOP, 3: MIDDLE, 4: MIDDLE, 6: BOTTOM},
            Refusal(
                Code.SLOT_NOT_HELD,
                "slot 6 is not a card to set now; these are slots 1, 2, 3, 4, 5",
                "placements",
            ),
        ),
    ],
)
def test_first_street(laid: dict[int, LayoutRow], refusal: Refusal) -> None:
    hand = first_street()
    assert hand.refused(ConfirmPlacement(1, 1, placements(laid))) == refusal


@pytest.mark.rule("OFC-4")
@pytest.mark.parametrize(
    ("laid", "code", "reason"),
    [
        (
            {6: TOP, 7: TOP, 8: TOP},
            Code.WRONG_DISCARDS,
            "3 cards placed and 0 discarded, not 2 and 1",
        ),
        ({6: TOP, 7: TOP}, Code.WRONG_DISCARDS, "2 cards placed and 0 discarded, not 2 and 1"),
        ({6: TOP, 7: DISCARD, 8: DISCARD}, Code.TOO_FEW_PLACED, "1 cards placed, 2 must be"),
        (
            {1: BOTTOM, 6: TOP, 7: DISCARD},
            Code.SLOT_NOT_HELD,
            "slot 1 is not a card to set now; these are slots 6, 7, 8",
        ),
    ],
)
def test_second_street(laid: dict[int, LayoutRow], code: Code, reason: str) -> None:
    hand = second_street()
    refusal = hand.refused(ConfirmPlacement(1, 3, placements(laid)))
    assert refusal == Refusal(code, reason, "placements")


@pytest.mark.rule("OFC-4")
def test_a_row_that_earlier_streets_have_filled() -> None:
    hand = second_street()
    hand.confirm(middle="6 7")
    assert hand.turn.seat == 2
    refusal = hand.refused(ConfirmPlacement(2, 4, placements({6: TOP, 7: BOTTOM, 8: DISCARD})))
    reason = "the top row takes 0 more cards, not 1"
    assert refusal == Refusal(Code.ROW_OVERFILLED, reason, "placements")


@pytest.mark.rule("OFC-4")
def test_a_slot_twice() -> None:
    hand = second_street()
    twice = (*placements({6: TOP, 7: DISCARD}), *placements({6: BOTTOM}))
    refusal = hand.refused(ConfirmPlacement(1, 3, twice))
    assert refusal == Refusal(Code.SLOT_TWICE, "slot 6 is set twice", "placements")


@pytest.mark.rule("OFC-2", "OFC-4")
def test_turns() -> None:
    hand = first_street()
    laid = placements({1: TOP, 2: TOP, 3: MIDDLE, 4: MIDDLE, 5: BOTTOM})
    for given in (ConfirmPlacement(2, 1, laid), PlacementTimeUp(2, 1), MovePlacement(3, 1, 1, TOP)):
        seat = given.seat
        reason = f"it is the turn of seat 1, not of seat {seat}"
        assert hand.refused(given) == Refusal(Code.NOT_YOUR_TURN, reason, "seat")
    assert hand.refused(PlacementTimeUp(9, 1)).code is Code.NOT_YOUR_TURN
    reason = "seat 1 is asked in turn 1, not in turn 2"
    assert hand.refused(PlacementTimeUp(1, 2)) == Refusal(Code.STALE_TURN, reason, "turn_no")
    hand.execute(ConfirmPlacement(1, 1, laid))
    reason = "seat 1 has confirmed turn 1 already"
    for given in (
        ConfirmPlacement(1, 1, laid),
        PlacementTimeUp(1, 1),
        MovePlacement(1, 1, 1, None),
    ):
        assert hand.refused(given) == Refusal(Code.ALREADY_CONFIRMED, reason, "turn_no")


@pytest.mark.rule("OFC-32")
def test_confirmed_already_while_others_still_lay_out() -> None:
    hand = Played(setup_of(3, (1, 14), (2, 14), (3, 14)))
    turn = hand.of(2)
    hand.time_up(2)
    assert hand.refused(PlacementTimeUp(2, turn.turn_no)).code is Code.ALREADY_CONFIRMED
    assert (
        hand.refused(PlacementTimeUp(2, 99)).reason
        == "it is the turn of seat 1, seat 3, not of seat 2"
    )
    assert hand.refused(PlacementTimeUp(1, turn.turn_no)).code is Code.STALE_TURN


@pytest.mark.rule("OFC-3", "OFC-4")
@pytest.mark.parametrize(
    ("move", "refusal"),
    [
        (
            MovePlacement(1, 1, 4, TOP),
            Refusal(Code.ROW_OVERFILLED, "the top row takes 3 more cards, not 4", "row"),
        ),
        (
            MovePlacement(1, 1, 1, TOP),
            Refusal(Code.ALREADY_THERE, "slot 1 lies in the top row already", "row"),
        ),
        (
            MovePlacement(1, 1, 4, None),
            Refusal(Code.ALREADY_THERE, "slot 4 lies in no row already", "row"),
        ),
        (
            MovePlacement(1, 1, 4, DISCARD),
            Refusal(Code.WRONG_DISCARDS, "no card of this street may be discarded", "row"),
        ),
        (
            MovePlacement(1, 1, 0, TOP),
            Refusal(
                Code.SLOT_NOT_HELD,
                "slot 0 is not a card to set now; these are slots 1, 2, 3, 4, 5",
                "slot",
            ),
        ),
    ],
)
def test_moves(move: MovePlacement, refusal: Refusal) -> None:
    hand = first_street()
    for slot in (1, 2, 3):
        hand.execute(MovePlacement(1, 1, slot, TOP))
    assert hand.refused(move) == refusal


@pytest.mark.rule("OFC-3", "OFC-32")
def test_no_moves_that_others_do_not_see() -> None:
    hand = second_street()
    reason = "cards of street 1 are placed by confirming, not by moves"
    refusal = Refusal(Code.MOVE_NOT_ALLOWED, reason)
    assert hand.refused(MovePlacement(1, 3, 6, TOP)) == refusal
    hidden = Played(setup_of(2, (1, 14)))
    for turn in hidden.turns:
        move = MovePlacement(turn.seat, turn.turn_no, 1, TOP)
        assert hidden.refused(move).code is Code.MOVE_NOT_ALLOWED
    scoop = Played(setup_of(2, game=SCOOP))
    assert scoop.refused(MovePlacement(1, 1, 1, TOP)).code is Code.MOVE_NOT_ALLOWED


@pytest.mark.rule("SCP-1")
def test_scoop_sets_two_cards_in_each_row() -> None:
    hand = Played(setup_of(2, game=SCOOP))
    laid = placements({1: TOP, 2: TOP, 3: TOP, 4: MIDDLE, 5: MIDDLE, 6: BOTTOM, 7: DISCARD})
    refusal = hand.refused(ConfirmPlacement(1, 1, laid))
    reason = "the top row takes 2 more cards, not 3"
    assert refusal == Refusal(Code.ROW_OVERFILLED, reason, "placements")


def test_inputs_that_nothing_waits_for() -> None:
    hand = first_street()
    for given in (Begin(), Reveal(()), Scored(ScoringResult((), ()))):
        assert hand.refused(given).code is Code.UNEXPECTED_INPUT
    fresh = PlacementHand(setup_of(2))
    assert fresh.validate(PlacementTimeUp(1, 0)) == Refusal(
        Code.UNEXPECTED_INPUT, "the hand does not wait for a placement now"
    )
    hand.lay_out_all()
    assert hand.refused(PlacementTimeUp(1, 99)).code is Code.UNEXPECTED_INPUT
    result = score(hand.request)
    hand.execute(Scored(result))
    for late in (PlacementTimeUp(1, 1), Begin(), Scored(result), Reveal(()), Void("late")):
        assert hand.refused(late).code is Code.HAND_OVER


def test_faces() -> None:
    hand, _ = PlacementHand.begin(setup_of(2))
    cards = Played(setup_of(2)).cards
    due = faces_at(hand, cards, [seat_place(1, slot) for slot in range(1, 6)])

    def refused(*faces: tuple[object, int]) -> str:
        refusal = hand.validate(Reveal(faces))  # type: ignore[arg-type]  # places and cards
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.field) == (Code.WRONG_CARDS, "cards")
        return refusal.reason

    assert refused() == "no card"
    assert refused((seat_place(1, 6), 0)) == "pending cards: s1.1, s1.2, s1.3, s1.4, s1.5"
    assert refused(due[0], due[0]).startswith("pending cards")
    assert refused(due[0], (seat_place(1, 2), due[0][1])) == "a card is at two places"
    assert refused((seat_place(1, 1), 52)) == "a card is not in the deck"  # a joker
    events = hand.execute(Reveal(due[3:]))
    assert not isinstance(events, Refusal)
    assert refused((seat_place(1, 1), due[4][1])) == "a card has been seen at another place"
    assert not isinstance(hand.execute(Reveal(due[:3])), Refusal)
