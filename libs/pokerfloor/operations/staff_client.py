"""What staff asks of a floor: operations open and pause tables, the cashier funds players."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Self, TypeVar

import grpc.aio

from pokerfloor.api.common.v1 import errors_pb2, money_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc, view_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from pokerfloor.rpc import Backoff, FloorError, TokenSource, connect, error_of, new_id

T = TypeVar("T")

_PAGE = 1_000
_RETRY_S = 15.0
_PASSES = frozenset({errors_pb2.ERROR_CODE_UNAVAILABLE, errors_pb2.ERROR_CODE_OVERLOADED})


class StaffClient:
    """Calls that are tried again for 15 s while a service is away; then they raise FloorError.

    Amounts are in minor units of one currency.
    """

    def __init__(
        self,
        table_address: str,
        wallet_address: str,
        *,
        operator: TokenSource,
        cashier: TokenSource,
        currency: money_pb2.Currency,
    ) -> None:
        self._channels = [
            connect(table_address, operator),
            connect(wallet_address, operator),
            connect(wallet_address, cashier),
        ]
        self._tables = table_pb2_grpc.TableServiceStub(self._channels[0])
        self._wallet = wallet_pb2_grpc.WalletServiceStub(self._channels[1])
        self._cashier = wallet_pb2_grpc.WalletServiceStub(self._channels[2])
        self._currency = currency

    async def close(self) -> None:
        """Close the connections."""
        for channel in self._channels:
            await channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self.close()

    async def open_table(self, table_id: str, settings: settings_pb2.TableSettings) -> None:
        """Open a table unless it exists, and resume it if it was paused."""
        request = table_pb2.OpenTableRequest(
            command_id=f"open/{table_id}", table_id=table_id, settings=settings
        )
        try:
            await _retry(lambda: self._tables.OpenTable(request))
        except FloorError as error:
            if error.code not in (
                errors_pb2.ERROR_CODE_TABLE_EXISTS,
                errors_pb2.ERROR_CODE_ID_REUSED,
            ):
                raise
        snapshot = await self.table(table_id)
        if snapshot.table.state == view_pb2.TABLE_STATE_PAUSED:
            resume = table_pb2.ResumeTableRequest(command_id=new_id(), table_id=table_id)
            await _retry(lambda: self._tables.ResumeTable(resume))

    async def pause_table(self, table_id: str) -> None:
        """Let no new hand begin."""
        request = table_pb2.PauseTableRequest(
            command_id=new_id(), table_id=table_id, reason="asked"
        )
        try:
            await _retry(lambda: self._tables.PauseTable(request))
        except FloorError as error:
            if error.code != errors_pb2.ERROR_CODE_WRONG_STATE:
                raise

    async def table(self, table_id: str) -> table_pb2.Snapshot:
        """Return a table as a spectator sees it."""
        request = table_pb2.GetTableRequest(table_id=table_id)
        return (await _retry(lambda: self._tables.GetTable(request))).snapshot

    async def open_account(self, player_id: str) -> None:
        """Open a player's account unless it exists."""
        request = wallet_pb2.OpenAccountRequest(
            command_id=f"account/{player_id}", player_id=player_id, currency=self._currency
        )
        await _retry(lambda: self._cashier.OpenAccount(request))

    async def deposit(self, player_id: str, amount_minor: int, reference: str) -> None:
        """Put money into a player's account."""
        request = wallet_pb2.DepositRequest(
            command_id=new_id(),
            player_id=player_id,
            currency=self._currency.code,
            amount_minor=amount_minor,
            reference=reference,
        )
        await _retry(lambda: self._cashier.Deposit(request))

    async def worth(self, player_id: str) -> int:
        """Return all that a player has: free, reserved and at tables."""
        request = wallet_pb2.GetBalanceRequest(player_id=player_id, currency=self._currency.code)
        balance = await _retry(lambda: self._wallet.GetBalance(request))
        return balance.cash_minor + balance.reserved_minor + balance.in_play_minor

    async def table_audit(self, table_id: str) -> wallet_pb2.AuditTableResponse:
        """Return what the ledger holds of a table."""
        request = wallet_pb2.AuditTableRequest(table_id=table_id)
        return await _retry(lambda: self._wallet.AuditTable(request))

    async def settlement(self, table_id: str) -> wallet_pb2.GetTableProgressResponse:
        """Return how far a table is settled."""
        request = wallet_pb2.GetTableProgressRequest(table_id=table_id)
        return await _retry(lambda: self._wallet.GetTableProgress(request))

    async def trial_balance(self) -> wallet_pb2.GetTrialBalanceResponse:
        """Return the sums of all accounts."""
        request = wallet_pb2.GetTrialBalanceRequest(currency=self._currency.code)
        return await _retry(lambda: self._wallet.GetTrialBalance(request))

    async def settled_hands(self, table_id: str, hands: int) -> set[int]:
        """Return which of a table's hands 1 to `hands` are in the ledger."""
        found: set[int] = set()
        for first in range(1, hands + 1, _PAGE):
            request = wallet_pb2.ListSettledHandsRequest(
                table_id=table_id, from_hand_no=first, page_size=min(_PAGE, hands - first + 1)
            )
            answer = await _retry(partial(self._wallet.ListSettledHands, request))
            found.update(hand.hand_no for hand in answer.hands)
        return found


async def _retry(call: Callable[[], Awaitable[T]]) -> T:
    """Make a call, and again while the service is away for a moment."""
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
