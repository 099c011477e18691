"""Money moved by hand between accounts that no table holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from floor_wallet.domain import fields
from floor_wallet.domain.accounts import AccountKey, AccountKind
from floor_wallet.domain.book import Book, post
from floor_wallet.domain.commands import Call, Posted, digest, posted_by
from floor_wallet.domain.entries import Draft, EntryKind
from floor_wallet.domain.reads import Reads
from floor_wallet.domain.refusal import unknown_account
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal

#: What the house itself owns; moving it is for operations.
OF_THE_HOUSE: Final = frozenset({AccountKind.RAKE, AccountKind.HOUSE, AccountKind.SUSPENSE})
_OF_A_ROOM: Final = frozenset({AccountKind.RAKE, AccountKind.TIPS})
_MOVABLE: Final = OF_THE_HOUSE | {AccountKind.PLAYER_CASH, AccountKind.TIPS}


@dataclass(frozen=True, slots=True)
class Transfer:
    """Move an amount from one account to another. `caller` scopes the command's id."""

    caller: str
    command_id: str
    source: AccountKey
    target: AccountKey
    amount_minor: int
    reason: str

    @property
    def reads(self) -> Reads:
        """What it is known to read."""
        return Reads(
            commands=((self.caller, self.command_id),), accounts=(self.source, self.target)
        )


def transfer(command: Transfer, book: Book, *, at_ms: int) -> Posted | Refusal:
    """Post a transfer, or give the first answer again.

    Refusals: bad fields, ID_REUSED, CURRENCY_MISMATCH, UNKNOWN_ACCOUNT, INSUFFICIENT_FUNDS,
    AMOUNT_OUT_OF_RANGE.
    """
    if refusal := _check_fields(command):
        return refusal
    source, target = command.source, command.target
    content_hash = digest(
        EntryKind.TRANSFER.name,
        int(source.kind),
        source.owner,
        int(target.kind),
        target.owner,
        source.currency,
        command.amount_minor,
        command.reason,
    )
    call = Call(command.caller, command.command_id, content_hash)
    if first := call.answered(book):
        return first
    if book.exponent(source.currency) is None:
        return unknown_account("no account is kept in this currency", "source.currency")
    movements = ((source, -command.amount_minor), (target, command.amount_minor))
    refusal = (
        _check_open(source, "source", book)
        or _check_open(target, "target", book)
        or check_rake(movements, "amount_minor", book)
    )
    if refusal:
        return refusal
    entry = post(
        book,
        Draft(
            kind=EntryKind.TRANSFER,
            entry_id=call.entry_id,
            currency=source.currency,
            at_ms=at_ms,
            movements=movements,
            reference=call.command_id,
            note=command.reason,
        ),
    )
    if isinstance(entry, Refusal):
        return entry
    return call.answer(posted_by(entry), book, at_ms=at_ms)


def check_rake(
    movements: tuple[tuple[AccountKey, int], ...], field: str, book: Book
) -> Refusal | None:
    """Refuse (INSUFFICIENT_FUNDS) to move more rake by hand than there is.

    The store lets it go below zero, for a tournament's fee is given back whatever was done with it.
    """
    for account, amount in movements:
        if account.kind is not AccountKind.RAKE:
            continue
        state = book.account(account)
        held = state.balance_minor if state else 0
        if held + amount < 0:
            return Refusal(
                errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS,
                f"the account holds {held} and {-amount} are asked for",
                field,
            )
    return None


def _check_fields(command: Transfer) -> Refusal | None:
    refusal = (
        fields.check_command_id(command.command_id)
        or _check_account(command.source, "source")
        or _check_account(command.target, "target")
    )
    if refusal:
        return refusal
    if command.source.currency != command.target.currency:
        return Refusal(
            errors_pb2.ERROR_CODE_CURRENCY_MISMATCH,
            "money stays in its currency",
            "target.currency",
        )
    if command.source == command.target:
        return fields.invalid("a transfer goes to another account", "target")
    return fields.check_amount(command.amount_minor) or fields.check_reason(command.reason)


def _check_account(account: AccountKey, field: str) -> Refusal | None:
    if account.kind not in _MOVABLE:
        return fields.invalid("a table's money moves by the table's log only", f"{field}.kind")
    refusal: Refusal | None = None
    if account.kind is AccountKind.PLAYER_CASH:
        refusal = fields.check_player_id(account.owner, f"{field}.owner")
    elif account.kind in _OF_A_ROOM:
        refusal = fields.check_room_id(account.owner, f"{field}.owner")
    elif account.owner:
        refusal = fields.invalid("the account has no owner", f"{field}.owner")
    return refusal or fields.check_currency(account.currency, f"{field}.currency")


def _check_open(account: AccountKey, field: str, book: Book) -> Refusal | None:
    if account.kind is AccountKind.PLAYER_CASH and book.account(account) is None:
        return unknown_account("the player has no account in this currency", f"{field}.owner")
    return None
