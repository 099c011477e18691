"""Stores of the ledger: what they promise, and the embedded one."""

from services.wallet.store.interface import (
    Balance,
    KindTotal,
    LedgerStore,
    Line,
    OutboxEvent,
    Statement,
    StoreUnavailable,
    Summary,
    TableAudit,
    TrialBalance,
)
from services.wallet.store.sqlite.store import SqliteStore

__all__ = [
    "Balance",
    "KindTotal",
    "LedgerStore",
    "Line",
    "OutboxEvent",
    "SqliteStore",
    "Statement",
    "StoreUnavailable",
    "Summary",
    "TableAudit",
    "TrialBalance",
]
