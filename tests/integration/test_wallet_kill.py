"""kill -9 while the log is taken in: every hand once, and the books in balance."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path

import pytest

from floor_wallet.store.questions import AuditBook
from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from tests.support.ledger_places import PLACES
from tests.support.wallet.table_log import ended, left, noise
from tests.support.wallet.wallet_floor import WalletFloor, wallet_floor

pytestmark = pytest.mark.integration

TABLES = ("t1", "t2", "t3")
PLAYERS = ("ann", "bob", "cid", "dan")
HANDS = 150
KILLS = 6


async def play(floor: WalletFloor, table: str, rng: random.Random) -> dict[str, int]:
    """Store a table's hands, while the wallet lives and dies; gives what each player ends with."""
    stacks = dict.fromkeys(PLAYERS, 1_000)
    for hand_no in range(1, HANDS + 1):
        loser, winner = rng.sample(PLAYERS, 2)
        lost = rng.randint(0, min(400, stacks[loser]))
        rake = lost // 20
        after = stacks | {loser: stacks[loser] - lost}
        after[winner] += lost - rake
        await floor.store(table, noise())
        await floor.store(table, ended(hand_no, {p: (stacks[p], after[p]) for p in PLAYERS}, rake))
        stacks = after
        await asyncio.sleep(rng.random() / 50)
    await floor.store(table, left("ann", stacks["ann"]))
    return stacks


@pytest.mark.parametrize("name", sorted(PLACES))
async def test_killed_again_and_again(name: str, tmp_path: Path) -> None:
    rng = random.Random(11)
    place = PLACES[name](tmp_path / "wallet")
    async with wallet_floor(tmp_path, max_batch_steps=7, **place.settings) as floor:
        await floor.rich(*PLAYERS)
        for table in TABLES:
            await floor.seat(table, *PLAYERS)
        playing = [asyncio.create_task(play(floor, t, random.Random(t))) for t in TABLES]
        for _ in range(KILLS):
            await asyncio.sleep(rng.random() / 4)
            await floor.wallet.restart()
        ends = dict(zip(TABLES, await asyncio.gather(*playing), strict=True))
        await floor.wallet.restart()
        for table in TABLES:
            await floor.settled(table)
        raked = 0
        for table, stacks in ends.items():
            audit = await floor.auditor.AuditTable(pb.AuditTableRequest(table_id=table))
            found = {line.player_id: line.amount_minor for line in audit.escrow}
            assert found == {p: stacks[p] for p in PLAYERS if p != "ann" and stacks[p]}
            hands = await floor.auditor.ListSettledHands(
                pb.ListSettledHandsRequest(table_id=table, page_size=1000)
            )
            assert [hand.hand_no for hand in hands.hands] == list(range(1, HANDS + 1))
            raked += audit.rake_minor
        assert (await floor.trial_balance())["RAKE"] == raked
        cash = (await floor.balance("ann")).cash_minor
        assert cash == 100_000 - 3_000 + sum(stacks["ann"] for stacks in ends.values())
        await published_once(floor)
        await floor.wallet.stop()
    store = await place.open()
    assert (await store.ask(AuditBook())).reason == ""
    await store.close()


async def published_once(floor: WalletFloor) -> None:
    """Every hand has one fact, in order, however often the relay was killed."""
    expected = [(table, hand_no) for table in TABLES for hand_no in range(1, HANDS + 1)]
    for _ in range(100):
        facts = await floor.facts()
        settled = [fact.hand_settled for fact in facts if fact.HasField("hand_settled")]
        if len(settled) >= len(expected):
            break
        await asyncio.sleep(0.05)
    assert sorted((fact.table_id, fact.hand_no) for fact in settled) == expected
    for table in TABLES:
        numbers = [fact.hand_no for fact in settled if fact.table_id == table]
        assert numbers == sorted(numbers)
    assert set(Counter(fact.event_id for fact in facts).values()) == {1}
