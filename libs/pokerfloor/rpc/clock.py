"""The one reader of the wall clock, and the maker of ids. Both are passed in everywhere else."""

from __future__ import annotations

import secrets
import time

# Crockford's base 32: no I, L, O, U, so an id read over the phone is not mistaken.
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_TIME_BITS = 48
_RANDOM_BITS = 80
_ID_LENGTH = 26


def now_ms() -> int:
    """Return the wall clock in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def new_id() -> str:
    """Make a fresh id: 26 characters, 48 bits of time and 80 random bits, sorting by time.

    It is no secret and no card depends on it.
    """
    value = ((now_ms() & ((1 << _TIME_BITS) - 1)) << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS)
    digits = [_ALPHABET[(value >> (5 * place)) & 31] for place in reversed(range(_ID_LENGTH))]
    return "".join(digits)
