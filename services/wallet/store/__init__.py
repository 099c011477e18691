"""Stores of the ledger: what they promise, the embedded one, and PostgreSQL."""

from services.wallet.store.interface import (
    AccountPage,
    AccountStanding,
    Balance,
    BookAudit,
    ChipsInPlay,
    EntryPage,
    KindTotal,
    LedgerStore,
    Line,
    LineFilter,
    OutboxEvent,
    RakeLine,
    Statement,
    StoreUnavailable,
    Summary,
    TableAudit,
    TableChips,
    TrialBalance,
)
from services.wallet.store.opening import open_store
from services.wallet.store.postgres.store import PostgresStore
from services.wallet.store.sqlite.store import SqliteStore

__all__ = [
    "AccountPage",
    "AccountStanding",
    "Balance",
    "BookAudit",
    "ChipsInPlay",
    "EntryPage",
    "KindTotal",
    "LedgerStore",
    "Line",
    "LineFilter",
    "OutboxEvent",
    "PostgresStore",
    "RakeLine",
    "SqliteStore",
    "Statement",
    "StoreUnavailable",
    "Summary",
    "TableAudit",
    "TableChips",
    "TrialBalance",
    "open_store",
]
