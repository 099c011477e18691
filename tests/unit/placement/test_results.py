"""What a placement hand comes to, and what is left of one that is void."""

import pytest

from pokerfloor.games import HandResult, Over, SeatResult, Void
from pokerfloor.games.placement import SCOOP
from pokerfloor.games.showdown import Rake
from tests.support.games.placement_table import Played, setup_of


def over(hand: Played) -> Over:
    wait = hand.hand.waits_for()
    assert isinstance(wait, Over), wait
    return wait


@pytest.mark.rule("OFC-20")
def test_a_result_has_no_pots_no_rake_and_shows_nothing() -> None:
    hand = Played(setup_of(2))
    hand.execute(Void("the deck is short"))
    seats = (SeatResult(1, 50, 50, 0, 0), SeatResult(2, 50, 50, 0, 0))
    result = HandResult(
        hand_no=7,
        pots=(),
        awards=(),
        rake=Rake(0, (), ((1, 0), (2, 0))),
        shown=(),
        mucked=(),
        seats=seats,
        voided="the deck is short",
    )
    assert over(hand) == Over(result, ())


@pytest.mark.rule("OFC-20")
def test_a_void_hand_asks_nobody_and_scores_nothing() -> None:
    hand = Played(setup_of(3))
    state = hand.hand.state
    assert state.turns
    hand.execute(Void("the deck is short"))
    assert (state.turns, state.cards.pending) == ({}, ())
    assert (state.score, state.fantasyland_earned) == (None, ())


@pytest.mark.rule("SCP-1")
def test_a_copy_is_played_on_by_itself() -> None:
    hand = Played(setup_of(2, game=SCOOP))
    twin = Played(setup_of(2, game=SCOOP))
    twin.hand = hand.hand.copy()
    begun = hand.hand.digest()
    twin.lay_out_all()
    assert len(twin.hand.state.cards.board) == 5
    assert hand.hand.digest() == begun
    hand.lay_out_all()
    assert hand.hand.digest() == twin.hand.digest()
