"""The calls of WalletService put together."""

from __future__ import annotations

from floor_wallet.calls.cashier import CashierCalls
from floor_wallet.calls.finance import FinanceCalls
from floor_wallet.calls.reading import ReadingCalls
from pokerfloor.api.wallet.v1 import wallet_pb2_grpc


class WalletServicer(
    CashierCalls, ReadingCalls, FinanceCalls, wallet_pb2_grpc.WalletServiceServicer
):
    """Implements WalletService; the proto says what each call does."""
