"""Operations and the cashier: what the launcher asks of the services, over public calls."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import grpc
import grpc.aio
from grpc_health.v1 import (  # type: ignore[import-untyped]  # no stubs published with it
    health_pb2,
    health_pb2_grpc,
)

from deploy.local.identities import StaffTokens
from deploy.local.run_settings import RunSettings
from deploy.local.table_menu import CURRENCY
from deploy.local.tables import TablePlan
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc, view_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from pokerfloor.servicekit import Backoff, FloorError, connect, error_of, fixed_token, new_id

T = TypeVar("T")

_FUND_BUY_INS = 50
_FUND_WHEN_BELOW_BUY_INS = 10
_PAGE = 1_000
_RETRY_S = 15.0
_PASSES = frozenset({errors_pb2.ERROR_CODE_UNAVAILABLE, errors_pb2.ERROR_CODE_OVERLOADED})


class Desk:
    """Calls with a few attempts each; raises FloorError when they are used up or refused."""

    def __init__(self, settings: RunSettings, tokens: StaffTokens) -> None:
        operator, cashier = fixed_token(tokens.operator), fixed_token(tokens.cashier)
        self._channels = [
            connect(settings.address("table"), operator),
            connect(settings.address("wallet"), operator),
            connect(settings.address("wallet"), cashier),
        ]
        self._tables = table_pb2_grpc.TableServiceStub(self._channels[0])
        self._books = wallet_pb2_grpc.WalletServiceStub(self._channels[1])
        self._cash = wallet_pb2_grpc.WalletServiceStub(self._channels[2])

    async def close(self) -> None:
        """Close the connections."""
        for channel in self._channels:
            await channel.close()

    async def open_table(self, plan: TablePlan) -> None:
        """Open a table unless it is there, and let play go on if it was paused."""
        request = table_pb2.OpenTableRequest(
            command_id=f"open/{plan.table_id}", table_id=plan.table_id, settings=plan.settings
        )
        try:
            await _try(lambda: self._tables.OpenTable(request))
        except FloorError as error:
            if error.code not in (
                errors_pb2.ERROR_CODE_TABLE_EXISTS,
                errors_pb2.ERROR_CODE_ID_REUSED,
            ):
                raise
        view = await self.table(plan.table_id)
        if view.table.state == view_pb2.TABLE_STATE_PAUSED:
            resume = table_pb2.ResumeTableRequest(command_id=new_id(), table_id=plan.table_id)
            await _try(lambda: self._tables.ResumeTable(resume))

    async def pause_table(self, table_id: str) -> None:
        """Let no new hand begin."""
        request = table_pb2.PauseTableRequest(
            command_id=new_id(), table_id=table_id, reason="asked"
        )
        try:
            await _try(lambda: self._tables.PauseTable(request))
        except FloorError as error:
            if error.code != errors_pb2.ERROR_CODE_WRONG_STATE:
                raise

    async def table(self, table_id: str) -> table_pb2.Snapshot:
        """Give a table as a spectator sees it."""
        request = table_pb2.GetTableRequest(table_id=table_id)
        return (await _try(lambda: self._tables.GetTable(request))).snapshot

    async def fund(self, player_id: str, max_buy_in_minor: int) -> int:
        """Open a player's account and see to it that it can buy in; gives what was deposited."""
        account = wallet_pb2.OpenAccountRequest(
            command_id=f"account/{player_id}", player_id=player_id, currency=CURRENCY
        )
        await _try(lambda: self._cash.OpenAccount(account))
        if await self.worth(player_id) >= _FUND_WHEN_BELOW_BUY_INS * max_buy_in_minor:
            return 0
        deposit = wallet_pb2.DepositRequest(
            command_id=new_id(),
            player_id=player_id,
            currency=CURRENCY.code,
            amount_minor=_FUND_BUY_INS * max_buy_in_minor,
            reference="play money for a bot",
        )
        await _try(lambda: self._cash.Deposit(deposit))
        return deposit.amount_minor

    async def worth(self, player_id: str) -> int:
        """Give all that a player has, in minor units: free, held and at tables."""
        request = wallet_pb2.GetBalanceRequest(player_id=player_id, currency=CURRENCY.code)
        balance = await _try(lambda: self._books.GetBalance(request))
        return balance.cash_minor + balance.reserved_minor + balance.in_play_minor

    async def audit(self, table_id: str) -> wallet_pb2.AuditTableResponse:
        """Give what the ledger holds of a table."""
        request = wallet_pb2.AuditTableRequest(table_id=table_id)
        return await _try(lambda: self._books.AuditTable(request))

    async def progress(self, table_id: str) -> wallet_pb2.GetTableProgressResponse:
        """Give how far a table is settled."""
        request = wallet_pb2.GetTableProgressRequest(table_id=table_id)
        return await _try(lambda: self._books.GetTableProgress(request))

    async def trial_balance(self) -> wallet_pb2.GetTrialBalanceResponse:
        """Give the sums of all accounts."""
        request = wallet_pb2.GetTrialBalanceRequest(currency=CURRENCY.code)
        return await _try(lambda: self._books.GetTrialBalance(request))

    async def settled_hands(self, table_id: str, hands: int) -> set[int]:
        """Give which of a table's hands 1 to `hands` are in the ledger."""
        found: set[int] = set()
        for first in range(1, hands + 1, _PAGE):
            request = wallet_pb2.ListSettledHandsRequest(
                table_id=table_id, from_hand_no=first, page_size=min(_PAGE, hands - first + 1)
            )
            answer = await _try(partial(self._books.ListSettledHands, request))
            found.update(hand.hand_no for hand in answer.hands)
        return found


async def wait_until_serving(address: str, deadline_s: float) -> bool:
    """Ask a service's health until it serves; False when the time (monotonic) is over."""
    async with grpc.aio.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        while time.monotonic() < deadline_s:
            if await is_serving(stub):
                return True
            await asyncio.sleep(0.1)
    return False


async def is_serving(stub: health_pb2_grpc.HealthStub) -> bool:
    """Tell whether a service says that it serves."""
    try:
        answer = await stub.Check(health_pb2.HealthCheckRequest(), timeout=1.0)
    except grpc.aio.AioRpcError:
        return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


async def _try(call: Callable[[], Awaitable[T]]) -> T:
    """Make a call, again while the service is away for a moment."""
    deadline_s = time.monotonic() + _RETRY_S
    backoff = Backoff(100, 1_000)
    while True:
        try:
            return await call()
        except grpc.aio.AioRpcError as failure:
            error = error_of(failure)
            if error.code not in _PASSES or time.monotonic() > deadline_s:
                raise error from failure
        await backoff.sleep()
