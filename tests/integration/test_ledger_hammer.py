"""64 clients on the same ten accounts, while wallet and database are killed again and again.

Every client keeps asking until it is answered, and writes down what it was answered. At the end
the book is exactly what the clients were told, and every fact was published once.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from floor_wallet.domain import NEVER_NEGATIVE, AccountKind, Entry, EntryKind
from floor_wallet.store import LedgerStore
from floor_wallet.store.questions import AuditBook, EntriesAfter
from pokerfloor.api.wallet.v1 import events_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from tests.support.ledger_places import PLACES
from tests.support.postgres import postgres_server
from tests.support.processes import ServiceProcess, service_env
from tests.support.wallet.hammer import ACCOUNTS, Hammer, Slip, begin
from tests.support.wallet.wallet_floor import WalletFloor, until, wallet_floor

pytestmark = pytest.mark.integration

CLIENTS: Final = 64
#: What each client does; `make hammer` has them do much more.
ROUNDS: Final = int(os.environ.get("FLOOR_HAMMER_ROUNDS", "16"))
CRASHES: Final = max(5, ROUNDS // 5)


@pytest.mark.timeout(60 + 20 * ROUNDS)
@pytest.mark.parametrize(
    ("name", "wallets"),
    # On a server several wallets have one book.
    [("sqlite", 1), ("postgres", 1), ("postgres", 2)],
)
async def test_hammered(name: str, wallets: int, tmp_path: Path) -> None:
    place = PLACES[name](tmp_path / "wallet")
    slip = Slip()
    settings = {"expiry_grace_ms": 0, "expiry_poll_ms": 100, **place.settings}
    async with AsyncExitStack() as running:
        floor = await running.enter_async_context(wallet_floor(tmp_path, **settings))
        all_wallets = [floor.wallet]
        for number in range(1, wallets):
            env = service_env(
                "wallet",
                tmp_path,
                floor.identities,
                floor.broker.url,
                **settings,
                instance=f"wallet-{number}",
            )
            wallet = ServiceProcess("floor_wallet", env, tmp_path / f"wallet-{number}.log")
            all_wallets.append(await running.enter_async_context(wallet))
        desks = await begin(floor, slip, all_wallets)
        clients = [Hammer(number, desks, floor, slip) for number in range(CLIENTS)]
        working = asyncio.gather(*[client.work(ROUNDS) for client in clients])
        crashes = [wallet.restart for wallet in all_wallets]
        if name == "postgres":
            crashes.append(server_crashes)
        await crash_again_and_again(crashes, slip, working)
        await working
        await until(lambda: only_the_long_holds_are_left(floor, slip))
        facts = await all_facts(floor)
        for wallet in all_wallets:
            await wallet.stop()
    store = await place.open()
    entries = await whole_book(store)
    await store.close()
    ids = set(the_book_is_what_was_answered(entries, slip))
    every_hold_ended_once_or_is_held(ids, slip)
    numbers = Counter(fact.entry_posted.entry_no for fact in facts)
    assert numbers == Counter(entry.entry_no for entry in entries)
    assert set(Counter(fact.event_id for fact in facts).values()) == {1}
    # It was no quiet evening.
    assert slip.asked_again > 10
    assert len(slip.undone) > ROUNDS
    assert len(slip.refusals) >= 5


async def crash_again_and_again(
    crashes: Sequence[Callable[[], Awaitable[None]]],
    slip: Slip,
    working: asyncio.Future[list[None]],
) -> None:
    """Each time after so many more rounds: no machine is too fast or too slow for that."""
    rng = random.Random(64)
    share = CLIENTS * ROUNDS // (CRASHES + 1)
    for number in range(CRASHES):
        enough = number * share + rng.randint(share // 2, share)
        await until(partial(have_done, slip, enough, working), timeout_s=60)
        await crashes[number % len(crashes)]()


async def server_crashes() -> None:
    """PostgreSQL ends at once with all it has in memory, and starts again."""
    server = postgres_server()
    server.kill9()
    server.start()


async def have_done(slip: Slip, rounds: int, working: asyncio.Future[list[None]]) -> bool:
    return slip.rounds >= rounds or working.done()


async def only_the_long_holds_are_left(floor: WalletFloor, slip: Slip) -> bool:
    held = sum([(await floor.balance(player)).reserved_minor for player in ACCOUNTS])
    return held == sum(amount for _, amount in slip.held.values())


async def all_facts(floor: WalletFloor) -> list[events_pb2.LedgerEvent]:
    """What is published, once no more comes: as many as there are entries."""
    trial = await floor.auditor.GetTrialBalance(pb.GetTrialBalanceRequest(currency="EUR"))
    found: list[events_pb2.LedgerEvent] = []

    async def all_there() -> bool:
        found[:] = await floor.facts()
        return len(found) >= trial.entry_no

    await until(all_there)
    await asyncio.sleep(0.2)
    return await floor.facts()


async def whole_book(store: LedgerStore) -> list[Entry]:
    assert (await store.ask(AuditBook())).reason == ""
    entries: list[Entry] = []
    while page := (await store.ask(EntriesAfter(len(entries), 500))).entries:
        entries += page
    return entries


def the_book_is_what_was_answered(entries: list[Entry], slip: Slip) -> list[str]:
    """Every command that was answered is one entry as it was told, and nobody moved money else."""
    assert [entry.entry_no for entry in entries] == list(range(1, len(entries) + 1))
    by_no = {done.entry_no: done for done in slip.done.values()}
    assert len(by_no) == len(slip.done)
    balances: Counter[str] = Counter()
    for entry in entries:
        for posting in entry.postings:
            kind, owner = posting.account.kind, posting.account.owner
            assert posting.balance_minor >= 0 or kind not in NEVER_NEGATIVE
            name = {AccountKind.HOUSE: "house", AccountKind.RESERVED: f"reserved {owner}"}
            balances[name.get(kind, owner)] += posting.amount_minor
        if entry.draft.kind in (EntryKind.RESERVATION, EntryKind.RESERVATION_VOID):
            continue
        done = by_no.pop(entry.entry_no)
        moved = {account.owner or "house": amount for account, amount in entry.draft.movements}
        assert moved == dict(done.moved), (done.call, done.request)
        told = {
            p.balance_minor for p in entry.postings if p.account.kind is AccountKind.PLAYER_CASH
        }
        assert done.balance_minor in told
    assert not by_no, "what was answered is not in the book"
    expected = slip.balances()
    assert {name: amount for name, amount in balances.items() if amount} == {
        name: amount for name, amount in expected.items() if amount
    }
    return [entry.draft.entry_id for entry in entries]


def every_hold_ended_once_or_is_held(ids: set[str], slip: Slip) -> None:
    reserved = {i.removeprefix("reserve/") for i in ids if i.startswith("reserve/")}
    given_back = {i.removeprefix("void/") for i in ids if i.startswith("void/")}
    assert given_back <= reserved
    assert reserved - given_back == set(slip.held)
    assert given_back <= slip.ended
    assert not any(key.endswith("-first") for key in reserved)
