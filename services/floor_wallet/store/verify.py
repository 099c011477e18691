"""Recomputing a whole book from its entries: nothing stored is believed but the content.

The same for every store, and apart from the code that writes.
"""

from __future__ import annotations

from collections.abc import Iterable

from floor_wallet.domain import GENESIS, AccountKey, Entry, chain, content_digest
from floor_wallet.store.questions import BookAudit

#: An account's version and balance.
Standing = tuple[int, int]


def audit(
    entries: Iterable[Entry], last_entry_no: int, accounts: Iterable[tuple[AccountKey, Standing]]
) -> BookAudit:
    """Check numbers, hashes, sums, and each account's versions and running balance.

    `entries` come in the order of their numbers, those without postings left out; `accounts` are
    checked to stand where their postings left them, and if one does not, the entry named is the
    last one that moved it.
    """
    last_no, last_hash = 0, GENESIS
    standing: dict[AccountKey, Standing] = {}
    moved_by: dict[AccountKey, int] = {}
    for entry in entries:
        if entry.entry_no > last_no + 1:
            break
        if last_no and entry.prev_hash != last_hash and _holds_together(entry):
            why = "the next entry is chained to what it was before it was changed"
            return BookAudit(last_entry_no, last_no, why, last_hash)
        why = _flaw(entry, last_no, last_hash, standing)
        if why:
            return BookAudit(last_entry_no, entry.entry_no, why, last_hash)
        last_no, last_hash = entry.entry_no, entry.hash
        for posting in entry.postings:
            standing[posting.account] = (posting.version, posting.balance_minor)
            moved_by[posting.account] = entry.entry_no
    if last_entry_no > last_no:
        why = "it is gone, or its postings are"
        return BookAudit(last_entry_no, last_no + 1, why, last_hash)
    for key, stands in accounts:
        if standing.pop(key, (0, 0)) != stands:
            why = f"the account {_name(key)} does not stand where it left it"
            return BookAudit(last_entry_no, moved_by.get(key, last_no), why, last_hash)
    if standing:
        key = next(iter(standing))
        why = f"the account {_name(key)} that it moves is gone"
        return BookAudit(last_entry_no, moved_by[key], why, last_hash)
    return BookAudit(last_entry_no, 0, "", last_hash)


def _holds_together(entry: Entry) -> bool:
    """Return whether an entry's own hashes fit, whatever it says and is chained to."""
    return entry.hash == chain(entry.prev_hash, entry.content_hash)


def _name(key: AccountKey) -> str:
    return f"{int(key.kind)}:{key.owner} in {key.currency}"


def _flaw(
    entry: Entry, last_no: int, last_hash: bytes, standing: dict[AccountKey, Standing]
) -> str:
    """Say what is wrong with an entry, "" for nothing."""
    content = content_digest(entry.entry_no, entry.draft, entry.postings)
    if entry.entry_no != last_no + 1:
        return f"its number follows {last_no}"
    if entry.content_hash != content:
        return "its content is not what its hash covers"
    if (entry.prev_hash, entry.hash) != (last_hash, chain(last_hash, content)):
        return "it is not chained to the entry before"
    if len(entry.postings) < 2 or sum(p.amount_minor for p in entry.postings) != 0:
        return "its postings do not sum to zero"
    for posting in entry.postings:
        version, balance = standing.get(posting.account, (0, 0))
        follows = (version + 1, balance + posting.amount_minor, entry.draft.currency)
        if (posting.version, posting.balance_minor, posting.account.currency) != follows:
            return f"its posting to {_name(posting.account)} does not follow that account's last"
    return ""
