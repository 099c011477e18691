"""Chips are counted after every event that moves any (POT-5)."""

import pytest

from pokerfloor.games import Act, ActionTaken, ActKind
from pokerfloor.games.apply import apply
from tests.support.games.scenario import Scenario, done, table


@pytest.mark.rule("POT-5")
def test_a_chip_too_many_is_found_by_the_next_bet() -> None:
    played = Scenario(table(100, 100, 100))
    state = played.hand.copy().state
    call, *_ = done(played.hand, Act(played.seat, played.turn.turn_no, ActKind.CALL, 0))
    assert isinstance(call, ActionTaken)
    state.stacks[0] += 1
    with pytest.raises(AssertionError, match=r"^301 chips after .*, expected 300$"):
        apply(state, call)
