"""A hand played out with a known deck, what is told of what comes at a wrong time, and digests."""

from dataclasses import replace

import pytest

from pokerfloor.games import Begin, Code, PlaceKind, Refusal, RefusedError, Reveal, Void, WaitCards
from pokerfloor.games.placement import (
    SCOOP,
    PlacementHand,
    PlacementInput,
    PlacementTimeUp,
    Scored,
    ScoringResult,
    WaitPlacements,
    faces_at,
    play_out,
    set_by_time,
)
from pokerfloor.games.placement.state import PlacementState
from tests.support.games.placement_table import BOTTOM, MIDDLE, Played, score, setup_of, shuffled


def test_who_places_is_given_the_hand() -> None:
    hand, _ = PlacementHand.begin(setup_of(2))
    seen: list[PlacementHand] = []

    def place(wait: WaitPlacements, played: PlacementHand) -> PlacementTimeUp:
        seen.append(played)
        return set_by_time(wait, played)

    over = play_out(hand, shuffled(hand.setup.game), place, score)
    assert over.result.seats
    assert {id(one) for one in seen} == {id(hand)}


def test_what_is_refused_is_told_with_why() -> None:
    hand, _ = PlacementHand.begin(setup_of(2))
    wrong = PlacementTimeUp(2, 99)
    with pytest.raises(RefusedError) as caught:
        play_out(hand, shuffled(hand.setup.game), lambda _wait, _hand: wrong, score)
    refusal = hand.validate(wrong)
    assert caught.value.refusal == refusal
    assert refusal is not None
    assert str(caught.value) == f"{refusal.code}: {refusal.reason} ({wrong})"


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (Begin(), "the beginning"),
        (Reveal(()), "a card"),
        (PlacementTimeUp(1, 1), "a placement"),
        (Scored(ScoringResult((), (), ())), "a score"),
        (Void("again"), "a void"),
    ],
)
def test_what_comes_after_the_end_is_named(given: PlacementInput, what: str) -> None:
    hand = Played(setup_of(2))
    if not isinstance(given, PlacementTimeUp | Void):
        reason = f"the hand does not wait for {what} now"
        assert hand.refused(given) == Refusal(Code.UNEXPECTED_INPUT, reason)
    hand.execute(Void("the deck is short"))
    reason = f"{what} came after the end of the hand"
    assert hand.refused(given) == Refusal(Code.HAND_OVER, reason)


@pytest.mark.rule("SCP-2")
def test_the_first_card_of_the_board_that_is_due_is_named() -> None:
    deck = shuffled(SCOOP)
    hand, _ = PlacementHand.begin(setup_of(2, game=SCOOP))
    while not isinstance(wait := hand.waits_for(), WaitCards) or len(wait.places) < 3:
        assert isinstance(wait, WaitPlacements), wait
        hand.execute(set_by_time(wait, hand))
    if wait.places[0].kind is not PlaceKind.BOARD:
        hand.execute(Reveal(faces_at(hand, deck, wait.places)))
        wait = hand.waits_for()
    assert isinstance(wait, WaitCards)
    first, *later = wait.places
    refusal = hand.validate(Reveal(faces_at(hand, deck, later)))
    assert refusal == Refusal(Code.WRONG_CARDS, f"{first} must be revealed first", "cards")


@pytest.mark.rule("SCP-2")
def test_a_digest_tells_whose_hidden_placement_is_told_next() -> None:
    hand = Played(setup_of(2, game=SCOOP))
    turn = hand.turns[0]
    events = hand.hand.copy().execute(PlacementTimeUp(turn.seat, turn.turn_no))
    assert not isinstance(events, Refusal)
    assert hand.hand.state.canonical()[7] == 0
    hand.hand.apply(events[0])
    assert hand.hand.state.concealed == turn.seat
    assert hand.hand.state.canonical()[7] == turn.seat


def test_a_digest_tells_in_which_row_a_card_lies() -> None:
    hands = [Played(setup_of(2)) for _ in range(2)]
    hands[0].confirm(bottom="1 2 3 4 5")
    hands[1].confirm(bottom="1 2 3 4", middle="5")
    rows = [hand.hand.state.canonical() for hand in hands]
    assert str(rows[0]).count(BOTTOM) == 5
    assert (str(rows[1]).count(BOTTOM), str(rows[1]).count(MIDDLE)) == (4, 1)


def test_a_state_is_void_or_has_results_only_at_its_end() -> None:
    setup = replace(setup_of(2), hand_no=8)
    *_, results, ended, voided = PlacementState(setup).canonical()
    assert (results, ended, voided) == ((), 0, "")
    assert PlacementState(setup).cards.pending == ()


def test_a_scored_hand_tells_its_rows_and_points() -> None:
    hand = Played(setup_of(2))
    hand.lay_out_all()
    before = hand.hand.state.canonical()
    hand.execute(Scored(score(hand.request)))
    told = str(hand.hand.state.canonical())
    scored = hand.hand.state.score
    assert scored is not None
    assert str(scored.pairs) not in str(before)
    assert str(scored.pairs) in told
    for layout in scored.layouts:
        for row in layout.rows:
            assert str((row.system, str(row.category), row.strength, row.name, row.cards)) in told
