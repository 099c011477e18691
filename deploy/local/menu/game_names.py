"""Games by the names that people type: `omaha6_double`, `plo6-double-board`, `short_deck_trips`."""

from __future__ import annotations

from typing import Final

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.tablelog import GAME_OPTIONS, TABLE_GAMES, LogError, game_row

_ALIASES: Final = (
    ("nlhe", "holdem"),
    ("texas", "holdem"),
    ("plo", "omaha"),
    ("hi_lo", "hilo"),
    ("_board", ""),
    ("boards", ""),
    ("shortdeck", "short_deck"),
    ("six_plus", "short_deck"),
    ("stud_hilo", "stud7_hilo"),
    ("triple_draw", "draw27_triple"),
    ("single_draw", "draw27_single"),
)
_WHOLE: Final = {"omaha": "omaha4", "omaha_hilo": "omaha4_hilo", "stud": "stud7", "draw": "draw5"}


class UnknownGameError(ValueError):
    """No game has this name; the message says which there are."""


def game_by_name(name: str) -> pb.GameSettings:
    """Return the game with the options that its name says, and no amounts yet."""
    text = "_".join(name.strip().lower().replace("-", "_").split())
    for alias, meant in _ALIASES:
        text = text.replace(alias, meant)
    for base in sorted(TABLE_GAMES, key=len, reverse=True):
        for start in (base, *[short for short, whole in _WHOLE.items() if whole == base]):
            if text == start or text.startswith(f"{start}_"):
                game = _with_options(base, text[len(start) :].strip("_"))
                if game is not None:
                    return game
    raise UnknownGameError(
        f"no game is called {name!r}: there are {', '.join(TABLE_GAMES)}, and behind some of them "
        f"_{', _'.join(GAME_OPTIONS)}"
    )


def _with_options(base: str, words: str) -> pb.GameSettings | None:
    """Return a game with what the rest of its name says; None for a rest that says nothing."""
    game = pb.GameSettings(game=base)
    while words:
        for word, (option, value) in GAME_OPTIONS.items():
            if words == word or words.startswith(f"{word}_"):
                setattr(game, option, value)
                words = words[len(word) :].strip("_")
                break
        else:
            return None
    try:
        row = game_row(game)
    except LogError:
        return None
    options = {field.name for field, _ in game.ListFields()} - {"game", "boards"}
    # An option that another game has would be ignored here.
    return None if options and row.id.removesuffix("_double") == base else game
