"""Which game a table's settings say: the row of the catalogue, in one place.

The catalogue (`pokerfloor.games.GAMES`) is the only list of games. A table may name a row by its
own id (`omaha4_double`), or by a base game and the options that choose the row (`omaha4` with two
boards); `with_base_game` turns the one into the other.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.games import GAMES, GameRow, Opener, Refusal, row_from_json
from pokerfloor.games.placement import OFC, OFC_JOKER, PLACEMENT_GAMES, PlacementGame
from pokerfloor.tablelog.errors import LogError

#: What the id of a row may say behind that of its base game: the option, and its value.
GAME_OPTIONS: Final[Mapping[str, tuple[str, int]]] = {
    "double": ("boards", 2),
    "trips": ("trips_beat_straight", True),
    "river": ("swap_on_river", True),
    "no_joker": ("jokers", 0),
    "one_joker": ("jokers", 1),
    "bug": ("joker", pb.JOKER_RULE_BUG),
    "natural": ("natural_wins_ties", True),
}
_JOKERS: Final = {0: "_no_joker", 1: "_one_joker", 2: ""}
_TWO_BOARDS: Final = 2


def _options_in(words: str) -> Iterator[tuple[str, int]]:
    """Yield the options in what follows the base game's id; raises ValueError for other words."""
    while words:
        word = next((word for word in GAME_OPTIONS if f"{words}_".startswith(f"{word}_")), None)
        if word is None:
            raise ValueError(words)
        yield GAME_OPTIONS[word]
        words = words[len(word) + 1 :]


def _base_of(row_id: str) -> tuple[str, dict[str, int]]:
    """Return the base game of a row, and the options that choose the row: none for a base game."""
    for base in sorted(GAMES, key=len):
        if row_id.startswith(f"{base}_"):
            try:
                return base, dict(_options_in(row_id.removeprefix(f"{base}_")))
            except ValueError:
                continue
    return row_id, {}


_BASES: Final = {row_id: _base_of(row_id) for row_id in GAMES}
#: The base games: all other rows are options of these.
TABLE_GAMES: Final = tuple([row_id for row_id, (base, _) in _BASES.items() if base == row_id])


class Posting(StrEnum):
    """Who posts what before the cards (TBL-13)."""

    BLINDS = "blinds"  # left of the button; antes besides where the table has them
    BUTTON_BLIND = "button_blind"  # antes from everyone, and a blind by the button (SHD-2)
    ANTES = "antes"  # antes from everyone and nothing else


def with_base_game(game: pb.GameSettings) -> pb.GameSettings:
    """Return the settings with a base game and its options where they name another row.

    Settings that name a base game, or a row of one's own, come back as they are. Raises LogError
    for an option that contradicts the row that is named.
    """
    if game.custom_row_json:
        return game
    base, options = _BASES.get(game.game, (game.game, {}))
    if game.game == OFC_JOKER.id:
        base = OFC.id
    if base == game.game:
        return game
    full = pb.GameSettings()
    full.CopyFrom(game)
    full.game = base
    if game.game == OFC_JOKER.id:
        _choose(full.ofc, "mode", pb.OFC_MODE_JOKER, game.game, "ofc.mode")
    for name, value in options.items():
        _choose(full, name, value, game.game, name)
    return full


def _choose(
    settings: pb.GameSettings | pb.OfcSettings, name: str, value: int, game: str, path: str
) -> None:
    """Set an option that is not set. Raises LogError for one that has another value."""
    set_already = {field.name for field, _ in settings.ListFields()}
    if name in set_already and getattr(settings, name) != value:
        raise LogError(f"{game} is played with {name} {value}", f"game.{path}")
    setattr(settings, name, value)


def game_row(game: pb.GameSettings) -> GameRow:
    """Return the row of the game. Raises LogError with the path of the setting at fault."""
    if game.custom_row_json:
        row = _custom_row(game.custom_row_json, game.game)
        if game.boards not in (0, row.boards):
            raise LogError(f"the row has {row.boards} boards, not {game.boards}", "game.boards")
        return row
    game = with_base_game(game)
    if game.game not in GAMES:
        raise LogError(f"no game is called {game.game!r}", "game.game")
    row = GAMES[game.game + _option_of(game)]
    if game.boards > 1:
        row = GAMES.get(f"{row.id}_double", row)
        if game.boards != _TWO_BOARDS or row.boards != game.boards:
            reason = f"{row.name} is not played with {game.boards} boards"
            raise LogError(reason, "game.boards")
    return row


def is_placement_game(game: pb.GameSettings) -> bool:
    """Tell whether a table's game is one of layouts and points, not of bets."""
    return game.game in PLACEMENT_GAMES


def placement_game(game: pb.GameSettings) -> PlacementGame:
    """Return the row of a placement game. Raises LogError for any other game."""
    game = with_base_game(game)
    if game.game not in PLACEMENT_GAMES:
        raise LogError(f"{game.game!r} is no placement game", "game.game")
    if game.game == OFC.id and game.ofc.mode == pb.OFC_MODE_JOKER:
        return OFC_JOKER
    return PLACEMENT_GAMES[game.game]


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
