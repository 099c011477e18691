"""Values as rows, and rows as values."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, TypeVar, cast

from services.wallet.domain import (
    AccountKey,
    AccountKind,
    Draft,
    Entry,
    EntryKind,
    Posting,
)
from services.wallet.store import columns

Row = tuple[Any, ...]
K = TypeVar("K")

_ACCOUNT_KINDS: Final[dict[int, AccountKind]] = {int(kind): kind for kind in AccountKind}
_ENTRY_KINDS: Final[dict[int, EntryKind]] = {int(kind): kind for kind in EntryKind}

_TABLE_COLUMNS: Final = columns.TABLE.split(", ")

UPSERT_TABLE: Final = (
    f"INSERT INTO tables ({columns.TABLE}) VALUES ({', '.join('?' * len(_TABLE_COLUMNS))})"  # noqa: S608 - constants
    " ON CONFLICT (table_id) DO UPDATE SET "
    + ", ".join(f"{name} = excluded.{name}" for name in _TABLE_COLUMNS[1:])
)

# HELD is 1; it stands in the text, because the partial index is only used then.
HELD_AT_TABLE: Final = (
    "SELECT coalesce(sum(amount_minor), 0) FROM reservations"
    " WHERE table_id = ? AND player_id = ? AND state = 1"
)


_ENTRY_LINES: Final = (
    "SELECT e.entry_no, e.entry_id, e.kind, e.currency, e.at_ms, e.table_id, e.hand_no,"
    " e.reference, e.note, e.content_hash, e.prev_hash, e.hash,"
    " a.kind, a.owner, a.currency, p.amount_minor, p.version, p.balance_minor"
    " FROM entries AS e JOIN postings AS p USING (entry_no) JOIN accounts AS a USING (account_no)"
    " WHERE e.entry_no > ? AND e.entry_no <= ? ORDER BY e.entry_no, a.kind, a.owner"
)


def entries_of(connection: sqlite3.Connection, after_no: int, to_no: int) -> Iterator[Entry]:
    """Read entries with their postings, in order: those after a number, up to another."""
    found = connection.execute(_ENTRY_LINES, (after_no, to_no))
    for _, lines in groupby(found, key=itemgetter(0)):
        yield to_entry(list(lines))


def to_entry(lines: Sequence[Row]) -> Entry:
    """Read an entry from its lines, a posting each, as they stand; nothing is believed of them."""
    head = lines[0]
    postings = tuple(
        Posting(AccountKey(_known(_ACCOUNT_KINDS, line[12]), line[13], line[14]), *line[15:18])
        for line in lines
    )
    draft = Draft(
        kind=_known(_ENTRY_KINDS, head[2]),
        entry_id=head[1],
        currency=head[3],
        at_ms=head[4],
        movements=tuple((p.account, p.amount_minor) for p in postings),
        table_id=head[5],
        hand_no=head[6],
        reference=head[7],
        note=head[8],
    )
    return Entry(head[0], draft, postings, *head[9:12])


def _known(kinds: dict[int, K], number: int) -> K:
    """Give a kind; a number that is none, because somebody changed it, stays as it stands."""
    return kinds.get(number, cast("K", number))
