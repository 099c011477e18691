"""What a seat owes, whether or not it is its turn."""

import pytest

from pokerfloor.games.legal import legal_set, owed
from tests.support.games.scenario import Scenario, table


@pytest.mark.rule("BET-2")
def test_who_has_put_in_the_bet_owes_nothing() -> None:
    state = Scenario(table(100, 100, 100)).hand.state
    assert [owed(state, index) for index in range(3)] == [1, 0, 2]


@pytest.mark.rule("BET-2")
def test_nothing_is_owed_to_opponents_who_have_put_in_less() -> None:
    # The big blind is all-in for 3 against the 5 of the small blind; the third seat is out.
    state = Scenario(table(100, 3, 100, small=5, big=10)).hand.state
    state.folded[2] = True
    legal = legal_set(state, 0)
    assert (owed(state, 0), legal.can_check, legal.call_by, legal.call_to) == (0, True, 0, 0)
