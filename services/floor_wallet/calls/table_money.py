"""Calls of the table service: tables registered, money held for their seats, tournaments."""

# ruff: noqa: N802, ARG002 - gRPC gives the methods their names and their second argument

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from floor_wallet.calls import errors
from floor_wallet.calls.base import Calls, Context
from floor_wallet.domain import (
    PostTournament,
    Reads,
    Reserve,
    TableTerms,
    TournamentMove,
    VoidReservation,
    post_tournament,
    register_table,
    reserve,
    void,
)
from floor_wallet.store import LedgerStore
from pokerfloor.api.internal.tournament.v1alpha1 import (
    tournament_money_pb2,
    tournament_money_pb2_grpc,
)
from pokerfloor.api.internal.wallet.v1 import table_money_pb2, table_money_pb2_grpc
from pokerfloor.servicekit import now_ms

_MOVES: Final = {
    tournament_money_pb2.TOURNAMENT_MOVE_ENTRY: TournamentMove.ENTRY,
    tournament_money_pb2.TOURNAMENT_MOVE_PRIZE: TournamentMove.PRIZE,
    tournament_money_pb2.TOURNAMENT_MOVE_REFUND: TournamentMove.REFUND,
}


class TableMoneyServicer(Calls, table_money_pb2_grpc.TableMoneyServiceServicer):
    """Implements TableMoneyService. `on_registered` is called with each table registered."""

    def __init__(
        self, store: LedgerStore, *, max_hold_ms: int, on_registered: Callable[[str], None]
    ) -> None:
        super().__init__(store)
        self._max_hold_ms = max_hold_ms
        self._on_registered = on_registered

    async def RegisterTable(
        self, request: table_money_pb2.RegisterTableRequest, context: Context
    ) -> table_money_pb2.RegisterTableResponse:
        """Take a table's terms from its owner."""
        terms = TableTerms(
            room_id=request.room_id,
            currency=request.currency.code,
            exponent=request.currency.exponent,
            max_buy_in_minor=request.max_buy_in_minor,
            max_rake_minor=request.max_rake_minor,
        )
        work = partial(register_table, request.table_id, terms, request.owner_epoch)
        await self._execute(work, Reads(tables=(request.table_id,)))
        self._on_registered(request.table_id)
        return table_money_pb2.RegisterTableResponse()

    async def Reserve(
        self, request: table_money_pb2.ReserveRequest, context: Context
    ) -> table_money_pb2.ReserveResponse:
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
        return table_money_pb2.ReserveResponse(
            balance_minor=await self._execute(work, command.reads)
        )

    async def VoidReservation(
        self, request: table_money_pb2.VoidReservationRequest, context: Context
    ) -> table_money_pb2.VoidReservationResponse:
        """Return a reservation up."""
        command = VoidReservation(
            reservation_id=request.reservation_id,
            table_id=request.table_id,
            reason=request.reason,
            owner_epoch=request.owner_epoch,
        )
        voided = await self._execute(partial(void, command, at_ms=now_ms()), command.reads)
        return table_money_pb2.VoidReservationResponse(voided=voided)


class TournamentMoneyServicer(Calls, tournament_money_pb2_grpc.TournamentMoneyServiceServicer):
    """Implements TournamentMoneyService."""

    async def PostTournament(
        self, request: tournament_money_pb2.PostTournamentRequest, context: Context
    ) -> tournament_money_pb2.PostTournamentResponse:
        """Move a tournament's money."""
        move = _MOVES.get(request.move)
        if move is None:
            raise errors.invalid("it is an entry, a prize or a refund", "move")
        command = PostTournament(
            move=move,
            command_id=request.command_id,
            table_id=request.table_id,
            player_id=request.player_id,
            prize_minor=request.prize_minor,
            fee_minor=request.fee_minor,
            currency=request.currency,
            owner_epoch=request.owner_epoch,
            entry_command_id=request.entry_command_id,
        )
        posted = await self._execute(
            partial(post_tournament, command, at_ms=now_ms()), command.reads
        )
        return tournament_money_pb2.PostTournamentResponse(
            entry_no=posted.entry_no, balance_minor=posted.balance_minor
        )
