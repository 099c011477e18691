"""Accounts, deposits, withdrawals, and calls that come twice; on every store."""

from __future__ import annotations

import asyncio

import pytest

from floor_wallet.domain import MAX_MINOR, EntryKind, cash
from floor_wallet.store import Refused
from floor_wallet.store.questions import BalanceOf, LineFilter, StatementOf
from pokerfloor.api.common.v1 import errors_pb2
from tests.support.wallet.ledger import Ledger
from tests.support.wallet.refused import refusal


async def test_money_in_and_out(ledger: Ledger) -> None:
    await ledger.open("ann")
    first = await ledger.deposit("ann", 5_000, "d1")
    assert (first.entry_no, first.balance_minor) == (1, 5_000)
    second = await ledger.withdraw("ann", 1_500, "w1")
    assert (second.entry_no, second.balance_minor) == (2, 3_500)
    assert await ledger.totals() == {"PLAYER_CASH": 3_500, "HOUSE": -3_500}


async def test_the_same_id_answers_as_the_first_time(ledger: Ledger) -> None:
    await ledger.open("ann")
    first = await ledger.deposit("ann", 5_000, "d1")
    await ledger.withdraw("ann", 5_000, "w1")
    assert await ledger.deposit("ann", 5_000, "d1") == first
    assert await ledger.cash("ann") == 0


async def test_the_same_id_with_other_content_is_refused(ledger: Ledger) -> None:
    await ledger.open("ann")
    await ledger.deposit("ann", 5_000, "d1")
    reused = errors_pb2.ERROR_CODE_ID_REUSED
    assert await refusal(ledger.deposit("ann", 5_001, "d1")) == reused
    assert await refusal(ledger.withdraw("ann", 5_000, "d1")) == reused
    assert await refusal(ledger.open("ann", request_id="d1")) == reused
    assert await ledger.cash("ann") == 5_000


async def test_ids_are_the_callers_own(ledger: Ledger) -> None:
    await ledger.open("ann")
    await ledger.deposit("ann", 5_000, "d1")
    await ledger.move(EntryKind.DEPOSIT, "ann", 700, "d1", caller="other desk")
    assert await ledger.cash("ann") == 5_700


async def test_a_refused_call_leaves_nothing_and_may_come_again(ledger: Ledger) -> None:
    await ledger.open("ann")
    few = errors_pb2.ERROR_CODE_INSUFFICIENT_FUNDS
    assert await refusal(ledger.withdraw("ann", 1, "w1")) == few
    await ledger.deposit("ann", 1, "d1")
    assert (await ledger.withdraw("ann", 1, "w1")).balance_minor == 0


async def test_accounts_open_once_and_currencies_count_one_way(ledger: Ledger) -> None:
    await ledger.open("ann")
    await ledger.open("ann", request_id="again")
    mismatch = errors_pb2.ERROR_CODE_CURRENCY_MISMATCH
    assert await refusal(ledger.open("bob", exponent=3)) == mismatch
    unknown = errors_pb2.ERROR_CODE_UNKNOWN_ACCOUNT
    assert await refusal(ledger.deposit("bob", 5, "d9")) == unknown
    assert await ledger.store.ask(BalanceOf("bob", "EUR")) is None


@pytest.mark.parametrize("amount", [0, -5, MAX_MINOR + 1, 2**63 - 1, -(2**63)])
async def test_amounts_out_of_range(ledger: Ledger, amount: int) -> None:
    await ledger.open("ann")
    code = await refusal(ledger.deposit("ann", amount, "d1"))
    assert code == errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE


async def test_a_balance_never_passes_the_limit(ledger: Ledger) -> None:
    await ledger.open("ann")
    await ledger.deposit("ann", MAX_MINOR, "d1")
    code = await refusal(ledger.deposit("ann", 1, "d2"))
    assert code == errors_pb2.ERROR_CODE_AMOUNT_OUT_OF_RANGE
    assert await ledger.cash("ann") == MAX_MINOR


@pytest.mark.parametrize(
    ("player", "request_id", "code"),
    [
        ("", "d1", errors_pb2.ERROR_CODE_INVALID_FIELD),
        ("a/b", "d1", errors_pb2.ERROR_CODE_INVALID_FIELD),
        ("a b", "d1", errors_pb2.ERROR_CODE_INVALID_FIELD),
        ("a" * 129, "d1", errors_pb2.ERROR_CODE_INVALID_FIELD),
        ("ann", "", errors_pb2.ERROR_CODE_BAD_COMMAND_ID),
        ("ann", "x" * 129, errors_pb2.ERROR_CODE_BAD_COMMAND_ID),
        ("ann", "a\nb", errors_pb2.ERROR_CODE_BAD_COMMAND_ID),
    ],
)
async def test_bad_names(ledger: Ledger, player: str, request_id: str, code: int) -> None:
    assert await refusal(ledger.deposit(player, 5, request_id)) == code


async def test_a_statement_comes_in_pages(ledger: Ledger) -> None:
    await ledger.open("ann")
    for n in range(1, 8):
        await ledger.deposit("ann", n, f"d{n}")
    await ledger.withdraw("ann", 10, "w1")
    account = cash("ann", "EUR")
    first = await ledger.store.ask(StatementOf(account, 0, 5, LineFilter()))
    assert first is not None
    assert [line.version for line in first.lines] == [1, 2, 3, 4, 5]
    assert [line.balance_minor for line in first.lines] == [1, 3, 6, 10, 15]
    assert first.more
    rest = await ledger.store.ask(StatementOf(account, 5, 5, LineFilter()))
    assert rest is not None
    assert [line.reference for line in rest.lines] == ["d6", "d7", "w1"]
    assert (rest.more, rest.balance_minor) == (False, 18)
    out = await ledger.store.ask(StatementOf(account, 0, 5, LineFilter(EntryKind.WITHDRAWAL)))
    assert out is not None
    assert [(line.version, line.amount_minor) for line in out.lines] == [(8, -10)]
    assert await ledger.store.ask(StatementOf(cash("bob", "EUR"), 0, 5, LineFilter())) is None


async def test_many_at_once_with_duplicates(ledger: Ledger) -> None:
    await ledger.rich("ann", amount=1_000)

    async def spend(n: int) -> int:
        try:
            return (await ledger.withdraw("ann", 7, f"w{n % 200}")).entry_no
        except Refused:
            return 0

    done = await asyncio.gather(*(spend(n) for n in range(400)))
    assert len(set(done) - {0}) == 1_000 // 7
    assert await ledger.cash("ann") == 1_000 % 7
    await ledger.totals()
