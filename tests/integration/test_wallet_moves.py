"""Transfers, reversals and a tournament's money through the wallet's calls: roles and answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.internal.tournament.v1alpha1 import tournament_money_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from tests.support.accounts import account as account_of
from tests.support.wallet.table_log import ROOM
from tests.support.wallet.wallet_floor import WalletFloor, code_of, until, wallet_floor

pytestmark = pytest.mark.integration

NOT_ALLOWED = errors_pb2.ERROR_CODE_ROLE_NOT_ALLOWED
CASH, TIPS, RAKE = pb.ACCOUNT_KIND_PLAYER_CASH, pb.ACCOUNT_KIND_TIPS, pb.ACCOUNT_KIND_RAKE
HOUSE, SUSPENSE = pb.ACCOUNT_KIND_HOUSE, pb.ACCOUNT_KIND_SUSPENSE
OWNERS = {CASH: "ann", TIPS: ROOM, RAKE: ROOM, HOUSE: "", SUSPENSE: ""}


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[WalletFloor]:
    async with wallet_floor(tmp_path) as floor:
        await floor.rich("ann", "bob", amount=5_000)
        await floor.register("t1")
        yield floor


def account(kind: pb.AccountKind.ValueType, owner: str | None = None) -> pb.Account:
    return account_of(kind, OWNERS[kind] if owner is None else owner)


def transfer(request_id: str, source: pb.Account, target: pb.Account, amount: int) -> Any:
    return pb.TransferRequest(
        command_id=request_id, source=source, target=target, amount_minor=amount, reason="asked"
    )


def tournament(
    what: str, request_id: str, **change: Any
) -> tournament_money_pb2.PostTournamentRequest:
    asked: dict[str, Any] = {
        "table_id": "t1",
        "player_id": "ann",
        "prize_minor": 1_000,
        "fee_minor": 100,
        "currency": "EUR",
        "owner_epoch": 1,
    }
    move = tournament_money_pb2.TournamentMove.Value(f"TOURNAMENT_MOVE_{what.upper()}")
    return tournament_money_pb2.PostTournamentRequest(
        move=move, command_id=request_id, **(asked | change)
    )


def answer(posted: Any) -> tuple[int, int]:
    return posted.entry_no, posted.balance_minor


async def test_a_cashier_moves_players_money_and_operations_the_houses(floor: WalletFloor) -> None:
    ops = floor.stub("ops", "operations")
    tip = transfer("m1", account(CASH), account(TIPS), 300)
    assert answer(await floor.desk.Transfer(tip)) == (3, 4_700)
    assert answer(await floor.desk.Transfer(tip)) == (3, 4_700)
    to_bob = transfer("m2", account(CASH), account(CASH, "bob"), 700)
    assert answer(await floor.desk.Transfer(to_bob)) == (4, 4_000)
    for kind in (RAKE, HOUSE, SUSPENSE):
        for source, target in ((kind, CASH), (CASH, kind)):
            asked = transfer("m3", account(source), account(target), 1)
            assert await code_of(floor.desk.Transfer(asked)) == NOT_ALLOWED
    assert answer(await ops.Transfer(transfer("m1", account(HOUSE), account(RAKE), 50))) == (
        5,
        -10_050,
    )
    for stub in (floor.auditor, floor.table, floor.stub("ann", "player")):
        assert await code_of(stub.Transfer(tip)) == NOT_ALLOWED
    assert await floor.trial_balance() == {
        "PLAYER_CASH": 9_700,
        "TIPS": 300,
        "RAKE": 50,
        "HOUSE": -10_050,
    }


async def test_two_people_undo_a_deposit(floor: WalletFloor) -> None:
    boss = floor.stub("boss", "supervisor")
    ask = pb.AskReversalRequest(entry_no=1, reason="wrong player")
    undo = pb.ReverseRequest(
        command_id="u1", entry_no=1, reason="checked the slip", requested_by="desk"
    )
    second = errors_pb2.ERROR_CODE_SECOND_PERSON_NEEDED
    assert await code_of(floor.desk.Reverse(undo)) == NOT_ALLOWED
    assert await code_of(boss.Reverse(undo)) == second
    await floor.desk.AskReversal(ask)
    await floor.desk.AskReversal(ask)
    # One with both roles is still one person, and nobody can name another as the one who asked.
    both = floor.stub("desk", "cashier", "supervisor")
    assert await code_of(both.Reverse(undo)) == second
    forged = pb.ReverseRequest(
        command_id="u1", entry_no=1, reason="checked", requested_by="someone"
    )
    assert await code_of(boss.Reverse(forged)) == second
    assert answer(await boss.Reverse(undo)) == (3, 0)
    assert answer(await boss.Reverse(undo)) == (3, 0)
    again = pb.ReverseRequest(command_id="u2", entry_no=1, reason="x", requested_by="desk")
    assert await code_of(boss.Reverse(again)) == errors_pb2.ERROR_CODE_ALREADY_REVERSED
    (entry,) = (await floor.auditor.ListEntries(pb.ListEntriesRequest(from_entry_no=1 + 2))).entries
    assert (entry.kind, entry.reference) == (pb.ENTRY_KIND_REVERSAL, "1")
    assert entry.note == 'asked by "desk", reversed by "boss": checked the slip'
    for stub in (floor.auditor, floor.table, floor.stub("ann", "player")):
        assert await code_of(stub.AskReversal(ask)) == NOT_ALLOWED


async def test_a_tournaments_money(floor: WalletFloor) -> None:
    post = floor.table.PostTournament
    assert answer(await post(tournament("entry", "e1"))) == (3, 3_900)
    assert answer(await post(tournament("entry", "e2", player_id="bob"))) == (4, 3_900)
    refund = tournament("refund", "r1", player_id="bob", entry_command_id="e2")
    assert answer(await post(refund)) == (5, 5_000)
    early = tournament("refund", "r2", entry_command_id="e3")
    assert answer(await post(early)) == (0, 3_900)
    late = post(tournament("entry", "e3"))
    assert await code_of(late) == errors_pb2.ERROR_CODE_ROLLED_BACK
    prize = tournament("prize", "p1", player_id="bob", fee_minor=0)
    assert answer(await post(prize)) == (6, 6_000)
    assert answer(await post(prize)) == (6, 6_000)
    assert await floor.trial_balance() == {"PLAYER_CASH": 9_900, "RAKE": 100, "HOUSE": -10_000}
    assert await code_of(floor.desk.PostTournament(prize)) == NOT_ALLOWED

    async def published() -> bool:
        return len(await floor.facts()) == 6

    await until(published)
    subjects = [
        message.subject async for message in floor.nats.read_from("FLOOR_LEDGER", "floor.ledger.>")
    ]
    # Facts are in order for each subject only.
    assert Counter(subjects) == {
        "floor.ledger.cash.entry_posted": 2,
        "floor.ledger.t1.entry_posted": 4,
    }


async def test_players_see_their_own_holds(floor: WalletFloor) -> None:
    held = floor.reservation("t1/ann", "t1", "ann", 500)
    await floor.table.Reserve(held)
    await floor.table.Reserve(floor.reservation("t1/bob", "t1", "bob", 40))
    ann = floor.stub("ann", "player")
    own = await ann.GetBalance(pb.GetBalanceRequest(player_id="ann", currency="EUR"))
    assert (own.cash_minor, own.reserved_minor) == (4_500, 500)
    assert list(own.holds) == [
        pb.Hold(
            reservation_id="t1/ann",
            table_id="t1",
            amount_minor=500,
            expires_at_ms=held.expires_at_ms,
        )
    ]
    other = pb.GetBalanceRequest(player_id="bob", currency="EUR")
    assert await code_of(ann.GetBalance(other)) == errors_pb2.ERROR_CODE_NOT_YOURS


async def test_a_statement_of_one_table_kind_and_time(floor: WalletFloor) -> None:
    await floor.table.PostTournament(tournament("entry", "e1"))
    await floor.table.Reserve(floor.reservation("t1/ann", "t1", "ann", 500))
    ann = floor.stub("ann", "player")

    async def versions(**only: Any) -> list[int]:
        asked = pb.GetStatementRequest(account=account(CASH), **only)
        return [line.version for line in (await ann.GetStatement(asked)).lines]

    page = await ann.GetStatement(pb.GetStatementRequest(account=account(CASH)))
    first_ms, last_ms = page.lines[0].at_ms, page.lines[-1].at_ms
    assert await versions() == [1, 2, 3]
    assert await versions(table_id="t1") == [2, 3]
    assert await versions(table_id="t2") == []
    assert await versions(kind=pb.ENTRY_KIND_TOURNAMENT) == [2]
    assert await versions(kind=pb.ENTRY_KIND_RESERVATION, table_id="t1", to_ms=last_ms + 1) == [3]
    assert await versions(from_ms=first_ms, to_ms=last_ms + 1) == [1, 2, 3]
    assert await versions(from_ms=last_ms + 1) == []
    assert await versions(to_ms=first_ms) == []
