"""Connections to the database: how they are made, and what is demanded of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

import asyncpg

from pokerfloor.servicekit import CannotStart

#: A statement takes no longer, unless the settings say otherwise.
STATEMENT_TIMEOUT_MS: Final = 5_000
#: Making a connection takes no longer.
CONNECT_TIMEOUT_S: Final = 5.0
# The client waits a little longer than the server, whose answer says more.
_CLIENT_GRACE_S: Final = 1.0
# A process that stops in the middle of a group lets others go on after this.
_IDLE_IN_TRANSACTION_MS: Final = 10_000
_SCHEMES: Final = ("postgresql", "postgres")

#: What may go wrong when a database is away, full, or in trouble.
DATABASE_ERRORS: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)

# Tables whose rows are never changed or deleted.
_FINAL: Final = ("entries", "postings", "accounts", "hands", "requests", "reversals_asked")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is, and who comes. The URL holds a password and is never shown."""

    url: str = field(repr=False)
    user: str

    @classmethod
    def of(cls, url: str, setting: str) -> Address:
        """Read a `postgresql://` URL, which must name its user. Raises CannotStart."""
        try:
            parts = urlsplit(url)
            known = parts.scheme in _SCHEMES and (parts.port is None or parts.port > 0)
        except ValueError:
            known = False
        if not known or not parts.username:
            # Nothing of it is repeated, for it may hold a password.
            raise CannotStart(f"{setting} is no URL of the form postgresql://user@host/database")
        return cls(url, unquote(parts.username))


async def connect(
    address: Address, *, statement_timeout_ms: int, keys_only: bool = False
) -> asyncpg.Connection:
    """Make a connection whose statements all have an end. Raises CannotStart.

    With `keys_only` its plans keep to the indexes: they are made once, when tables may be small.
    """
    try:
        return await asyncpg.connect(
            address.url,
            timeout=CONNECT_TIMEOUT_S,
            command_timeout=client_timeout_s(statement_timeout_ms),
            server_settings=server_settings(statement_timeout_ms, keys_only=keys_only),
        )
    except ValueError:  # of the URL; nothing of it is repeated
        raise CannotStart("the ledger's URL cannot be understood") from None
    except DATABASE_ERRORS as error:
        raise cannot_open(error) from error


def client_timeout_s(statement_timeout_ms: int) -> float:
    """Return how long the client waits for a statement."""
    return statement_timeout_ms / 1000 + _CLIENT_GRACE_S


def server_settings(statement_timeout_ms: int, *, keys_only: bool) -> dict[str, str]:
    """Return a session's settings."""
    settings = {
        "application_name": "floor-wallet",
        "statement_timeout": str(statement_timeout_ms),
        "lock_timeout": str(statement_timeout_ms),
        "idle_in_transaction_session_timeout": str(_IDLE_IN_TRANSACTION_MS),
        "search_path": "floor_wallet",
        "timezone": "UTC",
        # A plan that cannot keep to the indexes counts as very costly, and would be compiled: that
        # takes a hundred times as long as what the rules of the schema do.
        "jit": "off",
    }
    if keys_only:
        plans = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin")
        settings |= dict.fromkeys(plans, "off")
    return settings


async def check_server(connection: asyncpg.Connection) -> None:
    """Make sure that commits last and the role can undo nothing. Raises CannotStart."""
    for setting, demanded in (("fsync", "on"), ("server_encoding", "UTF8")):
        found = await connection.fetchval("SELECT current_setting($1)", setting)
        if found != demanded:
            raise CannotStart(f"the ledger's database has {setting} = {found}, not {demanded}")
    role = connection.get_settings().session_authorization
    if await connection.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"):
        raise CannotStart(f"the role {role} of FLOOR_LEDGER_URL is a superuser")
    for table in _FINAL:
        too_much = await connection.fetchval(
            "SELECT has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE, TRIGGER')"
            " OR has_any_column_privilege(oid, 'UPDATE') OR pg_has_role(relowner, 'MEMBER')"
            " FROM pg_class WHERE oid = ('floor_wallet.' || $1::text)::regclass",
            table,
        )
        if too_much:
            raise CannotStart(
                f"the role {role} of FLOOR_LEDGER_URL may change or delete {table}:"
                " the wallet takes one that cannot"
            )


async def commit_durably(connection: asyncpg.Connection) -> None:
    """Have commits wait for the disk, whatever the role's or the database's default is."""
    await connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false)"
        " WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')"
    )


def cannot_open(error: BaseException) -> CannotStart:
    """Return the line that says why the ledger is not opened."""
    return CannotStart(f"the ledger's database cannot be used: {error or type(error).__name__}")
