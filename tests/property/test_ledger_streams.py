"""The tables' log, however it is delivered, makes the same book.

Delivered in the order of the tables or mixed, step by step or in batches, twice, from an earlier
place again, over restarts: the accounts, hands, entries and facts are the same, and they are what
a slip of paper says. A table that stops disturbs no other.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from floor_wallet.domain import LogStep, read_step, settle_steps
from floor_wallet.store import LedgerStore
from floor_wallet.store.questions import (
    AccountsAfter,
    EntriesAfter,
    HandsFrom,
    StoppedTables,
    TableById,
    UnpublishedEvents,
)
from pokerfloor.api.wallet.v1 import events_pb2
from tests.support.ledger_places import PLACES
from tests.support.table.table_nights import PLAYERS, Night, nights
from tests.support.wallet.ledger import TERMS, Ledger
from tests.support.wallet.table_log import ROOM

TABLES: Final = ("t1", "t2", "t3")
RICH: Final = 1_000_000
# Nothing survives these tests but the tests.
_MEMORY: Final = Path("/dev/shm")

#: How a stream is delivered: a table (or all of them), so many steps, and what comes with them.
Delivery = list[tuple[int, int, str]]
WAYS: Final = ("", "", "", "again", "from an earlier place", "restart")
deliveries = st.lists(
    st.tuples(st.integers(0, len(TABLES)), st.integers(1, 7), st.sampled_from(WAYS)), max_size=25
)
IN_ORDER: Final[Delivery] = []


class Stream:
    """The log of all tables on its way: each step has its place when it is first delivered."""

    def __init__(self, played: Sequence[Night]) -> None:
        self._left = {night.table_id: list(night.messages) for night in played}
        self.delivered: list[LogStep] = []

    def next_of(self, table_id: str, count: int) -> list[LogStep]:
        taken, self._left[table_id] = self._left[table_id][:count], self._left[table_id][count:]
        steps = [
            read_step(data, table_id, len(self.delivered) + n)
            for n, data in enumerate(taken, start=1)
        ]
        self.delivered += steps
        return steps

    def batch(self, table: int, count: int) -> list[LogStep]:
        """Steps of one table, or some of each in turns."""
        if table < len(self._left):
            return self.next_of(list(self._left)[table], count)
        return [
            step for _ in range(count) for table in self._left for step in self.next_of(table, 1)
        ]


async def book_of(name: str, folder: Path, played: Sequence[Night], delivery: Delivery) -> Any:
    """Fill a new book from the logs, and give everything in it that must not depend on the way."""
    place = PLACES[name](folder)
    ledger = Ledger(await place.open())
    await ledger.rich(*PLAYERS, amount=RICH)
    for night in played:
        # The night's holds are all made before it: more at a time than a table would.
        await ledger.register(night.table_id, replace(TERMS, max_buy_in_minor=RICH))
        for reservation_id, player, amount in night.reserved:
            await ledger.reserve(reservation_id, player, amount, table_id=night.table_id)
    stream = Stream(played)
    for which, count, way in [*delivery, *[(table, 10**6, "") for table in range(len(played))]]:
        steps = stream.batch(which, count)
        if way == "from an earlier place":
            steps = stream.delivered[-3 * count :]
        await take(ledger, steps, len(stream.delivered))
        if way == "again":
            await take(ledger, steps, len(stream.delivered))
        elif way == "restart":
            await ledger.store.close()
            ledger = Ledger(await place.open())
            await retry(ledger, stream)
    if delivery:
        await take(ledger, stream.delivered, len(stream.delivered))
    found = await contents(ledger)
    await ledger.store.close()
    return found


async def take(ledger: Ledger, steps: Sequence[LogStep], read_to: int) -> None:
    await ledger.run(partial(settle_steps, steps, at_ms=ledger.now_ms, followed_to=read_to))


async def retry(ledger: Ledger, stream: Stream) -> None:
    """As the wallet does when it starts: what stopped is tried again, and stops again."""
    for table in await ledger.store.ask(StoppedTables()):
        steps = [
            step
            for step in stream.delivered
            if step.table_id == table.table_id and step.stream_seq > table.stream_seq
        ]
        work = partial(settle_steps, steps, at_ms=ledger.now_ms, followed_to=0, retry=True)
        assert (await ledger.run(work)).stopped == ()


async def contents(ledger: Ledger) -> dict[str, Any]:
    store = ledger.store
    entries = (await store.ask(EntriesAfter(0, 10_000))).entries
    tables = [await store.ask(TableById(table_id)) for table_id in TABLES]
    return {
        "totals": await ledger.totals(),
        "accounts": {
            (account.key.kind.name, account.key.owner): (account.balance_minor, account.version)
            for account in (await store.ask(AccountsAfter(0, 10_000))).accounts
        },
        "entries": sorted(
            (entry.draft.entry_id, sorted(entry.draft.movements)) for entry in entries
        ),
        "hands": [
            (hand.table_id, hand.hand_no, bool(hand.entry_no), hand.rake_minor, hand.voided)
            for table_id in TABLES
            for hand in await store.ask(HandsFrom(table_id, 1, 1_000))
        ],
        "tables": [table and table._replace(stream_seq=0) for table in tables],
        "facts": await facts(store),
    }


async def facts(store: LedgerStore) -> Counter[tuple[str, str]]:
    """What is to be published, but the numbers and hashes of entries: they come in any order."""
    found: Counter[tuple[str, str]] = Counter()
    for event in await store.ask(UnpublishedEvents(10_000)):
        fact = events_pb2.LedgerEvent.FromString(event.payload)
        fact.ClearField("event_id")
        for kind in (fact.entry_posted, fact.hand_settled):
            kind.ClearField("entry_no")
        fact.entry_posted.ClearField("hash")
        found[event.subject, str(fact)] += 1
    return found


def agrees_with_paper(book: dict[str, Any], played: Sequence[Night]) -> None:
    def balance(kind: str, owner: str) -> int:
        amount, _ = book["accounts"].get((kind, owner), (0, 0))
        assert isinstance(amount, int)
        return amount

    for night in played:
        for player in PLAYERS:
            at_table = balance("SEAT_ESCROW", f"{night.table_id}/{player}")
            assert at_table == night.stacks[player], (night.table_id, player)
        assert balance("TABLE_POT", night.table_id) == night.pot
    for player in PLAYERS:
        cash = RICH + sum(night.cash[player] for night in played)
        assert balance("PLAYER_CASH", player) == cash
        assert balance("RESERVED", player) == sum(night.held[player] for night in played)
    assert balance("RAKE", ROOM) == sum(night.rake for night in played)
    assert balance("SUSPENSE", "") == sum(night.suspense for night in played)
    hands = Counter(hand[0] for hand in book["hands"])
    assert hands == Counter({night.table_id: night.hands for night in played})
    stopped = [table.table_id for table in book["tables"] if table.stopped_reason]
    assert stopped == [night.table_id for night in played if night.broken]


def check(name: str, played: list[Night], delivery: Delivery) -> None:
    where = _MEMORY if _MEMORY.is_dir() else None
    with (
        tempfile.TemporaryDirectory(dir=where) as one,
        tempfile.TemporaryDirectory(dir=where) as two,
    ):
        first = asyncio.run(book_of(name, Path(one), played, IN_ORDER))
        agrees_with_paper(first, played)
        second = asyncio.run(book_of(name, Path(two), played, delivery))
        assert second == first


DELIVERED = given(played=nights(TABLES), delivery=deliveries.filter(bool))
SETTINGS = settings(deadline=None, suppress_health_check=list(HealthCheck))


@DELIVERED
@settings(SETTINGS, max_examples=25)
def test_however_it_is_delivered_on_sqlite(played: list[Night], delivery: Delivery) -> None:
    check("sqlite", played, delivery)


@DELIVERED
@settings(SETTINGS, max_examples=4)
def test_however_it_is_delivered_on_postgres(played: list[Night], delivery: Delivery) -> None:
    check("postgres", played, delivery)
