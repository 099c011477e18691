"""An entry: checked, numbered, balanced and chained before any store sees it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, Protocol

from floor_wallet.domain.accounts import NEVER_NEGATIVE, AccountKey
from floor_wallet.domain.fields import MAX_MINOR
from floor_wallet.domain.state import AccountState, Head
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal

#: What hashes are made of; an encoder made once, for every entry needs it.
compact_json: Final = json.JSONEncoder(separators=(",", ":")).encode


class EntryKind(IntEnum):
    """What an entry is for; the numbers are those of floor.wallet.v1.EntryKind."""

    DEPOSIT = 1
    WITHDRAWAL = 2
    RESERVATION = 3
    BUY_IN = 4
    RESERVATION_VOID = 5
    HAND = 6
    CASH_OUT = 7
    TOP_UP = 8
    TOURNAMENT = 9
    REVERSAL = 10
    CARRIED_POT = 11
    TRANSFER = 12


@dataclass(frozen=True, slots=True)
class Draft:
    """What shall be posted: signed amounts in minor units by account, sum zero, one currency.

    `entry_id` is unique in the book. `reference` is the request, reservation or cash-out id;
    `note` is what a person gave along.
    """

    kind: EntryKind
    entry_id: str
    currency: str
    at_ms: int
    movements: tuple[tuple[AccountKey, int], ...]
    table_id: str = ""
    hand_no: int = 0
    reference: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Posting:
    """A line of an entry: the amount, and the account's version and balance after it."""

    account: AccountKey
    amount_minor: int
    version: int
    balance_minor: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as it is stored. `hash` covers its content and the hash of the entry before it."""

    entry_no: int
    draft: Draft
    postings: tuple[Posting, ...]
    content_hash: bytes
    prev_hash: bytes
    hash: bytes

    @property
    def amount_minor(self) -> int:
        """The sum of the positive postings."""
        return sum(p.amount_minor for p in self.postings if p.amount_minor > 0)

    def balance_of(self, account: AccountKey) -> int:
        """Return the balance after this entry of an account that it moves."""
        return next(p.balance_minor for p in self.postings if p.account == account)


class Balances(Protocol):
    """What `seal` reads of the book."""

    def head(self) -> Head:
        """Return the last entry."""
        ...

    def account(self, key: AccountKey) -> AccountState | None:
        """Return an account's state, None when it was never opened."""
        ...


def seal(draft: Draft, book: Balances) -> Entry | Refusal:
    """Return an entry its number, balances and hashes. Accounts that do not exist begin at zero.

    It is never older than the entry before: a clock that is set back stands still in the book, so
    what the book held at an instant is what its first entries made.

    Refusals: NOT_BALANCED, CURRENCY_MISMATCH, AMOUNT_OUT_OF_RANGE, INSUFFICIENT_FUNDS.
    """
    if refusal := _check_shape(draft):
        return refusal
    head = book.head()
    draft = draft if draft.at_ms >= head.at_ms else replace(draft, at_ms=head.at_ms)
    lines: list[Posting] = []
    for account, amount in draft.movements:
        posting = _posting(account, amount, book.account(account))
        if isinstance(posting, Refusal):
            return posting
        lines.append(posting)
    postings = tuple(lines)
    entry_no = head.entry_no + 1
    content_hash = content_digest(entry_no, draft, postings)
    return Entry(
        entry_no=entry_no,
        draft=draft,
        postings=postings,
        content_hash=content_hash,
        prev_hash=head.hash,
        hash=chain(head.hash, content_hash),
    )


def content_digest(entry_no: int, draft: Draft, postings: tuple[Posting, ...]) -> bytes:
    """Return the SHA-256 of an entry's content as compact ASCII JSON: 32 bytes.

    A list: number, kind, id, currency, time, table, hand, reference, note, and for each posting
    kind, owner, amount, version, balance. Postings stand in the order of (kind, owner).
    """
    lines = sorted(
        [int(p.account.kind), p.account.owner, p.amount_minor, p.version, p.balance_minor]
        for p in postings
    )
    content = [
        entry_no,
        int(draft.kind),
        draft.entry_id,
        draft.currency,
        draft.at_ms,
        draft.table_id,
        draft.hand_no,
        draft.reference,
        draft.note,
        lines,
    ]
    return hashlib.sha256(compact_json(content).encode("ascii")).digest()


def chain(prev_hash: bytes, content_hash: bytes) -> bytes:
    """Return the hash of an entry from that of the one before and its own content: 32 bytes."""
    return hashlib.sha256(prev_hash + content_hash).digest()


def _check_shape(draft: Draft) -> Refusal | None:
    accounts = {account for account, _ in draft.movements}
    if len(accounts) < 2 or len(accounts) != len(draft.movements):
        return _not_balanced("an entry moves at least two accounts, each once")
    if any(account.currency != draft.currency for account in accounts):
        return Refusal(
            errors_pb2.ERROR_CODE_CURRENCY_MISMATCH, "an entry has one currency", "currency"
        )
    for _, amount in draft.movements:
        if amount == 0 or abs(amount) > MAX_MINOR:
            return _out_of_range("an entry moves amounts between 1 and 2^53-1 minor units")
    if sum(amount for _, amount in draft.movements) != 0:
        return _not_balanced("the amounts of an entry sum to zero")
    return None


def _posting(account: AccountKey, amount: int, state: AccountState | None) -> Posting | Refusal:
    before = state or AccountState(0, 0)
    balance = before.balance_minor + amount
    if balance < 0 and account.kind in NEVER_NEGATIVE:
        return Refusal(
            errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS,
            f"the account holds {before.balance_minor} and {-amount} are asked for",
            "amount_minor",
        )
    if abs(balance) > MAX_MINOR:
        return _out_of_range("a balance would pass 2^53-1 minor units")
    return Posting(account, amount, before.version + 1, balance)


def _not_balanced(reason: str) -> Refusal:
    return Refusal(errors_pb2.ERROR_CODE_NOT_BALANCED, reason)


def _out_of_range(reason: str) -> Refusal:
    return Refusal(errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE, reason, "amount_minor")
