"""The wallet's calls put together: messages in, rules run on the book, messages out."""

from __future__ import annotations

from collections.abc import Callable

from floor_wallet.calls import CashierCalls, FinanceCalls, ReadingCalls, TableCalls
from floor_wallet.gaming_day import GamingDays
from floor_wallet.store import LedgerStore
from pokerfloor.api.internal.tournament.v1alpha1 import tournament_money_pb2_grpc
from pokerfloor.api.internal.wallet.v1 import table_money_pb2_grpc
from pokerfloor.api.wallet.v1 import wallet_pb2_grpc


class WalletServicer(
    CashierCalls,
    TableCalls,
    ReadingCalls,
    FinanceCalls,
    wallet_pb2_grpc.WalletServiceServicer,
    table_money_pb2_grpc.TableMoneyServiceServicer,
    tournament_money_pb2_grpc.TournamentMoneyServiceServicer,
):
    """Implements WalletService, and the two services that only tables call; see the protos.

    `on_registered` is told of every table that was registered.
    """

    def __init__(
        self,
        store: LedgerStore,
        *,
        max_hold_ms: int,
        days: GamingDays,
        on_registered: Callable[[str], None],
    ) -> None:
        self._store = store
        self._max_hold_ms = max_hold_ms
        self._days = days
        self._exponents = {}
        self._on_registered = on_registered
