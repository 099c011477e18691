"""Game rows as JSON: fields by their names, read strictly."""

import json
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from pokerfloor.games.catalogue import GAMES
from pokerfloor.games.check_row import check_row
from pokerfloor.games.refusal import Code, Refusal
from pokerfloor.games.rows import GameRow

_MOST_CHARACTERS: Final = 65_536


class _RowError(Exception):
    """A bad row; `field` is the path of the error, such as `streets[1].deals[0].count`."""

    def __init__(self, reason: str, field: str) -> None:
        super().__init__(reason)
        self.field = field


def row_to_json(row: GameRow) -> str:
    """Return the JSON text of a row, which `row_from_json` reads back."""
    return json.dumps(_plain(row), indent=2) + "\n"


def row_from_json(text: str) -> GameRow | Refusal:
    """Return the row in a JSON text, or why it cannot be played (BAD_GAME_ROW).

    Fields have the names and meanings of `GameRow`. Those with a default may be left out. Unknown
    fields are refused, and so is the id of a catalogue game for a different row. The refusal's
    `field` is the path of the error (`streets[1].burns`).
    """
    if len(text) > _MOST_CHARACTERS:
        return Refusal(Code.BAD_GAME_ROW, f"a row has at most {_MOST_CHARACTERS} characters")
    try:
        given = json.loads(text, object_pairs_hook=_no_name_twice)
        row: GameRow = _read(GameRow, given, "")
    except _RowError as error:
        return Refusal(Code.BAD_GAME_ROW, str(error), error.field)
    except (ValueError, RecursionError) as error:
        return Refusal(Code.BAD_GAME_ROW, f"not JSON: {error}")
    refusal = check_row(row)
    if refusal is None and GAMES.get(row.id, row) != row:
        reason = f"{row.id!r} is the id of a different game of the catalogue"
        refusal = Refusal(Code.BAD_GAME_ROW, reason, "id")
    return refusal or row


def _plain(value: object) -> object:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, StrEnum) else value


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise _RowError(f"{name!r} occurs twice in one object", name)
    return dict(pairs)


def _read(kind: Any, given: object, path: str) -> Any:
    """Return the value of a field of this type. Raises _RowError."""
    if isinstance(kind, UnionType):  # only `X | None`
        return None if given is None else _read(get_args(kind)[0], given, path)
    if get_origin(kind) is tuple:
        items = _want(given, list, "a list", path)
        inner = get_args(kind)[0]
        return tuple([_read(inner, item, f"{path}[{nth}]") for nth, item in enumerate(items)])
    if is_dataclass(kind):
        return _read_object(kind, _want(given, dict, "an object", path), path)
    if issubclass(kind, StrEnum):
        words = [str(word) for word in kind]
        if given not in words:
            raise _RowError(f"{_quoted(given)} is none of {', '.join(words)}", path)
        return kind(given)
    return _want(given, kind, _WANTED[kind], path)


def _read_object(kind: Any, given: dict[str, Any], path: str) -> Any:
    dot = f"{path}." if path else ""
    hints = _hints(kind)
    for name in given:
        if name not in hints:
            known = ", ".join(hints)
            raise _RowError(f"{_quoted(name)} is none of {known}", dot + name[:40])
    for field in fields(kind):
        if field.name not in given and field.default is MISSING:
            raise _RowError(f"{field.name} is missing", dot + field.name)
    return kind(**{name: _read(hints[name], given[name], dot + name) for name in given})


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


_WANTED: Final = {int: "a whole number", str: "a text", bool: "true or false"}


def _want(given: object, kind: Any, words: str, path: str) -> Any:
    if type(given) is not kind:  # not isinstance: a bool is an int
        raise _RowError(f"expected {words}, not {_quoted(given)}", path)
    return given


def _quoted(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 40 else f"{text[:37]}..."
