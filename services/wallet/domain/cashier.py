"""What a cashier does: accounts opened, money in, money out."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from libs.floorapi.floor.common.v1 import errors_pb2
from services.wallet.domain import accounts, fields
from services.wallet.domain.book import Book, post
from services.wallet.domain.entries import Draft, EntryKind
from services.wallet.domain.refusal import Refused, unknown_account
from services.wallet.domain.state import RequestRecord


@dataclass(frozen=True, slots=True)
class OpenAccount:
    """Open a player's cash account. `caller` scopes the request's id."""

    caller: str
    request_id: str
    player_id: str
    currency: str
    exponent: int


@dataclass(frozen=True, slots=True)
class MoveCash:
    """A deposit (`kind` DEPOSIT) or a withdrawal. `caller` scopes the request's id."""

    kind: EntryKind
    caller: str
    request_id: str
    player_id: str
    currency: str
    amount_minor: int
    reference: str


@dataclass(frozen=True, slots=True)
class Posted:
    """The entry, and the player's cash after it in minor units."""

    entry_no: int
    balance_minor: int


def open_account(command: OpenAccount, book: Book, *, at_ms: int) -> None:
    """Open the account; one that is open stays as it is.

    Raises Refused: bad fields, ID_REUSED, CURRENCY_MISMATCH when the currency is counted with
    another exponent.
    """
    fields.check_request_id(command.request_id)
    fields.check_player_id(command.player_id)
    fields.check_currency(command.currency, "currency.code")
    fields.check_exponent(command.exponent)
    content_hash = _digest("open", command.player_id, command.currency, command.exponent)
    if _answered(book, command.caller, command.request_id, content_hash):
        return
    check_currency_known_as(book, command.currency, command.exponent)
    book.open_account(accounts.cash(command.player_id, command.currency))
    record = RequestRecord(content_hash, entry_no=0, balance_minor=0)
    book.add_request(command.caller, command.request_id, record, at_ms)


def move_cash(command: MoveCash, book: Book, *, at_ms: int) -> Posted:
    """Post a deposit or a withdrawal, or give the first answer again.

    Raises Refused: bad fields, ID_REUSED, UNKNOWN_ACCOUNT, INSUFFICIENT_FUNDS,
    AMOUNT_OUT_OF_RANGE.
    """
    fields.check_request_id(command.request_id)
    fields.check_player_id(command.player_id)
    fields.check_currency(command.currency)
    fields.check_amount(command.amount_minor)
    fields.check_note(command.reference, "reference")
    content_hash = _digest(
        command.kind.name,
        command.player_id,
        command.currency,
        command.amount_minor,
        command.reference,
    )
    first = _answered(book, command.caller, command.request_id, content_hash)
    if first is not None:
        return Posted(first.entry_no, first.balance_minor)
    player = accounts.cash(command.player_id, command.currency)
    if book.account(player) is None:
        raise unknown_account("the player has no account in this currency", "player_id")
    into_cash = command.amount_minor
    if command.kind is EntryKind.WITHDRAWAL:
        into_cash = -into_cash
    entry = post(
        book,
        Draft(
            kind=command.kind,
            # The length keeps two callers apart whatever their names and ids hold.
            entry_id=f"request/{len(command.caller)}:{command.caller}/{command.request_id}",
            currency=command.currency,
            at_ms=at_ms,
            movements=((player, into_cash), (accounts.house(command.currency), -into_cash)),
            reference=command.request_id,
            note=command.reference,
        ),
    )
    posted = Posted(entry.entry_no, entry.balance_of(player))
    record = RequestRecord(content_hash, posted.entry_no, posted.balance_minor)
    book.add_request(command.caller, command.request_id, record, at_ms)
    return posted


def check_currency_known_as(book: Book, currency: str, exponent: int) -> None:
    """Make the currency known, or demand the exponent it is known with. Raises Refused."""
    known = book.exponent(currency)
    if known is None:
        book.add_currency(currency, exponent)
    elif known != exponent:
        raise Refused(
            errors_pb2.ERROR_CODE_CURRENCY_MISMATCH,
            f"{currency} is counted with {known} decimal digits",
            "currency.exponent",
        )


def _answered(
    book: Book, caller: str, request_id: str, content_hash: bytes
) -> RequestRecord | None:
    record = book.request(caller, request_id)
    if record is not None and record.content_hash != content_hash:
        raise Refused(
            errors_pb2.ERROR_CODE_ID_REUSED,
            "this id came before with other content",
            "request_id",
        )
    return record


def _digest(*content: str | int) -> bytes:
    return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode("ascii")).digest()
