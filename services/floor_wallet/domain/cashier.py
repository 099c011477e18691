"""What a cashier does: accounts opened, money in, money out."""

from __future__ import annotations

from dataclasses import dataclass

from floor_wallet.domain import accounts, fields
from floor_wallet.domain.book import Book, post
from floor_wallet.domain.commands import Call, Posted, digest, posted_by
from floor_wallet.domain.entries import Draft, EntryKind
from floor_wallet.domain.reads import Reads
from floor_wallet.domain.refusal import unknown_account
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal


@dataclass(frozen=True, slots=True)
class OpenAccount:
    """Open a player's cash account. `caller` scopes the command's id."""

    caller: str
    command_id: str
    player_id: str
    currency: str
    exponent: int

    @property
    def reads(self) -> Reads:
        """What it is known to read."""
        return Reads(
            commands=((self.caller, self.command_id),),
            accounts=(accounts.cash(self.player_id, self.currency),),
        )


@dataclass(frozen=True, slots=True)
class MoveCash:
    """A deposit (`kind` DEPOSIT) or a withdrawal. `caller` scopes the command's id."""

    kind: EntryKind
    caller: str
    command_id: str
    player_id: str
    currency: str
    amount_minor: int
    reference: str

    @property
    def reads(self) -> Reads:
        """What it is known to read."""
        return Reads(
            commands=((self.caller, self.command_id),),
            accounts=(
                accounts.cash(self.player_id, self.currency),
                accounts.house(self.currency),
            ),
        )


def open_account(command: OpenAccount, book: Book, *, at_ms: int) -> Refusal | None:
    """Open the account; one that is open stays as it is.

    Refusals: bad fields, ID_REUSED, CURRENCY_MISMATCH when the currency is counted with
    another exponent.
    """
    refusal = (
        fields.check_command_id(command.command_id)
        or fields.check_player_id(command.player_id)
        or fields.check_currency(command.currency, "currency.code")
        or fields.check_exponent(command.exponent)
    )
    if refusal:
        return refusal
    content_hash = digest("open", command.player_id, command.currency, command.exponent)
    call = Call(command.caller, command.command_id, content_hash)
    if first := call.answered(book):
        return first if isinstance(first, Refusal) else None
    if refusal := check_currency_known_as(book, command.currency, command.exponent):
        return refusal
    book.open_account(accounts.cash(command.player_id, command.currency))
    call.answer(Posted(0, 0), book, at_ms=at_ms)
    return None


def move_cash(command: MoveCash, book: Book, *, at_ms: int) -> Posted | Refusal:
    """Post a deposit or a withdrawal, or give the first answer again.

    Refusals: bad fields, ID_REUSED, UNKNOWN_ACCOUNT, INSUFFICIENT_FUNDS,
    AMOUNT_OUT_OF_RANGE.
    """
    refusal = (
        fields.check_command_id(command.command_id)
        or fields.check_player_id(command.player_id)
        or fields.check_currency(command.currency)
        or fields.check_amount(command.amount_minor)
        or fields.check_note(command.reference, "reference")
    )
    if refusal:
        return refusal
    content_hash = digest(
        command.kind.name,
        command.player_id,
        command.currency,
        command.amount_minor,
        command.reference,
    )
    call = Call(command.caller, command.command_id, content_hash)
    if first := call.answered(book):
        return first
    player = accounts.cash(command.player_id, command.currency)
    if book.account(player) is None:
        return unknown_account("the player has no account in this currency", "player_id")
    into_cash = command.amount_minor
    if command.kind is EntryKind.WITHDRAWAL:
        into_cash = -into_cash
    entry = post(
        book,
        Draft(
            kind=command.kind,
            entry_id=call.entry_id,
            currency=command.currency,
            at_ms=at_ms,
            movements=((player, into_cash), (accounts.house(command.currency), -into_cash)),
            reference=call.command_id,
            note=command.reference,
        ),
    )
    if isinstance(entry, Refusal):
        return entry
    return call.answer(posted_by(entry), book, at_ms=at_ms)


def check_currency_known_as(book: Book, currency: str, exponent: int) -> Refusal | None:
    """Make the currency known, or refuse another exponent than it is known with."""
    known = book.exponent(currency)
    if known is None:
        book.add_currency(currency, exponent)
    elif known != exponent:
        return Refusal(
            errors_pb2.ERROR_CODE_CURRENCY_MISMATCH,
            f"{currency} is counted with {known} decimal digits",
            "currency.exponent",
        )
    return None
