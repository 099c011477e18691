"""The wallet as a process, its calls, the log it follows and the facts it publishes."""

from __future__ import annotations

import asyncio
import random
import shutil
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import grpc
import pytest

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.internal.wallet.v1 import table_money_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from tests.support.accounts import account
from tests.support.wallet.table_log import ended, left, noise, released, taken, voided
from tests.support.wallet.wallet_floor import (
    WalletFloor,
    code_of,
    until,
    wallet_floor,
)

pytestmark = pytest.mark.integration


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[WalletFloor]:
    async with wallet_floor(
        tmp_path,
        expiry_grace_ms=200,
        expiry_poll_ms=50,
        summary_poll_ms=100,
        max_batch_steps=3,
    ) as floor:
        yield floor


async def test_an_evening_at_a_table(floor: WalletFloor) -> None:
    await floor.rich("ann", "bob")
    await floor.seat("t1", "ann", "bob")
    await floor.store("t1", noise())
    await floor.store("t1", ended(1, {"ann": (1_000, 1_180), "bob": (1_000, 800)}, rake=20))
    await floor.store("t1", voided(2))
    await floor.store("t1", ended(3, {"ann": (1_180, 1_980), "bob": (800, 0)}))
    await floor.store("t1", left("bob", 0), left("ann", 1_980))
    await floor.settled("t1")
    assert await floor.trial_balance() == {
        "PLAYER_CASH": 199_980,
        "RAKE": 20,
        "HOUSE": -200_000,
    }
    hands = await floor.auditor.ListSettledHands(
        pb.ListSettledHandsRequest(table_id="t1", page_size=10)
    )
    assert [(h.hand_no, h.rake_minor, h.entry_no > 0) for h in hands.hands] == [
        (1, 20, True),
        (2, 0, False),
        (3, 0, True),
    ]
    audit = await floor.auditor.AuditTable(pb.AuditTableRequest(table_id="t1"))
    assert (audit.escrow_minor, audit.rake_minor, audit.hands_settled) == (0, 20, 3)

    async def published() -> bool:
        return len(await floor.facts()) == 9 + 3

    await until(published)
    facts = await floor.facts()
    assert len({fact.event_id for fact in facts}) == len(facts)
    settled = [fact.hand_settled for fact in facts if fact.HasField("hand_settled")]
    assert [(h.table_id, h.hand_no, h.rake_minor) for h in settled] == [
        ("t1", 1, 20),
        ("t1", 2, 0),
        ("t1", 3, 0),
    ]
    posted = [fact.entry_posted.entry_no for fact in facts if fact.HasField("entry_posted")]
    assert sorted(posted) == list(range(1, len(posted) + 1))


async def test_players_see_their_own_money_only(floor: WalletFloor) -> None:
    await floor.rich("ann", "bob")
    await floor.seat("t1", "ann")
    await floor.settled("t1")
    ann = floor.stub("ann", "player")
    own = await ann.GetBalance(pb.GetBalanceRequest(player_id="ann", currency="EUR"))
    assert (own.cash_minor, own.reserved_minor, own.in_play_minor) == (99_000, 0, 1_000)
    assert [(t.table_id, t.amount_minor) for t in own.tables] == [("t1", 1_000)]
    not_yours = errors_pb2.ERROR_CODE_NOT_YOURS
    other = pb.GetBalanceRequest(player_id="bob", currency="EUR")
    assert await code_of(ann.GetBalance(other)) == not_yours

    def statement(kind: pb.AccountKind.ValueType, owner: str) -> pb.GetStatementRequest:
        return pb.GetStatementRequest(account=account(kind, owner), page_size=2)

    cash, escrow = pb.ACCOUNT_KIND_PLAYER_CASH, pb.ACCOUNT_KIND_SEAT_ESCROW
    page = await ann.GetStatement(statement(cash, "ann"))
    assert [(line.version, line.amount_minor) for line in page.lines] == [
        (1, 100_000),
        (2, -1_000),
    ]
    assert page.next_page_token == ""
    assert (await ann.GetStatement(statement(escrow, "t1/ann"))).balance_minor == 1_000
    for kind, owner in (
        (cash, "bob"),
        (escrow, "t1/bob"),
        (escrow, "ann"),
        (pb.ACCOUNT_KIND_HOUSE, ""),
        (pb.ACCOUNT_KIND_RAKE, "ann"),
    ):
        assert await code_of(ann.GetStatement(statement(kind, owner))) == not_yours
    gateway = floor.stub("service:gateway", "service_gateway")
    assert (await gateway.GetBalance(other)).cash_minor == 100_000


async def test_reservations_expire_by_themselves(floor: WalletFloor) -> None:
    await floor.rich("ann", "bob", "cid")
    await floor.store("t1", noise())
    await floor.register("t1")
    for player in ("ann", "bob", "cid"):
        held = floor.reservation(f"t1/{player}", "t1", player, 500, seconds=0.4)
        assert (await floor.table.Reserve(held)).balance_minor == 99_500
    await floor.store("t1", taken("bob", 500, "t1/bob"))
    await floor.store("t1", released("cid", "t1/cid"))

    async def back() -> bool:
        return (await floor.balance("ann")).cash_minor == 100_000

    assert (await floor.balance("ann")).reserved_minor == 500
    await until(back)
    await floor.settled("t1")
    assert await floor.trial_balance() == {
        "PLAYER_CASH": 299_500,
        "SEAT_ESCROW": 500,
        "HOUSE": -300_000,
    }
    gone = errors_pb2.ERROR_CODE_RESERVATION_GONE
    late = floor.reservation("t1/late", "t1", "ann", 500, seconds=-1)
    assert await code_of(floor.table.Reserve(late)) == gone


async def test_a_stopped_table_stops_alone_and_goes_on_after_registration(
    floor: WalletFloor,
) -> None:
    await floor.rich("ann", "bob")
    for hand_no in range(1, 8):  # nobody has told the wallet of t2
        await floor.store("t2", voided(hand_no))
    await floor.seat("t1", "ann", "bob")
    await floor.store("t1", ended(1, {"ann": (1_000, 1_180), "bob": (1_000, 820)}))
    await floor.settled("t1")
    stopped = await floor.progress("t2")
    assert "not registered" in stopped.stopped_reason

    async def told() -> bool:
        return any(fact.settlement_stopped.table_id == "t2" for fact in await floor.facts())

    await until(told)

    def metric(name: str) -> float:
        url = f"http://127.0.0.1:{floor.wallet.metrics_port}/metrics"
        lines = urllib.request.urlopen(url, timeout=5).read().decode().splitlines()
        return float(next(line for line in lines if line.startswith(name)).split()[-1])

    async def counted() -> bool:
        return metric("floor_wallet_stopped_tables") == 1

    await until(counted)
    assert metric('floor_wallet_book_total_minor{currency="EUR"}') == 0
    assert metric('floor_wallet_entries_total{kind="hand"}') == 1
    await floor.wallet.restart()  # tries again, and says nothing twice
    assert await floor.progress("t2") == stopped
    stops = [fact for fact in await floor.facts() if fact.HasField("settlement_stopped")]
    assert len(stops) == 1
    await floor.register("t2")

    async def goes_on() -> bool:
        return (await floor.progress("t2")).hand_no == 7

    await until(goes_on)
    await floor.store("t2", voided(8))
    await floor.settled("t2")


async def test_the_broker_goes_and_comes_back(floor: WalletFloor) -> None:
    await floor.rich("ann", "bob")
    await floor.seat("t1", "ann", "bob")
    await floor.settled("t1")
    floor.broker.kill9()

    async def not_serving() -> bool:
        return not await floor.wallet.serving()

    await until(not_serving)
    floor.broker.restart()
    await floor.wallet.until_serving()
    await floor.store("t1", ended(1, {"ann": (1_000, 1_180), "bob": (1_000, 820)}))
    await floor.settled("t1")
    await floor.wallet.stop()
    assert "stopped" in floor.wallet.events()


async def test_a_log_that_lost_what_is_settled_is_not_followed(
    floor: WalletFloor, tmp_path: Path
) -> None:
    await floor.rich("ann")
    await floor.seat("t1", "ann")
    await floor.settled("t1")
    await floor.wallet.stop()
    floor.broker.kill9()
    shutil.rmtree(tmp_path / "nats" / "store")
    floor.broker.restart()
    floor.wallet.spawn()
    assert await floor.wallet.exit_code() == 1
    assert "the table log ends before" in floor.wallet.lines()[-1]["reason"]


async def test_a_ledger_that_is_not_the_one_whose_facts_are_known_does_not_start(
    floor: WalletFloor, tmp_path: Path
) -> None:
    """Its file is lost, or comes from a backup: it knows nothing of money that others know of."""
    await floor.wallet.stop()
    file = tmp_path / "wallet" / "ledger.db"
    backup = file.read_bytes()
    floor.wallet.spawn()
    await code_of(floor.desk.OpenAccount(pb.OpenAccountRequest(), wait_for_ready=True))
    await floor.rich("ann")

    async def told() -> bool:
        return len(await floor.facts()) == 1

    await until(told)
    await floor.wallet.stop()
    newest = file.read_bytes()
    file.unlink()
    for content, why in ((b"", "holds the facts of"), (backup, "older than what was published")):
        file.write_bytes(content)
        floor.wallet.spawn()
        assert await floor.wallet.exit_code() == 1
        last = floor.wallet.lines()[-1]
        assert (last["event"], why in last["reason"]) == ("cannot_start", True)
    file.write_bytes(newest)
    floor.wallet.spawn()
    asked = pb.GetBalanceRequest(player_id="ann", currency="EUR")
    answer = await floor.auditor.GetBalance(asked, wait_for_ready=True)
    assert answer.cash_minor == 100_000


async def test_those_of_a_stopped_table_do_not_hide_others_that_expire(floor: WalletFloor) -> None:
    await floor.rich("ann", "bob")
    await floor.register("t1")
    await floor.store_bytes("t1", b"\xff no step")
    await floor.register("t2")
    for n in range(300):
        await floor.table.Reserve(floor.reservation(f"t1/{n}", "t1", "ann", 1, seconds=1))
    await floor.table.Reserve(floor.reservation("t2/1", "t2", "bob", 1_000, seconds=1.5))

    async def back() -> bool:
        return (await floor.balance("bob")).cash_minor == 100_000

    await until(back)
    assert (await floor.balance("ann")).reserved_minor == 300


Call = tuple[Callable[..., Any], Any]


def random_calls(floor: WalletFloor, players: list[str], rng: random.Random) -> list[Call]:
    """Deposits, withdrawals and holds, each of them up to three times, in any order."""
    calls: list[Call] = []
    for n in range(400):
        player, amount = rng.choice(players), rng.randint(1, 900)
        common: Any = {"player_id": player, "currency": "EUR", "amount_minor": amount}
        made: list[Call] = [
            (floor.desk.Deposit, pb.DepositRequest(command_id=f"in{n}", **common)),
            (floor.desk.Withdraw, pb.WithdrawRequest(command_id=f"out{n}", **common)),
            (floor.table.Reserve, floor.reservation(f"t1/{n}", "t1", player, amount)),
        ]
        calls += [rng.choice(made)] * rng.randint(1, 3)
    rng.shuffle(calls)
    return calls


async def test_many_clients_on_few_accounts(floor: WalletFloor) -> None:
    players = [f"p{n}" for n in range(10)]
    await floor.rich(*players, amount=5_000)
    await floor.register("t1")
    calls = random_calls(floor, players, random.Random(7))
    answers: dict[bytes, set[str]] = {}
    done: dict[bytes, Call] = {}

    async def client(share: list[Call]) -> None:
        for call, request in share:
            if await code_of(answer := call(request)):
                assert await answer.code() is grpc.StatusCode.FAILED_PRECONDITION
                continue
            key = request.SerializeToString(deterministic=True)
            answers.setdefault(key, set()).add(str(await answer))
            done[key] = (call, request)

    await asyncio.gather(*(client(calls[n::64]) for n in range(64)))
    assert len(answers) > 200
    assert all(len(given) == 1 for given in answers.values())  # a repeat is answered the same
    cash, held = Counter(dict.fromkeys(players, 5_000)), Counter[str]()
    for _, request in done.values():
        into = isinstance(request, pb.DepositRequest)
        cash[request.player_id] += request.amount_minor if into else -request.amount_minor
        if isinstance(request, table_money_pb2.ReserveRequest):
            held[request.player_id] += request.amount_minor
    for player in players:
        found = await floor.balance(player)
        assert (found.cash_minor, found.reserved_minor) == (cash[player], held[player])
        assert found.cash_minor >= 0
    await floor.trial_balance()
