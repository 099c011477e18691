"""Books of every released version, brought up to today's: what they say, and that play goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from floor_wallet.domain import (
    AskReversal,
    Book,
    PostTournament,
    Reverse,
    TableTerms,
    TournamentMove,
    ask_reversal,
    post_tournament,
    reverse,
)
from floor_wallet.store import LedgerStore, PostgresStore, Refused, SqliteStore
from floor_wallet.store.questions import (
    AuditTable,
    EntriesAfter,
    HandsFrom,
    StoppedTables,
    TrialBalanceOf,
    UnpublishedEvents,
)
from pokerfloor.api.common.v1 import errors_pb2
from tests.support.wallet.ledger import TERMS, Ledger
from tests.support.wallet.old_books import (
    POSTGRES_VERSIONS,
    SQLITE_VERSIONS,
    load_postgres,
    load_sqlite,
)
from tests.support.wallet.table_log import TableLog, ended, left, points_ended, taken

# What is in the fixtures' books, see tests/support/ledger_on_record.py.
CASH = {"ann": 48_339, "bob": 48_000, "cid": 47_300, "dan": 45_000, "eve": 45_000, "fay": 48_790}
T1_STACKS = {"bob": 2_470, "cid": 2_600, "dan": 2_000, "eve": 2_000}
LATER_MS = 1_000_000


@dataclass
class OldBook(Ledger):
    """An old book, opened by today's code; what its release knew already."""

    plays_for_points: bool = True
    tells_the_expired_apart: bool = True
    moves_by_hand: bool = True


OLD_BOOKS = [
    *[("sqlite", version) for version in SQLITE_VERSIONS],
    *[("postgres", version) for version in POSTGRES_VERSIONS],
]


async def come_up(store: str, version: int, folder: Path) -> LedgerStore:
    if store == "sqlite":
        load_sqlite(version, folder / "ledger.db")
        return await SqliteStore.open(folder / "ledger.db", ledger_id="another")
    database = load_postgres(version)
    return await PostgresStore.open(
        database.ledger_url, owner_url=database.owner_url, ledger_id="another"
    )


@pytest.fixture(params=OLD_BOOKS, ids=lambda book: f"{book[0]}-v{book[1]}")
async def old(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OldBook]:
    name, version = request.param
    number = version if name == "sqlite" else 4
    store = await come_up(name, version, tmp_path)
    yield OldBook(store, LATER_MS, number >= 3, number >= 2, number >= 4)
    await store.close()


async def test_the_book_is_sound_and_says_what_it_said(old: OldBook) -> None:
    assert await old.totals("USD") == {
        "PLAYER_CASH": 8_000,
        "SEAT_ESCROW": 995,
        "RAKE": 5,
        "HOUSE": -9_000,
    }
    euros = await old.totals()
    assert (euros["RAKE"], euros["TABLE_POT"], euros["RESERVED"]) == (40, 150, 1_111)
    for player, cash in CASH.items():
        spent = 1_000 if old.plays_for_points and player in ("ann", "bob") else 0
        assert await old.cash(player) == cash - spent, player
    audit = await old.store.ask(AuditTable("t1"))
    assert audit is not None
    assert (dict(audit.escrow), audit.rake_minor, audit.hands_settled) == (T1_STACKS, 30, 5)
    stopped = await old.store.ask(StoppedTables())
    assert [table.table_id for table in stopped] == ["t3"]
    assert len(await old.store.ask(UnpublishedEvents(1_000))) > 20


async def test_what_stood_at_an_instant_never_changes(old: OldBook) -> None:
    """A closed day stays closed, though the first versions' entries may be older than the last."""
    times = sorted(
        {entry.draft.at_ms for entry in (await old.store.ask(EntriesAfter(0, 500))).entries}
    )
    assert len(times) > 4
    asked = (0, *times, LATER_MS - 1)
    stood = [await old.store.ask(TrialBalanceOf("EUR", at_ms)) for at_ms in asked]
    for found, at_ms in zip(stood, asked, strict=True):
        assert found is not None
        assert sum(kind.amount_minor for kind in found.kinds) == 0
        assert found.entry_at_ms <= at_ms
    for number in range(80):
        await old.deposit("fay", 1, f"later-{number}")
        if number % 8 == 0:
            assert [await old.store.ask(TrialBalanceOf("EUR", at_ms)) for at_ms in asked] == stood


async def test_calls_are_remembered(old: OldBook) -> None:
    head = (await old.store.ask(EntriesAfter(0, 1))).last_entry_no
    first = await old.deposit("ann", 50_000, "first-ann")
    assert (first.entry_no, first.balance_minor) == (1, 50_000)
    with pytest.raises(Refused) as refused:
        await old.deposit("ann", 50_001, "first-ann")
    assert refused.value.refusal.code == errors_pb2.ERROR_CODE_ID_REUSED
    answers = {
        "tombstone-of-a-call": errors_pb2.ERROR_CODE_ROLLED_BACK,
        "tombstone-of-log": errors_pb2.ERROR_CODE_ROLLED_BACK,
        "voided": errors_pb2.ERROR_CODE_ID_REUSED,
    }
    for reservation_id, code in answers.items():
        with pytest.raises(Refused) as refused:
            await old.reserve(reservation_id, "bob", 100, table_id="t2", expires_at_ms=LATER_MS + 1)
        assert refused.value.refusal.code == code, reservation_id
    assert (await old.store.ask(EntriesAfter(0, 1))).last_entry_no == head
    # What expired before the second version told it apart was given up for good.
    log = TableLog("t2", table_seq=3)
    found = await old.take([log.step(taken("dan", 1_444, "expired"))], "t2", 500)
    assert bool(found.stopped) is not old.tells_the_expired_apart
    await old.totals()


async def test_play_goes_on(old: OldBook) -> None:
    stopped = await old.store.ask(StoppedTables())
    log = TableLog("t1", table_seq=16)
    stacks = {player: (stack, stack) for player, stack in T1_STACKS.items()}
    hand = stacks | {"bob": (2_470, 2_520), "cid": (2_600, 2_690)}
    steps = [
        log.step(ended(6, hand, rake=10, carried_in=150)),
        log.step(left("bob", 2_520)),
    ]
    assert (await old.take(steps, "t1", 600)).stopped == ()
    last = (await old.store.ask(HandsFrom("t1", 6, 1)))[0]
    assert (last.room_id, last.currency, last.rake_minor) == ("room-1", "EUR", 10)
    if old.plays_for_points:
        log = TableLog("t4", table_seq=4)
        steps = [log.step(points_ended(2, {"ann": (117, 100), "bob": (83, 100)}))]
        assert (await old.take(steps, "t4", 700)).stopped == ()
    # The table that stopped may go on when its limit is raised.
    log = TableLog("t3", table_seq=4)
    again = [
        log.step(ended(2, {"dan": (2_500, 1_500), "eve": (3_490, 3_690)}, rake=800)),
        log.step(left("eve", 3_690)),
    ]
    found = await old.take(again, "t3", 205, retry=True)
    assert found.stopped == ()  # the same reason is not told twice
    assert await old.store.ask(StoppedTables()) == stopped
    assert await old.expire("held")
    await old.register("t9", TableTerms("room-2", "USD", 2, 10_000, 10))
    await old.register("t1", TERMS, epoch=2)
    totals = await old.totals()
    assert (totals["RAKE"], totals.get("TABLE_POT", 0), totals.get("RESERVED", 0)) == (50, 0, 0)


async def test_old_entries_can_be_reversed(old: OldBook) -> None:
    ask, do = AskReversal("desk", 1, "typed twice"), Reverse("boss", "r1", 1, "yes", "desk")
    before = await old.cash("ann")
    await old.withdraw("ann", 100, "a-later-one")
    with pytest.raises(Refused) as refused:
        await old.run(partial(reverse, do, at_ms=LATER_MS))
    assert refused.value.refusal.code == errors_pb2.ERROR_CODE_SECOND_PERSON_NEEDED
    await old.run(partial(ask_reversal, ask, at_ms=LATER_MS))
    with pytest.raises(Refused) as refused:  # ann has played and holds less by now
        await old.run(partial(reverse, do, at_ms=LATER_MS))
    assert refused.value.refusal.code == errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
    await old.deposit("ann", 10_000, "more")
    await old.run(partial(reverse, do, at_ms=LATER_MS))
    assert await old.cash("ann") == before - 100 + 10_000 - 50_000
    await old.totals()


async def test_what_was_moved_by_hand_stays_so(old: OldBook) -> None:
    if not old.moves_by_hand:
        assert await old.store.ask(TrialBalanceOf("CHF")) is None
        return
    totals = await old.totals("CHF")
    assert totals == {
        "PLAYER_CASH": 20_000 - 250,
        "TOURNAMENT_POOL": 200,
        "RAKE": 50,
        "HOUSE": -20_000,
    }
    by_id = {
        e.draft.entry_id: e.entry_no for e in (await old.store.ask(EntriesAfter(0, 500))).entries
    }
    # Asked for before, done by today's code; the other one was undone and stays so.
    for name, code in (("give-70", 0), ("give-100", errors_pb2.ERROR_CODE_ALREADY_REVERSED)):
        entry_no = by_id[f"request/4:desk/{name}"]
        command = Reverse("boss", f"undo-{name}", entry_no, "so it is", "desk")
        assert await code_of(old, partial(reverse, command, at_ms=LATER_MS)) == code
    late = PostTournament(TournamentMove.ENTRY, "e3", "cup", "gil", 500, 50, "CHF", 1)
    work = partial(post_tournament, late, at_ms=LATER_MS)
    assert await code_of(old, work) == errors_pb2.ERROR_CODE_ROLLED_BACK
    assert (await old.totals("CHF")) == totals


async def code_of(old: OldBook, work: Callable[[Book], object]) -> int:
    try:
        await old.run(work)
    except Refused as refused:
        return refused.refusal.code
    return 0
