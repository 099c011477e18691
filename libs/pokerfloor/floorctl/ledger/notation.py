"""Accounts, kinds, amounts and times of the ledger as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.floorctl.arguments import ArgumentError

#: By kind of account, the first part of its name.
ACCOUNT_WORDS: Final[dict[int, str]] = {
    wallet_pb2.ACCOUNT_KIND_PLAYER_CASH: "cash",
    wallet_pb2.ACCOUNT_KIND_RESERVED: "reserved",
    wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW: "escrow",
    wallet_pb2.ACCOUNT_KIND_TABLE_POT: "pot",
    wallet_pb2.ACCOUNT_KIND_TOURNAMENT_POOL: "pool",
    wallet_pb2.ACCOUNT_KIND_RAKE: "rake",
    wallet_pb2.ACCOUNT_KIND_TIPS: "tips",
    wallet_pb2.ACCOUNT_KIND_HOUSE: "house",
    wallet_pb2.ACCOUNT_KIND_SUSPENSE: "suspense",
}
_KINDS: Final = {word: kind for kind, word in ACCOUNT_WORDS.items()}
_OF_THE_HOUSE: Final = (wallet_pb2.ACCOUNT_KIND_HOUSE, wallet_pb2.ACCOUNT_KIND_SUSPENSE)
#: The field of an account that says whose it is; a player where none is named.
_OWNER_FIELD: Final[dict[int, str]] = {
    wallet_pb2.ACCOUNT_KIND_TABLE_POT: "table_id",
    wallet_pb2.ACCOUNT_KIND_TOURNAMENT_POOL: "table_id",
    wallet_pb2.ACCOUNT_KIND_RAKE: "room_id",
    wallet_pb2.ACCOUNT_KIND_TIPS: "room_id",
}
_PREFIX: Final = "ENTRY_KIND_"


def account_name(kind: int, owner: str) -> str:
    """Name an account: cash/ann, escrow/main-1/ann, rake/room-1, house."""
    word = ACCOUNT_WORDS.get(kind, f"kind-{kind}")
    return word if kind in _OF_THE_HOUSE and not owner else f"{word}/{owner}"


def owner_of(account: wallet_pb2.Account) -> str:
    """Return whose an account is, as hashes cover it: ann, main-1/ann, main-1, room-1, or ""."""
    which = account.WhichOneof("owner")
    if which is None:
        return ""
    if which == "escrow":
        return f"{account.escrow.table_id}/{account.escrow.player_id}"
    owner: str = getattr(account, which)
    return owner


def account_key(posting: wallet_pb2.Posting) -> tuple[int, str]:
    """Return the kind and the owner of the account that a posting moves."""
    return posting.account.kind, owner_of(posting.account)


def read_account(text: str, currency: str) -> wallet_pb2.Account:
    """Read an account's name. Raises ArgumentError."""
    word, _, owner = text.partition("/")
    kind = _KINDS.get(word)
    if kind is None:
        raise ArgumentError(
            "UNKNOWN_ACCOUNT", f"{text!r} does not begin with one of {', '.join(_KINDS)}"
        )
    account = wallet_pb2.Account(kind=wallet_pb2.AccountKind.ValueType(kind), currency=currency)
    if kind == wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW:
        account.escrow.table_id, _, account.escrow.player_id = owner.partition("/")
    elif owner:
        setattr(account, _OWNER_FIELD.get(kind, "player_id"), owner)
    return account


def entry_word(kind: int) -> str:
    """Name a kind of entries: hand, buy-in, cash-out."""
    try:
        name = wallet_pb2.EntryKind.Name(wallet_pb2.EntryKind.ValueType(kind))
    except ValueError:
        return f"kind-{kind}"
    return name.removeprefix(_PREFIX).lower().replace("_", "-")


def read_entry_kind(text: str) -> wallet_pb2.EntryKind.ValueType:
    """Read a kind of entries. Raises ArgumentError."""
    words = {entry_word(kind): kind for kind in wallet_pb2.EntryKind.values() if kind}
    if text not in words:
        raise ArgumentError("INVALID_FIELD", f"{text!r} is none of {', '.join(words)}")
    return words[text]


def money(amount_minor: int, exponent: int, *, thousands: str = ",") -> str:
    """Write an amount in the currency's decimals, without the currency."""
    whole, part = divmod(abs(amount_minor), 10**exponent)
    sign = "-" if amount_minor < 0 else ""
    written = f"{whole:,}".replace(",", thousands)
    return f"{sign}{written}.{part:0{exponent}d}" if exponent else f"{sign}{written}"


def when(at_ms: int) -> str:
    """Write an instant in UTC, to the millisecond."""
    try:
        at = datetime.fromtimestamp(at_ms // 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return f"{at_ms} ms"
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at_ms % 1000:03d}Z"


def read_instant(text: str) -> int:
    """Read an instant such as 2026-11-30T06:00 (UTC without a zone): ms. Raises ArgumentError."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentError(
            "INVALID_FIELD", f"{text!r} is no time such as 2026-11-30T06:00"
        ) from None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    at_ms = round(at.timestamp() * 1000)
    if at_ms <= 0:
        raise ArgumentError("INVALID_FIELD", f"{text} is before 1970")
    return at_ms


def columns(head: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Lay a table out: the first `left` columns to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (head, *rows)
    ]
