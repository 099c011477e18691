"""Random operations, duplicates and deliveries against the ledger on a slip of paper."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from floor_wallet.domain import AccountKey, AccountKind, TournamentMove, read_step, settle_steps
from floor_wallet.store import LedgerStore, Refused
from floor_wallet.store.questions import (
    AuditTable,
    EntriesAfter,
    HandsFrom,
    LineFilter,
    StatementOf,
)
from pokerfloor.api.common.v1 import errors_pb2
from tests.support.wallet import moves
from tests.support.wallet.ledger import STORES, TERMS, Ledger
from tests.support.wallet.plain_ledger import OK, REUSED, TOO_FEW, UNDONE, Place, PlainLedger
from tests.support.wallet.table_log import (
    MAX_RAKE,
    ROOM,
    TableLog,
    ended,
    left,
    opened,
    released,
    taken,
)

PLAYERS = ("ann", "bob", "cid")
TABLES = ("t1", "t2")
KINDS = {
    "cash": AccountKind.PLAYER_CASH,
    "reserved": AccountKind.RESERVED,
    "escrow": AccountKind.SEAT_ESCROW,
    "rake": AccountKind.RAKE,
    "house": AccountKind.HOUSE,
    "suspense": AccountKind.SUSPENSE,
    "tips": AccountKind.TIPS,
    "pool": AccountKind.TOURNAMENT_POOL,
}
OF_THE_ROOM = ("rake", "tips")
PEOPLE = ("cashier", "boss", "chief")
BY_HAND = ("move", "entry", "prize", "refund", "ask", "undo")
OPERATION = st.tuples(
    st.sampled_from(
        (
            *("deposit", "withdraw", "reserve", "void", "sit", "release", "hand", "leave", "again"),
            *BY_HAND,
        )
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
        return refused.refusal.code
    return OK


def account(place: Place) -> AccountKey:
    kind, *owner = place
    return AccountKey(KINDS[kind], ROOM if kind in OF_THE_ROOM else "/".join(owner), "EUR")


class Pair:
    """The real ledger and the plain one, given the same operations."""

    def __init__(self, store: LedgerStore) -> None:
        self.ledger = Ledger(store)
        self.plain = PlainLedger()
        self.outcomes = Counter[tuple[str, int]]()
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
            case _:
                expected, done = self.by_hand(what, player, table, amount, n)
                assert await outcome(done) == expected, what
                self.outcomes[what, expected] += 1

    def by_hand(
        self, what: str, player: str, table: str, amount: int, n: int
    ) -> tuple[int, Awaitable[object]]:
        """What the plain ledger says to it, and the work for the real one."""
        match what:
            case "move":
                return self.move(player, amount, n)
            case "entry" | "prize":
                return self.tournament(what, player, table, amount, n)
            case "refund":
                return self.refund(player, table, amount, n)
            case "ask":
                number, person = 1 + amount % (len(self.plain.entries) + 1), PEOPLE[n % 3]
                if amount % 4 == 0 and self.plain.undone:
                    number = sorted(self.plain.undone)[amount % len(self.plain.undone)]
                work = moves.ask(self.ledger, number, asked_by=person)
                return self.plain.ask(number, person), work
            case _:
                return self.undo(amount, n)

    def move(self, player: str, amount: int, n: int) -> tuple[int, Awaitable[object]]:
        other = PLAYERS[(PLAYERS.index(player) + 1) % len(PLAYERS)]
        places: list[Place] = [("cash", player), ("cash", other)]
        places += [(kind,) for kind in ("tips", "house", "suspense", "rake")]
        source, target = places[amount % 6], places[n % 6]
        if source == ("rake",):  # there is never much of it
            amount = amount % 90 + 1
        work = moves.move(self.ledger, account(source), account(target), amount, f"q{n}")
        return self.plain.transfer(source, target, amount, f"q{n}"), work

    def tournament(
        self, what: str, player: str, table: str, amount: int, n: int
    ) -> tuple[int, Awaitable[object]]:
        """Few amounts and ids, so that they meet."""
        prize, fee, key = 500 * (1 + amount % 3), 50 if what == "entry" else 0, f"e{n % 60}"
        if what == "entry":
            player, prize, fee = self.paid(table, key, amount) or (player, prize, fee)
        work = moves.tournament(
            self.ledger, TournamentMove(what), player, prize, fee, key, table_id=table
        )
        return self.plain.tournament(what, table, player, prize, fee, key), work

    def refund(self, player: str, table: str, amount: int, n: int) -> tuple[int, Awaitable[object]]:
        own, of = f"f{amount % 97}", f"e{n % 60}"
        player, prize, fee = self.paid(table, of, amount) or (player, 500, 50)
        work = moves.tournament(
            self.ledger, moves.REFUND, player, prize, fee, own, of=of, table_id=table
        )
        return self.plain.refund(table, player, prize, fee, own, of), work

    def paid(self, table: str, key: str, amount: int) -> tuple[str, int, int] | None:
        """Mostly what was paid or given back under this id, if anything was."""
        content, _ = self.plain.requests.get((table, key), ((), 0))
        if not amount % 4 or content[:1] != ("entry",):
            return None
        return content[1:]  # type: ignore[return-value]  # of an entry

    def undo(self, amount: int, n: int) -> tuple[int, Awaitable[object]]:
        """It is mostly what somebody has asked for."""
        plain, person = self.plain, PEOPLE[n % 3]
        number, other = 1 + amount % (len(plain.entries) + 1), PEOPLE[amount % 3]
        if amount % 4 and plain.asked:
            number, other = sorted(plain.asked)[amount % len(plain.asked)]
        work = moves.undo(self.ledger, number, f"u{n}", caller=person, requested_by=other)
        return plain.reverse(number, person, other, f"u{n}"), work

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
            page = await self.ledger.store.ask(StatementOf(account(place), 0, 500, LineFilter()))
            assert (page.balance_minor if page else 0) == amount, place
            versions = [line.version for line in page.lines] if page else []
            assert versions == list(range(1, len(versions) + 1))
        book = await self.ledger.store.ask(EntriesAfter(0, 500))
        assert book.last_entry_no == len(self.plain.entries)
        for entry, (what, amounts) in zip(book.entries, self.plain.entries, strict=False):
            moved = {p.account: p.amount_minor for p in entry.postings}
            assert moved == {account(place): amount for place, amount in amounts.items()}, what
        for table in TABLES:
            hands = await self.ledger.store.ask(HandsFrom(table, 1, 1_000))
            assert [hand.hand_no for hand in hands] == [*range(1, self.plain.hands[table] + 1)]


@pytest.mark.parametrize("name", sorted(STORES))
def test_the_same_as_on_paper(name: str) -> None:
    async def play(folder: Path, operations: list[tuple[str, str, str, int, int]]) -> None:
        pair = Pair(await STORES[name](folder))
        await pair.begin()
        for operation in operations:
            await pair.both(*operation)
        await pair.agree()
        await pair.ledger.store.close()

    # The rules are the same on every store; a server's one takes longer to begin with.
    @settings(max_examples=50 if name == "sqlite" else 10, deadline=None)
    @given(operations=st.lists(OPERATION, max_size=50))
    def holds(operations: list[tuple[str, str, str, int, int]]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(play(Path(folder), operations))

    holds()


async def test_a_long_evening_meets_every_answer(tmp_path: Path) -> None:
    """That the operations above come to every answer; on one store, for it is about the rules."""
    rng = random.Random(11)
    pair = Pair(await STORES["sqlite"](tmp_path))
    await pair.begin()
    whats = (*BY_HAND, "deposit", "withdraw", "reserve", "sit", "hand", "leave")
    for _ in range(900):
        what, player, table = (rng.choice(those) for those in (whats, PLAYERS, TABLES))
        await pair.both(what, player, table, rng.randint(1, 9_000), rng.randrange(300))
    await pair.agree()
    few, reused, undone = TOO_FEW, REUSED, UNDONE
    final, second = errors_pb2.ERROR_CODE_NOT_REVERSIBLE, errors_pb2.ERROR_CODE_SECOND_PERSON_NEEDED
    met = {
        "move": {OK, few, reused, errors_pb2.ERROR_CODE_INVALID_FIELD},
        "entry": {OK, reused, errors_pb2.ERROR_CODE_ROLLED_BACK},
        "prize": {OK, few, reused},
        "refund": {OK, reused, undone},
        "ask": {OK, final, undone},
        "undo": {OK, few, reused, undone, final, second},
    }
    missing = {(what, code) for what, codes in met.items() for code in codes} - set(pair.outcomes)
    assert missing == set()
    await pair.ledger.store.close()


def long_operations(rng: random.Random, count: int) -> list[tuple[str, str, str, int, int]]:
    whats = ["deposit", "reserve", "sit", "sit", "hand", "hand", "hand", "leave"]
    return [
        (rng.choice(whats), rng.choice(PLAYERS), rng.choice(TABLES), rng.randint(1, 9_000), n % 97)
        for n in range(count)
    ]


@pytest.mark.parametrize(("name", "seed"), [*((name, 0) for name in sorted(STORES)), ("sqlite", 1)])
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
        found = await second.run(partial(settle_steps, mixed, at_ms=5, followed_to=0))
        assert found.stopped == ()
    await second.totals()
    for table in TABLES:
        ours = await second.store.ask(AuditTable(table))
        theirs = await first.ledger.store.ask(AuditTable(table))
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
