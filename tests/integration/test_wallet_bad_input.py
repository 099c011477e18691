"""Bad input to every call of the wallet: the right code, and nothing changes."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from libs.floorapi.floor.common.v1 import errors_pb2, money_pb2
from libs.floorapi.floor.wallet.v1 import wallet_pb2 as pb
from tests.integration.wallet_floor import EUR, WalletFloor, code_of, wallet_floor

pytestmark = pytest.mark.integration

BAD: list[tuple[str, Callable[[WalletFloor], Any], str]] = []


def bad(code: str) -> Callable[..., None]:
    def note(call: Callable[[WalletFloor], Any]) -> None:
        BAD.append((f"{code}-{len(BAD)}", call, code))

    return note


def cash(**change: object) -> Any:
    return {
        "request_id": "new",
        "player_id": "ann",
        "currency": "EUR",
        "amount_minor": 5,
        **change,
    }


def auditor_statement(floor: WalletFloor, **change: Any) -> Any:
    account = pb.Account(kind=pb.ACCOUNT_KIND_PLAYER_CASH, owner="ann", currency="EUR")
    return floor.auditor.GetStatement(pb.GetStatementRequest(**({"account": account} | change)))


bad("ROLE_NOT_ALLOWED")(lambda f: f.auditor.Deposit(pb.DepositRequest(**cash())))
bad("ROLE_NOT_ALLOWED")(lambda f: f.desk.Reserve(pb.ReserveRequest()))
bad("BAD_COMMAND_ID")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(request_id=""))))
bad("BAD_COMMAND_ID")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(request_id="é"))))
bad("INVALID_FIELD")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(player_id="a/b"))))
bad("INVALID_FIELD")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(currency="euro"))))
bad("INVALID_FIELD")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(reference="x" * 129))))
bad("INVALID_FIELD")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(reference="a\nb"))))
bad("AMOUNT_OUT_OF_RANGE")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(amount_minor=0))))
bad("AMOUNT_OUT_OF_RANGE")(lambda f: f.desk.Withdraw(pb.WithdrawRequest(**cash(amount_minor=-5))))
bad("AMOUNT_OUT_OF_RANGE")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(amount_minor=2**53))))
bad("UNKNOWN_ACCOUNT")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(player_id="eve"))))
bad("UNKNOWN_ACCOUNT")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(currency="USD"))))
bad("INSUFFICIENT_FUNDS")(
    lambda f: f.desk.Withdraw(pb.WithdrawRequest(**cash(amount_minor=100_001)))
)
bad("ID_REUSED")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(request_id="first-ann"))))
bad("INVALID_FIELD")(
    lambda f: f.desk.OpenAccount(
        pb.OpenAccountRequest(
            request_id="o",
            player_id="ann",
            currency=money_pb2.Currency(code="EUR", exponent=4_000_000_000),
        )
    )
)
bad("CURRENCY_MISMATCH")(
    lambda f: f.desk.OpenAccount(
        pb.OpenAccountRequest(
            request_id="o", player_id="bob", currency=money_pb2.Currency(code="EUR", exponent=3)
        )
    )
)
bad("INVALID_FIELD")(lambda f: f.desk.OpenAccount(pb.OpenAccountRequest(request_id="o")))
bad("INVALID_FIELD")(lambda f: f.table.RegisterTable(pb.RegisterTableRequest(table_id="A B")))
bad("INVALID_FIELD")(
    lambda f: f.table.RegisterTable(
        pb.RegisterTableRequest(table_id="t1", currency=EUR, owner_epoch=2**64 - 1)
    )
)
bad("TABLE_NOT_REGISTERED")(lambda f: f.table.Reserve(f.reservation("r", "t9", "ann", 5)))
bad("TABLE_NOT_REGISTERED")(
    lambda f: f.table.VoidReservation(pb.VoidReservationRequest(reservation_id="r", table_id="t9"))
)
bad("BAD_COMMAND_ID")(lambda f: f.table.Reserve(f.reservation("", "t1", "ann", 5)))
bad("BUY_IN_OUT_OF_RANGE")(lambda f: f.table.Reserve(f.reservation("r", "t1", "ann", 20_001)))
bad("INVALID_FIELD")(lambda f: f.table.Reserve(f.reservation("r", "t1", "ann", 5, seconds=9_999)))
bad("STALE_EPOCH")(
    lambda f: f.table.VoidReservation(
        pb.VoidReservationRequest(reservation_id="r", table_id="t1", owner_epoch=0)
    )
)
bad("UNKNOWN_TABLE")(lambda f: f.progress("t9"))
bad("UNKNOWN_TABLE")(lambda f: f.auditor.AuditTable(pb.AuditTableRequest(table_id="t9")))
bad("UNKNOWN_TABLE")(lambda f: f.auditor.FindHands(pb.FindHandsRequest(table_id="t9", count=1)))
bad("INVALID_FIELD")(lambda f: f.auditor.FindHands(pb.FindHandsRequest(table_id="t1", count=0)))
bad("INVALID_FIELD")(lambda f: f.auditor.FindHands(pb.FindHandsRequest(table_id="t1", count=1001)))
bad("INVALID_FIELD")(
    lambda f: f.auditor.FindHands(
        pb.FindHandsRequest(table_id="t1", count=1, from_hand_no=2**64 - 1)
    )
)
bad("UNKNOWN_ACCOUNT")(
    lambda f: f.auditor.GetTrialBalance(pb.GetTrialBalanceRequest(currency="USD"))
)
bad("INVALID_FIELD")(lambda f: f.auditor.GetTrialBalance(pb.GetTrialBalanceRequest(currency="")))
bad("UNKNOWN_ACCOUNT")(
    lambda f: f.auditor.GetBalance(pb.GetBalanceRequest(player_id="eve", currency="EUR"))
)
bad("INVALID_FIELD")(lambda f: auditor_statement(f, account=pb.Account()))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, page_size=501))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, after_version=2**64 - 1))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, kind=99))
bad("NOT_SUPPORTED")(lambda f: f.stub("boss", "supervisor").Reverse(pb.ReverseRequest(entry_no=1)))
bad("NOT_SUPPORTED")(lambda f: f.table.PostTournament(pb.PostTournamentRequest()))


async def test_bad_input_gets_its_code_and_changes_nothing(tmp_path: Path) -> None:
    async with wallet_floor(tmp_path) as floor:
        await floor.rich("ann")
        await floor.register("t1")
        before = await floor.trial_balance()
        wrong = []
        for name, call, code in BAD:
            found = errors_pb2.ErrorCode.Name(await code_of(call(floor)))  # type: ignore[arg-type]  # a number
            if found != f"ERROR_CODE_{code}":
                wrong.append((name, found))
        assert wrong == []
        assert await floor.trial_balance() == before
        assert "call failed" not in floor.wallet.events()
        floor.wallet.signal(signal.SIGTERM)
        assert await floor.wallet.exit_code() == 0
