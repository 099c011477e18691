"""The wallet's calls by subject; `servicer.py` puts them together."""

from services.wallet.calls.base import Calls, Context
from services.wallet.calls.cashier import CashierCalls
from services.wallet.calls.finance import FinanceCalls
from services.wallet.calls.reading import ReadingCalls
from services.wallet.calls.tables import TableCalls

__all__ = ["Calls", "CashierCalls", "Context", "FinanceCalls", "ReadingCalls", "TableCalls"]
