"""Calls of the cashier and of those who decide about money by hand."""

# ruff: noqa: N802, ARG002 - gRPC gives the methods their names and their second argument

from __future__ import annotations

from functools import partial

from floor_wallet.calls import requests, responses
from floor_wallet.calls.base import Calls, Context
from floor_wallet.domain import (
    AskReversal,
    EntryKind,
    MoveCash,
    OpenAccount,
    Posted,
    Reverse,
    Transfer,
    ask_reversal,
    cash,
    move_cash,
    open_account,
    reverse,
    transfer,
)
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.servicekit import current_identity, now_ms


class CashierCalls(Calls):
    """Accounts opened, money in and out, transfers and reversals."""

    async def OpenAccount(
        self, request: wallet_pb2.OpenAccountRequest, context: Context
    ) -> wallet_pb2.OpenAccountResponse:
        """Open a player's cash account."""
        command = OpenAccount(
            caller=current_identity().subject,
            command_id=request.command_id,
            player_id=request.player_id,
            currency=request.currency.code,
            exponent=request.currency.exponent,
        )
        await self._execute(partial(open_account, command, at_ms=now_ms()), command.reads)
        return wallet_pb2.OpenAccountResponse(
            account=responses.account(cash(command.player_id, command.currency))
        )

    async def Deposit(
        self, request: wallet_pb2.DepositRequest, context: Context
    ) -> wallet_pb2.DepositResponse:
        """Move money from the house to a player's cash."""
        posted = await self._move_cash(EntryKind.DEPOSIT, request)
        return wallet_pb2.DepositResponse(
            entry_no=posted.entry_no, balance_minor=posted.balance_minor
        )

    async def Withdraw(
        self, request: wallet_pb2.WithdrawRequest, context: Context
    ) -> wallet_pb2.WithdrawResponse:
        """Move money from a player's cash to the house."""
        posted = await self._move_cash(EntryKind.WITHDRAWAL, request)
        return wallet_pb2.WithdrawResponse(
            entry_no=posted.entry_no, balance_minor=posted.balance_minor
        )

    async def Transfer(
        self, request: wallet_pb2.TransferRequest, context: Context
    ) -> wallet_pb2.TransferResponse:
        """Move money between accounts that no table holds."""
        source = requests.movable_account(request.source, "source")
        target = requests.movable_account(request.target, "target")
        command = Transfer(
            caller=current_identity().subject,
            command_id=request.command_id,
            source=source,
            target=target,
            amount_minor=request.amount_minor,
            reason=request.reason,
        )
        posted = await self._execute(partial(transfer, command, at_ms=now_ms()), command.reads)
        return wallet_pb2.TransferResponse(
            entry_no=posted.entry_no, balance_minor=posted.balance_minor
        )

    async def AskReversal(
        self, request: wallet_pb2.AskReversalRequest, context: Context
    ) -> wallet_pb2.AskReversalResponse:
        """Note that the caller asks for an entry to be reversed."""
        command = AskReversal(
            asked_by=current_identity().subject, entry_no=request.entry_no, reason=request.reason
        )
        await self._execute(partial(ask_reversal, command, at_ms=now_ms()))
        return wallet_pb2.AskReversalResponse()

    async def Reverse(
        self, request: wallet_pb2.ReverseRequest, context: Context
    ) -> wallet_pb2.ReverseResponse:
        """Undo an entry that another person has asked to be undone."""
        command = Reverse(
            caller=current_identity().subject,
            command_id=request.command_id,
            entry_no=request.entry_no,
            reason=request.reason,
            requested_by=request.requested_by,
        )
        posted = await self._execute(partial(reverse, command, at_ms=now_ms()), command.reads)
        return wallet_pb2.ReverseResponse(
            entry_no=posted.entry_no, balance_minor=posted.balance_minor
        )

    async def _move_cash(
        self, kind: EntryKind, request: wallet_pb2.DepositRequest | wallet_pb2.WithdrawRequest
    ) -> Posted:
        command = MoveCash(
            kind=kind,
            caller=current_identity().subject,
            command_id=request.command_id,
            player_id=request.player_id,
            currency=request.currency,
            amount_minor=request.amount_minor,
            reference=request.reference,
        )
        return await self._execute(partial(move_cash, command, at_ms=now_ms()), command.reads)
