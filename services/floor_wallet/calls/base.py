"""What every call needs: the store, and the rules run on its book."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import grpc.aio

from floor_wallet import questions
from floor_wallet.domain import Book, BookRefused, Refused
from floor_wallet.store import LedgerStore, StoreUnavailable
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.servicekit import FloorError

T = TypeVar("T")
Context = grpc.aio.ServicerContext[Any, Any]


class Calls:
    """Calls on a store of the ledger; the servicer sets what they and their kinds name."""

    _store: LedgerStore
    #: Decimal digits by currency, as far as they were asked for; they never change.
    _exponents: dict[str, int]

    async def _exponent(self, currency: str) -> int:
        """Give the decimal digits of a currency that has accounts."""
        known = self._exponents.get(currency)
        if known is None:
            known = await self._run(lambda book: book.exponent(currency))
            assert known is not None, "an account's currency is known"
            self._exponents[currency] = known
        return known

    async def _run(self, work: Callable[[Book], T]) -> T:
        """Run rules on the book; their refusals travel as errors of the catalogue."""
        try:
            return await self._store.execute(work)
        except Refused as refusal:
            raise questions.on_the_wire(refusal) from refusal
        except BookRefused as refusal:
            # The rules let something pass that the database did not: a mistake of ours.
            raise FloorError(errors_pb2.ERROR_CODE_INTERNAL, str(refusal)) from refusal
        except StoreUnavailable as gone:
            raise questions.unavailable() from gone
