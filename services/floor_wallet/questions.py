"""What callers may ask, and what they get told when they may not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from floor_wallet import answers
from floor_wallet.domain import (
    MAX_NUMBER,
    OF_THE_HOUSE,
    AccountKey,
    AccountKind,
    EntryKind,
    Refused,
    check_currency,
    check_number,
    check_table_id,
)
from floor_wallet.store import LineFilter, StoreUnavailable
from pokerfloor.api.common.v1 import errors_pb2, identity_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.servicekit import FloorError, current_identity

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
    """Demand that a table was found. Raises FloorError."""
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


def account_asked(account: wallet_pb2.Account, field: str = "account") -> AccountKey:
    """Read which account is meant. Raises FloorError."""
    try:
        kind = AccountKind(account.kind)
    except ValueError:
        raise invalid("there is no such kind of account", f"{field}.kind") from None
    owner = _owner_asked(account, kind, field)
    if len(owner) > _MAX_OWNER_CHARS or not owner.isprintable():
        raise invalid("an owner's name is shorter, and printable", f"{field}.owner")
    check(check_currency, account.currency, f"{field}.currency")
    return AccountKey(kind, owner, account.currency)


def _owner_asked(account: wallet_pb2.Account, kind: AccountKind, field: str) -> str:
    """Read whose account is meant; it must stand in the field of its kind. Raises FloorError."""
    which = account.WhichOneof("owner")
    wanted = "escrow" if kind is AccountKind.SEAT_ESCROW else answers.OWNER_FIELD.get(kind)
    # A room that is not named is the house as one room.
    if which != wanted and not (which is None and wanted == "room_id"):
        raise invalid(f"this kind of account has {wanted or 'no owner'}", f"{field}.owner")
    if kind is AccountKind.SEAT_ESCROW:
        check(check_table_id, account.escrow.table_id, f"{field}.escrow.table_id")
        return f"{account.escrow.table_id}/{account.escrow.player_id}"
    return str(getattr(account, wanted)) if wanted else ""


def lines_asked(request: wallet_pb2.GetStatementRequest) -> LineFilter:
    """Read which lines of a statement are meant. Raises FloorError."""
    check(check_number, request.from_ms, "from_ms")
    check(check_number, request.to_ms, "to_ms")
    if request.to_ms and request.to_ms <= request.from_ms:
        raise invalid("the span of time ends before it begins", "to_ms")
    if request.table_id:
        check(check_table_id, request.table_id)
    return LineFilter(
        kind=entry_kind_asked(request.kind),
        table_id=request.table_id,
        from_ms=request.from_ms,
        to_ms=request.to_ms or MAX_NUMBER,
    )


def operations_only(account: AccountKey, field: str) -> None:
    """Let only operations move what the house itself owns. Raises FloorError."""
    if account.kind not in OF_THE_HOUSE:
        return
    if not current_identity().has_role(identity_pb2.ROLE_OPERATIONS):
        raise FloorError(
            errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED,
            "rake, the house's money and suspense are moved by operations",
            f"{field}.kind",
        )


def entry_kind_asked(kind: int) -> EntryKind | None:
    """Read which kind of entries is meant, None for all. Raises FloorError."""
    if kind == wallet_pb2.ENTRY_KIND_UNSPECIFIED:
        return None
    try:
        return EntryKind(kind)
    except ValueError:
        raise invalid("there is no such kind of entry", "kind") from None
