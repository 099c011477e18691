"""Books of any size, made by rows and not by calls, with the right numbers, balances and hashes.

What the schema demands of a program is switched off meanwhile. Afterwards the book is as strict as
any other, and takes no entry that does not follow what was loaded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from floor_wallet.domain import (
    GENESIS,
    Draft,
    EntryKind,
    Posting,
    cash,
    chain,
    content_digest,
    house,
)
from tests.bench.ledger_callers import player
from tests.bench.ledger_stores import Group, Row

_CURRENCY: Final = "EUR"
_DEPOSIT_MINOR: Final = 100_000
_FIRST_AT_MS: Final = 1_700_000_000_000
_HOUSE_NO: Final = 1
_GROUP: Final = 10_000


def account_rows(entries: int, accounts: int) -> list[Row]:
    """Return the accounts as the entries leave them: the house, and players whose turns it was."""
    total = entries * _DEPOSIT_MINOR
    rows: list[Row] = [
        (_HOUSE_NO, int(house(_CURRENCY).kind), "", _CURRENCY, "", "", entries, -total)
    ]
    for number in range(accounts):
        key = cash(player(number), _CURRENCY)
        version = len(range(number, entries, accounts))
        balance = version * _DEPOSIT_MINOR
        account_no = _HOUSE_NO + 1 + number
        rows.append(
            (account_no, int(key.kind), key.owner, _CURRENCY, key.owner, "", version, balance)
        )
    return rows


def deposits(entries: int, accounts: int) -> Iterator[Group]:
    """Yield deposits to all players in turn, in groups; their facts are published already."""
    hash_ = GENESIS
    for first in range(0, entries, _GROUP):
        group = Group([], [], [], [])
        for number in range(first, min(first + _GROUP, entries)):
            hash_ = _deposit(number, accounts, hash_, group)
        yield group


def _deposit(number: int, accounts: int, prev_hash: bytes, group: Group) -> bytes:
    """Add a deposit's rows; gives its hash."""
    entry_no, whose = number + 1, number % accounts
    request_id = f"load-{number}"
    key, at_ms, version = (
        cash(player(whose), _CURRENCY),
        _FIRST_AT_MS + number,
        number // accounts + 1,
    )
    postings = (
        Posting(key, _DEPOSIT_MINOR, version, version * _DEPOSIT_MINOR),
        Posting(house(_CURRENCY), -_DEPOSIT_MINOR, entry_no, -entry_no * _DEPOSIT_MINOR),
    )
    draft = Draft(
        kind=EntryKind.DEPOSIT,
        entry_id=f"request/4:desk/{request_id}",
        currency=_CURRENCY,
        at_ms=at_ms,
        movements=(),
        reference=request_id,
        note="till 3",
    )
    content_hash = content_digest(entry_no, draft, postings)
    hash_ = chain(prev_hash, content_hash)
    for account_no, p in zip((_HOUSE_NO + 1 + whose, _HOUSE_NO), postings, strict=True):
        group.postings.append((account_no, p.version, entry_no, p.amount_minor, p.balance_minor))
    group.entries.append(
        (
            *(entry_no, draft.entry_id, int(draft.kind), _CURRENCY, at_ms, "", 0),
            *(request_id, draft.note, content_hash, prev_hash, hash_),
        )
    )
    balance = postings[0].balance_minor
    group.requests.append(("desk", request_id, content_hash, entry_no, balance, at_ms))
    return hash_
