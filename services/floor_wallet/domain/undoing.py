"""Entries undone whole and once: by a reversal, or by a tournament's refund; never by both."""

from __future__ import annotations

from typing import Final

from floor_wallet.domain.accounts import AccountKey
from floor_wallet.domain.book import Book
from floor_wallet.domain.entries import Entry
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal

_REFUND: Final = "refund/"


def reversal_id(entry_no: int) -> str:
    """Name the entry that reverses this one; ids are unique, so there is one at most."""
    return f"reverse/{entry_no}"


def refund_id(entry_no: int) -> str:
    """Name the entry that refunds this one."""
    return f"{_REFUND}{entry_no}"


def is_refund(entry: Entry) -> bool:
    """Return whether an entry gives back a tournament's entry."""
    return entry.draft.entry_id.startswith(_REFUND)


def check_stands(entry_no: int, field: str, book: Book) -> Refusal | None:
    """Refuse (ALREADY_REVERSED) to undo an entry that was undone before."""
    if book.entry_no_of(reversal_id(entry_no)) or book.entry_no_of(refund_id(entry_no)):
        return already_undone(field)
    return None


def mirror_of(entry: Entry) -> tuple[tuple[AccountKey, int], ...]:
    """Return what takes back all that an entry moved."""
    return tuple((p.account, -p.amount_minor) for p in entry.postings)


def already_undone(field: str) -> Refusal:
    """Return the refusal for an entry that was undone before."""
    return Refusal(errors_pb2.ERROR_CODE_ALREADY_REVERSED, "it was undone already", field)
