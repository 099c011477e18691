"""Entries as either database gives them: a line for each posting, the entry's own columns first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeVar, cast

from floor_wallet.domain import AccountKey, AccountKind, Draft, Entry, EntryKind, Posting
from floor_wallet.store.columns import Row

#: What a store adds is which entries it wants, and `IN_ORDER`.
ENTRY_LINES: Final = (
    "SELECT e.entry_no, e.entry_id, e.kind, e.currency, e.at_ms, e.table_id, e.hand_no,"
    " e.reference, e.note, e.content_hash, e.prev_hash, e.hash,"
    " a.kind, a.owner, a.currency, p.amount_minor, p.version, p.balance_minor"
    " FROM entries AS e JOIN postings AS p ON p.entry_no = e.entry_no"
    " JOIN accounts AS a ON a.account_no = p.account_no"
)
IN_ORDER: Final = "ORDER BY e.entry_no, a.kind, a.owner"

K = TypeVar("K")

_ACCOUNT_KINDS: Final[dict[int, AccountKind]] = {int(kind): kind for kind in AccountKind}
_ENTRY_KINDS: Final[dict[int, EntryKind]] = {int(kind): kind for kind in EntryKind}


def entries_in(lines: Iterable[Row]) -> Iterator[Entry]:
    """Read entries from lines in order, as they stand; nothing is believed of them."""
    for _, of_entry in groupby(lines, key=itemgetter(0)):
        yield _entry_in(list(of_entry))


def _entry_in(lines: Sequence[Row]) -> Entry:
    head = lines[0]
    postings = tuple(
        Posting(account_key(line[12], line[13], line[14]), line[15], line[16], line[17])
        for line in lines
    )
    draft = Draft(
        kind=entry_kind(head[2]),
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


def account_key(kind: int, owner: str, currency: str) -> AccountKey:
    """Read an account's name, as it stands."""
    return AccountKey(account_kind(kind), owner, currency)


def account_kind(number: int) -> AccountKind:
    """Read an account's kind, as it stands."""
    return _known(_ACCOUNT_KINDS, number)


def entry_kind(number: int) -> EntryKind:
    """Read an entry's kind, as it stands."""
    return _known(_ENTRY_KINDS, number)


def _known(kinds: dict[int, K], number: int) -> K:
    """Return a kind; a number that is none, because somebody changed it, stays as it stands."""
    return kinds.get(number, cast("K", number))
