"""Commands that are executed once: remembered by who gave them and their id, with their content."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import NamedTuple

from floor_wallet.domain.accounts import AccountKind
from floor_wallet.domain.book import Book
from floor_wallet.domain.entries import Entry, compact_json
from floor_wallet.domain.state import CommandRecord
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Posted:
    """What a command that moves money is answered: the entry's number, and a balance after it.

    The balance is the player's cash in minor units; where two players or none are concerned, that
    of the account that the money came from. Without an entry the number is 0.
    """

    entry_no: int
    balance_minor: int


class Call(NamedTuple):
    """A command by its id, which is unique within its scope, and its content's digest."""

    scope: str
    command_id: str
    content_hash: bytes

    @property
    def entry_id(self) -> str:
        """The id of the entry it posts."""
        # The length keeps two callers apart whatever their names and ids hold.
        return f"request/{len(self.scope)}:{self.scope}/{self.command_id}"

    def answered(self, book: Book) -> Posted | Refusal | None:
        """Return its first answer, None when it is new, ID_REUSED with other content."""
        record = book.command(self.scope, self.command_id)
        if record is None:
            return None
        if record.content_hash != self.content_hash:
            return id_reused("command_id")
        return Posted(record.entry_no, record.balance_minor)

    def answer(self, posted: Posted, book: Book, *, at_ms: int) -> Posted:
        """Remember it with its answer, and return that."""
        record = CommandRecord(self.content_hash, posted.entry_no, posted.balance_minor)
        book.add_command(self.scope, self.command_id, record, at_ms)
        return posted


def digest(*content: str | int) -> bytes:
    """Return the SHA-256 of a command's content: 32 bytes."""
    return hashlib.sha256(compact_json(content).encode("ascii")).digest()


def posted_by(entry: Entry) -> Posted:
    """Return the answer to the command that posted an entry."""
    players = [p for p in entry.postings if p.account.kind is AccountKind.PLAYER_CASH]
    answered = players if len(players) == 1 else [p for p in entry.postings if p.amount_minor < 0]
    return Posted(entry.entry_no, answered[0].balance_minor)


def id_reused(field: str) -> Refusal:
    """Return the refusal for an id that came before with other content."""
    return Refusal(errors_pb2.ERROR_CODE_ID_REUSED, "this id came before with other content", field)
