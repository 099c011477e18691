"""What PostgreSQL refuses, to the service's role and to the schema's owner."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest

from floor_wallet.domain import cash
from floor_wallet.store import PostgresStore
from floor_wallet.store.questions import AuditBook, LineFilter, StatementOf
from pokerfloor.servicekit import CannotStart
from tests.support.postgres import OWNER, SERVICE, Database, new_database, postgres_server
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.table_log import TableLog, ended, opened, taken

H = "decode(repeat('00', 32), 'hex')"
Connection = asyncpg.Connection


@pytest.fixture
async def database() -> Database:
    """A book of eight entries."""
    database = new_database()
    ledger = Ledger(await PostgresStore.open(database.ledger_url, ledger_id="book"))
    log = TableLog()
    await ledger.rich("ann", "bob")
    await ledger.register()
    await ledger.reserve("a", "ann", 1_000)
    await ledger.reserve("b", "bob", 1_000)
    await ledger.reserve("held", "bob", 1_000)
    await ledger.take(
        [
            log.step(opened(), taken("ann", 1_000, "a"), taken("bob", 1_000, "b")),
            log.step(ended(1, {"ann": (1_000, 0), "bob": (1_000, 1_990)}, rake=10)),
        ]
    )
    assert (await ledger.totals())["RAKE"] == 10
    await ledger.store.close()
    return database


@pytest.fixture(params=["service", "owner"])
async def role(request: pytest.FixtureRequest, database: Database) -> AsyncIterator[Connection]:
    url = database.ledger_url if request.param == "service" else database.owner_url
    connection = await asyncpg.connect(url)
    await connection.execute("SET search_path = floor_wallet")
    yield connection
    await connection.close()


async def posting(role: Connection, kind: int, owner: str, amount: int) -> None:
    """Write a posting of the next entry as a program that forgets every check would."""
    await role.execute(
        "INSERT INTO postings SELECT account_no, version + 1,"
        " (SELECT max(entry_no) + 1 FROM entries), $1::bigint, balance_minor + $1"
        " FROM accounts WHERE kind = $2 AND owner = $3",
        amount,
        kind,
        owner,
    )


async def whole_entry(role: Connection, *amounts: tuple[int, str, int], **change: Any) -> None:
    """Write postings (kind, owner, amount) and the entry over them in one transaction."""
    async with role.transaction():
        for kind, owner, amount in amounts:
            await posting(role, kind, owner, amount)
        await entry(role, **change)


async def entry(
    role: Connection, *, gap: int = 1, prev: str = "last", cur: str = "EUR", at: str = "max(at_ms)"
) -> None:
    last = "(SELECT hash FROM entries ORDER BY entry_no DESC LIMIT 1)" if prev == "last" else H
    await role.execute(
        f"INSERT INTO entries SELECT max(entry_no) + {gap}, 'new', 1, '{cur}', {at}, '', 0, '', '',"
        f" {H}, {last}, sha256({last} || {H}) FROM entries"
    )


async def test_a_right_entry_is_taken(role: Connection) -> None:
    await whole_entry(role, (1, "ann", -5), (7, "", 5))
    assert await role.fetchval("SELECT sum(balance_minor) FROM accounts") == 0
    assert (
        await role.fetchval("SELECT balance_minor FROM accounts WHERE kind = 1 AND owner = 'ann'")
        == 48_995
    )


async def test_an_unbalanced_entry_is_refused(role: Connection) -> None:
    with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="balances"):
        await whole_entry(role, (1, "ann", -5), (7, "", 4))


@pytest.mark.parametrize("amounts", [(), ((7, "", 5),)])
async def test_an_entry_moves_two_accounts(
    role: Connection, amounts: tuple[tuple[int, str, int], ...]
) -> None:
    with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="balances"):
        await whole_entry(role, *amounts)


async def test_an_older_entry_is_refused(role: Connection) -> None:
    with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="older"):
        await whole_entry(role, (1, "ann", -5), (7, "", 5), at="max(at_ms) - 1")


async def test_postings_without_an_entry_are_not_committed(role: Connection) -> None:
    transaction = role.transaction()
    await transaction.start()
    await posting(role, 1, "ann", -5)
    await posting(role, 7, "", 5)
    with pytest.raises(asyncpg.ForeignKeyViolationError, match="sealed_by_its_entry"):
        await transaction.commit()


async def test_a_sealed_entry_takes_no_more_postings(role: Connection) -> None:
    with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="sealed"):
        await role.execute(
            "INSERT INTO postings SELECT account_no, version + 1, 1, 5, balance_minor + 5"
            " FROM accounts WHERE kind = 4"
        )


@pytest.mark.parametrize(
    ("kind", "owner", "amount"), [(1, "ann", -49_001), (2, "t1/ann", -1), (9, "bob", -1_001)]
)
async def test_players_money_never_goes_below_zero(
    role: Connection, kind: int, owner: str, amount: int
) -> None:
    with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="below zero"):
        await posting(role, kind, owner, amount)


async def test_nor_between_two_postings_of_one_statement(role: Connection) -> None:
    with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="below zero"):
        await role.execute(
            "INSERT INTO postings SELECT a.account_no, a.version + n, 8 + n,"
            " CASE n WHEN 1 THEN -49001 ELSE 49001 END,"
            " a.balance_minor - CASE n WHEN 1 THEN 49001 ELSE 0 END"
            " FROM accounts AS a, generate_series(1, 2) AS n WHERE a.kind = 1 AND a.owner = 'ann'"
        )


async def test_the_house_may_go_below_zero_but_not_beyond_the_limit(role: Connection) -> None:
    await whole_entry(role, (7, "", -1), (1, "ann", 1))
    with pytest.raises(asyncpg.CheckViolationError):
        await posting(role, 7, "", -(2**53))


@pytest.mark.parametrize("change", [{"gap": 2}, {"gap": 0}, {"prev": "zero"}, {"cur": "USD"}])
async def test_numbers_chain_and_currency(role: Connection, change: dict[str, Any]) -> None:
    await role.execute("INSERT INTO currencies VALUES ('USD', 2)")
    with pytest.raises(asyncpg.IntegrityConstraintViolationError):
        await whole_entry(role, (1, "ann", -5), (7, "", 5), **change)


@pytest.mark.parametrize(("version", "balance"), [(2, 5), (0, 5), (1, 6)])
async def test_a_posting_follows_its_accounts_last(
    role: Connection, version: int, balance: int
) -> None:
    with pytest.raises(asyncpg.IntegrityConstraintViolationError):
        await role.execute(
            f"INSERT INTO postings SELECT account_no, version + {version}, 9, 5,"
            f" balance_minor + {balance} FROM accounts WHERE kind = 1 AND owner = 'ann'"
        )
    with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="follow"):
        await role.execute("INSERT INTO postings VALUES (99, 1, 9, 5, 5)")


async def test_the_book_is_not_written_from_an_old_snapshot(role: Connection) -> None:
    transaction = role.transaction(isolation="repeatable_read")
    await transaction.start()
    with pytest.raises(asyncpg.IntegrityConstraintViolationError, match="READ COMMITTED"):
        await posting(role, 1, "ann", -5)
    await transaction.rollback()


NEVER = (
    "UPDATE entries SET note = 'x'",
    "DELETE FROM entries",
    "TRUNCATE entries CASCADE",
    "UPDATE postings SET amount_minor = 1",
    "DELETE FROM postings",
    "TRUNCATE postings",
    "DELETE FROM accounts",
    "TRUNCATE accounts",
    "UPDATE accounts SET balance_minor = balance_minor + 1",
    "UPDATE accounts SET version = version + 1",
    "UPDATE accounts SET version = version - 1",
    "UPDATE accounts SET owner = 'eve' WHERE owner = 'ann'",
    "UPDATE accounts SET player_id = 'eve' WHERE owner = 'ann'",
    "INSERT INTO accounts VALUES (99, 1, 'eve', 'EUR', 'eve', '', 0, 5)",
    """INSERT INTO accounts (account_no, kind, owner, currency, player_id, table_id)
    VALUES (99, 1, 'ann', 'EUR', 'ann', '')""",
    """INSERT INTO accounts (account_no, kind, owner, currency, player_id, table_id)
    VALUES (99, 1, 'eve', 'XXX', 'eve', '')""",
    """INSERT INTO accounts (account_no, kind, owner, currency, player_id, table_id)
    VALUES (1, 1, 'x', 'EUR', 'x', '') ON CONFLICT (account_no) DO UPDATE SET version = 9""",
    "UPDATE hands SET rake_minor = 0",
    "DELETE FROM hands",
    "INSERT INTO hands VALUES ('t1', 1, 0, 0, 9, false, 0, '', '', '')",
    "UPDATE requests SET balance_minor = 0",
    "DELETE FROM requests",
    "TRUNCATE requests",
    "UPDATE currencies SET exponent = 3",
    "DELETE FROM reservations",
    "UPDATE reservations SET state = 3 WHERE state = 2",
    "UPDATE reservations SET state = 1 WHERE state = 2",
    "UPDATE reservations SET state = 5 WHERE state = 2",
    "UPDATE reservations SET state = 6 WHERE state = 1",
    "UPDATE reservations SET amount_minor = 5 WHERE state = 1",
    "UPDATE tables SET table_seq = 0",
    "UPDATE tables SET log_epoch = 0",
    "DELETE FROM tables",
    "UPDATE ledger SET followed_to = 0",
    "UPDATE ledger SET last_outbox_no = 0",
    "UPDATE ledger SET ledger_id = 'other'",
    "DELETE FROM ledger",
    "UPDATE outbox SET payload = ''",
)


async def test_nothing_is_changed_or_deleted(role: Connection) -> None:
    for sql in NEVER:
        with pytest.raises(
            (asyncpg.IntegrityConstraintViolationError, asyncpg.InsufficientPrivilegeError)
        ):
            await role.execute(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE floor_wallet.entries DISABLE TRIGGER ALL",
        "DROP TABLE floor_wallet.outbox",
        "SET session_replication_role = replica",
        "CREATE TABLE floor_wallet.mine ()",
        f"SET ROLE {OWNER}",
        "UPDATE floor_wallet.accounts SET version = version",
        "DELETE FROM floor_wallet.entries",
        "TRUNCATE floor_wallet.outbox",
    ],
)
async def test_what_the_services_role_has_no_right_to(database: Database, sql: str) -> None:
    service = await asyncpg.connect(database.ledger_url)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await service.execute(sql)
    await service.close()


FORGE_THE_FIRST = f"""
    UPDATE entries SET note = 'x', content_hash = {H}, hash = sha256(prev_hash || {H})
    WHERE entry_no = 1
"""
NO_KIND_OF_ACCOUNT = """
    ALTER TABLE accounts DROP CONSTRAINT accounts_kind_check;
    UPDATE accounts SET kind = 99 WHERE kind = 4
"""
# The last entry loses its postings, and its accounts stand where they stood before it.
EMPTY_THE_LAST = """
    UPDATE accounts SET version = version - 1, balance_minor = balance_minor
        - (SELECT amount_minor FROM postings AS p
            WHERE entry_no = 8 AND p.account_no = accounts.account_no)
    WHERE account_no IN (SELECT account_no FROM postings WHERE entry_no = 8);
    DELETE FROM postings WHERE entry_no = 8
"""


@pytest.mark.parametrize(
    ("tampering", "entry_no"),
    [
        ("UPDATE postings SET amount_minor = amount_minor + 1 WHERE entry_no = 2", 2),
        ("UPDATE entries SET at_ms = 5 WHERE entry_no = 3", 3),
        (FORGE_THE_FIRST, 1),
        ("UPDATE entries SET reference = 'x' WHERE entry_no = 4", 4),
        ("UPDATE accounts SET balance_minor = balance_minor + 1 WHERE kind = 4", 8),
        ("DELETE FROM postings WHERE entry_no = 5", 5),
        ("UPDATE entries SET kind = 99 WHERE entry_no = 3", 3),
        (NO_KIND_OF_ACCOUNT, 8),
        (EMPTY_THE_LAST, 8),
    ],
)
async def test_tampering_is_found(database: Database, tampering: str, entry_no: int) -> None:
    admin = await asyncpg.connect(database.admin_url)
    await admin.execute(
        "SET search_path = floor_wallet; SET session_replication_role = replica;" + tampering
    )
    await admin.close()
    store = await PostgresStore.open(database.ledger_url, ledger_id="other")
    found = await store.ask(AuditBook())
    assert found.broken_entry_no == entry_no, found
    assert found.reason
    # What is wrong is shown as it stands.
    assert await store.ask(StatementOf(cash("ann", "EUR"), 0, 9, LineFilter()))
    await store.close()


async def open_as(url: str, owner_url: str = "") -> PostgresStore:
    return await PostgresStore.open(url, owner_url=owner_url, ledger_id="book")


async def test_the_service_does_not_start_with_too_many_rights(database: Database) -> None:
    with pytest.raises(CannotStart, match="superuser"):
        await open_as(database.admin_url)
    with pytest.raises(CannotStart, match="may change or delete entries"):
        await open_as(database.owner_url)
    server = postgres_server()
    server.sql(f"GRANT UPDATE (note) ON floor_wallet.entries TO {SERVICE}", database.name)
    with pytest.raises(CannotStart, match="may change or delete entries"):
        await open_as(database.ledger_url)
    # The owner's start takes away what is too much.
    await (await open_as(database.ledger_url, database.owner_url)).close()
    await (await open_as(database.ledger_url)).close()


async def test_databases_that_hold_no_ledger_of_this_release(database: Database) -> None:
    server = postgres_server()
    bare = server.bare_database()
    with pytest.raises(CannotStart, match="FLOOR_LEDGER_OWNER_URL"):
        await open_as(bare.ledger_url)
    with pytest.raises(CannotStart, match="permission denied"):
        await open_as(bare.ledger_url, bare.ledger_url)
    later = "INSERT INTO floor_wallet.versions VALUES (99, 'later')"
    server.sql(later, database.name)
    try:
        for owner_url in ("", database.owner_url):
            with pytest.raises(CannotStart, match="schema 99"):
                await open_as(database.ledger_url, owner_url)
    finally:
        server.sql("DELETE FROM floor_wallet.versions WHERE version = 99", database.name)


async def test_no_password_is_told(database: Database) -> None:
    for url in (
        database.ledger_url.replace("test-only", "hunter2"),
        "mysql://floor:hunter2@host/db",
        "postgresql://floor:hunter2@host:port/db",
        "postgresql://floor:hunter2@/db?sslmode=perhaps",
        "postgresql://:hunter2@host/db",
        database.ledger_url.replace("test-only", "hunter2/") + "?port=x",
    ):
        with pytest.raises(CannotStart) as caught:
            await open_as(url)
        shown = f"{caught.value!r} {caught.value.__cause__!r} {caught.value.__context__!r}"
        assert "hunter2" not in shown
