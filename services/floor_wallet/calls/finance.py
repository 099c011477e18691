"""Calls of the finance desk and of auditors."""

# ruff: noqa: N802, ARG002 - gRPC gives the methods their names and their second argument

from __future__ import annotations

import asyncio

from floor_wallet.calls import errors, requests, responses
from floor_wallet.calls.base import Calls, Context
from floor_wallet.domain import Book, check_currency
from floor_wallet.gaming_day import GamingDays
from floor_wallet.store import LedgerStore
from floor_wallet.store.questions import (
    AuditBook,
    BookAudit,
    ChipsInPlayOf,
    Currencies,
    TrialBalanceOf,
)
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.servicekit import FloorError, now_ms


class FinanceCalls(Calls):
    """Trial balance, rake, chips in play; the book for auditors to recompute."""

    def __init__(self, store: LedgerStore, *, days: GamingDays) -> None:
        super().__init__(store)
        self._days = days
        self._audit: asyncio.Task[BookAudit] | None = None

    async def GetTrialBalance(
        self, request: wallet_pb2.GetTrialBalanceRequest, context: Context
    ) -> wallet_pb2.GetTrialBalanceResponse:
        """Add up every account of a currency, now or as of an instant."""
        at_ms = requests.instant(request, self._days, now_ms())
        await self._check_known(request.currency)
        found = await self._ask(TrialBalanceOf(request.currency, at_ms))
        if found is None:
            raise errors.unknown_currency()
        return responses.trial_balance(found, await self._exponent(request.currency))

    async def GetRake(
        self, request: wallet_pb2.GetRakeRequest, context: Context
    ) -> wallet_pb2.GetRakeResponse:
        """Add up rake and fees of a day or a span."""
        question = requests.rake(request, self._days, now_ms())
        await self._check_known(request.currency or None)
        lines = await self._ask(question)
        exponents = await self._exponents_of(line.currency for line in lines)
        return responses.rake(lines, question.from_ms, question.to_ms, exponents)

    async def GetChipsInPlay(
        self, request: wallet_pb2.GetChipsInPlayRequest, context: Context
    ) -> wallet_pb2.GetChipsInPlayResponse:
        """Return the tables' money at one instant."""
        await self._check_known(request.currency or None)
        found = await self._ask(ChipsInPlayOf(request.currency))
        codes = [*(table.currency for table in found.tables), *(code for code, _ in found.reserved)]
        return responses.chips_in_play(found, await self._exponents_of(codes))

    async def ListCurrencies(
        self, request: wallet_pb2.ListCurrenciesRequest, context: Context
    ) -> wallet_pb2.ListCurrenciesResponse:
        """Return the currencies of the book."""
        return responses.currencies(await self._ask(Currencies()))

    async def ListEntries(
        self, request: wallet_pb2.ListEntriesRequest, context: Context
    ) -> wallet_pb2.ListEntriesResponse:
        """Return a page of entries."""
        question = requests.entries(request)
        page = await self._ask(question)
        return responses.entries(page, question.entry_no + question.limit)

    async def ListAccounts(
        self, request: wallet_pb2.ListAccountsRequest, context: Context
    ) -> wallet_pb2.ListAccountsResponse:
        """Return a page of accounts."""
        question = requests.accounts(request)
        return responses.accounts(await self._ask(question), question.limit)

    async def AuditBook(
        self, request: wallet_pb2.AuditBookRequest, context: Context
    ) -> wallet_pb2.AuditBookResponse:
        """Recompute the book; one audit at a time, also when its caller does not wait for it."""
        if self._audit is not None and not self._audit.done():
            raise FloorError(errors_pb2.ERROR_CODE_OVERLOADED, "an audit of the book runs already")
        self._audit = asyncio.ensure_future(self._ask(AuditBook()))
        return responses.audit(await asyncio.shield(self._audit))

    async def _check_known(self, currency: str | None) -> None:
        """Demand that a currency is known, None for all: zero of nothing would look sound.

        Asked through the writer, so that all entries of calls that came before are in the book:
        else one of them could still be posted at an instant that was just added up.
        """
        if currency is not None:
            requests.check(check_currency(currency))

        def known(book: Book) -> bool:
            return currency is None or book.exponent(currency) is not None

        if not await self._execute(known):
            raise errors.unknown_currency()
