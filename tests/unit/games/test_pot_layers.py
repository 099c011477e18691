"""Layers of one chip, a bet that nobody faces, and rake of what is paid (POT-1, POT-2, POT-10)."""

import pytest

from pokerfloor.games import Pot, RakeRule
from pokerfloor.games.pots import form_pots, uncalled
from pokerfloor.games.rake import compute_rake, no_rake, rake_of
from pokerfloor.games.showdown import Raking


@pytest.mark.rule("POT-1")
def test_an_all_in_of_one_chip_is_a_layer_of_its_own() -> None:
    pots = form_pots((1, 2, 3), [0] * 3, [1, 5, 5], 0, [False] * 3)
    assert pots == (Pot(0, 3, (1, 2, 3)), Pot(1, 8, (2, 3)))
    ante = form_pots((1, 2, 3), [1, 2, 2], [0, 4, 4], 0, [False] * 3)
    assert ante == (Pot(0, 3, (1, 2, 3)), Pot(1, 10, (2, 3)))


@pytest.mark.rule("POT-1")
def test_unequal_antes_or_unequal_bets_alone_make_layers() -> None:
    antes = form_pots((1, 2, 3), [1, 2, 2], [0] * 3, 0, [False] * 3)
    assert antes == (Pot(0, 3, (1, 2, 3)), Pot(1, 2, (2, 3)))
    bets = form_pots((1, 2, 3), [2] * 3, [3, 4, 4], 0, [False] * 3)
    assert bets == (Pot(0, 15, (1, 2, 3)), Pot(1, 2, (2, 3)))
    # What folded seats paid makes no layer.
    assert form_pots((1, 2), [1, 2], [3, 4], 5, [True, False]) == (Pot(0, 15, (2,)),)


@pytest.mark.rule("POT-1")
def test_where_nothing_was_paid_there_is_no_pot() -> None:
    assert form_pots((1, 2), [0, 0], [0, 0], 0, [False, False]) == ()
    assert form_pots((1, 2), [0, 0], [0, 0], 3, [False, True]) == (Pot(0, 3, (1,)),)


@pytest.mark.rule("POT-2")
def test_a_bet_that_nobody_faces_comes_back_whole() -> None:
    assert uncalled([30], [False]) == (0, 30)
    assert uncalled([0, 30], [False, False]) == (1, 30)
    assert uncalled([29, 30], [True, False]) == (1, 1)


@pytest.mark.rule("POT-10", "POT-11")
def test_no_rake_is_none_from_any_pot_or_seat() -> None:
    assert no_rake((2, 5), 3) == (0, (0, 0, 0), ((2, 0), (5, 0)))
    too_little = compute_rake(
        RakeRule(100), (Pot(0, 99, (2, 5)),), [(2, 50), (5, 49)], 1, dropped=True
    )
    assert too_little == (0, (0,), ((2, 0), (5, 0)))


@pytest.mark.rule("POT-10", "MAT-7")
def test_a_pot_that_is_carried_is_not_raked() -> None:
    pots = (Pot(0, 600, (1, 2)), Pot(1, 400, (1, 2)))
    raking = Raking(RakeRule(10_000), ((1, 500), (2, 500)), 1, dropped=True)
    assert rake_of(raking, pots) == (1000, (600, 400), ((1, 500), (2, 500)))
    assert rake_of(raking, pots, {1}) == (600, (600, 0), ((1, 300), (2, 300)))
    assert rake_of(raking, pots, (0, 1)) == no_rake((1, 2), 2)
