"""Values as rows, and rows as values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from services.wallet.domain import (
    AccountKey,
    AccountKind,
    Draft,
    Entry,
    EntryKind,
    Posting,
)

#: A row as asyncpg gives it: by position and by name.
Row = Any


#: An entry's postings, a line each; what picks the entries and their order is added to it.
ENTRY_LINES: Final = (
    "SELECT e.entry_no, e.entry_id, e.kind, e.currency, e.at_ms, e.table_id, e.hand_no,"
    " e.reference, e.note, e.content_hash, e.prev_hash, e.hash,"
    " a.kind, a.owner, a.currency, p.amount_minor, p.version, p.balance_minor"
    " FROM entries AS e JOIN postings AS p ON p.entry_no = e.entry_no"
    " JOIN accounts AS a ON a.account_no = p.account_no"
)


def to_entry(lines: Sequence[Row]) -> Entry:
    """Read an entry from its lines, as they stand; nothing is believed of them."""
    head = lines[0]
    postings = tuple(
        Posting(AccountKey(AccountKind(line[12]), line[13], line[14]), line[15], line[16], line[17])
        for line in lines
    )
    draft = Draft(
        kind=EntryKind(head[2]),
        entry_id=head[1],
        currency=head[3],
        at_ms=head[4],
        movements=tuple((p.account, p.amount_minor) for p in postings),
        table_id=head[5],
        hand_no=head[6],
        reference=head[7],
        note=head[8],
    )
    return Entry(head[0], draft, postings, head[9], head[10], head[11])
