"""A ledger's database is given out again as new: what a test alters, the next test never sees."""

from __future__ import annotations

import asyncpg
import pytest

from tests.support.postgres import SERVICE, postgres_server


@pytest.mark.parametrize(
    "altering",
    [
        "ALTER TABLE floor_wallet.accounts DROP CONSTRAINT accounts_kind_check",
        "DROP TRIGGER never ON floor_wallet.entries",
        "ALTER TABLE floor_wallet.entries DISABLE TRIGGER ALL",
        f"GRANT UPDATE (note) ON floor_wallet.entries TO {SERVICE}",
        "SET session_replication_role = replica; DROP SCHEMA floor_wallet CASCADE",
    ],
)
async def test_one_that_was_altered_is_not_given_out_again(altering: str) -> None:
    server = postgres_server()
    altered = server.new_database()
    server.sql(altering, altered.name)
    server.ended_test()
    given = [server.new_database() for _ in range(3)]
    assert altered not in given


async def test_one_that_was_only_written_to_is_given_out_empty() -> None:
    server = postgres_server()
    written_to = server.new_database()
    insert = "INSERT INTO floor_wallet.currencies VALUES ('EUR', 2)"
    server.sql(insert, written_to.name)
    server.ended_test()
    assert server.new_database() == written_to
    service = await asyncpg.connect(written_to.ledger_url)
    assert await service.fetchval("SELECT count(*) FROM floor_wallet.currencies") == 0
    await service.close()
