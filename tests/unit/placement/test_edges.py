"""Placement at the edges: Fantasyland with the fewest and most cards, the last card of the deck."""

from dataclasses import replace

import pytest

from pokerfloor.games import DeckIndex, burn_place, seat_place
from pokerfloor.games.placement import (
    OFC_JOKER,
    SCOOP,
    FantasylandEarned,
    FantasylandPacket,
    PlacementMoved,
    Scored,
)
from pokerfloor.games.placement.scores import fantasyland_problem, points_problem
from tests.support.games.placement_table import TOP, Played, score, setup_of


@pytest.mark.rule("OFC-34")
@pytest.mark.parametrize(("cards", "good"), [(13, False), (14, True), (17, True), (18, False)])
def test_fantasyland_has_the_fewest_cards_to_the_most(cards: int, good: bool) -> None:
    state = Played(setup_of(2)).hand.state
    problem = fantasyland_problem(state, (), (FantasylandEarned(1, cards, stayed=False),))
    assert problem == ("" if good else f"Fantasyland has 14 to 17 cards, not {cards}")


def test_a_good_score_has_no_problem_and_no_field_at_fault() -> None:
    hand = Played(setup_of(2))
    hand.lay_out_all()
    state = hand.hand.copy().state
    hand.execute(Scored(score(hand.request)))
    assert hand.hand.state.score is not None
    assert points_problem(state, hand.hand.state.score) == ("", "")


@pytest.mark.rule("OFC-34")
def test_fantasyland_that_cannot_be_earned_stops_the_hand() -> None:
    hand = Played(setup_of(2))
    hand.lay_out_all()
    scored, *_ = hand.execute(Scored(score(hand.request)))
    twin = Played(setup_of(2))
    twin.lay_out_all()
    twin.hand.apply(scored)
    with pytest.raises(AssertionError, match="the hand of seat 1 is fouled"):
        twin.hand.apply(FantasylandEarned(1, 14, stayed=False))


@pytest.mark.rule("OFC-34")
def test_the_last_card_of_the_deck_may_be_dealt() -> None:
    most = replace(OFC_JOKER, fantasyland=FantasylandPacket(14, 18))
    hand = Played(setup_of(3, (1, 18), (2, 18), (3, 18), game=most))
    indexes = {hand.hand.deck_index(seat_place(seat, 18)) for seat in (1, 2, 3)}
    assert indexes == {DeckIndex(0, index) for index in (17, 35, 53)}


@pytest.mark.rule("SCP-2")
def test_every_card_that_is_burned_has_a_place_of_its_own() -> None:
    streets = tuple([replace(street, burns=2 * street.burns) for street in SCOOP.streets])
    hand = Played(setup_of(2, game=replace(SCOOP, streets=streets)))
    hand.lay_out_all()
    burned = [hand.hand.deck_index(burn_place(number)).index for number in range(1, 7)]
    assert burned == sorted(set(burned))


@pytest.mark.rule("OFC-4")
def test_a_fourth_card_on_top_stops_the_hand() -> None:
    hand = Played(setup_of(2))
    turn = hand.turn
    for slot in (1, 2, 3):
        hand.hand.apply(PlacementMoved(turn.seat, slot, TOP))
    with pytest.raises(AssertionError, match="a row overfilled"):
        hand.hand.apply(PlacementMoved(turn.seat, 4, TOP))


def test_why_cards_were_revealed_last_is_part_of_the_state() -> None:
    closed = Played(setup_of(3, (1, 14), (2, 14), (3, 14)))
    assert closed.hand.state.cards.canonical()[4] == ""
    revealed = Played(setup_of(2))
    assert revealed.hand.state.cards.canonical()[4] == revealed.hand.state.cards.reveal_reason
