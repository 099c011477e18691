"""A small book with a bit of everything in it, as the release that runs this writes it.

`python -m tests.support.ledger_on_record <folder>` writes `ledger.db` there and its SQL dump to
the standard output, and with `postgres` for the folder the dump of a database. With the code of a
release, this made the fixtures in tests/fixtures/ledger. Of what was not in the first release,
only what this one has is asked for.
"""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from floor_wallet import domain as domain_of_this_release
from floor_wallet.domain import EntryKind
from floor_wallet.store import Refused, SqliteStore
from floor_wallet.store.questions import UnpublishedEvents
from tests.support.wallet import table_log
from tests.support.wallet.ledger import TERMS, Ledger
from tests.support.wallet.table_log import (
    TableLog,
    added,
    ended,
    left,
    noise,
    opened,
    released,
    taken,
    top_up_released,
    voided,
)

PLAYERS = ("ann", "bob", "cid", "dan", "eve", "fay")
FIRST_DEPOSIT = 50_000
# What not every release has is asked for by name.
domain: Any = domain_of_this_release
POINT_PRICE = 10


async def write_book(ledger: Ledger) -> None:
    """Fill an empty book. The clock begins at the ledger's and is set back once."""
    await ledger.rich(*PLAYERS, amount=FIRST_DEPOSIT)
    await ledger.withdraw("fay", 1_250, "out-1")
    await ledger.deposit("fay", 40, "in-2")
    await ledger.open("ann", currency="USD", request_id="open-ann-usd")
    await ledger.move(EntryKind.DEPOSIT, "ann", 9_000, "usd-1", currency="USD")
    ledger.now_ms += 5_000
    await _money_table(ledger)
    # A clock that was set back: the first versions let entries grow older.
    ledger.now_ms -= 2_000
    await _reservations(ledger)
    await _stopped_table(ledger)
    await _other_room(ledger)
    if hasattr(table_log, "points_ended"):
        await _points_table(ledger)
    if hasattr(domain, "Transfer"):
        await _moves_by_hand(ledger)
    await _publish_half(ledger)


async def _money_table(ledger: Ledger) -> None:
    """t1: six seats, rake, a void hand, a hand that moves nothing, a carried pot, leaves."""
    log = TableLog("t1")
    await ledger.register("t1")
    steps = [log.step(opened())]
    for seat, player in enumerate(PLAYERS, start=1):
        await ledger.reserve(f"t1/buyin/{player}", player, 2_000)
        steps.append(log.step(taken(player, 2_000, f"t1/buyin/{player}", seat)))
    steps += [
        log.step(noise()),
        log.step(ended(1, _six(ann=(2_000, 1_400), bob=(2_000, 2_570)), rake=30), hand_no=1),
        log.step(voided(2), hand_no=2),
        log.step(ended(3, _six(ann=(1_400, 1_400), bob=(2_570, 2_570))), hand_no=3),
    ]
    carried = {"ann": (1_400, 1_300), "bob": (2_570, 2_470), "cid": (2_000, 1_900)}
    steps.append(log.step(ended(4, _six(**carried), carried_out=300), hand_no=4))
    back = {"ann": (1_300, 1_450), "bob": (2_470, 2_470), "cid": (1_900, 1_900)}
    steps.append(log.step(ended(5, _six(**back), carried_in=300, carried_out=150), hand_no=5))
    await ledger.reserve("t1/topup/cid", "cid", 700)
    await ledger.reserve("t1/topup/dan", "dan", 800)
    steps += [
        log.step(added("cid", 700, "t1/topup/cid")),
        log.step(top_up_released("dan", "t1/topup/dan")),
        log.step(left("ann", 1_450, "ann-out"), left("fay", 2_000, "fay-out")),
    ]
    for first in range(0, len(steps), 4):
        ledger.now_ms += 100
        found = await ledger.take(steps[first : first + 4], "t1", first + 1)
        assert found.stopped == (), found


def _six(**stacks: tuple[int, int]) -> dict[str, tuple[int, int]]:
    return {player: stacks.get(player, (2_000, 2_000)) for player in PLAYERS}


async def _reservations(ledger: Ledger) -> None:
    """t2, known by its call and its log: held, voided, released, tombstones, expired."""
    log = TableLog("t2")
    await ledger.register("t2", replace(TERMS, max_buy_in_minor=30_000))
    await ledger.take([log.step(opened())], "t2", 101)
    far, soon = ledger.now_ms + 500_000, ledger.now_ms + 1_000
    await ledger.reserve("held", "ann", 1_111, table_id="t2", expires_at_ms=far)
    await ledger.reserve("voided", "bob", 1_222, table_id="t2", expires_at_ms=far)
    await ledger.reserve("released", "cid", 1_333, table_id="t2", expires_at_ms=far)
    await ledger.reserve("expired", "dan", 1_444, table_id="t2", expires_at_ms=soon)
    assert await ledger.void("voided", "t2")
    assert not await ledger.void("tombstone-of-a-call", "t2")
    steps = [log.step(released("cid", "released")), log.step(released("eve", "tombstone-of-log"))]
    assert (await ledger.take(steps, "t2", 102)).stopped == ()
    ledger.now_ms += 7_000
    assert await ledger.expire("expired", 103)


async def _stopped_table(ledger: Ledger) -> None:
    """t3: its second hand takes more rake than it may."""
    log = TableLog("t3")
    await ledger.register("t3")
    expires_at_ms = ledger.now_ms + 60_000
    for player in ("dan", "eve"):
        await ledger.reserve(
            f"t3/{player}", player, 3_000, table_id="t3", expires_at_ms=expires_at_ms
        )
    steps = [
        log.step(opened()),
        log.step(taken("dan", 3_000, "t3/dan")),
        log.step(taken("eve", 3_000, "t3/eve", 2)),
        log.step(ended(1, {"dan": (3_000, 2_500), "eve": (3_000, 3_490)}, rake=10), hand_no=1),
        log.step(ended(2, {"dan": (2_500, 1_500), "eve": (3_490, 3_690)}, rake=800), hand_no=2),
        log.step(left("eve", 3_690)),
    ]
    found = await ledger.take(steps, "t3", 201)
    assert [table for table, _ in found.stopped] == ["t3"]
    try:
        await ledger.withdraw("eve", 10**9, "too-much")
    except Refused:
        return
    raise AssertionError("more than there is was paid out")


async def _other_room(ledger: Ledger) -> None:
    """t5: another room, dollars, known only by its log."""
    log = TableLog("t5")
    terms = table_log.settings(room_id="room-2", currency="USD")
    await ledger.take([log.step(opened(terms))], "t5", 301)
    await ledger.reserve(
        "t5/ann",
        "ann",
        1_000,
        table_id="t5",
        currency="USD",
        expires_at_ms=ledger.now_ms + 60_000,
    )
    steps = [
        log.step(taken("ann", 1_000, "t5/ann")),
        log.step(ended(1, {"ann": (1_000, 995)}, rake=5), hand_no=1),
    ]
    assert (await ledger.take(steps, "t5", 302)).stopped == ()


async def _points_table(ledger: Ledger) -> None:
    """t4: plays for points, at the price of one."""
    log = TableLog("t4")
    of = table_log.settings(rake_bp=0)
    of.stake.points.currency.CopyFrom(of.stake.money)
    of.stake.points.point_price_minor = POINT_PRICE
    steps = [log.step(opened(of))]
    await ledger.take(steps, "t4", 401)
    for player in ("ann", "bob"):
        await ledger.reserve(
            f"t4/{player}",
            player,
            100 * POINT_PRICE,
            table_id="t4",
            expires_at_ms=ledger.now_ms + 60_000,
        )
    points_ended: Any = table_log.points_ended
    steps = [
        log.step(taken("ann", 100 * POINT_PRICE, "t4/ann")),
        log.step(taken("bob", 100 * POINT_PRICE, "t4/bob", 2)),
        log.step(points_ended(1, {"ann": (100, 117), "bob": (100, 83)}), hand_no=1),
    ]
    found = await ledger.take(steps, "t4", 402)
    assert found.stopped == (), found


async def _moves_by_hand(ledger: Ledger) -> None:
    """Francs: transfers, a reversal, one that is only asked for, a tournament and its refunds."""
    for player in ("gil", "hal"):
        await ledger.open(player, currency="CHF")
        await ledger.move(EntryKind.DEPOSIT, player, 10_000, f"chf-{player}", currency="CHF")
    gil, hal = domain.cash("gil", "CHF"), domain.cash("hal", "CHF")
    for amount in (100, 70):
        given = ("desk", f"give-{amount}", gil, hal, amount, "a debt")
        entry_no = (await _run(ledger, "transfer", "Transfer", *given)).entry_no
        await _run(ledger, "ask_reversal", "AskReversal", "desk", entry_no, "typed twice")
        if amount == 100:
            await _run(ledger, "reverse", "Reverse", "boss", "undo", entry_no, "so it is", "desk")
    await ledger.register("cup", replace(TERMS, currency="CHF", room_id="room-3"))
    for move, name, prize, fee, entered_by in (
        ("ENTRY", "e1", 500, 50, ""),
        ("ENTRY", "e2", 500, 50, ""),
        ("REFUND", "r2", 500, 50, "e2"),
        ("REFUND", "r3", 500, 50, "e3"),
        ("PRIZE", "p1", 300, 0, ""),
    ):
        kind = domain.TournamentMove[move]
        fields = (kind, name, "cup", "gil", prize, fee, "CHF", 1, entered_by)
        await _run(ledger, "post_tournament", "PostTournament", *fields)


async def _run(ledger: Ledger, rule: str, command: str, *fields: object) -> Any:
    """Run a rule that the first releases did not have."""
    asked = getattr(domain, command)(*fields)
    return await ledger.run(partial(getattr(domain, rule), asked, at_ms=ledger.now_ms))


async def _publish_half(ledger: Ledger) -> None:
    waiting = await ledger.store.ask(UnpublishedEvents(1_000))
    await ledger.store.execute(
        lambda book: book.delete_events([event.outbox_no for event in waiting[: len(waiting) // 2]])
    )


async def _write(opening: Awaitable[Any]) -> None:
    store = await opening
    await write_book(Ledger(store))
    await store.close()


def _on_sqlite(folder: Path) -> str:
    path = folder / "ledger.db"
    asyncio.run(_write(SqliteStore.open(path, ledger_id="book")))
    connection = sqlite3.connect(path)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    lines = [*connection.iterdump(), f"PRAGMA user_version = {version};"]
    connection.close()
    return "\n".join(lines) + "\n"


def _on_postgres() -> str:
    """On a server of the tests, which is not looked for where no release had one yet."""
    from floor_wallet.store import PostgresStore
    from tests.support.postgres import end, new_database

    database = new_database()
    asyncio.run(_write(PostgresStore.open(database.ledger_url, ledger_id="book")))
    command = ["pg_dump", "--inserts", "--schema=floor_wallet", database.admin_url]
    dumped = subprocess.run(command, check=True, capture_output=True, text=True)
    end()
    # What only psql understands is of no use here, nor is the server's version.
    lines = [
        line for line in dumped.stdout.splitlines() if not line.startswith(("\\", "-- Dumped"))
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    where = sys.argv[1]
    sys.stdout.write(_on_postgres() if where == "postgres" else _on_sqlite(Path(where)))
