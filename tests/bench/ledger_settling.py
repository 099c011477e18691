"""Settling hands from the stream: evenings on a real broker, taken into an empty ledger.

Every step that a table logs is read, not only the ends of hands. Measured is from the first read to
the last step's commit.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from floor_wallet.domain import (
    Commit,
    EntryKind,
    MoveCash,
    OpenAccount,
    Reserve,
    TableTerms,
    move_cash,
    open_account,
    read_step,
    register_table,
    reserve,
)
from floor_wallet.follower import Follower
from floor_wallet.outbox import LEDGER_STREAM, OutboxRelay
from floor_wallet.settings import WalletSettings
from floor_wallet.store import LedgerStore
from floor_wallet.store.questions import HandsFrom
from pokerfloor.servicekit import FloorNats, ServiceSettings, StreamSpec, now_ms
from pokerfloor.tablelog import TABLE_LOG, table_subject
from tests.bench.ledger_evenings import evenings, players
from tests.support.broker import nats_server
from tests.support.eventually import eventually
from tests.support.waiting import until

TABLES: Final = 20
HANDS: Final = 150
_CURRENCY: Final = "EUR"
_CASH_MINOR: Final = 100_000_000
_HOLD_MS: Final = 600_000
_LIMIT_S: Final = 120
_BATCH: Final[int] = WalletSettings.model_fields["max_batch_steps"].default

Logs = Sequence[tuple[str, Sequence[bytes]]]


class Settled(NamedTuple):
    """Hands, the time it took, and the processor time of this process in it."""

    hands: int
    seconds: float
    busy_seconds: float


class Stream:
    """A broker whose table log holds the evenings."""

    def __init__(self, nats: FloorNats, logs: Logs) -> None:
        self.logs = logs
        self.steps = sum(len(steps) for _, steps in logs)
        self._nats = nats

    async def settle(self, store: LedgerStore, *, relay: bool = False) -> Settled:
        """Take it all into a ledger, with `relay` publishing the facts meanwhile."""
        await self._prepare(store)
        follower = Follower(self._nats, store, max_batch_steps=_BATCH, now_ms=now_ms)
        stop = asyncio.Event()
        began, busy = time.perf_counter(), time.process_time()
        tasks = [asyncio.create_task(follower.run(stop))]
        if relay:
            tasks.append(asyncio.create_task(OutboxRelay(self._nats, store).run(stop)))
        await eventually(lambda: follower.followed_to >= self.steps, _LIMIT_S)
        seconds, busy = time.perf_counter() - began, time.process_time() - busy
        stop.set()
        await asyncio.gather(*tasks)
        hands = 0
        for table_id, _ in self.logs:
            hands += len(await store.ask(HandsFrom(table_id, 1, HANDS + 1)))
        assert hands == TABLES * HANDS, "a hand is not settled"
        return Settled(hands, seconds, busy)

    async def _prepare(self, store: LedgerStore) -> None:
        """Register the tables, and hold the money that their logs commit."""
        await asyncio.gather(*(self._prepare_table(store, *log) for log in self.logs))

    async def _prepare_table(
        self, store: LedgerStore, table_id: str, steps: Sequence[bytes]
    ) -> None:
        at_ms = now_ms()
        for player in players(table_id):
            opened = OpenAccount("desk", f"open-{player}", player, _CURRENCY, 2)
            await store.execute(partial(open_account, opened, at_ms=at_ms), opened.reads)
            funded = MoveCash(
                EntryKind.DEPOSIT, "desk", f"fund-{player}", player, _CURRENCY, _CASH_MINOR, ""
            )
            await store.execute(partial(move_cash, funded, at_ms=at_ms), funded.reads)
        for data in steps:
            for fact in read_step(data, table_id, 1).facts:
                if isinstance(fact, TableTerms):
                    await store.execute(partial(register_table, table_id, fact, 1))
                elif isinstance(fact, Commit):
                    held = Reserve(
                        fact.reservation_id,
                        table_id,
                        fact.player_id,
                        fact.amount_minor,
                        _CURRENCY,
                        at_ms + _HOLD_MS,
                        1,
                    )
                    work = partial(reserve, held, at_ms=at_ms, max_hold_ms=_HOLD_MS)
                    await store.execute(work, held.reads)


@asynccontextmanager
async def evenings_on_stream(folder: Path) -> AsyncIterator[Stream]:
    """Play the evenings and store them, the tables' steps in turn, as tables at play would."""
    logs = list(evenings(TABLES, HANDS))
    # Stored without waiting for the disk at every step, which is no part of what is measured.
    lazily = f'jetstream {{ store_dir: "{folder / "nats" / "store"}"; sync_interval: "2m" }}'
    with nats_server(folder / "nats", lazily) as server:
        async with FloorNats.open(_settings(folder, server.url)) as nats:
            await nats.ensure_stream(StreamSpec(**TABLE_LOG._asdict()))
            await _store(nats, logs)
        server.stop()
    with nats_server(folder / "nats") as server:
        async with FloorNats.open(_settings(folder, server.url)) as nats:
            await nats.ensure_stream(LEDGER_STREAM)
            yield Stream(nats, logs)


async def _store(nats: FloorNats, logs: Logs) -> None:
    last_seqs = dict.fromkeys((table_id for table_id, _ in logs), 0)
    seq = 0
    for number in range(max(len(steps) for _, steps in logs)):
        for table_id, steps in logs:
            if number >= len(steps):
                continue
            headers = {
                "Nats-Msg-Id": f"{table_id}.1.{number + 1}",
                "Nats-Expected-Last-Subject-Sequence": str(last_seqs[table_id]),
            }
            await nats.client.publish(table_subject(table_id), steps[number], headers=headers)
            seq += 1
            last_seqs[table_id] = seq

    async def all_stored() -> bool:
        return await nats.last_seq(TABLE_LOG.name) == seq

    await until(all_stored, "every step is stored", _LIMIT_S)


def _settings(folder: Path, nats_url: str) -> ServiceSettings:
    return ServiceSettings(
        nats_url=nats_url, state_dir=folder, instance="bench", key_set=folder / "none"
    )
