"""A hand that has not begun, and how it is told what kind of hand it is."""

import pytest

from pokerfloor.games import ForcedBet, ForcedKind
from pokerfloor.games.setup import is_bomb_pot
from pokerfloor.games.state import HandState
from tests.support.games.scenario import table


def test_a_hand_that_has_not_begun_asks_nobody_for_a_choice() -> None:
    state = HandState(table(100, 100))
    assert (state.to_choose, state.split) == ((), ())
    assert state.swap_open is False


@pytest.mark.parametrize("kind", list(ForcedKind))
def test_a_hand_is_a_bomb_pot_by_its_first_forced_bet(kind: ForcedKind) -> None:
    assert not is_bomb_pot(())
    assert is_bomb_pot((ForcedBet(1, kind, 5),)) is (kind is ForcedKind.BOMB)
