"""The larger bet on fourth street is for an open pair only (STD-4)."""

import pytest

from libs.games import GAMES, Structure
from tests.unit.games.scenario import Scenario, antes, table


@pytest.mark.rule("STD-4")
@pytest.mark.parametrize(("fourth", "most"), [("9d", 20), ("8d", 10)])
def test_without_an_open_pair_there_is_one_size(fourth: str, most: int) -> None:
    own = {1: "AcAd4c5c", 2: "2c3d9h" + fourth, 3: "KcKd7c8c"}
    setup = table(
        *[200] * 3,
        game=GAMES["stud7"],
        structure=Structure.FIXED_LIMIT,
        forced=antes(1, 3),
        big=10,
        big_bet_minor=20,
    )
    legal = Scenario(setup, own).play("c c").legal
    assert (legal.bet_min, legal.bet_max) == (10, most)
    assert legal.sizes_to == ((10, 20) if most == 20 else ())
