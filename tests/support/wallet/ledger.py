"""A ledger as the tests use it: the store with the rules run on it by short names."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from floor_wallet.domain import (
    BatchOutcome,
    Book,
    EntryKind,
    ExpireReservation,
    MoveCash,
    OpenAccount,
    Posted,
    Reads,
    Refusal,
    Reserve,
    TableTerms,
    VoidReservation,
    expire,
    move_cash,
    open_account,
    read_step,
    reads_of_steps,
    register_table,
    reserve,
    settle_steps,
    void,
)
from floor_wallet.store import LedgerStore, PostgresStore, SqliteStore
from floor_wallet.store.interface import UNKNOWN
from floor_wallet.store.questions import AuditBook, BalanceOf, TrialBalanceOf
from tests.support.postgres import new_database
from tests.support.wallet.table_log import MAX_BUY_IN, MAX_RAKE, ROOM

T = TypeVar("T")

TERMS = TableTerms(ROOM, "EUR", 2, MAX_BUY_IN, MAX_RAKE)


async def open_sqlite(folder: Path) -> LedgerStore:
    return await SqliteStore.open(folder / "ledger.db", ledger_id="book")


async def open_postgres(_folder: Path) -> LedgerStore:
    return await PostgresStore.open(new_database().ledger_url, ledger_id="book")


#: Every store passes the same tests: another one joins here.
STORES: dict[str, Callable[[Path], Awaitable[LedgerStore]]] = {
    "sqlite": open_sqlite,
    "postgres": open_postgres,
}


@dataclass
class Ledger:
    """The clock stands still unless a test moves it."""

    store: LedgerStore
    now_ms: int = 10_000

    async def run(self, work: Callable[[Book], T | Refusal], reads: Reads = UNKNOWN) -> T:
        return await self.store.execute(work, reads)

    async def open(
        self, player: str, *, exponent: int = 2, currency: str = "EUR", request_id: str = ""
    ) -> None:
        command = OpenAccount("desk", request_id or f"open-{player}", player, currency, exponent)
        await self.run(partial(open_account, command, at_ms=self.now_ms), command.reads)

    async def move(
        self,
        kind: EntryKind,
        player: str,
        amount: int,
        request_id: str,
        caller: str = "desk",
        currency: str = "EUR",
    ) -> Posted:
        command = MoveCash(kind, caller, request_id, player, currency, amount, "till 3")
        return await self.run(partial(move_cash, command, at_ms=self.now_ms), command.reads)

    async def deposit(self, player: str, amount: int, request_id: str) -> Posted:
        return await self.move(EntryKind.DEPOSIT, player, amount, request_id)

    async def withdraw(self, player: str, amount: int, request_id: str) -> Posted:
        return await self.move(EntryKind.WITHDRAWAL, player, amount, request_id)

    async def rich(self, *players: str, amount: int = 50_000) -> None:
        for player in players:
            await self.open(player)
            await self.deposit(player, amount, f"first-{player}")

    async def register(
        self, table_id: str = "t1", terms: TableTerms = TERMS, epoch: int = 1
    ) -> None:
        await self.run(partial(register_table, table_id, terms, epoch))

    async def reserve(
        self,
        reservation_id: str,
        player: str,
        amount: int,
        *,
        table_id: str = "t1",
        epoch: int = 1,
        expires_at_ms: int = 40_000,
        currency: str = "EUR",
    ) -> int:
        command = Reserve(reservation_id, table_id, player, amount, currency, expires_at_ms, epoch)
        return await self.run(
            partial(reserve, command, at_ms=self.now_ms, max_hold_ms=600_000), command.reads
        )

    async def void(
        self, reservation_id: str, table_id: str = "t1", epoch: int = 1, reason: str = "asked"
    ) -> bool:
        command = VoidReservation(reservation_id, table_id, reason, epoch)
        return await self.run(partial(void, command, at_ms=self.now_ms), command.reads)

    async def expire(self, reservation_id: str, read_to_seq: int = 0) -> bool:
        command = ExpireReservation(reservation_id, read_to_seq)
        return await self.run(
            partial(expire, command, at_ms=self.now_ms, grace_ms=5_000), command.reads
        )

    async def take(
        self,
        messages: Sequence[bytes],
        table_id: str = "t1",
        first_seq: int = 1,
        *,
        retry: bool = False,
    ) -> BatchOutcome:
        """Take in messages of one table that lie in the stream one after the other."""
        steps = [read_step(data, table_id, first_seq + i) for i, data in enumerate(messages)]
        last_seq = first_seq + len(steps) - 1
        work = partial(settle_steps, steps, at_ms=self.now_ms, followed_to=last_seq, retry=retry)
        return await self.run(work, reads_of_steps(steps))

    async def cash(self, player: str) -> int:
        balance = await self.store.ask(BalanceOf(player, "EUR"))
        assert balance is not None
        return balance.cash_minor

    async def totals(self, currency: str = "EUR") -> dict[str, int]:
        """The trial balance by kind, after checking that it is one."""
        found = await self.store.ask(TrialBalanceOf(currency))
        assert found is not None
        assert found.unbalanced_entries == 0
        assert sum(kind.amount_minor for kind in found.kinds) == 0
        assert (await self.store.ask(AuditBook())).reason == ""
        return {kind.kind.name: kind.amount_minor for kind in found.kinds if kind.amount_minor}
