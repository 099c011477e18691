"""What every call needs: a store to ask, and its book to execute rules on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import grpc.aio

from floor_wallet.calls import errors
from floor_wallet.domain import Book, BookRefused, Reads, Refusal
from floor_wallet.store import LedgerStore, Refused, StoreUnavailable
from floor_wallet.store.interface import UNKNOWN
from floor_wallet.store.questions import Question
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.servicekit import FloorError

T = TypeVar("T")
Context = grpc.aio.ServicerContext[Any, Any]


class Calls:
    """Calls on a store of the ledger: read the request, ask or execute, answer."""

    def __init__(self, store: LedgerStore) -> None:
        self._store = store
        # Decimal digits by currency, as far as they were asked for; they never change.
        self._exponents: dict[str, int] = {}

    async def _ask(self, question: Question[T]) -> T:
        """Ask the store. Raises FloorError UNAVAILABLE."""
        try:
            return await self._store.ask(question)
        except StoreUnavailable as gone:
            raise errors.unavailable() from gone

    async def _execute(self, work: Callable[[Book], T | Refusal], reads: Reads = UNKNOWN) -> T:
        """Execute rules on the book; their refusals travel as errors of the catalogue."""
        try:
            return await self._store.execute(work, reads)
        except Refused as refused:
            raise errors.refused(refused.refusal) from refused
        except BookRefused as refusal:
            # The rules let something pass that the database did not: a mistake of ours.
            raise FloorError(errors_pb2.ERROR_CODE_INTERNAL, str(refusal)) from refusal
        except StoreUnavailable as gone:
            raise errors.unavailable() from gone

    async def _exponent(self, currency: str) -> int:
        """Return the decimal digits of a currency that has accounts."""
        known = self._exponents.get(currency)
        if known is None:
            known = await self._execute(lambda book: book.exponent(currency))
            assert known is not None, "an account's currency is known"
            self._exponents[currency] = known
        return known

    async def _exponents_of(self, currencies: Iterable[str]) -> dict[str, int]:
        return {code: await self._exponent(code) for code in set(currencies)}
