"""Recomputing the whole book from its entries: nothing stored is believed but the content."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import groupby

from services.wallet.domain import (
    GENESIS,
    AccountKey,
    AccountKind,
    Draft,
    EntryKind,
    Posting,
    chain,
    content_digest,
)
from services.wallet.store.sqlite.rows import Row

_LINES = (
    "SELECT e.entry_no, e.kind, e.entry_id, e.currency, e.at_ms, e.table_id, e.hand_no,"
    " e.reference, e.note, e.content_hash, e.prev_hash, e.hash,"
    " a.kind, a.owner, a.currency, p.amount_minor, p.version, p.balance_minor"
    " FROM entries AS e JOIN postings AS p USING (entry_no) JOIN accounts AS a USING (account_no)"
    " ORDER BY e.entry_no"
)


def first_broken_link(connection: sqlite3.Connection) -> int | None:
    """Give the number of the first entry that was tampered with, None when the book is sound.

    Checks numbers, hashes, sums, each account's versions and running balance, and at the end
    that every account stands where its postings left it; there the number is one after the last.
    """
    last_no, last_hash = 0, GENESIS
    standing: dict[AccountKey, tuple[int, int]] = {}
    for entry_no, lines in _entries(connection):
        head = lines[0]
        postings = tuple(_posting(line) for line in lines)
        draft = Draft(EntryKind(head[1]), head[2], head[3], head[4], (), *head[5:9])
        content = content_digest(entry_no, draft, postings)
        sound = (
            entry_no == last_no + 1
            and (head[9], head[10]) == (content, last_hash)
            and head[11] == chain(last_hash, content)
            and sum(p.amount_minor for p in postings) == 0
            and all(_follows(p, draft.currency, standing) for p in postings)
        )
        if not sound:
            return entry_no
        last_no, last_hash = entry_no, head[11]
    if connection.execute("SELECT coalesce(max(entry_no), 0) FROM entries").fetchone()[0] > last_no:
        return last_no + 1  # the last ones have no postings
    for kind, owner, currency, version, balance in connection.execute(
        "SELECT kind, owner, currency, version, balance_minor FROM accounts"
    ):
        key = AccountKey(AccountKind(kind), owner, currency)
        if standing.get(key, (0, 0)) != (version, balance):
            return last_no + 1
    return None


def _entries(connection: sqlite3.Connection) -> Iterator[tuple[int, list[Row]]]:
    for entry_no, lines in groupby(connection.execute(_LINES), key=lambda row: int(row[0])):
        yield entry_no, list(lines)


def _posting(line: Row) -> Posting:
    account = AccountKey(AccountKind(line[12]), line[13], line[14])
    return Posting(account, line[15], line[16], line[17])


def _follows(p: Posting, currency: str, standing: dict[AccountKey, tuple[int, int]]) -> bool:
    version, balance = standing.get(p.account, (0, 0))
    standing[p.account] = (p.version, p.balance_minor)
    return (p.version, p.balance_minor, p.account.currency) == (
        version + 1,
        balance + p.amount_minor,
        currency,
    )
