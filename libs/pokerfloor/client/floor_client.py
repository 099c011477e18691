"""The way in: one object for each player or front-end."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar

import grpc
import grpc.aio

from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc
from pokerfloor.api.wallet.v1 import wallet_pb2, wallet_pb2_grpc
from pokerfloor.client.errors import CommandRefused
from pokerfloor.client.keys import PlayerKeys
from pokerfloor.client.session import OnStep, TableSession
from pokerfloor.rpc import TlsFiles, TokenSource, connect, error_of, fixed_token

_ATTACH_MS = 20_000
_GIVE_UP_AFTER_MS = 120_000
_PAGE = 200

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Balance:
    """A player's money in minor units: free, held by reservations, and at tables (by table)."""

    cash_minor: int
    reserved_minor: int
    in_play_minor: int
    tables: dict[str, int]


class FloorClient:
    """A player's or front-end's connection to a floor.

    `table_address` and `wallet_address` are "host:port"; `token` is the player's own, or where to
    take it from. `keys` are needed to see hole cards: the token must carry their public key.
    Everything raises CommandRefused with the floor's own code and reason.
    """

    def __init__(
        self,
        table_address: str,
        wallet_address: str,
        token: str | TokenSource,
        keys: PlayerKeys | None = None,
        *,
        tls: TlsFiles | None = None,
    ) -> None:
        source = fixed_token(token) if isinstance(token, str) else token
        self.player_id = subject_of(source())
        self._keys = keys
        self._table_channel = connect(table_address, source, tls=tls)
        self._wallet_channel = connect(wallet_address, source, tls=tls)
        self._tables = table_pb2_grpc.TableServiceStub(self._table_channel)
        self._wallet = wallet_pb2_grpc.WalletServiceStub(self._wallet_channel)
        self._sessions: list[TableSession] = []

    async def table(
        self,
        table_id: str,
        *,
        on_step: OnStep | None = None,
        give_up_after_ms: int = _GIVE_UP_AFTER_MS,
    ) -> TableSession:
        """Attach to a table as this player; the session's mirror is filled when this returns."""
        return await self._attach(
            table_id, table_pb2.VIEW_KIND_PLAYER, self.player_id, on_step, give_up_after_ms
        )

    async def watch(
        self,
        table_id: str,
        *,
        on_step: OnStep | None = None,
        give_up_after_ms: int = _GIVE_UP_AFTER_MS,
    ) -> TableSession:
        """Attach to a table as a spectator."""
        return await self._attach(
            table_id, table_pb2.VIEW_KIND_SPECTATOR, "", on_step, give_up_after_ms
        )

    async def tables(self) -> list[table_pb2.TableSummary]:
        """List the floor's tables by id."""
        found: list[table_pb2.TableSummary] = []
        token = ""
        while True:
            request = table_pb2.ListTablesRequest(page_size=_PAGE, page_token=token)
            page = await _answer(self._tables.ListTables(request, wait_for_ready=True))
            found.extend(page.tables)
            token = page.next_page_token
            if not token:
                return found

    async def balance(self, currency: str) -> Balance:
        """Return this player's money in a currency ("EUR")."""
        request = wallet_pb2.GetBalanceRequest(player_id=self.player_id, currency=currency)
        answer = await _answer(self._wallet.GetBalance(request, wait_for_ready=True))
        tables = {escrow.table_id: escrow.amount_minor for escrow in answer.tables}
        return Balance(answer.cash_minor, answer.reserved_minor, answer.in_play_minor, tables)

    async def statement(
        self, currency: str, table_id: str = ""
    ) -> AsyncIterator[wallet_pb2.StatementLine]:
        """Yield every line of the own cash account, or of the money at a table, oldest first."""
        account = wallet_pb2.Account(
            kind=wallet_pb2.ACCOUNT_KIND_PLAYER_CASH, player_id=self.player_id, currency=currency
        )
        if table_id:
            account.kind = wallet_pb2.ACCOUNT_KIND_SEAT_ESCROW
            escrow = wallet_pb2.SeatEscrow(table_id=table_id, player_id=self.player_id)
            account.escrow.CopyFrom(escrow)
        token = ""
        while True:
            request = wallet_pb2.GetStatementRequest(
                account=account, page_token=token, page_size=_PAGE
            )
            page = await _answer(self._wallet.GetStatement(request, wait_for_ready=True))
            for line in page.lines:
                yield line
            token = page.next_page_token
            if not token:
                return

    async def close(self) -> None:
        """Close every session and the connections. Seats stay taken."""
        for session in self._sessions:
            await session.close()
        await self._table_channel.close()
        await self._wallet_channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.close()

    async def _attach(
        self,
        table_id: str,
        view: table_pb2.ViewKind.ValueType,
        player_id: str,
        on_step: OnStep | None,
        give_up_after_ms: int,
    ) -> TableSession:
        session = TableSession(
            self._tables,
            table_pb2.AttachCommand(table_id=table_id, view=view),
            player_id=player_id,
            keys=self._keys,
            give_up_after_ms=give_up_after_ms,
            on_step=on_step,
        )
        try:
            await session.wait_for(lambda mirror: mirror.view_no > 0, _ATTACH_MS)
        except BaseException:
            await session.close()
            raise
        self._sessions = [other for other in self._sessions if not other.over]
        self._sessions.append(session)
        return session


def subject_of(token: str) -> str:
    """Read whom a token speaks for. The floor verifies tokens; a client only reads its own.

    Raises ValueError for what is no token.
    """
    try:
        payload = token.split(".")[1]
        padded = payload + "=" * (-len(payload) % 4)
        subject = json.loads(base64.urlsafe_b64decode(padded))["sub"]
    except (IndexError, KeyError, TypeError, binascii.Error, ValueError) as error:
        raise ValueError("the token cannot be read") from error
    return str(subject)


async def _answer(call: Awaitable[T]) -> T:
    try:
        return await call
    except grpc.aio.AioRpcError as failure:
        raise CommandRefused.of(error_of(failure)) from failure
