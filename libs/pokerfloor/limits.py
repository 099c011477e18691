"""The limits of the contract, each stated once: amounts, counts, ids and texts.

Every service validates by these, so that what one accepts no other refuses. Pure: no I/O.
"""

import re
from typing import Final

#: Largest amount, of either sign: what JSON and every front-end can still count exactly.
MAX_AMOUNT: Final = 2**53 - 1

#: Largest number of a step, hand, deck, entry or version, and largest time in ms.
MAX_COUNT: Final = 2**53 - 1

#: Most seats of a table (TBL-1).
MAX_SEATS: Final = 10

#: Longest reason or note that a person or a service gives, in characters.
MAX_REASON_CHARS: Final = 200

_TABLE_ID: Final = re.compile(r"[a-z0-9-]{1,32}")
_COMMAND_ID: Final = re.compile(r"[!-~]{1,128}")
# Visible ASCII without "/", which would be taken for a separator in ids of seats.
_PLAYER_ID: Final = re.compile(r"[!-.0-~]{1,128}")

TABLE_ID_RULE: Final = "a table id is 1 to 32 characters of a-z, 0-9 and -"
COMMAND_ID_RULE: Final = "an id is 1 to 128 visible ASCII characters"
PLAYER_ID_RULE: Final = 'a player id is 1 to 128 visible ASCII characters without "/"'
REASON_RULE: Final = f"a reason is at most {MAX_REASON_CHARS} printable characters"


def is_table_id(text: str) -> bool:
    """Tell whether a text can be a table's id: 1 to 32 characters of a-z, 0-9 and "-"."""
    return _TABLE_ID.fullmatch(text) is not None


def is_command_id(text: str) -> bool:
    """Tell whether a text can be the id of a command, request or reservation."""
    return _COMMAND_ID.fullmatch(text) is not None


def is_player_id(text: str) -> bool:
    """Tell whether a text can be a player's id: the subject of a token."""
    return _PLAYER_ID.fullmatch(text) is not None


def is_reason(text: str) -> bool:
    """Tell whether a text can be a reason or a note; empty is one, where none is needed."""
    return len(text) <= MAX_REASON_CHARS and text.isprintable()
