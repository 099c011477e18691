"""Actions that take no amount: one that is given with one is refused."""

import pytest

from pokerfloor.games import ActKind, Code, Refusal
from tests.support.games.scenario import Scenario, table


@pytest.mark.rule("BET-1")
def test_a_check_takes_no_amount() -> None:
    hand = Scenario(table(100, 100, 100)).play("c c")
    reason = "check takes no amount, but 2 was given"
    assert hand.refused(ActKind.CHECK, 2) == Refusal(Code.AMOUNT_NOT_EXPECTED, reason, "amount_to")
