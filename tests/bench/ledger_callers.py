"""Deposits and withdrawals by many callers at once, at the ledger's own interface."""

from __future__ import annotations

import asyncio
import random
import time
from functools import partial
from typing import Final, NamedTuple
from unittest.mock import patch

from floor_wallet.domain import EntryKind, MoveCash, OpenAccount, move_cash, open_account
from floor_wallet.metrics import GROUP_SIZE
from floor_wallet.store import LedgerStore
from pokerfloor.servicekit import now_ms

ACCOUNTS: Final = 300
_CURRENCY: Final = "EUR"
_FIRST_MINOR: Final = 1_000_000


class Run(NamedTuple):
    """How fast it was, and how many entries each commit held."""

    seconds: float
    entries: int
    groups: list[int]

    @property
    def rate(self) -> float:
        return self.entries / self.seconds


async def open_accounts(store: LedgerStore, count: int = ACCOUNTS) -> None:
    """Open accounts, each with money."""
    at_ms = now_ms()
    for first in range(0, count, 1000):
        numbers = range(first, min(first + 1000, count))
        opened = [OpenAccount("desk", f"open-{n}", player(n), _CURRENCY, 2) for n in numbers]
        await asyncio.gather(
            *(store.execute(partial(open_account, one, at_ms=at_ms), one.reads) for one in opened)
        )
        funded = [_move(n, EntryKind.DEPOSIT, _FIRST_MINOR, f"fund-{n}") for n in numbers]
        await asyncio.gather(
            *(store.execute(partial(move_cash, one, at_ms=at_ms), one.reads) for one in funded)
        )


async def run(
    store: LedgerStore, callers: int, entries: int, seed: str, accounts: int = ACCOUNTS
) -> Run:
    """Have callers move cash of accounts at random, each one entry after the other."""
    groups: list[int] = []
    each = entries // callers

    async def call(caller: int) -> None:
        dice = random.Random(f"{seed}/{caller}")
        for number in range(each):
            kind = dice.choice((EntryKind.DEPOSIT, EntryKind.WITHDRAWAL))
            command = _move(
                dice.randrange(accounts), kind, dice.randint(1, 1000), f"{seed}/{caller}/{number}"
            )
            await store.execute(partial(move_cash, command, at_ms=now_ms()), command.reads)

    with patch.object(GROUP_SIZE, "observe", groups.append):
        began = time.perf_counter()
        await asyncio.gather(*(call(caller) for caller in range(callers)))
        return Run(time.perf_counter() - began, each * callers, groups)


def player(number: int) -> str:
    return f"player-{number}"


def _move(number: int, kind: EntryKind, amount_minor: int, request_id: str) -> MoveCash:
    return MoveCash(kind, "desk", request_id, player(number), _CURRENCY, amount_minor, "till 3")
