"""What ids, names and amounts may look like. Every check raises Refused, naming the field."""

from __future__ import annotations

import re
from typing import Final

from floor_wallet.domain.refusal import Refused
from pokerfloor.api.common.v1 import errors_pb2

#: Largest amount: what JSON and every front-end can still count exactly.
MAX_MINOR: Final = 2**53 - 1
#: Numbers of steps, hands, versions and times stay in the same range.
MAX_NUMBER: Final = 2**53 - 1
MAX_EXPONENT: Final = 8
#: Of a game's id, as the book keeps it.
MAX_GAME_CHARS: Final = 64

_REQUEST_ID: Final = re.compile(r"[!-~]{1,128}")
_RESERVATION_ID: Final = re.compile(r"[!-~]{1,128}")
# Visible ASCII without "/", which parts the table from the player in an escrow's owner.
_PLAYER_ID: Final = re.compile(r"[!-.0-~]{1,128}")
_TABLE_ID: Final = re.compile(r"[a-z0-9-]{1,32}")
_CURRENCY: Final = re.compile(r"[A-Z][A-Z0-9]{2,7}")
MAX_NOTE_CHARS: Final = 128
_MAX_ROOM_CHARS: Final = 64


def invalid(reason: str, field: str) -> Refused:
    """Make the refusal for a field that is missing, malformed or out of range."""
    return Refused(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)


def check_request_id(value: str, field: str = "request_id") -> None:
    """Demand 1 to 128 visible ASCII characters."""
    if not _REQUEST_ID.fullmatch(value):
        raise Refused(
            errors_pb2.ERROR_CODE_BAD_COMMAND_ID,
            "a request needs an id of 1 to 128 visible ASCII characters",
            field,
        )


def check_reservation_id(value: str) -> None:
    """Demand 1 to 128 visible ASCII characters."""
    if not _RESERVATION_ID.fullmatch(value):
        raise Refused(
            errors_pb2.ERROR_CODE_BAD_COMMAND_ID,
            "a reservation needs an id of 1 to 128 visible ASCII characters",
            "reservation_id",
        )


def check_player_id(value: str, field: str = "player_id") -> None:
    """Demand 1 to 128 visible ASCII characters without "/"."""
    if not _PLAYER_ID.fullmatch(value):
        raise invalid('a player is 1 to 128 visible ASCII characters without "/"', field)


def check_table_id(value: str, field: str = "table_id") -> None:
    """Demand 1 to 32 of [a-z0-9-]."""
    if not _TABLE_ID.fullmatch(value):
        raise invalid("a table is 1 to 32 characters of a-z, 0-9 and -", field)


def check_room_id(value: str, field: str = "room_id") -> None:
    """Demand at most 64 printable characters; empty is the house as one room."""
    if len(value) > _MAX_ROOM_CHARS or not value.isprintable():
        raise invalid(f"a room's id has at most {_MAX_ROOM_CHARS} printable characters", field)


def check_currency(code: str, field: str = "currency") -> None:
    """Demand a code such as "EUR": a capital, then 2 to 7 capitals or digits."""
    if not _CURRENCY.fullmatch(code):
        raise invalid("a currency is 3 to 8 capital letters and digits", field)


def check_exponent(value: int, field: str = "currency.exponent") -> None:
    """Demand 0 to 8 decimal digits."""
    if not 0 <= value <= MAX_EXPONENT:
        raise invalid(f"a currency has 0 to {MAX_EXPONENT} decimal digits", field)


def check_amount(value: int, field: str = "amount_minor") -> None:
    """Demand 1 to 2^53-1 minor units."""
    if not 0 < value <= MAX_MINOR:
        raise Refused(
            errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE,
            "an amount is at least 1 and at most 2^53-1 minor units",
            field,
        )


def check_limit(value: int, field: str) -> None:
    """Demand 0 to 2^53-1 minor units."""
    if not 0 <= value <= MAX_MINOR:
        raise Refused(
            errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE,
            "a limit is at least 0 and at most 2^53-1 minor units",
            field,
        )


def check_number(value: int, field: str) -> None:
    """Demand 0 to 2^53-1."""
    if not 0 <= value <= MAX_NUMBER:
        raise invalid("a number is at most 2^53-1", field)


def check_entry_no(value: int) -> None:
    """Demand 1 to 2^53-1."""
    check_number(value, "entry_no")
    if value == 0:
        raise invalid("entries are numbered from 1", "entry_no")


def check_note(value: str, field: str) -> None:
    """Demand at most 128 printable characters."""
    if len(value) > MAX_NOTE_CHARS or not value.isprintable():
        raise invalid(f"at most {MAX_NOTE_CHARS} printable characters", field)


def check_reason(value: str, field: str = "reason") -> None:
    """Demand 1 to 128 printable characters, not just blanks."""
    check_note(value, field)
    if not value.strip():
        raise invalid("a reason is needed", field)


def note_of(reason: str) -> str:
    """Give the beginning of a reason that somebody's program wrote, fit for a statement."""
    return "".join(c if c.isprintable() else " " for c in reason[:MAX_NOTE_CHARS])
