"""Calls of the tables."""

# ruff: noqa: N802, ARG002 - gRPC gives the methods their names and their second argument

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from floor_wallet import answers, questions
from floor_wallet.calls.base import Calls, Context
from floor_wallet.domain import (
    PostTournament,
    Reserve,
    TableTerms,
    TournamentMove,
    VoidReservation,
    check_table_id,
    post_tournament,
    register_table,
    reserve,
    void,
)
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.servicekit import now_ms


class TableCalls(Calls):
    """Tables registered, money held for their seats, tournaments."""

    _max_hold_ms: int
    _on_registered: Callable[[str], None]

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
        questions.check(check_table_id, request.table_id)
        table = await questions.read(self._store.table(request.table_id))
        return answers.progress(questions.known_table(table))

    async def PostTournament(
        self, request: wallet_pb2.PostTournamentRequest, context: Context
    ) -> wallet_pb2.PostingResponse:
        """Move a tournament's money."""
        try:
            move = TournamentMove(request.what)
        except ValueError:
            raise questions.invalid('it is "entry", "prize" or "refund"', "what") from None
        command = PostTournament(
            move=move,
            request_id=request.request_id,
            table_id=request.table_id,
            player_id=request.player_id,
            prize_minor=request.prize_minor,
            fee_minor=request.fee_minor,
            currency=request.currency,
            owner_epoch=request.owner_epoch,
            entry_request_id=request.entry_request_id,
        )
        return answers.posted(await self._run(partial(post_tournament, command, at_ms=now_ms())))
