"""Events that cannot be true stop the hand; true ones fold to the same state; a void gives back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pokerfloor.games import (
    CardsRevealed,
    Code,
    HandEnded,
    HandVoided,
    Over,
    Place,
    PlacesDealt,
    RevealOrdered,
    RevealReason,
    SeatResult,
    StreetBegan,
    TurnBegan,
    Void,
    WaitBegin,
    seat_place,
)
from pokerfloor.games.placement import (
    SCOOP,
    FantasylandEarned,
    HiddenPlacement,
    LayoutRevealed,
    MovePlacement,
    PairPoints,
    PlacementConfirmed,
    PlacementEvent,
    PlacementHand,
    PlacementMoved,
    PointsScored,
    Scored,
    SlotRow,
    play_out,
    set_by_time,
)
from tests.support.games.placement_table import (
    BOTTOM,
    DISCARD,
    MIDDLE,
    TOP,
    Played,
    score,
    setup_of,
    shuffled,
)


def dealt_places(seat: int, first: int, last: int) -> tuple[Place, ...]:
    return tuple(seat_place(seat, slot) for slot in range(first, last + 1))


def open_second() -> Played:
    hand = Played(setup_of(2))
    hand.confirm(bottom="1 2 3", middle="4 5")
    hand.confirm(bottom="1 2 3", middle="4 5")
    return hand


def aside() -> Played:
    return Played(setup_of(2, (1, 14)))


def finished() -> Played:
    hand = Played(setup_of(2))
    hand.lay_out_all()
    return hand


def first() -> Played:
    return Played(setup_of(2))


_FIVE = tuple(SlotRow(slot, BOTTOM) for slot in range(1, 6))


@pytest.mark.parametrize(
    ("make", "event"),
    [
        (first, StreetBegan(1, "second")),
        (first, TurnBegan(2, 2)),
        (first, TurnBegan(1, 2)),
        (first, PlacesDealt(dealt_places(1, 6, 8), 0, 5)),
        (first, PlacesDealt(dealt_places(2, 1, 5), 0, 6)),
        (first, PlacesDealt(dealt_places(2, 1, 5), 0, 4)),
        (first, PlacesDealt(dealt_places(2, 1, 5), 1, 5)),
        (first, PlacesDealt(dealt_places(2, 2, 6), 0, 5)),
        (first, PlacesDealt((), 0, 5)),
        (first, PlacementMoved(2, 1, TOP)),
        (first, PlacementMoved(1, 6, TOP)),
        (first, PlacementConfirmed(2, 1, 0, _FIVE, False)),
        (first, PlacementConfirmed(1, 2, 0, _FIVE, False)),
        (first, PlacementConfirmed(1, 1, 1, _FIVE, False)),
        (first, PlacementConfirmed(1, 1, 0, _FIVE[:4], False)),
        (first, PlacementConfirmed(1, 1, 0, (*_FIVE[:4], SlotRow(6, TOP)), False)),
        (first, PlacementConfirmed(1, 1, 0, (*_FIVE[:4], _FIVE[0]), False)),
        (first, PlacementConfirmed(1, 1, 0, tuple(SlotRow(s, TOP) for s in range(1, 6)), False)),
        (first, HiddenPlacement(1, _FIVE)),
        (first, LayoutRevealed(1, _FIVE)),
        (first, CardsRevealed(((seat_place(1, 1), 3),))),
        (first, RevealOrdered(RevealReason.PLACEMENT, dealt_places(1, 1, 1))),
        (first, FantasylandEarned(1, 14, False)),
        (first, HandEnded((SeatResult(1, 50, 50, 0, 0), SeatResult(2, 50, 50, 0, 0)), 0)),
        (open_second, PlacementMoved(1, 6, TOP)),
        (open_second, RevealOrdered(RevealReason.PLACEMENT, dealt_places(1, 6, 6))),
        (open_second, RevealOrdered(RevealReason.UP_CARD, dealt_places(1, 6, 6))),
        (open_second, RevealOrdered(RevealReason.ALL_IN, dealt_places(1, 6, 6))),
        (open_second, RevealOrdered(RevealReason.BOARD, dealt_places(1, 6, 6))),
        (open_second, RevealOrdered(RevealReason.PLACEMENT, ())),
        (aside, PlacementConfirmed(1, 1, 5, _FIVE, False)),
        (aside, PlacesDealt(dealt_places(2, 6, 8), 0, 5)),
        (aside, LayoutRevealed(1, ())),
        (aside, StreetBegan(6, "more")),
        (finished, StreetBegan(5, "Fantasyland")),
        (finished, RevealOrdered(RevealReason.PLACEMENT, dealt_places(1, 8, 8))),
        (finished, PointsScored((PairPoints(1, 2, 3, 3),), ())),
        (finished, PointsScored((), ())),
    ],
)
def test_what_cannot_be_true(make: Callable[[], Played], event: PlacementEvent) -> None:
    hand = make().hand
    with pytest.raises((AssertionError, KeyError)):
        hand.apply(event)


@pytest.mark.rule("OFC-32")
@pytest.mark.parametrize(
    "dealt",
    [
        PlacesDealt(dealt_places(2, 6, 8), 0, 6),
        PlacesDealt(dealt_places(2, 6, 8), 0, 31),
        PlacesDealt(dealt_places(2, 6, 18), 0, 5),
        PlacesDealt((*dealt_places(2, 6, 7), *dealt_places(1, 15, 15)), 0, 5),
        PlacesDealt(dealt_places(1, 15, 15), 0, 5),
    ],
)
def test_kept_cards_go_to_their_seat_in_order_and_to_no_other(dealt: PlacesDealt) -> None:
    setup = setup_of(2, (1, 14))
    hand, _ = PlacementHand.begin(setup)
    hand.apply(PlacementConfirmed(1, 1, 5, (), False))
    rows = [BOTTOM] * 5 + [MIDDLE] * 5 + [TOP] * 3 + [DISCARD]
    hand.apply(HiddenPlacement(1, tuple(SlotRow(slot, row) for slot, row in enumerate(rows, 1))))
    hand.apply(PlacementConfirmed(2, 2, 0, (), False))
    hand.apply(HiddenPlacement(2, _FIVE))
    good = hand.copy()
    good.apply(PlacesDealt(dealt_places(2, 6, 8), 0, 5))
    with pytest.raises(AssertionError):
        hand.apply(dealt)


@pytest.mark.rule("OFC-32")
def test_a_hidden_confirmation_is_followed_by_its_placements() -> None:
    hand, _ = PlacementHand.begin(setup_of(2, (1, 14)))
    hand.apply(PlacementConfirmed(2, 2, 0, (), False))
    for event in (
        TurnBegan(2, 3),
        HiddenPlacement(1, _FIVE),
        HiddenPlacement(2, _FIVE[:4]),
        HiddenPlacement(2, (*_FIVE[:4], SlotRow(5, DISCARD))),
    ):
        with pytest.raises(AssertionError):
            hand.copy().apply(event)
    hand.apply(HiddenPlacement(2, _FIVE))


def test_a_face_never_lies_at_two_places() -> None:
    hand, _ = PlacementHand.begin(setup_of(2))
    places = [seat_place(1, slot) for slot in range(1, 6)]
    with pytest.raises(AssertionError):
        hand.apply(CardsRevealed(tuple((place, 7) for place in places)))


def test_a_revealed_layout_is_the_one_confirmed() -> None:
    hand = Played(setup_of(2, (1, 14), (2, 14)))
    hand.time_up(1)
    turn = hand.turn
    twin = hand.hand.copy()
    given = tuple(
        SlotRow(slot, row)
        for slot, row in enumerate([BOTTOM] * 5 + [MIDDLE] * 5 + [TOP] * 3 + [DISCARD], 1)
    )
    twin.apply(PlacementConfirmed(2, turn.turn_no, 5, (), False))
    twin.apply(HiddenPlacement(2, given))
    with pytest.raises(AssertionError, match="differs from the confirmed"):
        twin.copy().apply(LayoutRevealed(2, (SlotRow(1, TOP), *given[1:13])))
    with pytest.raises(AssertionError, match="hidden layout"):
        twin.copy().apply(RevealOrdered(RevealReason.PLACEMENT, dealt_places(2, 1, 13)))
    twin.apply(LayoutRevealed(2, given[:13]))
    with pytest.raises(AssertionError, match="is not hidden"):
        twin.apply(LayoutRevealed(2, given[:13]))


def test_nothing_after_the_end() -> None:
    hand = finished()
    hand.execute(Scored(score(hand.request)))
    with pytest.raises(AssertionError, match="after the end"):
        hand.hand.apply(HandVoided("late"))


@pytest.mark.rule("OFC-20")
@pytest.mark.parametrize("make", [first, open_second, aside, finished])
def test_a_void_gives_every_point_back(make: Callable[[], Played]) -> None:
    hand = make()
    assert hand.hand.execute(Void("the deck is short")) == (HandVoided("the deck is short"),)
    over = hand.hand.waits_for()
    assert isinstance(over, Over)
    assert over.result.voided == "the deck is short"
    assert over.result.seats == (SeatResult(1, 50, 50, 0, 0), SeatResult(2, 50, 50, 0, 0))
    assert hand.hand.validate(Void("again")).code is Code.HAND_OVER  # type: ignore[union-attr]  # else the test fails


def test_a_hand_before_its_beginning_can_be_void() -> None:
    hand = PlacementHand(setup_of(2))
    assert isinstance(hand.waits_for(), WaitBegin)
    assert hand.execute(Void("no deck")) == (HandVoided("no deck"),)


def test_deciding_changes_nothing_and_folding_is_the_same_hand() -> None:
    for setup in (setup_of(3, (1, 14), (2, 15)), setup_of(2), setup_of(4, game=SCOOP)):
        hand = Played(setup)
        turn = hand.turns[0]
        before = hand.hand.digest()
        move = MovePlacement(turn.seat, turn.turn_no, 1, TOP)
        decided = hand.hand.decide(move)
        assert hand.hand.digest() == before
        if turn.up:
            assert decided == hand.execute(move)
        hand.lay_out_all()
        hand.execute(Scored(score(hand.request)))
        again = PlacementHand.replay(setup, hand.events)
        assert again == hand.hand
        assert again.digest() == hand.hand.digest() != before
        assert again.copy().digest() == again.digest()
        assert hand.hand != setup


def test_play_out_lets_a_deck_answer() -> None:
    seen: list[PlacementEvent] = []
    hand = PlacementHand(setup_of(3))
    over = play_out(hand, shuffled(hand.setup.game, 9), set_by_time, score, seen.append)
    assert sum(seat.net for seat in over.result.seats) == 0
    assert PlacementHand.replay(hand.setup, seen) == hand
