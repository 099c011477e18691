"""The check of the books that `make run` ends with, at a floor of a test."""

from __future__ import annotations

from collections.abc import Sequence

from deploy.local.books import audit
from deploy.local.desk import Desk
from pokerfloor.api.wallet.v1 import wallet_pb2
from tests.support.floor import CURRENCY, Floor


class FloorDesk(Desk):
    """Asks as the launcher does, through a test floor's own channels and in its currency."""

    def __init__(self, floor: Floor) -> None:
        self._tables = floor.tables
        self._books = floor.wallet
        self._cash = floor.wallet

    async def trial_balance(self) -> wallet_pb2.GetTrialBalanceResponse:
        """Give the sums of all accounts."""
        return await self._books.GetTrialBalance(
            wallet_pb2.GetTrialBalanceRequest(currency=CURRENCY)
        )


async def assert_books_balance(floor: Floor, table_ids: Sequence[str]) -> None:
    """No difference between tables and ledger; the tables must be between hands."""
    books = await audit(FloorDesk(floor), list(table_ids))
    assert books.differences == []
    assert books.hands_settled
