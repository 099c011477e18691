"""Which store the settings name."""

from __future__ import annotations

from floor_wallet.settings import WalletSettings
from floor_wallet.store.interface import LedgerStore, WriterLimits
from floor_wallet.store.postgres.store import PostgresStore
from floor_wallet.store.sqlite.store import SqliteStore
from pokerfloor.servicekit import CannotStart, new_id


async def open_store(settings: WalletSettings) -> LedgerStore:
    """Open the ledger: PostgreSQL where its URL is given, else SQLite in a file.

    Raises CannotStart.
    """
    url = settings.ledger_url.get_secret_value()
    owner_url = settings.ledger_owner_url.get_secret_value()
    limits = WriterLimits(settings.max_waiting, settings.max_group)
    if url:
        return await PostgresStore.open(
            url,
            owner_url=owner_url,
            ledger_id=new_id(),
            statement_timeout_ms=settings.ledger_timeout_ms,
            readers=settings.ledger_readers,
            limits=limits,
        )
    if owner_url:
        # Money must not go into a file because a setting was forgotten.
        raise CannotStart("FLOOR_LEDGER_OWNER_URL is set, but FLOOR_LEDGER_URL is not")
    return await SqliteStore.open(
        settings.state_path("ledger.db"),
        ledger_id=new_id(),
        limits=limits,
    )
