"""What a person may type at a table, parsed by the turn that is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from pokerfloor.client import Placement, RaiseRange, SlotRange, Turn
from pokerfloor.floorctl.play_chips import Chips
from pokerfloor.games.placement import LayoutRow


class Action(NamedTuple):
    """An action without an amount: "fold", "check", "call", "all_in"."""

    what: str


class BetTo(NamedTuple):
    """A bet or a raise to a total: "bet", "raise"."""

    what: str
    to: int


class Discard(NamedTuple):
    """Hole cards to discard, by slot; none is to stand pat."""

    slots: tuple[int, ...]


class Swap(NamedTuple):
    """Hole cards swapped before acting, by slot."""

    slots: tuple[int, ...]


class ChooseFacing(NamedTuple):
    """How the next card comes."""

    face_down: bool


class AnswerSplit(NamedTuple):
    """Whether to split."""

    agrees: bool


class PlaceCards(NamedTuple):
    """A row for each card of the turn, in the order shown; for good."""

    rows: tuple[LayoutRow, ...]


class MoveCard(NamedTuple):
    """A card moved in the open; `row` is None to take it back."""

    slot: int
    row: LayoutRow | None


class Request(NamedTuple):
    """A request outside of a turn: "leave", "sit_out", "sit_in", "ready", "help", "table", ..."""

    what: str
    words: tuple[str, ...] = ()


class Problem(NamedTuple):
    """Why a line means nothing here."""

    reason: str


PlayInput: TypeAlias = (
    Action
    | BetTo
    | Discard
    | Swap
    | ChooseFacing
    | AnswerSplit
    | PlaceCards
    | MoveCard
    | Request
    | Problem
)

_REQUESTS: Final[Mapping[str, str]] = {
    "?": "help",
    "help": "help",
    "leave": "leave",
    "quit": "leave",
    "q": "leave",
    "out": "sit_out",
    "in": "sit_in",
    "ready": "ready",
    "unready": "unready",
    "vote": "vote",
    "topup": "top_up",
    "show": "show",
    "game": "game",
    "table": "table",
    "t": "table",
}
_YES_NO: Final[Mapping[str, bool]] = {"y": True, "yes": True, "n": False, "no": False}
_ROWS: Final[Mapping[str, LayoutRow]] = {
    "t": LayoutRow.TOP,
    "m": LayoutRow.MIDDLE,
    "b": LayoutRow.BOTTOM,
    "1": LayoutRow.TOP,
    "2": LayoutRow.MIDDLE,
    "3": LayoutRow.BOTTOM,
    "x": LayoutRow.DISCARD,
}
_BACK: Final = "-"

HELP: Final = """\
in your turn, as it is offered:
  f fold, k check, c call, a all-in
  b AMOUNT bet, r AMOUNT raise: to a total; min and max are words too
  s SLOTS swap hole cards before acting (s 1 2)
  d SLOTS discard and draw (d 1 3), p stand pat
  u / d the next card up or down; y / n split the pot or carry it
  lay ROWS a letter for each card: t top, m middle, b bottom (or 1, 2, 3), x discard (lay tmbbx)
  move SLOT ROW lay a card in the open, not for good (move 3 t), move 3 - takes it back
at any time:
  t the table, ready, unready, vote yes|no (bomb pot), game ID (when it is yours to choose)
  out sit out, in sit in (in post: post to be dealt in at once), topup AMOUNT
  show SLOTS your cards, after winning without a showdown
  leave take your chips to the wallet and go"""


def parse_line(line: str, turn: Turn | None, chips: Chips) -> PlayInput:
    """Return what a line means; `turn` is the turn that is open, if there is one."""
    words = line.lower().split()
    if not words:
        return Problem("")
    first, rest = words[0], words[1:]
    if turn is not None:
        given = _in_turn(first, rest, turn, chips)
        if given is not None:
            return given
    if first in _REQUESTS:
        return _request(_REQUESTS[first], rest)
    if turn is None:
        return Problem(f"it is not your turn, and {first!r} is no word outside of it; ? is help")
    return Problem(f"{first!r} is not possible now; ? is help")


def _request(what: str, rest: list[str]) -> PlayInput:
    if what == "vote" and (len(rest) != 1 or rest[0] not in _YES_NO):
        return Problem("vote yes, or vote no")
    if what in ("top_up", "game") and len(rest) != 1:
        return Problem(
            "one word more is wanted: " + ("an amount" if what == "top_up" else "a game")
        )
    if what == "show" and (not rest or not all(word.isdecimal() for word in rest)):
        return Problem("which of your cards: show 1 2")
    return Request(what, tuple(rest))


def is_yes(word: str) -> bool:
    """Tell whether a word that was taken means yes."""
    return _YES_NO[word]


def _in_turn(first: str, rest: list[str], turn: Turn, chips: Chips) -> PlayInput | None:
    if turn.placement is not None:
        return _placing(first, rest, turn.placement)
    if turn.discard is not None:
        return _discard(first, rest, turn.discard)
    if turn.asks_facing:
        ways = {"u": False, "up": False, "d": True, "down": True}
        return ChooseFacing(ways[first]) if first in ways else None
    if turn.asks_split:
        return AnswerSplit(_YES_NO[first]) if first in _YES_NO else None
    if first in ("s", "swap") and turn.swap is not None:
        return _slots(rest, turn.swap, Swap)
    return _betting(first, rest, turn, chips)


def _discard(first: str, rest: list[str], choice: SlotRange) -> PlayInput | None:
    if first in ("p", "pat"):
        return _slots([], choice, Discard)
    if first in ("d", "discard"):
        return _slots(rest, choice, Discard)
    return None


def _slots(
    words: list[str], choice: SlotRange, kind: Callable[[tuple[int, ...]], PlayInput]
) -> PlayInput:
    numbers = [int(word) for word in words if word.isdecimal() and len(word) < 4]
    if len(numbers) < len(words) or not {*numbers} <= {*choice.slots}:
        return Problem(f"cards are named by number: {' '.join(map(str, choice.slots))}")
    if len(numbers) != len({*numbers}):
        return Problem("a card is named once")
    if not choice.least <= len(numbers) <= choice.most:
        return Problem(f"{choice.least} to {choice.most} cards, not {len(numbers)}")
    return kind(tuple(numbers))


def _betting(first: str, rest: list[str], turn: Turn, chips: Chips) -> PlayInput | None:
    legal = turn.legal
    plain = {
        "f": ("fold", legal.fold),
        "fold": ("fold", legal.fold),
        "k": ("check", legal.check),
        "x": ("check", legal.check),
        "check": ("check", legal.check),
        "c": ("call", bool(legal.call_by)),
        "call": ("call", bool(legal.call_by)),
        "a": ("all_in", True),
        "all-in": ("all_in", True),
    }
    if first in plain:
        what, allowed = plain[first]
        return Action(what) if allowed else Problem(f"there is nothing to {what} now")
    if first not in ("b", "bet", "r", "raise"):
        return None
    for what, option in (("bet", legal.bet), ("raise", legal.raise_)):
        if option is not None:
            return _made(what, option, rest, chips)
    return Problem("no bet or raise is allowed now")


def _made(what: str, option: RaiseRange, rest: list[str], chips: Chips) -> PlayInput:
    word = rest[0] if rest else "min"
    ends = {"min": option.min_to, "max": option.max_to}
    to = ends.get(word, chips.read(word))
    if to is None:
        return Problem(f"{word!r} is no amount")
    if option.nearest(to) != to:
        return Problem(f"to {range_text(option, chips)}, not {chips.text(to)}")
    return BetTo(what, to)


def range_text(option: RaiseRange, chips: Chips) -> str:
    """Return the totals that are allowed."""
    if option.sizes:
        return " or ".join([chips.text(size) for size in option.sizes])
    if option.min_to == option.max_to:
        return chips.text(option.max_to)
    return f"{chips.text(option.min_to)}-{chips.text(option.max_to)}"


def _placing(first: str, rest: list[str], placement: Placement) -> PlayInput | None:
    if first == "move":
        return _move(rest, placement)
    letters = "".join(rest) if first == "lay" else first
    if first != "lay" and (rest or len(letters) != len(placement.slots)):
        return None
    if not {*letters} <= _ROWS.keys():
        return Problem("rows are t, m, b, and x for a discard") if first == "lay" else None
    rows = tuple([_ROWS[letter] for letter in letters])
    if len(rows) != len(placement.slots):
        return Problem(f"{len(placement.slots)} cards, a letter for each, not {len(rows)}")
    given_up = len(placement.slots) - placement.to_place
    if rows.count(LayoutRow.DISCARD) != given_up:
        return Problem(f"{given_up} of them {'is' if given_up == 1 else 'are'} discarded (x)")
    for row, room in placement.room.items():
        if rows.count(row) > room:
            return Problem(f"the {row} row takes {room} more")
    return PlaceCards(rows)


def _move(rest: list[str], placement: Placement) -> PlayInput:
    if not placement.moves:
        return Problem("these cards are set at once: lay ROWS")
    if len(rest) != 2 or not rest[0].isdecimal() or int(rest[0]) not in placement.slots:
        return Problem("move SLOT ROW, such as move 3 t")
    row = rest[1][0]
    if row == _BACK:
        return MoveCard(int(rest[0]), None)
    if row not in _ROWS or _ROWS[row] is LayoutRow.DISCARD:
        return Problem("rows are t, m and b, and - takes a card back")
    return MoveCard(int(rest[0]), _ROWS[row])
