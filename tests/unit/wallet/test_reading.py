"""Balances with their holds, and statements with their filters; on every store."""

from __future__ import annotations

import asyncio

from floor_wallet.domain import EntryKind, cash, tips
from floor_wallet.store.questions import MAX_HOLDS, Balance, BalanceOf, LineFilter, StatementOf
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.moves import ENTRY, move, tournament

ANN = cash("ann", "EUR")


async def balance_of(ledger: Ledger, player: str) -> Balance:
    found = await ledger.store.ask(BalanceOf(player, "EUR"))
    assert found is not None
    return found


async def test_holds_are_what_is_reserved(ledger: Ledger) -> None:
    await ledger.rich("ann", "bob")
    for table_id in ("t1", "t2"):
        await ledger.register(table_id)
    await ledger.reserve("late", "ann", 700, expires_at_ms=50_000)
    await ledger.reserve("soon", "ann", 300, table_id="t2", expires_at_ms=30_000)
    await ledger.reserve("of-bob", "bob", 50)
    await ledger.reserve("given-up", "ann", 5, expires_at_ms=20_000)
    await ledger.void("given-up")
    found = await balance_of(ledger, "ann")
    assert (found.cash_minor, found.reserved_minor, found.escrow) == (49_000, 1_000, ())
    assert [
        (h.reservation_id, h.table_id, h.amount_minor, h.expires_at_ms) for h in found.holds
    ] == [
        ("soon", "t2", 300, 30_000),
        ("late", "t1", 700, 50_000),
    ]
    assert [h.reservation_id for h in (await balance_of(ledger, "bob")).holds] == ["of-bob"]


async def test_only_so_many_holds_are_listed(ledger: Ledger) -> None:
    await ledger.rich("ann")
    await ledger.register()
    await asyncio.gather(
        *(ledger.reserve(f"r{n}", "ann", 1, expires_at_ms=90_000 - n) for n in range(MAX_HOLDS + 3))
    )
    found = await balance_of(ledger, "ann")
    assert found.reserved_minor == MAX_HOLDS + 3
    assert len(found.holds) == MAX_HOLDS
    assert found.holds[0].reservation_id == f"r{MAX_HOLDS + 2}"


async def evening(ledger: Ledger) -> None:
    """Ann's lines: 1 deposit, 2 and 3 holds at two tables, 4 a tip, 5 an entry, each 10 s later."""
    await ledger.rich("ann")
    for table_id in ("t1", "t2"):
        await ledger.register(table_id)
    for n, table_id in enumerate(("t1", "t2")):
        ledger.now_ms += 10_000
        await ledger.reserve(f"r{n}", "ann", 10, table_id=table_id, expires_at_ms=60_000)
    ledger.now_ms += 10_000
    await move(ledger, ANN, tips("r", "EUR"), 5)
    ledger.now_ms += 10_000
    await tournament(ledger, ENTRY, "ann", 100)


FILTERED = [
    (LineFilter(), [1, 2, 3, 4, 5]),
    (LineFilter(EntryKind.RESERVATION), [2, 3]),
    (LineFilter(EntryKind.TOURNAMENT), [5]),
    (LineFilter(EntryKind.HAND), []),
    (LineFilter(table_id="t1"), [2, 5]),
    (LineFilter(EntryKind.RESERVATION, table_id="t1"), [2]),
    (LineFilter(table_id="t3"), []),
    (LineFilter(from_ms=20_000), [2, 3, 4, 5]),
    (LineFilter(from_ms=20_001), [3, 4, 5]),
    (LineFilter(to_ms=20_000), [1]),
    (LineFilter(from_ms=20_000, to_ms=40_000), [2, 3]),
    (LineFilter(from_ms=60_000), []),
]


async def test_lines_are_filtered(ledger: Ledger) -> None:
    await evening(ledger)
    for only, versions in FILTERED:
        page = await ledger.store.ask(StatementOf(ANN, 0, 500, only))
        assert page is not None
        assert [line.version for line in page.lines] == versions, only
        assert page.balance_minor == 50_000 - 125


async def test_filtered_lines_come_in_pages(ledger: Ledger) -> None:
    await evening(ledger)
    only, seen, after = LineFilter(from_ms=20_000, to_ms=50_000), list[int](), 0
    for _ in range(9):
        page = await ledger.store.ask(StatementOf(ANN, after, 2, only))
        assert page is not None
        seen += [line.version for line in page.lines]
        if not page.more:
            break
        after = seen[-1]
    assert seen == [2, 3, 4]
