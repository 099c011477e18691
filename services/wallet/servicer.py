"""The wallet's calls: messages in, rules run on the book, messages out."""

# ruff: noqa: N802, ARG002 - gRPC gives the methods their names and their second argument

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import grpc.aio

from libs.floorapi.floor.common.v1 import errors_pb2
from libs.floorapi.floor.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from libs.floorkit import FloorError, current_identity, now_ms
from services.wallet import answers, questions
from services.wallet.domain import (
    Book,
    BookRefused,
    EntryKind,
    MoveCash,
    OpenAccount,
    Refused,
    Reserve,
    TableTerms,
    VoidReservation,
    check_currency,
    check_number,
    check_player_id,
    move_cash,
    open_account,
    register_table,
    reserve,
    void,
)
from services.wallet.store import LedgerStore, StoreUnavailable

T = TypeVar("T")
Context = grpc.aio.ServicerContext[Any, Any]

_DEFAULT_PAGE = 100
_MAX_PAGE = 500
_MAX_HANDS = 1000


class WalletServicer(wallet_pb2_grpc.WalletServiceServicer):
    """Implements WalletService; what each call does is said in the proto.

    `on_registered` is told of every table that was registered.
    """

    def __init__(
        self,
        store: LedgerStore,
        *,
        max_hold_ms: int,
        on_registered: Callable[[str], None],
    ) -> None:
        self._store = store
        self._max_hold_ms = max_hold_ms
        self._on_registered = on_registered

    async def OpenAccount(
        self, request: wallet_pb2.OpenAccountRequest, context: Context
    ) -> wallet_pb2.OpenAccountResponse:
        """Open a player's cash account."""
        command = OpenAccount(
            caller=current_identity().subject,
            request_id=request.request_id,
            player_id=request.player_id,
            currency=request.currency.code,
            exponent=request.currency.exponent,
        )
        await self._run(partial(open_account, command, at_ms=now_ms()))
        return wallet_pb2.OpenAccountResponse(
            account=wallet_pb2.Account(
                kind=wallet_pb2.ACCOUNT_KIND_PLAYER_CASH,
                owner=command.player_id,
                currency=command.currency,
            )
        )

    async def Deposit(
        self, request: wallet_pb2.DepositRequest, context: Context
    ) -> wallet_pb2.PostingResponse:
        """Move money from the house to a player's cash."""
        return await self._move_cash(EntryKind.DEPOSIT, request)

    async def Withdraw(
        self, request: wallet_pb2.WithdrawRequest, context: Context
    ) -> wallet_pb2.PostingResponse:
        """Move money from a player's cash to the house."""
        return await self._move_cash(EntryKind.WITHDRAWAL, request)

    async def RegisterTable(
        self, request: wallet_pb2.RegisterTableRequest, context: Context
    ) -> wallet_pb2.RegisterTableResponse:
        """Take a table's terms from its owner."""
        terms = TableTerms(
            room_id=request.room_id,
            currency=request.currency.code,
            exponent=request.currency.exponent,
            max_buy_in_minor=request.max_buy_in_minor,
            max_rake_minor=request.max_rake_minor,
        )
        await self._run(partial(register_table, request.table_id, terms, request.owner_epoch))
        self._on_registered(request.table_id)
        return wallet_pb2.RegisterTableResponse()

    async def Reserve(
        self, request: wallet_pb2.ReserveRequest, context: Context
    ) -> wallet_pb2.ReserveResponse:
        """Hold money for a seat."""
        command = Reserve(
            reservation_id=request.reservation_id,
            table_id=request.table_id,
            player_id=request.player_id,
            amount_minor=request.amount_minor,
            currency=request.currency,
            expires_at_ms=request.expires_at_ms,
            owner_epoch=request.owner_epoch,
        )
        work = partial(reserve, command, at_ms=now_ms(), max_hold_ms=self._max_hold_ms)
        return wallet_pb2.ReserveResponse(balance_minor=await self._run(work))

    async def VoidReservation(
        self, request: wallet_pb2.VoidReservationRequest, context: Context
    ) -> wallet_pb2.VoidReservationResponse:
        """Give a reservation up."""
        command = VoidReservation(
            reservation_id=request.reservation_id,
            table_id=request.table_id,
            reason=request.reason,
            owner_epoch=request.owner_epoch,
        )
        voided = await self._run(partial(void, command, at_ms=now_ms()))
        return wallet_pb2.VoidReservationResponse(voided=voided)

    async def GetTableProgress(
        self, request: wallet_pb2.GetTableProgressRequest, context: Context
    ) -> wallet_pb2.GetTableProgressResponse:
        """Say how far a table's log is settled."""
        table = await questions.read(self._store.table(request.table_id))
        return answers.progress(questions.known_table(table))

    async def GetBalance(
        self, request: wallet_pb2.GetBalanceRequest, context: Context
    ) -> wallet_pb2.GetBalanceResponse:
        """Give a player's balances and holds at one instant."""
        questions.check(check_player_id, request.player_id)
        questions.check(check_currency, request.currency)
        questions.own_only(request.player_id, "player_id")
        balance = await questions.read(self._store.balance(request.player_id, request.currency))
        if balance is None:
            raise questions.unknown_account("player_id")
        return answers.balance(request.player_id, balance)

    async def GetStatement(
        self, request: wallet_pb2.GetStatementRequest, context: Context
    ) -> wallet_pb2.GetStatementResponse:
        """Give a page of an account's lines."""
        account = questions.account_asked(request.account)
        questions.own_only(account.player_id, "account.owner")
        questions.check(check_number, request.after_version, "after_version")
        limit = request.page_size or _DEFAULT_PAGE
        if limit > _MAX_PAGE:
            raise questions.invalid(f"a page has at most {_MAX_PAGE} lines", "page_size")
        kind = questions.entry_kind_asked(request.kind)
        page = await questions.read(
            self._store.statement(account, request.after_version, limit, kind)
        )
        if page is None:
            raise questions.unknown_account("account")
        return answers.statement(page)

    async def GetTrialBalance(
        self, request: wallet_pb2.GetTrialBalanceRequest, context: Context
    ) -> wallet_pb2.GetTrialBalanceResponse:
        """Add up every account of a currency."""
        questions.check(check_currency, request.currency)
        found = await questions.read(self._store.trial_balance(request.currency))
        if found is None:
            raise questions.unknown_account("currency")
        return answers.trial_balance(found)

    async def AuditTable(
        self, request: wallet_pb2.AuditTableRequest, context: Context
    ) -> wallet_pb2.AuditTableResponse:
        """Give what the ledger holds of a table."""
        audit = await questions.read(self._store.table_audit(request.table_id))
        return answers.table_audit(questions.known_table(audit))

    async def FindHands(
        self, request: wallet_pb2.FindHandsRequest, context: Context
    ) -> wallet_pb2.FindHandsResponse:
        """Give settled hands in order."""
        questions.check(check_number, request.from_hand_no, "from_hand_no")
        if not 1 <= request.count <= _MAX_HANDS:
            raise questions.invalid(f"ask for 1 to {_MAX_HANDS} hands", "count")
        questions.known_table(await questions.read(self._store.table(request.table_id)))
        hands = await questions.read(
            self._store.hands(request.table_id, request.from_hand_no, request.count)
        )
        return answers.hands(hands)

    async def Reverse(
        self, request: wallet_pb2.ReverseRequest, context: Context
    ) -> wallet_pb2.PostingResponse:
        """Refuse: reversals are not there yet."""
        raise FloorError(errors_pb2.ERROR_CODE_NOT_SUPPORTED, "reversals are not supported yet")

    async def PostTournament(
        self, request: wallet_pb2.PostTournamentRequest, context: Context
    ) -> wallet_pb2.PostingResponse:
        """Refuse: tournaments are not there yet."""
        raise FloorError(errors_pb2.ERROR_CODE_NOT_SUPPORTED, "tournaments are not supported yet")

    async def _move_cash(
        self, kind: EntryKind, request: wallet_pb2.DepositRequest | wallet_pb2.WithdrawRequest
    ) -> wallet_pb2.PostingResponse:
        command = MoveCash(
            kind=kind,
            caller=current_identity().subject,
            request_id=request.request_id,
            player_id=request.player_id,
            currency=request.currency,
            amount_minor=request.amount_minor,
            reference=request.reference,
        )
        posted = await self._run(partial(move_cash, command, at_ms=now_ms()))
        return wallet_pb2.PostingResponse(
            entry_no=posted.entry_no, balance_minor=posted.balance_minor
        )

    async def _run(self, work: Callable[[Book], T]) -> T:
        """Run rules on the book; their refusals travel as errors of the catalogue."""
        try:
            return await self._store.execute(work)
        except Refused as refusal:
            raise questions.on_the_wire(refusal) from refusal
        except BookRefused as refusal:
            # The rules let something pass that the database did not: a mistake of ours.
            raise FloorError(errors_pb2.ERROR_CODE_INTERNAL, str(refusal)) from refusal
        except StoreUnavailable as gone:
            raise questions.unavailable() from gone
