"""A PHH document: one recorded hand, its amounts as whole numbers.

Source: the Poker Hand History format, 2025 text. A `.phh` file is one TOML document, a `.phhs`
file is a table of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from pokerfloor.phh.actions import ACTION_AMOUNT, Action, parse_action
from pokerfloor.phh.errors import PhhError

MAX_DOCUMENT_BYTES = 1 << 20
MAX_PLAYERS = 10
MAX_ACTIONS = 2_000


@dataclass(frozen=True, slots=True)
class Document:
    """One recorded hand. Arrays are in the order of position (first = left of the button).

    Amounts are whole numbers of 1/`scale` of the file's unit, so that a file in units and cents
    has scale 100. Results are fractions: some sources end on half chips. `own` holds the fields
    that begin with an underscore, as they stand.
    """

    variant: str
    scale: int
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    starting_stacks: tuple[int | None, ...]  # None: unknown ("inf")
    min_bet: int
    small_bet: int  # fixed-limit only, like big_bet
    big_bet: int
    bring_in: int  # stud only
    actions: tuple[Action, ...]
    ante_trimming: bool
    finishing_stacks: tuple[Fraction, ...] | None
    winnings: tuple[Fraction, ...] | None
    own: Mapping[str, Any]

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.starting_stacks)


def read_documents(text: str, name: str) -> list[tuple[str, Document | PhhError]]:
    """Return the hands of a file with their labels, in the file's order.

    A file of many hands is a table of tables. A hand that cannot be read is its error, so that
    one bad hand hides no other; a file that is no TOML raises PhhError.
    """
    if len(text.encode()) > MAX_DOCUMENT_BYTES * 64:
        raise PhhError(f"larger than {MAX_DOCUMENT_BYTES * 64} bytes", name)
    try:
        root = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, InvalidOperation, RecursionError) as error:
        raise PhhError(f"not TOML: {error}", name) from error
    if "variant" in root or not root or not all(isinstance(v, dict) for v in root.values()):
        return [(name, _read(root))]
    return [(f"{name}[{key}]", _read(table)) for key, table in root.items()]


def _read(table: Mapping[str, Any]) -> Document | PhhError:
    try:
        return document_of(table)
    except PhhError as error:
        return error


def document_of(table: Mapping[str, Any]) -> Document:
    """Return the document of one TOML table, or raise PhhError."""
    for field in ("variant", "antes", "starting_stacks", "actions"):
        if field not in table:
            raise PhhError("missing", field)
    stacks_raw = _array(table, "starting_stacks")
    players = len(stacks_raw)
    if not 2 <= players <= MAX_PLAYERS:
        raise PhhError(f"2 to {MAX_PLAYERS} players, not {players}", "starting_stacks")
    texts = _array(table, "actions")
    if len(texts) > MAX_ACTIONS:
        raise PhhError(f"at most {MAX_ACTIONS} actions, not {len(texts)}", "actions")
    scale = _scale(table, texts)
    actions = tuple(
        action
        for number, text in enumerate(texts, start=1)
        if (action := parse_action(text, number, players, scale)) is not None
    )
    stacks = tuple(_stack(value, scale) for value in stacks_raw)
    return Document(
        variant=str(table["variant"]),
        scale=scale,
        antes=_amounts(table, "antes", scale, players),
        blinds=_amounts(table, "blinds_or_straddles", scale, players),
        starting_stacks=stacks,
        min_bet=_whole(table.get("min_bet", 0), scale, "min_bet"),
        small_bet=_whole(table.get("small_bet", 0), scale, "small_bet"),
        big_bet=_whole(table.get("big_bet", 0), scale, "big_bet"),
        bring_in=_whole(table.get("bring_in", 0), scale, "bring_in"),
        actions=actions,
        ante_trimming=bool(table.get("ante_trimming_status", False)),
        finishing_stacks=_results(table, "finishing_stacks", scale, players),
        winnings=_results(table, "winnings", scale, players),
        own={key: value for key, value in table.items() if key.startswith("_")},
    )


def _array(table: Mapping[str, Any], field: str) -> Sequence[Any]:
    value = table[field]
    if not isinstance(value, list):
        raise PhhError(f"an array is wanted, not {value!r}", field)
    return value


def _number(value: object, field: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise PhhError(f"a number is wanted, not {value!r}", field)
    return Decimal(value)


def _scale(table: Mapping[str, Any], actions: Sequence[Any]) -> int:
    """Return 1 when every amount that is played with is whole, else the power of ten that fits."""
    values = [*_array(table, "antes"), *_array(table, "starting_stacks")]
    values += table.get("blinds_or_straddles", [])
    values += [
        table[field]
        for field in ("min_bet", "small_bet", "big_bet", "bring_in", "_smallest_chip")
        if field in table
    ]
    values += [Decimal(m[1]) for t in actions if (m := ACTION_AMOUNT.search(str(t))) is not None]
    digits = 0
    for value in values:
        number = _number(value, "amount")
        if number.is_finite():
            exponent = number.normalize().as_tuple().exponent
            assert isinstance(exponent, int)
            digits = max(digits, -exponent)
    if digits > 4:
        raise PhhError(f"amounts with {digits} decimals", "amount")
    return int(10 ** (0 if digits == 0 else max(digits, 2)))


def _whole(value: object, scale: int, field: str) -> int:
    scaled = _number(value, field) * scale
    if not scaled.is_finite() or scaled != scaled.to_integral_value():
        raise PhhError(f"{value} is no whole number of 1/{scale}", field)
    return int(scaled)


def _stack(value: object, scale: int) -> int | None:
    if isinstance(value, float | Decimal) and Decimal(value) == Decimal("Infinity"):
        return None
    stack = _whole(value, scale, "starting_stacks")
    if stack <= 0:
        raise PhhError(f"a stack of {value}", "starting_stacks")
    return stack


def _amounts(table: Mapping[str, Any], field: str, scale: int, players: int) -> tuple[int, ...]:
    values = table.get(field, [])
    if not isinstance(values, list) or len(values) > players:
        raise PhhError(f"at most {players} numbers are wanted", field)
    amounts = [_whole(value, scale, field) for value in values]
    return tuple(amounts + [0] * (players - len(amounts)))


def _results(
    table: Mapping[str, Any], field: str, scale: int, players: int
) -> tuple[Fraction, ...] | None:
    if field not in table:
        return None
    values = _array(table, field)
    if len(values) != players:
        raise PhhError(f"{players} numbers are wanted, not {len(values)}", field)
    return tuple(Fraction(_number(value, field)) * scale for value in values)
