"""The available games by id. A new variant is a new row here, or a data file."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from pokerfloor.games.board_games import BOARD_GAMES, HOLDEM
from pokerfloor.games.check_row import check_row
from pokerfloor.games.mata_ases import MATA_ASES
from pokerfloor.games.rows import GameRow
from pokerfloor.games.stud_and_draw import DRAW_GAMES, STUD_GAMES


def _by_id(rows: Iterable[GameRow]) -> Mapping[str, GameRow]:
    games: dict[str, GameRow] = {}
    for row in rows:
        assert row.id not in games, f"two games have the id {row.id}"
        assert check_row(row) is None, check_row(row)
        games[row.id] = row
    return MappingProxyType(games)


GAMES: Final = _by_id((*BOARD_GAMES, *STUD_GAMES, *DRAW_GAMES, MATA_ASES))

__all__ = ["GAMES", "HOLDEM"]
