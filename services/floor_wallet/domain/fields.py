"""What ids, names and amounts may look like. A check returns a refusal naming the field, or None.

Checks are put in a row by `or`: the first refusal is the answer.
"""

from __future__ import annotations

import re
from typing import Final

from pokerfloor import limits
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal

#: Largest amount in minor units, of either sign.
MAX_MINOR: Final = limits.MAX_AMOUNT
#: Largest number of a step, hand or version, and largest time.
MAX_NUMBER: Final = limits.MAX_COUNT
MAX_EXPONENT: Final = 8
#: Of a game's id, as the book keeps it.
MAX_GAME_CHARS: Final = 64
#: Of a reason, note or reference, as the book keeps it.
MAX_NOTE_CHARS: Final = 128

_CURRENCY: Final = re.compile(r"[A-Z][A-Z0-9]{2,7}")
_MAX_ROOM_CHARS: Final = 64


def invalid(reason: str, field: str) -> Refusal:
    """Return the refusal for a field that is missing, malformed or out of range."""
    return Refusal(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)


def check_command_id(value: str, field: str = "command_id") -> Refusal | None:
    """Refuse what is no id of a command or reservation."""
    if limits.is_command_id(value):
        return None
    return Refusal(errors_pb2.ERROR_CODE_BAD_COMMAND_ID, limits.COMMAND_ID_RULE, field)


def check_player_id(value: str, field: str = "player_id") -> Refusal | None:
    """Refuse what is no id of a player."""
    return None if limits.is_player_id(value) else invalid(limits.PLAYER_ID_RULE, field)


def check_table_id(value: str, field: str = "table_id") -> Refusal | None:
    """Refuse what is no id of a table."""
    return None if limits.is_table_id(value) else invalid(limits.TABLE_ID_RULE, field)


def check_room_id(value: str, field: str = "room_id") -> Refusal | None:
    """Refuse more than 64 characters, and others than printable ones; empty is one room for all."""
    if len(value) > _MAX_ROOM_CHARS or not value.isprintable():
        return invalid(f"a room's id has at most {_MAX_ROOM_CHARS} printable characters", field)
    return None


def check_currency(code: str, field: str = "currency") -> Refusal | None:
    """Refuse what is no code such as "EUR": a capital, then 2 to 7 capitals or digits."""
    if _CURRENCY.fullmatch(code):
        return None
    return invalid("a currency is 3 to 8 capital letters and digits", field)


def check_exponent(value: int, field: str = "currency.exponent") -> Refusal | None:
    """Refuse others than 0 to 8 decimal digits."""
    if 0 <= value <= MAX_EXPONENT:
        return None
    return invalid(f"a currency has 0 to {MAX_EXPONENT} decimal digits", field)


def check_amount(value: int, field: str = "amount_minor") -> Refusal | None:
    """Refuse others than 1 to 2^53-1 minor units."""
    if 0 < value <= MAX_MINOR:
        return None
    return Refusal(
        errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE,
        "an amount is at least 1 and at most 2^53-1 minor units",
        field,
    )


def check_limit(value: int, field: str) -> Refusal | None:
    """Refuse others than 0 to 2^53-1 minor units."""
    if 0 <= value <= MAX_MINOR:
        return None
    return Refusal(
        errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE,
        "a limit is at least 0 and at most 2^53-1 minor units",
        field,
    )


def check_number(value: int, field: str) -> Refusal | None:
    """Refuse others than 0 to 2^53-1."""
    return None if 0 <= value <= MAX_NUMBER else invalid("a number is at most 2^53-1", field)


def check_entry_no(value: int) -> Refusal | None:
    """Refuse others than 1 to 2^53-1."""
    if value == 0:
        return invalid("entries are numbered from 1", "entry_no")
    return check_number(value, "entry_no")


def check_note(value: str, field: str) -> Refusal | None:
    """Refuse more than 128 characters, and others than printable ones."""
    if len(value) > MAX_NOTE_CHARS or not value.isprintable():
        return invalid(f"at most {MAX_NOTE_CHARS} printable characters", field)
    return None


def check_reason(value: str, field: str = "reason") -> Refusal | None:
    """Refuse what is no note, and nothing but blanks."""
    if refusal := check_note(value, field):
        return refusal
    return None if value.strip() else invalid("a reason is needed", field)


def note_of(reason: str) -> str:
    """Return the beginning of a reason that somebody's program wrote, fit for a statement."""
    return "".join(c if c.isprintable() else " " for c in reason[:MAX_NOTE_CHARS])
