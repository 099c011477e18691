"""Bringing the schema up to date as its owner, and giving the service's role what it needs."""

from __future__ import annotations

import asyncpg

from floor_wallet.store.postgres.connection import Address, cannot_open, connect
from floor_wallet.store.postgres.migrations import MIGRATIONS
from pokerfloor.servicekit import CannotStart

# Any number that no other program locks in this database: "floorwal" as bytes.
_LOCK_NO = int.from_bytes(b"floorwal", "big")
# Another wallet may be bringing a large book up to date.
_MIGRATION_TIMEOUT_MS = 600_000

# What the service's role may do beside reading. It cannot change or delete what was posted;
# accounts are moved by the trigger of the postings, as the schema's owner.
_RIGHTS = (
    "USAGE ON SCHEMA floor_wallet",
    "SELECT ON ALL TABLES IN SCHEMA floor_wallet",
    """INSERT ON floor_wallet.entries, floor_wallet.postings, floor_wallet.hands,
    floor_wallet.requests, floor_wallet.reversals_asked, floor_wallet.reservations,
    floor_wallet.tables, floor_wallet.outbox, floor_wallet.currencies""",
    "INSERT (account_no, kind, owner, currency, player_id, table_id) ON floor_wallet.accounts",
    "UPDATE (followed_to, last_outbox_no, revision) ON floor_wallet.ledger",
    "UPDATE (state) ON floor_wallet.reservations",
    """UPDATE (room_id, currency, called_max_buy_in_minor, called_max_rake_minor,
    logged_max_buy_in_minor, logged_max_rake_minor, call_epoch, log_epoch, table_seq,
    stream_seq, hand_no, stopped_reason, point_price_minor, game) ON floor_wallet.tables""",
    "DELETE ON floor_wallet.outbox",
)


async def migrate(owner: Address, service_role: str, ledger_id: str) -> None:
    """Bring the schema to this release's version, each step in one transaction.

    Of wallets that start at once, one does it and the others wait. A new book gets `ledger_id`.
    Raises CannotStart when the database is away or of a later release, or a step fails; then the
    schema is as it was.
    """
    connection = await connect(owner, statement_timeout_ms=_MIGRATION_TIMEOUT_MS)
    try:
        # It ends with the connection, however that ends.
        await connection.execute(f"SELECT pg_advisory_lock({_LOCK_NO})")
        for number in range(await _version(connection) + 1, len(MIGRATIONS) + 1):
            await _step_up(connection, number)
        async with connection.transaction():
            await connection.execute(
                "INSERT INTO floor_wallet.ledger (one, ledger_id) VALUES (1, $1)"
                " ON CONFLICT DO NOTHING",
                ledger_id,
            )
            await _grant(connection, service_role)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        raise CannotStart(f"the ledger's schema cannot be brought up to date: {error}") from error
    finally:
        await connection.close(timeout=5)


async def check_version(connection: asyncpg.Connection) -> None:
    """Make sure that the schema is this release's. Raises CannotStart."""
    try:
        version = await _version(connection)
    except asyncpg.PostgresError as error:
        raise cannot_open(error) from error
    if version < len(MIGRATIONS):
        raise CannotStart(
            f"the ledger has schema {version}, this release needs {len(MIGRATIONS)}:"
            " set FLOOR_LEDGER_OWNER_URL, so that the wallet can bring it up to date"
        )


async def _version(connection: asyncpg.Connection) -> int:
    """Return the schema's version, 0 for none. Raises CannotStart for a later release's."""
    there = await connection.fetchval("SELECT to_regclass('floor_wallet.versions') IS NOT NULL")
    if not there:
        return 0
    version = int(
        await connection.fetchval("SELECT coalesce(max(version), 0) FROM floor_wallet.versions")
    )
    if version > len(MIGRATIONS):
        raise CannotStart(f"the ledger has schema {version}, this release knows {len(MIGRATIONS)}")
    return version


async def _step_up(connection: asyncpg.Connection, number: int) -> None:
    name, script = MIGRATIONS[number - 1]
    async with connection.transaction():
        if number == 1:
            await connection.execute(
                "CREATE SCHEMA floor_wallet; CREATE TABLE floor_wallet.versions"
                " (version integer PRIMARY KEY, name text NOT NULL,"
                " at timestamptz NOT NULL DEFAULT now())"
            )
        await connection.execute(script)
        await connection.execute(
            "INSERT INTO floor_wallet.versions (version, name) VALUES ($1, $2)", number, name
        )


async def _grant(connection: asyncpg.Connection, service_role: str) -> None:
    """Return the role its rights, and take away all others that it was given here."""
    if not await connection.fetchval(
        "SELECT to_regrole(quote_ident($1)) IS NOT NULL", service_role
    ):
        raise CannotStart(f"FLOOR_LEDGER_URL names the role {service_role}, which does not exist")
    role = await connection.fetchval("SELECT quote_ident($1)", service_role)
    await connection.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA floor_wallet FROM {role}")
    for right in _RIGHTS:
        await connection.execute(f"GRANT {right} TO {role}")
