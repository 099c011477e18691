"""Stores of the ledger: what is asked of them, the embedded one, and PostgreSQL."""

from floor_wallet.store.interface import LedgerStore, Refused, StoreUnavailable, WriterLimits
from floor_wallet.store.postgres.store import PostgresStore
from floor_wallet.store.sqlite.store import SqliteStore

__all__ = [
    "LedgerStore",
    "PostgresStore",
    "Refused",
    "SqliteStore",
    "StoreUnavailable",
    "WriterLimits",
]
