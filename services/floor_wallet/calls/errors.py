"""Refusals of the rules and states of the store, as the errors that travel."""

from __future__ import annotations

from floor_wallet.domain import Refusal
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.servicekit import FloorError


def refused(refusal: Refusal) -> FloorError:
    """Return the error for a refusal of the rules."""
    return FloorError(refusal.code, refusal.reason, refusal.field)


def invalid(reason: str, field: str) -> FloorError:
    """Return the error for a bad field."""
    return FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)


def unavailable() -> FloorError:
    """Return the error for a store that cannot be reached."""
    return FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, "the ledger cannot be reached now")


def unknown_account(field: str) -> FloorError:
    """Return the error for an account that was never opened."""
    return FloorError(errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT, "there is no such account", field)


def unknown_currency() -> FloorError:
    """Return the error for a currency that the book does not know."""
    return FloorError(
        errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT,
        "the book has no account in this currency",
        "currency",
    )


def unknown_table() -> FloorError:
    """Return the error for a table never heard of."""
    return FloorError(
        errors_pb2.ERROR_CODE_UNKNOWN_TABLE, "the wallet knows no such table", "table_id"
    )
