"""Calls that read what one player or one table has."""

# ruff: noqa: N802, ARG002 - gRPC gives the methods their names and their second argument

from __future__ import annotations

from floor_wallet.calls import errors, requests, responses
from floor_wallet.calls.base import Calls, Context
from floor_wallet.store.questions import AuditTable, TableById
from pokerfloor.api.wallet.v1 import wallet_pb2


class ReadingCalls(Calls):
    """Balances, statements, a table's progress, audit and hands."""

    async def GetBalance(
        self, request: wallet_pb2.GetBalanceRequest, context: Context
    ) -> wallet_pb2.GetBalanceResponse:
        """Return a player's balances and holds at one instant."""
        question = requests.balance(request)
        found = await self._ask(question)
        if found is None:
            raise errors.unknown_account("player_id")
        return responses.balance(question.player_id, found)

    async def GetStatement(
        self, request: wallet_pb2.GetStatementRequest, context: Context
    ) -> wallet_pb2.GetStatementResponse:
        """Return a page of an account's lines."""
        question = requests.statement(request)
        page = await self._ask(question)
        if page is None:
            raise errors.unknown_account("account")
        return responses.statement(page, await self._exponent(question.account.currency))

    async def GetTableProgress(
        self, request: wallet_pb2.GetTableProgressRequest, context: Context
    ) -> wallet_pb2.GetTableProgressResponse:
        """Return how far a table's log is settled."""
        table = await self._ask(TableById(requests.table_id(request.table_id)))
        if table is None:
            raise errors.unknown_table()
        return responses.progress(table)

    async def AuditTable(
        self, request: wallet_pb2.AuditTableRequest, context: Context
    ) -> wallet_pb2.AuditTableResponse:
        """Return what the ledger holds of a table."""
        audit = await self._ask(AuditTable(requests.table_id(request.table_id)))
        if audit is None:
            raise errors.unknown_table()
        return responses.table_audit(audit)

    async def ListSettledHands(
        self, request: wallet_pb2.ListSettledHandsRequest, context: Context
    ) -> wallet_pb2.ListSettledHandsResponse:
        """Return settled hands in order."""
        question = requests.hands(request)
        if await self._ask(TableById(question.table_id)) is None:
            raise errors.unknown_table()
        return responses.hands(await self._ask(question), question.limit)
