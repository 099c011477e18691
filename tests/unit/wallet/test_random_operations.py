"""Random operations, duplicates and deliveries against the ledger on a slip of paper."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.wallet.domain import AccountKey, AccountKind, Refused, read_step, take_steps
from services.wallet.store import LedgerStore
from tests.unit.wallet.ledger import STORES, TERMS, Ledger
from tests.unit.wallet.plain_ledger import OK, PlainLedger
from tests.unit.wallet.table_log import MAX_RAKE, TableLog, ended, left, opened, released, taken

PLAYERS = ("ann", "bob", "cid")
TABLES = ("t1", "t2")
KINDS = {
    "cash": AccountKind.PLAYER_CASH,
    "reserved": AccountKind.RESERVED,
    "escrow": AccountKind.SEAT_ESCROW,
    "rake": AccountKind.RAKE,
    "house": AccountKind.HOUSE,
}
OPERATION = st.tuples(
    st.sampled_from(
        ("deposit", "withdraw", "reserve", "void", "sit", "release", "hand", "leave", "again")
    ),
    st.sampled_from(PLAYERS),
    st.sampled_from(TABLES),
    st.integers(1, 24_000),
    st.integers(0, 9),
)


async def outcome(work: Awaitable[Any]) -> int:
    try:
        await work
    except Refused as refused:
        return refused.code
    return OK


class Pair:
    """The real ledger and the plain one, given the same operations."""

    def __init__(self, store: LedgerStore) -> None:
        self.ledger = Ledger(store)
        self.plain = PlainLedger()
        self.logs = {table: TableLog(table) for table in TABLES}

    async def begin(self) -> None:
        for table in TABLES:
            await self.ledger.register(table)
            await self.log(table, opened())
        for player in PLAYERS:
            await self.ledger.open(player)
            await self.both("deposit", player, "", 60_000, 0, name=f"first-{player}")

    async def log(self, table: str, *events: Any) -> None:
        log = self.logs[table]
        found = await self.ledger.take([log.step(*events)], table, log.table_seq)
        assert found.stopped == ()

    async def both(
        self, what: str, player: str, table: str, amount: int, n: int, name: str = ""
    ) -> None:
        ledger, plain = self.ledger, self.plain
        reservation_id = f"r{n}"
        match what:
            case "deposit" | "withdraw":
                name = name or f"q{n}"
                move = ledger.deposit if what == "deposit" else ledger.withdraw
                expected = plain.cash(what, player, amount, name)
                assert await outcome(move(player, amount, name)) == expected
            case "reserve":
                expected = plain.reserve(table, player, amount, reservation_id)
                work = ledger.reserve(reservation_id, player, amount, table_id=table)
                assert await outcome(work) == expected
            case "void":
                expected = plain.void(table, reservation_id)
                assert await outcome(ledger.void(reservation_id, table)) == expected
            case "sit" | "release":
                await self.end_reservation(what, player, table, reservation_id)
            case "hand":
                await self.play_hand(table, player, amount)
            case "leave":
                await self.log(table, left(player, plain.leave(table, player)))
            case "again":
                stored = self.logs[table].stored
                first = n % len(stored)
                found = await ledger.take(stored[first:], table, first + 1)
                assert (found.steps, found.stopped) == (0, ())

    async def end_reservation(self, what: str, player: str, table: str, key: str) -> None:
        of, who, held, state = self.plain.reservations.get(key, (table, player, 0, ""))
        if what == "sit" and state == "held":
            self.plain.commit(key)
            await self.log(of, taken(who, held, key))
        elif what == "release" and state != "committed":
            self.plain.void(of, key)
            await self.log(of, released(player, key))

    async def play_hand(self, table: str, loser: str, amount: int) -> None:
        plain = self.plain
        winner = PLAYERS[(PLAYERS.index(loser) + 1) % len(PLAYERS)]
        ours, theirs = (plain.balances["escrow", table, who] for who in (loser, winner))
        lost = min(amount, ours)
        rake = min(lost // 20, MAX_RAKE)
        plain.hand(table, loser, winner, lost, rake)
        stacks = {loser: (ours, ours - lost), winner: (theirs, theirs + lost - rake)}
        await self.log(table, ended(plain.hands[table], stacks, rake))

    async def agree(self) -> None:
        await self.ledger.totals()
        for place, amount in self.plain.balances.items():
            kind, *owner = place
            name = "room-1" if kind == "rake" else "/".join(owner)
            page = await self.ledger.store.statement(
                AccountKey(KINDS[kind], name, "EUR"), 0, 500, None
            )
            assert (page.balance_minor if page else 0) == amount, place
            versions = [line.version for line in page.lines] if page else []
            assert versions == list(range(1, len(versions) + 1))
        for table in TABLES:
            hands = await self.ledger.store.hands(table, 1, 1_000)
            assert [hand.hand_no for hand in hands] == [*range(1, self.plain.hands[table] + 1)]


@pytest.mark.parametrize("name", sorted(STORES))
@given(operations=st.lists(OPERATION, max_size=50))
@settings(max_examples=40, deadline=None)
def test_the_same_as_on_paper(name: str, operations: list[tuple[str, str, str, int, int]]) -> None:
    async def play(folder: Path) -> None:
        pair = Pair(await STORES[name](folder))
        await pair.begin()
        for operation in operations:
            await pair.both(*operation)
        await pair.agree()
        await pair.ledger.store.close()

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder)))


def long_operations(rng: random.Random, count: int) -> list[tuple[str, str, str, int, int]]:
    whats = ["deposit", "reserve", "sit", "sit", "hand", "hand", "hand", "leave"]
    return [
        (rng.choice(whats), rng.choice(PLAYERS), rng.choice(TABLES), rng.randint(1, 9_000), n % 97)
        for n in range(count)
    ]


@pytest.mark.parametrize("name", sorted(STORES))
@pytest.mark.parametrize("seed", range(3))
async def test_any_interleaving_gives_the_same_books(name: str, seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    first = Pair(await STORES[name](tmp_path / "one"))
    await first.begin()
    for operation in long_operations(rng, 300):
        await first.both(*operation)
    # The second ledger gets every call first, and then the logs: twice, in other batches, and
    # interleaved otherwise over the tables. A player's cash-outs come too late for some calls,
    # so it starts with more cash.
    second = Ledger(await STORES[name](tmp_path / "two"))
    for player in PLAYERS:
        await second.open(player)
        await second.deposit(player, 10**9, f"more-{player}")
    for table in TABLES:
        await second.register(table, replace(TERMS, max_buy_in_minor=10**9))
    for key, (table, player, amount, state) in first.plain.reservations.items():
        if state in ("held", "committed"):
            await second.reserve(key, player, amount, table_id=table)
    queues = {
        table: [read_step(data, table, n) for n, data in enumerate(log.stored, start=1)]
        for table, log in first.logs.items()
    }
    delivered: list[Any] = []
    while any(queues.values()):
        table = rng.choice([table for table, queue in queues.items() if queue])
        count = rng.randint(1, 9)
        batch, queues[table] = queues[table][:count], queues[table][count:]
        delivered += batch
        mixed = [*batch, *rng.sample(delivered, min(3, len(delivered)))]
        found = await second.run(partial(take_steps, mixed, at_ms=5, followed_to=0))
        assert found.stopped == ()
    await second.totals()
    for table in TABLES:
        ours = await second.store.table_audit(table)
        theirs = await first.ledger.store.table_audit(table)
        assert ours is not None
        assert theirs is not None
        assert (ours.escrow, ours.rake_minor, ours.hands_settled, ours.pot_minor) == (
            theirs.escrow,
            theirs.rake_minor,
            theirs.hands_settled,
            theirs.pot_minor,
        )
    await first.agree()
    await first.ledger.store.close()
    await second.store.close()
