"""Pots, side pots and what is given back (POT-1 to POT-5)."""

import pytest

from pokerfloor.games import (
    BetReturned,
    BetsCollected,
    ForcedBet,
    ForcedBetPosted,
    ForcedKind,
    Half,
    HandEnded,
    Pot,
    PotAwarded,
    RevealOrdered,
    ShowdownBegan,
)
from pokerfloor.games.pots import form_pots, uncalled
from tests.support.games.scenario import Scenario, antes, table


@pytest.mark.rule("POT-1")
def test_one_pot_for_each_all_in_level() -> None:
    hand = Scenario(
        table(50, 100, 200, 200),
        hole={1: "AsAh", 2: "KsKh", 3: "QsQh", 4: "JsJh"},
        board="2c3d7h8s9c",
    ).play("c a a a c")
    pots = hand.over.result.pots
    assert pots == (
        Pot(0, 200, (1, 2, 3, 4)),
        Pot(1, 150, (2, 3, 4)),
        Pot(2, 200, (3, 4)),
    )
    assert hand.awards() == [(2, 3, 200), (1, 2, 150), (0, 1, 200)]
    assert hand.stacks == [200, 150, 200, 0]


@pytest.mark.rule("POT-1")
def test_folded_chips_stay_and_the_folded_seat_is_not_eligible() -> None:
    hand = Scenario(table(100, 100, 100)).play("r10 c c b20 c f k k k k")
    assert hand.of(BetsCollected)[-1].pots == (Pot(0, 70, (1, 2)),)


@pytest.mark.rule("POT-1")
def test_a_layer_that_only_folded_seats_paid_for_joins_the_pot_below() -> None:
    pots = form_pots((1, 2, 3, 4), [0] * 4, [30, 30, 80, 100], 0, [False, False, True, True])
    assert pots == (Pot(0, 240, (1, 2)),)
    side = form_pots((1, 2, 3, 4), [0] * 4, [30, 60, 60, 100], 0, [False, False, False, True])
    assert side == (Pot(0, 120, (1, 2, 3)), Pot(1, 130, (2, 3)))


@pytest.mark.rule("POT-1")
def test_a_pot_that_loses_its_contender_merges() -> None:
    # A side pot of seats 2 and 3; seat 3 folds on the flop: it is seat 2's alone.
    pots = form_pots((1, 2, 3), [0] * 3, [30, 60, 60], 0, [False, False, True])
    assert pots == (Pot(0, 90, (1, 2)), Pot(1, 60, (2,)))


@pytest.mark.rule("POT-1")
def test_antes_are_layered_among_antes() -> None:
    # Seat 1 is all-in for 4 of an ante of 10.
    hand = Scenario(table(4, 1000, 1000, 1000, extra=antes(10, 4), small=5, big=20))
    hand.play("c f k")
    pots = hand.of(BetsCollected)[0].pots
    assert pots == (Pot(0, 16, (1, 2, 3)), Pot(1, 58, (2, 3)))


@pytest.mark.rule("POT-1")
def test_a_dead_small_blind_lies_in_the_main_pot_and_matches_nothing() -> None:
    extra = (ForcedBet(3, ForcedKind.POST, 2), ForcedBet(3, ForcedKind.DEAD_SMALL, 1))
    hand = Scenario(table(100, 100, 100, 100, extra=extra))
    assert hand.hand.state.bets == [1, 2, 2, 0]
    hand.play("k c c k")
    assert hand.of(BetsCollected)[0].pots == (Pot(0, 9, (1, 2, 3, 4)),)


@pytest.mark.rule("POT-1", "TBL-14")
def test_one_ante_for_all_is_dead_and_everyone_can_win_it() -> None:
    extra = (ForcedBet(2, ForcedKind.ANTE_FOR_ALL, 20),)
    hand = Scenario(table(1000, 15, 1000, small=10, big=20, extra=extra), hole={2: "AsAh"})
    assert hand.of(ForcedBetPosted)[0] == ForcedBetPosted(2, ForcedKind.ANTE_FOR_ALL, 15, True)
    hand.play("c c k k k k k k")
    assert hand.over.result.pots == (Pot(0, 15, (1, 2, 3)), Pot(1, 40, (1, 3)))


@pytest.mark.rule("TBL-14")
def test_antes_come_before_blinds_from_a_short_stack() -> None:
    forced = (
        ForcedBet(1, ForcedKind.SMALL_BLIND, 5),
        ForcedBet(2, ForcedKind.BIG_BLIND, 10),
        *antes(2, 3),
    )
    hand = Scenario(table(100, 9, 100, forced=forced, small=5, big=10))
    posted = [(e.seat, e.kind, e.amount, e.all_in) for e in hand.of(ForcedBetPosted)]
    assert posted == [
        (1, ForcedKind.ANTE, 2, False),
        (2, ForcedKind.ANTE, 2, False),
        (3, ForcedKind.ANTE, 2, False),
        (1, ForcedKind.SMALL_BLIND, 5, False),
        (2, ForcedKind.BIG_BLIND, 7, True),
    ]
    assert hand.legal.call_to == 10


@pytest.mark.rule("POT-2")
def test_what_nobody_called_is_given_back() -> None:
    hand = Scenario(table(100, 100, 300)).play("a c f")
    returned = hand.of(BetReturned)
    assert [(e.seat, e.amount) for e in returned] == [(3, 200)]
    assert sum(pot.amount for pot in hand.over.result.pots) == 202


@pytest.mark.rule("POT-2")
def test_a_folded_bet_counts_as_a_call_as_far_as_it_goes() -> None:
    assert uncalled([20, 50, 30], [False, False, True]) == (1, 20)
    assert uncalled([50, 50, 30], [False, False, False]) == (-1, 0)
    assert uncalled([20, 50, 30], [False, True, False]) == (-1, 0)


@pytest.mark.rule("POT-3", "SHW-3")
def test_a_pot_with_one_contender_is_paid_without_a_showdown() -> None:
    hand = Scenario(table(100, 100, 100)).play("r10 f f")
    assert hand.of(ShowdownBegan) == []
    assert hand.of(RevealOrdered) == []
    assert hand.awards() == [(0, 3, 5)]
    assert [e.amount for e in hand.of(BetReturned)] == [8]
    assert hand.stacks == [99, 98, 103]


@pytest.mark.rule("POT-3", "POT-4")
def test_a_side_pot_with_one_contender_is_paid_first() -> None:
    # Seat 1 is all-in; seat 3 folds to a bet of seat 2 on the flop.
    hand = Scenario(table(20, 100, 100), hole={1: "AsAh", 2: "KsKh"}, board="2c3d7h8s9c").play(
        "r10 a c c b30 f"
    )
    assert hand.awards() == [(0, 1, 60)]
    # The bet came back whole: nobody had called any of it.
    assert [e.amount for e in hand.of(BetReturned)] == [30]
    called = Scenario(table(20, 100, 100), hole={1: "AsAh", 2: "KsKh"}, board="2c3d7h8s9c").play(
        "r10 a c c b30 c b20 f"
    )
    assert called.awards() == [(1, 2, 60), (0, 1, 60)]


@pytest.mark.rule("POT-4")
def test_odd_chips_belong_to_their_own_pot() -> None:
    # Seats 1 and 2 tie for the main pot of 9, seat 2 wins the side pot of 4.
    hand = Scenario(
        table(3, 100, 100, 100),
        hole={1: "AsKd", 2: "AhKc", 3: "2c2d"},
        board="QsJhTd3c4c",
    ).play("r5 f a c k k k k k k")
    assert [pot.amount for pot in hand.over.result.pots] == [9, 4]
    assert hand.awards() == [(1, 2, 4), (0, 1, 5), (0, 2, 4)]


@pytest.mark.rule("POT-5")
def test_an_event_that_makes_or_loses_chips_stops_the_hand() -> None:
    hand = Scenario(table(100, 100, 100)).play("c c k").hand
    with pytest.raises(AssertionError):
        hand.copy().apply(BetReturned(1, 5))
    with pytest.raises(AssertionError):
        hand.copy().apply(BetsCollected((Pot(0, 7, (1, 2, 3)),)))
    with pytest.raises(AssertionError):
        hand.copy().apply(PotAwarded(0, 0, Half.HIGH, 1, 7))
    with pytest.raises(AssertionError):
        hand.copy().apply(HandEnded((), 0))
