"""Which game a document is of: the format's own codes, and ours for games that it has no word for.

Ours is the id of the row after an underscore, such as `_omaha5_hilo`, with `_structure` beside it;
a row that is in no catalogue stands in `_row` as a whole. Readers that know the format's codes only
will not take such a hand for another game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pokerfloor.games import GAMES, GameRow, Refusal, Structure, row_from_json, row_to_json
from pokerfloor.games.placement import PLACEMENT_GAMES, PlacementGame
from pokerfloor.phh.document import Document
from pokerfloor.phh.errors import PhhError
from pokerfloor.phh.toml import toml_string

#: PHH's code for a game -> (row of the catalogue, structure).
GAMES_BY_VARIANT: Final[Mapping[str, tuple[str, Structure]]] = {
    "FT": ("holdem", Structure.FIXED_LIMIT),
    "NT": ("holdem", Structure.NO_LIMIT),
    "NS": ("short_deck", Structure.NO_LIMIT),
    "PO": ("omaha4", Structure.POT_LIMIT),
    "FO/8": ("omaha4_hilo", Structure.FIXED_LIMIT),
    "F7S": ("stud7", Structure.FIXED_LIMIT),
    "F7S/8": ("stud7_hilo", Structure.FIXED_LIMIT),
    "FR": ("razz", Structure.FIXED_LIMIT),
    "N2L1D": ("draw27_single", Structure.NO_LIMIT),
    "F2L3D": ("draw27_triple", Structure.FIXED_LIMIT),
    "FB": ("badugi", Structure.FIXED_LIMIT),
}
_CODES: Final = {row: code for code, row in GAMES_BY_VARIANT.items()}
_OWN: Final = "_"


def game_fields(game: GameRow, structure: Structure) -> Iterator[tuple[str, str]]:
    """Yield the fields that say a betting game."""
    known = GAMES.get(game.id) == game
    code = _CODES.get((game.id, structure))
    if known and code is not None:
        yield "variant", toml_string(code)
        return
    yield "variant", toml_string(_OWN + game.id)
    yield "_structure", toml_string(structure)
    if not known:
        yield "_row", toml_string(row_to_json(game))


def placement_fields(game: PlacementGame) -> Iterator[tuple[str, str]]:
    """Yield the fields that say a placement game."""
    yield "variant", toml_string(_OWN + game.id)


def betting_game(document: Document) -> tuple[GameRow, Structure] | None:
    """Return the game and structure of a document, None when it is not played here.

    Raises PhhError for own fields that make no sense.
    """
    if document.variant in GAMES_BY_VARIANT:
        game, structure = GAMES_BY_VARIANT[document.variant]
        return GAMES[game], structure
    row = _own_row(document)
    if row is None:
        return None
    text = document.own.get("_structure", "")
    try:
        return row, Structure(text)
    except ValueError as error:
        raise PhhError(f"{text!r} is none of {list(row.structures)}", "_structure") from error


def _own_row(document: Document) -> GameRow | None:
    if "_row" not in document.own:
        return GAMES.get(document.variant.removeprefix(_OWN)) if _is_own(document) else None
    row = row_from_json(str(document.own["_row"]))
    if isinstance(row, Refusal):
        raise PhhError(row.reason, "_row")
    return row


def placement_game(document: Document) -> PlacementGame | None:
    """Return the placement game of a document, None when it is none of these."""
    return PLACEMENT_GAMES.get(document.variant.removeprefix(_OWN)) if _is_own(document) else None


def _is_own(document: Document) -> bool:
    return document.variant.startswith(_OWN)
