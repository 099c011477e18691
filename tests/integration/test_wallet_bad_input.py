"""Bad input to every call of the wallet: the right code, and nothing changes."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pokerfloor.api.common.v1 import errors_pb2, money_pb2
from pokerfloor.api.internal.tournament.v1alpha1 import tournament_money_pb2
from pokerfloor.api.internal.wallet.v1 import table_money_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2 as pb
from tests.support.accounts import account as account_of
from tests.support.wallet.wallet_floor import EUR, WalletFloor, code_of, soon_ms, wallet_floor

pytestmark = pytest.mark.integration

BAD: list[tuple[str, Callable[[WalletFloor], Any], str]] = []


def bad(code: str) -> Callable[..., None]:
    def note(call: Callable[[WalletFloor], Any]) -> None:
        BAD.append((f"{code}-{len(BAD)}", call, code))

    return note


def cash(**change: object) -> Any:
    return {
        "command_id": "new",
        "player_id": "ann",
        "currency": "EUR",
        "amount_minor": 5,
        **change,
    }


def auditor_statement(floor: WalletFloor, **change: Any) -> Any:
    account = account_of(pb.ACCOUNT_KIND_PLAYER_CASH, "ann")
    return floor.auditor.GetStatement(pb.GetStatementRequest(**({"account": account} | change)))


bad("ROLE_NOT_ALLOWED")(lambda f: f.auditor.Deposit(pb.DepositRequest(**cash())))
bad("ROLE_NOT_ALLOWED")(lambda f: f.desk.Reserve(table_money_pb2.ReserveRequest()))
bad("BAD_COMMAND_ID")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(command_id=""))))
bad("BAD_COMMAND_ID")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(command_id="é"))))
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
bad("ID_REUSED")(lambda f: f.desk.Deposit(pb.DepositRequest(**cash(command_id="first-ann"))))
bad("INVALID_FIELD")(
    lambda f: f.desk.OpenAccount(
        pb.OpenAccountRequest(
            command_id="o",
            player_id="ann",
            currency=money_pb2.Currency(code="EUR", exponent=4_000_000_000),
        )
    )
)
bad("CURRENCY_MISMATCH")(
    lambda f: f.desk.OpenAccount(
        pb.OpenAccountRequest(
            command_id="o", player_id="bob", currency=money_pb2.Currency(code="EUR", exponent=3)
        )
    )
)
bad("INVALID_FIELD")(lambda f: f.desk.OpenAccount(pb.OpenAccountRequest(command_id="o")))
bad("INVALID_FIELD")(
    lambda f: f.table.RegisterTable(table_money_pb2.RegisterTableRequest(table_id="A B"))
)
bad("INVALID_FIELD")(
    lambda f: f.table.RegisterTable(
        table_money_pb2.RegisterTableRequest(table_id="t1", currency=EUR, owner_epoch=2**64 - 1)
    )
)
bad("TABLE_NOT_REGISTERED")(lambda f: f.table.Reserve(f.reservation("r", "t9", "ann", 5)))
bad("TABLE_NOT_REGISTERED")(
    lambda f: f.table.VoidReservation(
        table_money_pb2.VoidReservationRequest(reservation_id="r", table_id="t9")
    )
)
bad("BAD_COMMAND_ID")(lambda f: f.table.Reserve(f.reservation("", "t1", "ann", 5)))
bad("BUY_IN_OUT_OF_RANGE")(lambda f: f.table.Reserve(f.reservation("r", "t1", "ann", 20_001)))
bad("INVALID_FIELD")(lambda f: f.table.Reserve(f.reservation("r", "t1", "ann", 5, seconds=9_999)))
bad("STALE_EPOCH")(
    lambda f: f.table.VoidReservation(
        table_money_pb2.VoidReservationRequest(reservation_id="r", table_id="t1", owner_epoch=0)
    )
)
bad("UNKNOWN_TABLE")(lambda f: f.progress("t9"))
bad("UNKNOWN_TABLE")(lambda f: f.auditor.AuditTable(pb.AuditTableRequest(table_id="t9")))
bad("UNKNOWN_TABLE")(
    lambda f: f.auditor.ListSettledHands(pb.ListSettledHandsRequest(table_id="t9", page_size=1))
)
bad("INVALID_FIELD")(
    lambda f: f.auditor.ListSettledHands(pb.ListSettledHandsRequest(table_id="t1", page_size=1001))
)
bad("INVALID_FIELD")(
    lambda f: f.auditor.ListSettledHands(
        pb.ListSettledHandsRequest(table_id="t1", page_size=1, from_hand_no=2**64 - 1)
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
bad("INVALID_FIELD")(lambda f: auditor_statement(f, page_token=str(2**64 - 1)))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, kind=99))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, from_ms=-1))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, to_ms=-1))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, to_ms=2**53))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, from_ms=5, to_ms=5))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, table_id="T/1"))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, account=account(owner="a\x00")))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, account=account(owner="a" * 257)))
bad("INVALID_FIELD")(lambda f: auditor_statement(f, account=account(currency="E\x00R")))
bad("UNKNOWN_ACCOUNT")(lambda f: auditor_statement(f, account=account(owner="eve/x")))
bad("INVALID_FIELD")(lambda f: f.progress("a\x00b"))
bad("INVALID_FIELD")(lambda f: f.auditor.AuditTable(pb.AuditTableRequest()))
bad("INVALID_FIELD")(
    lambda f: f.auditor.ListSettledHands(pb.ListSettledHandsRequest(table_id="T", page_size=1))
)


def account(
    kind: int = pb.ACCOUNT_KIND_PLAYER_CASH, owner: str = "ann", currency: str = "EUR"
) -> pb.Account:
    return account_of(kind, owner, currency)


def transfer(floor: WalletFloor, role: str = "operations", **change: Any) -> Any:
    house = account(pb.ACCOUNT_KIND_HOUSE, "")
    asked: dict[str, Any] = {
        "command_id": "m",
        "source": account(),
        "target": house,
        "amount_minor": 5,
    }
    request = pb.TransferRequest(**({"reason": "asked", **asked} | change))
    return floor.stub("mover", role).Transfer(request)


bad("ROLE_NOT_ALLOWED")(lambda f: transfer(f, "cashier"))
bad("ROLE_NOT_ALLOWED")(lambda f: transfer(f, "supervisor"))
bad("INVALID_FIELD")(lambda f: transfer(f, source=pb.Account()))
bad("INVALID_FIELD")(lambda f: transfer(f, target=None))
bad("INVALID_FIELD")(lambda f: transfer(f, source=account(99)))
bad("INVALID_FIELD")(lambda f: transfer(f, target=account(pb.ACCOUNT_KIND_SEAT_ESCROW, "t1/ann")))
bad("INVALID_FIELD")(lambda f: transfer(f, target=account(pb.ACCOUNT_KIND_RESERVED)))
bad("INVALID_FIELD")(lambda f: transfer(f, target=account(pb.ACCOUNT_KIND_TOURNAMENT_POOL, "t1")))
bad("INVALID_FIELD")(lambda f: transfer(f, target=account(pb.ACCOUNT_KIND_HOUSE, "ann")))
bad("INVALID_FIELD")(lambda f: transfer(f, target=account(owner="a/b")))
bad("INVALID_FIELD")(lambda f: transfer(f, target=account(pb.ACCOUNT_KIND_TIPS, "a\x00")))
bad("INVALID_FIELD")(lambda f: transfer(f, target=account()))
bad("INVALID_FIELD")(lambda f: transfer(f, source=account(currency="eur")))
bad("INVALID_FIELD")(lambda f: transfer(f, reason=""))
bad("INVALID_FIELD")(lambda f: transfer(f, reason="x" * 129))
bad("BAD_COMMAND_ID")(lambda f: transfer(f, command_id="a b"))
bad("AMOUNT_OUT_OF_RANGE")(lambda f: transfer(f, amount_minor=0))
bad("AMOUNT_OUT_OF_RANGE")(lambda f: transfer(f, amount_minor=-5))
bad("AMOUNT_OUT_OF_RANGE")(lambda f: transfer(f, amount_minor=2**53))
bad("CURRENCY_MISMATCH")(lambda f: transfer(f, source=account(currency="USD")))
bad("UNKNOWN_ACCOUNT")(lambda f: transfer(f, source=account(owner="eve")))
bad("INSUFFICIENT_FUNDS")(lambda f: transfer(f, amount_minor=100_001))


def ask(floor: WalletFloor, entry_no: int = 1, reason: str = "mistyped") -> Any:
    return floor.desk.AskReversal(pb.AskReversalRequest(entry_no=entry_no, reason=reason))


def reverse(floor: WalletFloor, **change: Any) -> Any:
    asked: dict[str, Any] = {
        "command_id": "u",
        "entry_no": 1,
        "reason": "seen",
        "requested_by": "desk",
    }
    return floor.stub("boss", "supervisor").Reverse(pb.ReverseRequest(**(asked | change)))


bad("INVALID_FIELD")(lambda f: ask(f, 0))
bad("INVALID_FIELD")(lambda f: ask(f, 2**64 - 1))
bad("INVALID_FIELD")(lambda f: ask(f, reason=""))
bad("UNKNOWN_ENTRY")(lambda f: ask(f, 2**53 - 1))
bad("ROLE_NOT_ALLOWED")(lambda f: f.desk.Reverse(pb.ReverseRequest()))
bad("BAD_COMMAND_ID")(lambda f: reverse(f, command_id=""))
bad("INVALID_FIELD")(lambda f: reverse(f, entry_no=0))
bad("INVALID_FIELD")(lambda f: reverse(f, reason="\t"))
bad("INVALID_FIELD")(lambda f: reverse(f, requested_by="x" * 129))
bad("UNKNOWN_ENTRY")(lambda f: reverse(f, entry_no=99))
bad("SECOND_PERSON_NEEDED")(reverse)
bad("SECOND_PERSON_NEEDED")(lambda f: reverse(f, requested_by="boss"))


def tournament(floor: WalletFloor, what: str = "entry", **change: Any) -> Any:
    asked: dict[str, Any] = {"command_id": "e", "table_id": "t1", "player_id": "ann"}
    asked |= {"prize_minor": 10, "fee_minor": 1, "currency": "EUR", "owner_epoch": 1}
    move = tournament_money_pb2.TournamentMove.Value(f"TOURNAMENT_MOVE_{what.upper()}")
    return floor.table.PostTournament(
        tournament_money_pb2.PostTournamentRequest(move=move, **(asked | change))
    )


bad("INVALID_FIELD")(lambda f: tournament(f, "unspecified"))
bad("BAD_COMMAND_ID")(lambda f: tournament(f, command_id=""))
bad("INVALID_FIELD")(lambda f: tournament(f, player_id="a/b"))
bad("INVALID_FIELD")(lambda f: tournament(f, table_id="a\x00"))
bad("INVALID_FIELD")(lambda f: tournament(f, currency=""))
bad("INVALID_FIELD")(lambda f: tournament(f, owner_epoch=2**64 - 1))
bad("INVALID_FIELD")(lambda f: tournament(f, entry_command_id="e0"))
bad("INVALID_FIELD")(lambda f: tournament(f, "prize"))
bad("BAD_COMMAND_ID")(lambda f: tournament(f, "refund"))
bad("INVALID_FIELD")(lambda f: tournament(f, "refund", entry_command_id="e"))
bad("AMOUNT_OUT_OF_RANGE")(lambda f: tournament(f, prize_minor=-1))
bad("AMOUNT_OUT_OF_RANGE")(lambda f: tournament(f, fee_minor=2**53))
bad("AMOUNT_OUT_OF_RANGE")(lambda f: tournament(f, prize_minor=0, fee_minor=0))
bad("TABLE_NOT_REGISTERED")(lambda f: tournament(f, table_id="t9"))
bad("STALE_EPOCH")(lambda f: tournament(f, owner_epoch=0))
bad("CURRENCY_MISMATCH")(lambda f: tournament(f, currency="USD"))
bad("UNKNOWN_ACCOUNT")(lambda f: tournament(f, player_id="eve"))
bad("INSUFFICIENT_FUNDS")(lambda f: tournament(f, prize_minor=100_000))
bad("INSUFFICIENT_FUNDS")(lambda f: tournament(f, "prize", fee_minor=0))


def sums(floor: WalletFloor, **change: Any) -> Any:
    asked = {"currency": "EUR", **change}
    return floor.auditor.GetTrialBalance(pb.GetTrialBalanceRequest(**asked))


def rake(floor: WalletFloor, **change: Any) -> Any:
    return floor.auditor.GetRake(pb.GetRakeRequest(**change))


bad("INVALID_FIELD")(lambda f: sums(f, at_ms=-1))
bad("INVALID_FIELD")(lambda f: sums(f, at_ms=2**53))
bad("INVALID_FIELD")(lambda f: sums(f, at_ms=soon_ms(9_999)))
bad("INVALID_FIELD")(lambda f: sums(f, gaming_day="yesterday"))
bad("INVALID_FIELD")(lambda f: sums(f, gaming_day="2026-02-30"))
bad("INVALID_FIELD")(lambda f: sums(f, gaming_day="2026-02-03", at_ms=5))
bad("INVALID_FIELD")(lambda f: rake(f, from_ms=-1))
bad("INVALID_FIELD")(lambda f: rake(f, to_ms=2**63 - 1))
bad("INVALID_FIELD")(lambda f: rake(f, from_ms=6, to_ms=5))
bad("INVALID_FIELD")(lambda f: rake(f, gaming_day="9999-12-31"))
bad("INVALID_FIELD")(lambda f: rake(f, gaming_day="2026-02-03", to_ms=5))
bad("INVALID_FIELD")(lambda f: rake(f, currency="E\x00R"))
bad("UNKNOWN_ACCOUNT")(lambda f: rake(f, currency="USD"))
bad("UNKNOWN_ACCOUNT")(lambda f: f.auditor.GetChipsInPlay(pb.GetChipsInPlayRequest(currency="USD")))
bad("INVALID_FIELD")(lambda f: f.auditor.ListEntries(pb.ListEntriesRequest(page_size=501)))
bad("INVALID_FIELD")(
    lambda f: f.auditor.ListEntries(pb.ListEntriesRequest(from_entry_no=2**64 - 1))
)
bad("INVALID_FIELD")(lambda f: f.auditor.ListAccounts(pb.ListAccountsRequest(page_size=501)))
bad("INVALID_FIELD")(
    lambda f: f.auditor.ListAccounts(pb.ListAccountsRequest(page_token=str(2**64)))
)


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
        assert "call_failed" not in floor.wallet.events()
        floor.wallet.signal(signal.SIGTERM)
        assert await floor.wallet.exit_code() == 0
