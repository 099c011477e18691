"""The schema's versions in order; a released one never changes, a new one is added."""

from floor_wallet.store.postgres.migrations import m0001_book

#: Names and scripts; the first makes version 1 of the schema.
MIGRATIONS: tuple[tuple[str, str], ...] = (("m0001_book", m0001_book.SCRIPT),)
