"""Stores of the ledger: what they promise, the embedded one, and PostgreSQL."""

from floor_wallet.store.interface import (
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
from floor_wallet.store.opening import open_store
from floor_wallet.store.postgres.store import PostgresStore
from floor_wallet.store.sqlite.store import SqliteStore

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
