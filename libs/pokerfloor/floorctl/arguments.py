"""What the commands about games read alike: a game, cards, and how a wrong word is answered."""

from __future__ import annotations

import sys
from pathlib import Path

from pokerfloor.cards import Card, CardError, parse_cards
from pokerfloor.games import GAMES, GameRow, Refusal, row_from_json

_MOST_ROW_BYTES = 1 << 20


class ArgumentError(ValueError):
    """A word of the command line that cannot be used; `code` is stable, the text is for people."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


def read_game(name: str) -> GameRow:
    """Return the game of an id, or of a row in a `.json` file. Raises ArgumentError."""
    if not name.endswith(".json"):
        if name not in GAMES:
            raise ArgumentError("UNKNOWN_GAME", f"{name!r} is none of {', '.join(GAMES)}")
        return GAMES[name]
    try:
        with Path(name).open("rb") as stream:
            text = stream.read(_MOST_ROW_BYTES + 1).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError("UNKNOWN_GAME", f"{name}: {error}") from error
    row = row_from_json(text)
    if isinstance(row, Refusal):
        raise ArgumentError("UNKNOWN_GAME", f"{name}: {row.reason}")
    return row


def read_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as `AsKd` or `As Kd`. Raises ArgumentError."""
    try:
        return parse_cards(text)
    except CardError as error:
        raise ArgumentError("BAD_CARDS", str(error)) from error


def refuse(command: str, code: str, reason: str) -> int:
    """Tell in one line why a command cannot be done; returns the exit code."""
    print(f"floorctl {command}: {code}: {' '.join(reason.split())}", file=sys.stderr)
    return 2
