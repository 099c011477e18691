"""Entries undone by their mirror image: one person asks for it, another one does it, once."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final

from floor_wallet.domain import fields
from floor_wallet.domain.book import Book, post
from floor_wallet.domain.commands import Call, Posted, digest, id_reused, posted_by
from floor_wallet.domain.entries import Draft, Entry, EntryKind
from floor_wallet.domain.reads import Reads
from floor_wallet.domain.state import ReversalAsked
from floor_wallet.domain.transfers import check_rake
from floor_wallet.domain.undoing import check_stands, is_refund, mirror_of, reversal_id
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal

#: What people and tournaments have moved. All else is the word of a table's log, which goes on from
#: there.
_REVERSIBLE: Final = frozenset(
    {EntryKind.DEPOSIT, EntryKind.WITHDRAWAL, EntryKind.TRANSFER, EntryKind.TOURNAMENT}
)


@dataclass(frozen=True, slots=True)
class AskReversal:
    """Ask that an entry be undone."""

    asked_by: str
    entry_no: int
    reason: str


@dataclass(frozen=True, slots=True)
class Reverse:
    """Undo an entry, as somebody else has asked. `caller` scopes the command's id."""

    caller: str
    command_id: str
    entry_no: int
    reason: str
    requested_by: str

    @property
    def reads(self) -> Reads:
        """What it is known to read; the entry and its accounts are looked up, for it is rare."""
        return Reads(commands=((self.caller, self.command_id),))


def ask_reversal(command: AskReversal, book: Book, *, at_ms: int) -> Refusal | None:
    """Note that somebody asks for a reversal; the same again is fine.

    Refusals: bad fields, ID_REUSED (the same person with another reason), UNKNOWN_ENTRY,
    NOT_REVERSIBLE, ALREADY_REVERSED.
    """
    refusal = fields.check_entry_no(command.entry_no) or fields.check_reason(command.reason)
    if refusal:
        return refusal
    known = book.reversal_asked(command.entry_no, command.asked_by)
    if known is not None:
        return id_reused("reason") if known.reason != command.reason else None
    entry = _reversible(command.entry_no, book)
    if isinstance(entry, Refusal):
        return entry
    book.add_reversal_asked(
        ReversalAsked(command.entry_no, command.asked_by, command.reason, at_ms)
    )
    return None


def reverse(command: Reverse, book: Book, *, at_ms: int) -> Posted | Refusal:
    """Post the mirror image of an entry, or give the first answer again.

    Refusals: bad fields, ID_REUSED, UNKNOWN_ENTRY, NOT_REVERSIBLE, ALREADY_REVERSED,
    SECOND_PERSON_NEEDED, INSUFFICIENT_FUNDS, AMOUNT_OUT_OF_RANGE.
    """
    refusal = (
        fields.check_command_id(command.command_id)
        or fields.check_entry_no(command.entry_no)
        or fields.check_reason(command.reason)
        or fields.check_note(command.requested_by, "requested_by")
    )
    if refusal:
        return refusal
    content_hash = digest(
        EntryKind.REVERSAL.name, command.entry_no, command.reason, command.requested_by
    )
    call = Call(command.caller, command.command_id, content_hash)
    if first := call.answered(book):
        return first
    undone = _reversible(command.entry_no, book)
    if isinstance(undone, Refusal):
        return undone
    if refusal := _check_second_person(command, book):
        return refusal
    movements = mirror_of(undone)
    if undone.draft.kind is EntryKind.TRANSFER and (
        refusal := check_rake(movements, "entry_no", book)
    ):
        return refusal
    draft = Draft(
        kind=EntryKind.REVERSAL,
        entry_id=reversal_id(command.entry_no),
        currency=undone.draft.currency,
        at_ms=at_ms,
        movements=movements,
        table_id=undone.draft.table_id,
        reference=str(command.entry_no),
        note=_note(command),
    )
    entry = post(book, draft)
    if isinstance(entry, Refusal):
        return replace(entry, field="entry_no")
    return call.answer(posted_by(entry), book, at_ms=at_ms)


def _reversible(entry_no: int, book: Book) -> Entry | Refusal:
    entry = book.entry(entry_no)
    if entry is None:
        return Refusal(
            errors_pb2.ERROR_CODE_UNKNOWN_ENTRY, "the book has no such entry", "entry_no"
        )
    # What undoes another entry is final: it would have to be undone in its turn, without an end.
    if entry.draft.kind not in _REVERSIBLE or is_refund(entry):
        return Refusal(
            errors_pb2.ERROR_CODE_NOT_REVERSIBLE,
            "only deposits, withdrawals, transfers and tournament postings are reversed",
            "entry_no",
        )
    return check_stands(entry_no, "entry_no", book) or entry


def _check_second_person(command: Reverse, book: Book) -> Refusal | None:
    if command.requested_by == command.caller:
        reason = "the one who asks for a reversal cannot do it"
    elif book.reversal_asked(command.entry_no, command.requested_by) is None:
        reason = "this person has not asked for it"
    else:
        return None
    return Refusal(errors_pb2.ERROR_CODE_SECOND_PERSON_NEEDED, reason, "requested_by")


def _note(command: Reverse) -> str:
    """Name both people, quoted, so that no name or reason can pass for another."""
    asked, done = json.dumps(command.requested_by), json.dumps(command.caller)
    return f"asked by {asked}, reversed by {done}: {command.reason}"
