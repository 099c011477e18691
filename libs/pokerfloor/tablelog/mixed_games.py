"""Tables of several games (MIX): what the games are called and share, and what a draw chooses."""

from collections.abc import Sequence
from typing import Final

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.cards import STANDARD, Card
from pokerfloor.games import GAMES
from pokerfloor.tablelog.enum_codes import STRUCTURE
from pokerfloor.tablelog.game_rows import Posting, game_row, posting_of

#: The board games, of which a mix may have any (MIX-1).
BOARD_GAMES: Final = tuple([row.id for row in GAMES.values() if row.board_cards()])
#: The mix of a table that names no games (MIX-1).
DEFAULT_MIX: Final = ("holdem", "omaha4", "omaha5", "omaha6")
_DECK: Final = len(STANDARD.cards)


def mixed_game_name(game: pb.GameSettings) -> str:
    """Return what a game is called among those of a mix: its row, and a structure of its own.

    `omaha4`, `holdem_double`, `holdem_fixed_limit`. Raises LogError for a game that is none.
    """
    row = game_row(game)
    structure = STRUCTURE.get(game.structure, row.structures[0])
    own = "" if structure is row.structures[0] else f"_{structure}"
    return row.id + own


def mixed_game_names(mixed: pb.MixedSettings) -> tuple[str, ...]:
    """Return the names of a mix's games, in their order. Raises LogError."""
    return tuple([mixed_game_name(game) for game in mixed.games])


def one_of_mix(settings: pb.TableSettings, game: pb.GameSettings) -> pb.TableSettings:
    """Return the settings as if a game of the mix were the table's only one."""
    one = pb.TableSettings()
    one.CopyFrom(settings)
    one.game.CopyFrom(game)
    return one


def give_common_amounts(mixed: pb.MixedSettings) -> None:
    """Name the games where none is named, and give each the amounts that it leaves open (MIX-1).

    Short deck has a big blind and an ante of its own. Raises LogError.
    """
    if not mixed.games:
        mixed.games.extend([pb.GameSettings(game=name) for name in DEFAULT_MIX])
    for game in mixed.games:
        blinds = posting_of(game, game_row(game)) is Posting.BLINDS
        names = ["smallest_chip", "big_blind"]
        if blinds:
            names.append("small_blind")
        for name in names:
            if mixed.HasField(name) and not game.HasField(name):  # type: ignore[arg-type]  # amounts of both
                getattr(game, name).CopyFrom(getattr(mixed, name))
        if blinds and mixed.HasField("ante") and not game.HasField("ante"):
            game.ante.CopyFrom(mixed.ante)


def cards_of_game_draw(games: int) -> int:
    """Return how many cards a draw among so many games reveals (MIX-3).

    One more than there are cards that choose none, so that one always chooses.
    """
    return 1 + _DECK % games


def game_drawn(games: Sequence[str], cards: Sequence[Card]) -> str:
    """Return the game that the cards of a draw choose (MIX-3).

    The first card below the largest multiple of the number of games counts, by the remainder:
    every game has as many of those cards as any other, so each is as likely.
    """
    assert len(set(cards)) == len(cards) == cards_of_game_draw(len(games)), "not the draw's cards"
    fair = _DECK - _DECK % len(games)
    return games[next(card for card in cards if 0 <= card < fair) % len(games)]
