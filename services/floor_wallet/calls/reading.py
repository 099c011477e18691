"""Calls that read what one player or one table has."""

# ruff: noqa: N802, ARG002 - gRPC gives the methods their names and their second argument

from __future__ import annotations

from floor_wallet import answers, questions
from floor_wallet.calls.base import Calls, Context
from floor_wallet.domain import check_currency, check_number, check_player_id, check_table_id
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.servicekit import after_token, page_size

_DEFAULT_PAGE = 100
_MAX_PAGE = 500
_MAX_HANDS = 1000


class ReadingCalls(Calls):
    """Balances, statements, a table's audit and hands."""

    async def GetBalance(
        self, request: wallet_pb2.GetBalanceRequest, context: Context
    ) -> wallet_pb2.GetBalanceResponse:
        """Give a player's balances and holds at one instant."""
        questions.check(check_player_id, request.player_id)
        questions.check(check_currency, request.currency)
        questions.own_only(request.player_id, "player_id")
        balance = await questions.read(self._store.balance(request.player_id, request.currency))
        if balance is None:
            raise questions.unknown_account("player_id")
        return answers.balance(request.player_id, balance)

    async def GetStatement(
        self, request: wallet_pb2.GetStatementRequest, context: Context
    ) -> wallet_pb2.GetStatementResponse:
        """Give a page of an account's lines."""
        account = questions.account_asked(request.account)
        questions.own_only(account.player_id, "account.owner")
        after = after_token(request.page_token)
        limit = page_size(request.page_size, usual=_DEFAULT_PAGE, most=_MAX_PAGE)
        only = questions.lines_asked(request)
        page = await questions.read(self._store.statement(account, after, limit, only))
        if page is None:
            raise questions.unknown_account("account")
        return answers.statement(page, await self._exponent(account.currency))

    async def AuditTable(
        self, request: wallet_pb2.AuditTableRequest, context: Context
    ) -> wallet_pb2.AuditTableResponse:
        """Give what the ledger holds of a table."""
        questions.check(check_table_id, request.table_id)
        audit = await questions.read(self._store.table_audit(request.table_id))
        return answers.table_audit(questions.known_table(audit))

    async def ListSettledHands(
        self, request: wallet_pb2.ListSettledHandsRequest, context: Context
    ) -> wallet_pb2.ListSettledHandsResponse:
        """Give settled hands in order."""
        questions.check(check_table_id, request.table_id)
        questions.check(check_number, request.from_hand_no, "from_hand_no")
        limit = page_size(request.page_size, usual=_MAX_HANDS, most=_MAX_HANDS)
        first = max(request.from_hand_no, after_token(request.page_token) + 1)
        questions.known_table(await questions.read(self._store.table(request.table_id)))
        hands = await questions.read(self._store.hands(request.table_id, first, limit))
        return answers.hands(hands, limit)
