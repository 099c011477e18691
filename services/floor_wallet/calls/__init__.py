"""The wallet's calls by subject; `servicer.py` puts them together."""

from floor_wallet.calls.base import Calls, Context
from floor_wallet.calls.cashier import CashierCalls
from floor_wallet.calls.finance import FinanceCalls
from floor_wallet.calls.reading import ReadingCalls
from floor_wallet.calls.tables import TableCalls

__all__ = ["Calls", "CashierCalls", "Context", "FinanceCalls", "ReadingCalls", "TableCalls"]
