"""What callers may ask, and what they get told when they may not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from libs.floorapi.floor.common.v1 import errors_pb2, identity_pb2
from libs.floorapi.floor.wallet.v1 import wallet_pb2
from libs.floorkit import FloorError, current_identity
from services.wallet.domain import AccountKey, AccountKind, EntryKind, Refused
from services.wallet.store import StoreUnavailable

T = TypeVar("T")
P = ParamSpec("P")

# Who may read any player's money; a caller with none of these reads their own only.
_READS_ANY = (
    identity_pb2.ROLE_CASHIER,
    identity_pb2.ROLE_OPERATIONS,
    identity_pb2.ROLE_AUDITOR,
    identity_pb2.ROLE_SERVICE_GATEWAY,
)
_MAX_OWNER_CHARS = 256


def on_the_wire(refusal: Refused) -> FloorError:
    """Give a refusal of the rules as the error that travels."""
    return FloorError(refusal.code, refusal.reason, refusal.field)


def check(rule: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
    """Hold a field to a rule of the domain. Raises FloorError."""
    try:
        rule(*args, **kwargs)
    except Refused as refusal:
        raise on_the_wire(refusal) from refusal


async def read(question: Awaitable[T]) -> T:
    """Wait for the store's answer. Raises FloorError UNAVAILABLE."""
    try:
        return await question
    except StoreUnavailable as gone:
        raise unavailable() from gone


def unavailable() -> FloorError:
    """Make the error for a store that is gone."""
    return FloorError(errors_pb2.ERROR_CODE_UNAVAILABLE, "the ledger cannot be reached now")


def invalid(reason: str, field: str) -> FloorError:
    """Make the error for a bad field."""
    return FloorError(errors_pb2.ERROR_CODE_INVALID_FIELD, reason, field)


def unknown_account(field: str) -> FloorError:
    """Make the error for an account that was never opened."""
    return FloorError(errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT, "there is no such account", field)


def known_table(found: T | None) -> T:
    """Demand that a table was found."""
    if found is None:
        raise FloorError(
            errors_pb2.ERROR_CODE_UNKNOWN_TABLE, "the wallet knows no such table", "table_id"
        )
    return found


def own_only(player_id: str, field: str) -> None:
    """Let players read their own money only; `player_id` is "" for the house's accounts."""
    caller = current_identity()
    if caller.has_role(*_READS_ANY) or (player_id and caller.subject == player_id):
        return
    raise FloorError(errors_pb2.ERROR_CODE_NOT_YOURS, "players may read their own money", field)


def account_asked(account: wallet_pb2.Account) -> AccountKey:
    """Read which account is meant. Raises FloorError."""
    try:
        kind = AccountKind(account.kind)
    except ValueError:
        raise invalid("there is no such kind of account", "account.kind") from None
    if len(account.owner) > _MAX_OWNER_CHARS:
        raise invalid("an owner's name is shorter", "account.owner")
    return AccountKey(kind, account.owner, account.currency)


def entry_kind_asked(kind: int) -> EntryKind | None:
    """Read which kind of entries is meant, None for all. Raises FloorError."""
    if kind == wallet_pb2.ENTRY_KIND_UNSPECIFIED:
        return None
    try:
        return EntryKind(kind)
    except ValueError:
        raise invalid("there is no such kind of entry", "kind") from None
