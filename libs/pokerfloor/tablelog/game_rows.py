"""Which game a table's settings say: the row that its id and its options choose, in one place.

`GameSettings.game` is the id of a game, and options choose the row: `short_deck` with
`trips_beat_straight` is the row `short_deck_trips`, any game with two boards its `..._double`.
"""

from enum import StrEnum
from functools import lru_cache
from typing import Final

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.games import GAMES, GameRow, Opener, Refusal, row_from_json
from pokerfloor.tablelog.errors import LogError

#: The ids of betting games that a table can be opened with; all other rows are options of these.
TABLE_GAMES: Final = (
    "holdem",
    "omaha4",
    "omaha4_hilo",
    "omaha5",
    "omaha5_hilo",
    "omaha6",
    "omaha6_hilo",
    "short_deck",
    "swap_holdem",
    "stud7",
    "stud7_hilo",
    "razz",
    "draw5",
    "draw27_single",
    "draw27_triple",
    "badugi",
    "mata_ases",
)
_JOKERS: Final = {0: "_no_joker", 1: "_one_joker", 2: ""}
_TWO_BOARDS: Final = 2


class Posting(StrEnum):
    """Who posts what before the cards (TBL-13)."""

    BLINDS = "blinds"  # left of the button; antes besides where the table has them
    BUTTON_BLIND = "button_blind"  # antes from everyone, and a blind by the button (SHD-2)
    ANTES = "antes"  # antes from everyone and nothing else


def game_row(game: pb.GameSettings) -> GameRow:
    """Return the row of the game. Raises LogError with the path of the setting at fault."""
    if game.custom_row_json:
        row = _custom_row(game.custom_row_json, game.game)
        if game.boards not in (0, row.boards):
            raise LogError(f"the row has {row.boards} boards, not {game.boards}", "game.boards")
        return row
    if game.game not in TABLE_GAMES:
        raise LogError(f"no game is called {game.game!r}", "game.game")
    row = GAMES[game.game + _option_of(game)]
    if game.boards > 1:
        row = GAMES.get(f"{row.id}_double", row)
        if game.boards != _TWO_BOARDS or row.boards != game.boards:
            reason = f"{row.name} is not played with {game.boards} boards"
            raise LogError(reason, "game.boards")
    return row


def _option_of(game: pb.GameSettings) -> str:
    """Return what the options of one board add to the id of the row."""
    if game.game == "short_deck" and game.trips_beat_straight:
        return "_trips"
    if game.game == "swap_holdem" and game.swap_on_river:
        return "_river"
    if game.game != "draw5":
        return ""
    jokers = game.jokers if game.HasField("jokers") else 2
    if jokers not in _JOKERS:
        raise LogError(f"a deck has no, one or two jokers, not {jokers}", "game.jokers")
    bug = "_bug" if game.joker == pb.JOKER_RULE_BUG else ""
    natural = "_natural" if game.natural_wins_ties else ""
    return _JOKERS[jokers] + (bug + natural if jokers else "")


@lru_cache(maxsize=64)
def _custom_row(text: str, game_id: str) -> GameRow:
    row = row_from_json(text)
    if isinstance(row, Refusal):
        where = f"custom_row_json.{row.field}" if row.field else "custom_row_json"
        raise LogError(row.reason, f"game.{where}")
    if row.id != game_id:
        raise LogError(f"the row's id is {row.id!r}, not {game_id!r}", "game.game")
    return row


def posting_of(game: pb.GameSettings, row: GameRow) -> Posting:
    """Return who posts what in a game: by its first opener, and by what its settings name.

    A draw game has antes and no blinds when it names a minimum bet (BET-10, DRW-3).
    """
    opener = row.streets[0].opener
    if opener is Opener.LEFT_OF_BLINDS:
        return Posting.ANTES if game.HasField("min_bet") else Posting.BLINDS
    if opener is Opener.LEFT_OF_BUTTON and not game.antes_only:
        return Posting.BUTTON_BLIND
    return Posting.ANTES
