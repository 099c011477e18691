"""The larger bet on fourth street is for an open pair only (STD-4)."""

import pytest

from tests.support.games.scenario import stud


@pytest.mark.rule("STD-4")
@pytest.mark.parametrize(("fourth", "most"), [("9d", 20), ("8d", 10)])
def test_without_an_open_pair_there_is_one_size(fourth: str, most: int) -> None:
    hole = {1: "AcAd4c5c", 2: "2c3d9h" + fourth, 3: "KcKd7c8c"}
    legal = stud(200, 200, 200, hole=hole).play("c c").legal
    assert (legal.bet_min, legal.bet_max) == (10, most)
    assert legal.sizes_to == ((10, 20) if most == 20 else ())
