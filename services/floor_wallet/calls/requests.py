"""Requests read: which question or account is meant, and whether the caller may ask for it.

Everything here raises FloorError, naming the field at fault.
"""

from __future__ import annotations

from typing import Final

from floor_wallet.calls import errors
from floor_wallet.calls.responses import OWNER_FIELD
from floor_wallet.domain import (
    MAX_NUMBER,
    OF_THE_HOUSE,
    AccountKey,
    AccountKind,
    EntryKind,
    Refusal,
    check_currency,
    check_number,
    check_player_id,
    check_table_id,
)
from floor_wallet.gaming_day import GamingDays, NoGamingDayError
from floor_wallet.store.questions import (
    AccountsAfter,
    BalanceOf,
    EntriesAfter,
    HandsFrom,
    LineFilter,
    RakeBetween,
    StatementOf,
)
from pokerfloor.api.common.v1 import errors_pb2, identity_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.servicekit import FloorError, after_token, current_identity, page_size

# Who may read any player's money; a caller with none of these reads their own only.
_READS_ANY: Final = (
    identity_pb2.ROLE_CASHIER,
    identity_pb2.ROLE_OPERATIONS,
    identity_pb2.ROLE_AUDITOR,
    identity_pb2.ROLE_SERVICE_GATEWAY,
)
_MAX_OWNER_CHARS: Final = 256
_USUAL_LINES: Final = 100
_MAX_PAGE: Final = 500
_MAX_HANDS: Final = 1_000


def check(refusal: Refusal | None) -> None:
    """Hold a field to a check of the domain."""
    if refusal:
        raise errors.refused(refusal)


# --- questions


def balance(request: wallet_pb2.GetBalanceRequest) -> BalanceOf:
    """Read which balance is asked for."""
    check(check_player_id(request.player_id))
    check(check_currency(request.currency))
    _own_only(request.player_id, "player_id")
    return BalanceOf(request.player_id, request.currency)


def statement(request: wallet_pb2.GetStatementRequest) -> StatementOf:
    """Read which lines of which statement are asked for."""
    asked = account(request.account)
    _own_only(asked.player_id, "account.owner")
    after = after_token(request.page_token)
    limit = page_size(request.page_size, usual=_USUAL_LINES, most=_MAX_PAGE)
    return StatementOf(asked, after, limit, _lines(request))


def hands(request: wallet_pb2.ListSettledHandsRequest) -> HandsFrom:
    """Read which hands are asked for."""
    check(check_table_id(request.table_id))
    check(check_number(request.from_hand_no, "from_hand_no"))
    limit = page_size(request.page_size, usual=_MAX_HANDS, most=_MAX_HANDS)
    first = max(request.from_hand_no, after_token(request.page_token) + 1)
    return HandsFrom(request.table_id, first, limit)


def table_id(text: str) -> str:
    """Read which table is asked for."""
    check(check_table_id(text))
    return text


def entries(request: wallet_pb2.ListEntriesRequest) -> EntriesAfter:
    """Read which entries are asked for."""
    check(check_number(request.from_entry_no, "from_entry_no"))
    limit = page_size(request.page_size, usual=_MAX_PAGE, most=_MAX_PAGE)
    after = max(request.from_entry_no - 1, after_token(request.page_token))
    return EntriesAfter(after, limit)


def accounts(request: wallet_pb2.ListAccountsRequest) -> AccountsAfter:
    """Read which accounts are asked for."""
    limit = page_size(request.page_size, usual=_MAX_PAGE, most=_MAX_PAGE)
    return AccountsAfter(after_token(request.page_token), limit)


def instant(
    request: wallet_pb2.GetTrialBalanceRequest, days: GamingDays, now_ms: int
) -> int | None:
    """Read as of when a trial balance is asked for: None for now."""
    if request.at_ms and request.gaming_day:
        raise errors.invalid("either an instant or a gaming day", "gaming_day")
    if request.gaming_day:
        _, end_ms = _bounds(request.gaming_day, days)
        if end_ms > now_ms:
            raise errors.invalid("the gaming day is not over yet", "gaming_day")
        return end_ms - 1
    check(check_number(request.at_ms, "at_ms"))
    if request.at_ms > now_ms:
        raise errors.invalid("the instant has not come yet", "at_ms")
    return request.at_ms or None


def rake(request: wallet_pb2.GetRakeRequest, days: GamingDays, now_ms: int) -> RakeBetween:
    """Read over which span rake is asked for."""
    if request.gaming_day:
        if request.from_ms or request.to_ms:
            raise errors.invalid("either a span of time or a gaming day", "gaming_day")
        from_ms, to_ms = _bounds(request.gaming_day, days)
        if from_ms > now_ms:
            raise errors.invalid("the gaming day has not begun", "gaming_day")
        return RakeBetween(from_ms, to_ms, request.currency)
    check(check_number(request.from_ms, "from_ms"))
    check(check_number(request.to_ms, "to_ms"))
    to_ms = request.to_ms or now_ms
    if request.from_ms > to_ms:
        raise errors.invalid("the span ends before it begins", "from_ms")
    return RakeBetween(request.from_ms, to_ms, request.currency)


# --- accounts


def account(message: wallet_pb2.Account, field: str = "account") -> AccountKey:
    """Read which account is meant."""
    try:
        kind = AccountKind(message.kind)
    except ValueError:
        raise errors.invalid("there is no such kind of account", f"{field}.kind") from None
    owner = _owner(message, kind, field)
    if len(owner) > _MAX_OWNER_CHARS or not owner.isprintable():
        raise errors.invalid("an owner's name is shorter, and printable", f"{field}.owner")
    check(check_currency(message.currency, f"{field}.currency"))
    return AccountKey(kind, owner, message.currency)


def movable_account(message: wallet_pb2.Account, field: str) -> AccountKey:
    """Read one side of a transfer; only operations move what the house itself owns."""
    key = account(message, field)
    allowed = current_identity().has_role(identity_pb2.ROLE_OPERATIONS)
    if key.kind in OF_THE_HOUSE and not allowed:
        raise FloorError(
            errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED,
            "rake, the house's money and suspense are moved by operations",
            f"{field}.kind",
        )
    return key


def _owner(message: wallet_pb2.Account, kind: AccountKind, field: str) -> str:
    """Read whose account is meant; it must stand in the field of its kind."""
    which = message.WhichOneof("owner")
    wanted = "escrow" if kind is AccountKind.SEAT_ESCROW else OWNER_FIELD.get(kind)
    # A room that is not named is the house as one room.
    if which != wanted and not (which is None and wanted == "room_id"):
        raise errors.invalid(f"this kind of account has {wanted or 'no owner'}", f"{field}.owner")
    if kind is AccountKind.SEAT_ESCROW:
        check(check_table_id(message.escrow.table_id, f"{field}.escrow.table_id"))
        return f"{message.escrow.table_id}/{message.escrow.player_id}"
    return str(getattr(message, wanted)) if wanted else ""


def _own_only(player_id: str, field: str) -> None:
    """Let players read their own money only; `player_id` is "" for the house's accounts."""
    caller = current_identity()
    if caller.has_role(*_READS_ANY) or (player_id and caller.subject == player_id):
        return
    raise FloorError(errors_pb2.ERROR_CODE_NOT_YOURS, "players may read their own money", field)


def _lines(request: wallet_pb2.GetStatementRequest) -> LineFilter:
    check(check_number(request.from_ms, "from_ms"))
    check(check_number(request.to_ms, "to_ms"))
    if request.to_ms and request.to_ms <= request.from_ms:
        raise errors.invalid("the span of time ends before it begins", "to_ms")
    if request.table_id:
        check(check_table_id(request.table_id))
    return LineFilter(
        kind=_entry_kind(request.kind),
        table_id=request.table_id,
        from_ms=request.from_ms,
        to_ms=request.to_ms or MAX_NUMBER,
    )


def _entry_kind(kind: int) -> EntryKind | None:
    """Read which kind of entries is meant, None for all."""
    if kind == wallet_pb2.ENTRY_KIND_UNSPECIFIED:
        return None
    try:
        return EntryKind(kind)
    except ValueError:
        raise errors.invalid("there is no such kind of entry", "kind") from None


def _bounds(gaming_day: str, days: GamingDays) -> tuple[int, int]:
    try:
        return days.bounds(days.parse(gaming_day))
    except NoGamingDayError as error:
        raise errors.invalid(str(error), "gaming_day") from error
