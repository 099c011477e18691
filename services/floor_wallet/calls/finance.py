"""Calls of the finance desk and of auditors."""

# ruff: noqa: N802, ARG002 - gRPC gives the methods their names and their second argument

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from floor_wallet import finance_answers, questions
from floor_wallet.calls import Calls, Context
from floor_wallet.domain import Book, check_currency, check_number
from floor_wallet.gaming_day import GamingDays, NoGamingDayError
from floor_wallet.store import BookAudit
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.servicekit import FloorError, after_token, now_ms, page_size

_PAGE: Final = 500


class FinanceCalls(Calls):
    """Trial balance, rake, chips in play; the book for auditors to recompute."""

    _days: GamingDays
    _audit: asyncio.Task[BookAudit] | None = None

    async def GetTrialBalance(
        self, request: wallet_pb2.GetTrialBalanceRequest, context: Context
    ) -> wallet_pb2.GetTrialBalanceResponse:
        """Add up every account of a currency, now or as of an instant."""
        at_ms = self._instant(request)
        await self._known_currency(request.currency)
        found = await questions.read(self._store.trial_balance(request.currency, at_ms))
        if found is None:
            raise _unknown_currency()
        return finance_answers.trial_balance(found, await self._exponent(request.currency))

    async def GetRake(
        self, request: wallet_pb2.GetRakeRequest, context: Context
    ) -> wallet_pb2.GetRakeResponse:
        """Add up rake and fees of a day or a span."""
        from_ms, to_ms = self._span(request)
        await self._known_currency(request.currency or None)
        lines = await questions.read(self._store.rake(from_ms, to_ms, request.currency))
        exponents = await self._exponents_of(line.currency for line in lines)
        return finance_answers.rake(lines, from_ms, to_ms, exponents)

    async def GetChipsInPlay(
        self, request: wallet_pb2.GetChipsInPlayRequest, context: Context
    ) -> wallet_pb2.GetChipsInPlayResponse:
        """Give the tables' money at one instant."""
        await self._known_currency(request.currency or None)
        found = await questions.read(self._store.chips_in_play(request.currency))
        codes = [*(table.currency for table in found.tables), *(code for code, _ in found.reserved)]
        return finance_answers.chips_in_play(found, await self._exponents_of(codes))

    async def ListCurrencies(
        self, request: wallet_pb2.ListCurrenciesRequest, context: Context
    ) -> wallet_pb2.ListCurrenciesResponse:
        """Give the currencies of the book."""
        return finance_answers.currencies(await questions.read(self._store.currencies()))

    async def ListEntries(
        self, request: wallet_pb2.ListEntriesRequest, context: Context
    ) -> wallet_pb2.ListEntriesResponse:
        """Give a page of entries."""
        questions.check(check_number, request.from_entry_no, "from_entry_no")
        limit = page_size(request.page_size, usual=_PAGE, most=_PAGE)
        after = max(request.from_entry_no - 1, after_token(request.page_token))
        page = await questions.read(self._store.entries(after, limit))
        return finance_answers.entries(page, after + limit)

    async def ListAccounts(
        self, request: wallet_pb2.ListAccountsRequest, context: Context
    ) -> wallet_pb2.ListAccountsResponse:
        """Give a page of accounts."""
        limit = page_size(request.page_size, usual=_PAGE, most=_PAGE)
        page = await questions.read(self._store.accounts(after_token(request.page_token), limit))
        return finance_answers.accounts(page, limit)

    async def AuditBook(
        self, request: wallet_pb2.AuditBookRequest, context: Context
    ) -> wallet_pb2.AuditBookResponse:
        """Recompute the book; one audit at a time, also when its caller does not wait for it."""
        if self._audit is not None and not self._audit.done():
            raise FloorError(errors_pb2.ERROR_CODE_OVERLOADED, "an audit of the book runs already")
        self._audit = asyncio.ensure_future(self._store.audit_book())
        return finance_answers.audit(await questions.read(asyncio.shield(self._audit)))

    def _instant(self, request: wallet_pb2.GetTrialBalanceRequest) -> int | None:
        """Read as of when: None for now. Raises FloorError."""
        if request.at_ms and request.gaming_day:
            raise questions.invalid("either an instant or a gaming day", "gaming_day")
        if request.gaming_day:
            _, end_ms = self._day(request.gaming_day)
            if end_ms > now_ms():
                raise questions.invalid("the gaming day is not over yet", "gaming_day")
            return end_ms - 1
        questions.check(check_number, request.at_ms, "at_ms")
        if request.at_ms > now_ms():
            raise questions.invalid("the instant has not come yet", "at_ms")
        return request.at_ms or None

    def _span(self, request: wallet_pb2.GetRakeRequest) -> tuple[int, int]:
        """Read the span [from_ms, to_ms) that is meant. Raises FloorError."""
        now = now_ms()
        if request.gaming_day:
            if request.from_ms or request.to_ms:
                raise questions.invalid("either a span of time or a gaming day", "gaming_day")
            from_ms, to_ms = self._day(request.gaming_day)
            if from_ms > now:
                raise questions.invalid("the gaming day has not begun", "gaming_day")
            return from_ms, to_ms
        questions.check(check_number, request.from_ms, "from_ms")
        questions.check(check_number, request.to_ms, "to_ms")
        to_ms = request.to_ms or now
        if request.from_ms > to_ms:
            raise questions.invalid("the span ends before it begins", "from_ms")
        return request.from_ms, to_ms

    def _day(self, text: str) -> tuple[int, int]:
        try:
            return self._days.bounds(self._days.parse(text))
        except NoGamingDayError as error:
            raise questions.invalid(str(error), "gaming_day") from error

    async def _known_currency(self, currency: str | None) -> None:
        """Demand that a currency is known, None for all: zero of nothing would look sound.

        Asked through the writer, so that all entries of calls that came before are in the book:
        else one of them could still be posted at an instant that was just added up.
        """
        if currency is not None:
            questions.check(check_currency, currency)

        def known(book: Book) -> bool:
            return currency is None or book.exponent(currency) is not None

        if not await self._run(known):
            raise _unknown_currency()

    async def _exponents_of(self, codes: Iterable[str]) -> dict[str, int]:
        return {code: await self._exponent(code) for code in set(codes)}


def _unknown_currency() -> FloorError:
    return FloorError(
        errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT,
        "the book has no account in this currency",
        "currency",
    )
