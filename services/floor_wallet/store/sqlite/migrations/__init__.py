"""The schema's versions in order; a released one never changes, a new one is added."""

from floor_wallet.store.sqlite.migrations import (
    m0001_book,
    m0002_expired,
    m0003_points,
    m0004_finance,
)

#: Scripts; the first makes version 1 of the schema.
MIGRATIONS: tuple[str, ...] = (
    m0001_book.SCRIPT,
    m0002_expired.SCRIPT,
    m0003_points.SCRIPT,
    m0004_finance.SCRIPT,
)
