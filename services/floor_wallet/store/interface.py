"""What a store of the ledger does. Every store passes the same tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol, TypeVar

from floor_wallet.domain import Book, Reads, Refusal
from floor_wallet.store.questions import Question

T = TypeVar("T")

#: A unit that does not say beforehand what it reads.
UNKNOWN: Final = Reads()
#: A store that cannot be reached tries by itself whether it can, first and at last after so long.
AGAIN_FIRST_MS: Final = 50
AGAIN_MAX_MS: Final = 2_000


class StoreUnavailable(Exception):  # noqa: N818 - names the state of the store
    """The store cannot be written or read now; nothing was changed.

    Or all of it was, when a database did not answer a commit any more: the same ids asked again
    are carried out once in either case.
    """


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not a mistake of the program
    """The rules refused a unit of work, or too many wait; nothing was changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


class WriterLimits(NamedTuple):
    """How many units of work may wait, and how many are committed together."""

    max_waiting: int = 4096
    max_group: int = 256


USUAL_LIMITS: Final = WriterLimits()


class LedgerStore(Protocol):
    """The ledger in a database: rules are executed on its book, questions are asked of it."""

    @property
    def healthy(self) -> bool:
        """Whether the last thing asked of the database was done.

        A store that could not be written finds out by itself, without work, when it can be.
        """
        ...

    async def execute(self, work: Callable[[Book], T | Refusal], reads: Reads = UNKNOWN) -> T:
        """Run rules on the book as one unit: all of what they write is durable, or nothing is.

        Durable when this returns. `reads` is what `work` is known to read: a store may load it for
        all units of a group at once. What it does not name costs a round trip, nothing else.

        Raises Refused when `work` returns a refusal or too many units wait (OVERLOADED),
        BookRefused when a constraint of the store stands against it, StoreUnavailable, and what
        `work` raises.
        """
        ...

    async def ask(self, question: Question[T]) -> T:
        """Answer a question, from one snapshot. Raises StoreUnavailable."""
        ...

    async def close(self) -> None:
        """Finish what waits and close."""
        ...
