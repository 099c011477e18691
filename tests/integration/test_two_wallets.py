"""Two wallets on one database: calls to either, one log, one outbox, and one of them killed."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import grpc.aio
import pytest

from floor_wallet.store import PostgresStore
from floor_wallet.store.questions import AuditBook
from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from pokerfloor.servicekit import connect, fixed_token
from tests.support.postgres import new_database
from tests.support.processes import ServiceProcess, service_env
from tests.support.stubs import WalletStub
from tests.support.wallet.table_log import ended, left
from tests.support.wallet.wallet_floor import WalletFloor, until, wallet_floor

pytestmark = pytest.mark.integration

HANDS = 60
TABLES = ("t1", "t2")


def deposit(player: str, request_id: str) -> pb.DepositRequest:
    return pb.DepositRequest(
        command_id=request_id, player_id=player, currency="EUR", amount_minor=10
    )


async def insist(stub: WalletStub, player: str, name: str) -> None:
    """Make forty deposits, each until it is answered."""
    for n in range(40):
        while True:
            try:
                await stub.Deposit(deposit(player, f"{name}-{n}"), timeout=5)
                break
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.05)


async def play(floor: WalletFloor, table: str) -> None:
    for n in range(1, HANDS + 1):
        stacks = {"ann": (1_000 - n + 1, 1_000 - n), "bob": (999 + n, 1_000 + n)}
        await floor.store(table, ended(n, stacks))
    await floor.store(table, left("ann", 1_000 - HANDS))


async def test_two_wallets_are_one_ledger(tmp_path: Path) -> None:
    url = new_database().ledger_url
    async with wallet_floor(tmp_path, ledger_url=url, max_batch_steps=5) as floor:
        environment = service_env(
            "wallet", tmp_path / "second", floor.identities, floor.broker.url, ledger_url=url
        )
        second = ServiceProcess("floor_wallet", environment, tmp_path / "second.log")
        async with second:
            await both(floor, second)
    store = await PostgresStore.open(url, ledger_id="book")
    assert (await store.ask(AuditBook())).reason == ""
    await store.close()


async def both(floor: WalletFloor, second: ServiceProcess) -> None:
    channel = connect(second.address, fixed_token(floor.identities.token("desk", "cashier")))
    desk = WalletStub(channel)
    await floor.rich("ann", "bob")
    for table in TABLES:
        await floor.seat(table, "ann", "bob")
    work = [asyncio.create_task(play(floor, table)) for table in TABLES]
    work += [
        asyncio.create_task(insist(stub, player, f"{name}-{player}"))
        # The last two make the very same calls.
        for name, stub in (("one", floor.desk), ("two", desk), ("both", floor.desk), ("both", desk))
        for player in ("ann", "bob")
    ]
    await asyncio.sleep(0.3)
    await floor.wallet.restart()
    await asyncio.gather(*work)
    for table in TABLES:
        await floor.settled(table)
    assert (await floor.balance("ann")).cash_minor == 100_000 - 2 * HANDS + 120 * 10
    assert await floor.trial_balance() == {
        "PLAYER_CASH": 200_000 - 2_000 - 2 * HANDS + 240 * 10,
        "SEAT_ESCROW": 2 * (1_000 + HANDS),
        "HOUSE": -200_000 - 240 * 10,
    }
    await published_once(floor)
    await channel.close()


async def published_once(floor: WalletFloor) -> None:
    """Each hand's fact is there once and in order, whichever of the two published it."""

    async def all_there() -> bool:
        facts = await floor.facts()
        return sum(fact.HasField("hand_settled") for fact in facts) >= len(TABLES) * HANDS

    await until(all_there)
    facts = await floor.facts()
    assert set(Counter(fact.event_id for fact in facts).values()) == {1}
    for table in TABLES:
        settled = [fact.hand_settled for fact in facts if fact.hand_settled.table_id == table]
        assert [hand.hand_no for hand in settled] == list(range(1, HANDS + 1))
