"""The catalogue is the only list of games: a table knows each of its rows."""

import pytest

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.games import GAMES
from pokerfloor.games.placement import PLACEMENT_GAMES
from pokerfloor.tablelog import (
    LogError,
    game_row,
    is_placement_game,
    placement_game,
    with_base_game,
)


@pytest.mark.parametrize("row_id", GAMES)
def test_every_row_is_a_game_by_its_own_id_and_by_its_options(row_id: str) -> None:
    by_id = pb.GameSettings(game=row_id)
    assert game_row(by_id) is GAMES[row_id]
    by_options = with_base_game(by_id)
    assert game_row(by_options) is GAMES[row_id]
    assert with_base_game(by_options) == by_options
    assert not is_placement_game(by_id)


@pytest.mark.parametrize("row_id", PLACEMENT_GAMES)
def test_every_placement_row_is_one(row_id: str) -> None:
    by_id = pb.GameSettings(game=row_id)
    assert is_placement_game(by_id)
    assert placement_game(by_id) is PLACEMENT_GAMES[row_id]
    assert placement_game(with_base_game(by_id)) is PLACEMENT_GAMES[row_id]


@pytest.mark.parametrize(
    ("game", "field"),
    [
        (pb.GameSettings(game="omaha4_double", boards=1), "game.boards"),
        (pb.GameSettings(game="draw5_one_joker", jokers=0), "game.jokers"),
        (
            pb.GameSettings(game="ofc_joker", ofc=pb.OfcSettings(mode=pb.OFC_MODE_REGULAR)),
            "game.ofc.mode",
        ),
    ],
)
def test_an_option_that_contradicts_the_row_is_refused(game: pb.GameSettings, field: str) -> None:
    with pytest.raises(LogError) as caught:
        with_base_game(game)
    assert caught.value.field == field
