"""Games by the names that people type."""

import pytest

from deploy.local.menu.game_names import UnknownGameError, game_by_name
from pokerfloor.tablelog import game_row


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("holdem", "holdem"),
        ("NLHE", "holdem"),
        ("plo6-double-board", "omaha6_double"),
        ("omaha6_double", "omaha6_double"),
        ("PLO", "omaha4"),
        ("plo5 hi-lo", "omaha5_hilo"),
        ("short_deck_trips", "short_deck_trips"),
        ("swap_holdem_river_double", "swap_holdem_river_double"),
        ("stud", "stud7"),
        ("stud-hilo", "stud7_hilo"),
        ("draw5_one_joker_bug", "draw5_one_joker_bug"),
        ("draw5_no_joker", "draw5_no_joker"),
        ("triple-draw", "draw27_triple"),
        ("badugi", "badugi"),
    ],
)
def test_a_name_says_a_game_and_its_options(name: str, row: str) -> None:
    assert game_row(game_by_name(name)).id == row


@pytest.mark.parametrize("name", ["", "poker", "holdem_trips", "stud7_double", "omaha6_bug"])
def test_what_is_no_game(name: str) -> None:
    with pytest.raises(UnknownGameError, match="there are holdem, omaha4"):
        game_by_name(name)
