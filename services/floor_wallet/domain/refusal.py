"""How the rules say no: with a value. Whoever runs them undoes what was written and raises."""

from __future__ import annotations

from typing import NamedTuple

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal


class CannotSettle(NamedTuple):
    """A step of a table's log contradicts the book; settlement of that table stops there."""

    reason: str


class BookRefused(Exception):  # noqa: N818 - the store's last line of defence said no
    """A constraint of the store refused a change that the rules had let pass.

    The store raises it; it is no answer of the rules.
    """


def unknown_account(reason: str, field: str) -> Refusal:
    """Return the refusal for an account that nobody opened."""
    return Refusal(errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT, reason, field)
