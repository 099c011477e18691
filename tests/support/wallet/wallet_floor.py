"""A real broker and the real wallet, with the log written by hand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import grpc.aio

from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.internal.wallet.v1 import table_money_pb2
from pokerfloor.api.wallet.v1 import events_pb2, wallet_pb2
from pokerfloor.servicekit import FloorNats, StreamSpec, connect, error_of, fixed_token, new_id
from pokerfloor.tablelog import TABLE_LOG, table_subject
from tests.support.broker import NatsServer, nats_server
from tests.support.identities import DevIdentities, dev_identities
from tests.support.processes import ServiceProcess, service_env
from tests.support.stubs import WalletStub
from tests.support.wallet.table_log import (
    MAX_BUY_IN,
    MAX_RAKE,
    ROOM,
    Event,
    TableLog,
    opened,
    taken,
)

EUR = money_pb2.Currency(code="EUR", exponent=2)


def soon_ms(seconds: float = 60) -> int:
    return int((time.time() + seconds) * 1000)


async def code_of(call: grpc.aio.UnaryUnaryCall) -> int:  # type: ignore[type-arg]  # any call
    """The code that a call is refused with; 0 when it is not."""
    try:
        await call
    except grpc.aio.AioRpcError as failure:
        return error_of(failure).code
    return 0


@dataclass
class WalletFloor:
    broker: NatsServer
    nats: FloorNats
    wallet: ServiceProcess
    identities: DevIdentities
    logs: dict[str, TableLog] = field(default_factory=dict)
    channels: list[grpc.aio.Channel] = field(default_factory=list)
    last_seq: dict[str, int] = field(default_factory=dict)

    def stub(self, subject: str, *roles: str) -> WalletStub:
        """A client of the wallet with these roles."""
        token = self.identities.token(subject, *roles)
        channel = connect(self.wallet.address, fixed_token(token))
        self.channels.append(channel)
        return WalletStub(channel)

    def __post_init__(self) -> None:
        self.desk = self.stub("desk", "cashier")
        self.table = self.stub("service:table", "service_table")
        self.auditor = self.stub("audit", "auditor")

    async def store(self, table_id: str, *events: Event) -> int:
        """Store a step in the table's log; gives its number in the stream."""
        log = self.logs.setdefault(table_id, TableLog(table_id))
        return await self.store_bytes(table_id, log.step(*events))

    async def store_bytes(self, table_id: str, data: bytes) -> int:
        seq = await self.nats.append(
            table_subject(table_id),
            data,
            expected_last_seq=self.last_seq.get(table_id, 0),
            msg_id=new_id(),
        )
        self.last_seq[table_id] = seq
        return seq

    async def rich(self, *players: str, amount: int = 100_000) -> None:
        for player in players:
            await self.desk.OpenAccount(
                wallet_pb2.OpenAccountRequest(
                    command_id=f"open-{player}", player_id=player, currency=EUR
                )
            )
            await self.desk.Deposit(
                wallet_pb2.DepositRequest(
                    command_id=f"first-{player}",
                    player_id=player,
                    currency="EUR",
                    amount_minor=amount,
                )
            )

    async def register(self, table_id: str, owner_epoch: int = 1) -> None:
        await self.table.RegisterTable(
            table_money_pb2.RegisterTableRequest(
                table_id=table_id,
                room_id=ROOM,
                currency=EUR,
                max_buy_in_minor=MAX_BUY_IN,
                max_rake_minor=MAX_RAKE,
                owner_epoch=owner_epoch,
            )
        )

    def reservation(
        self, reservation_id: str, table_id: str, player: str, amount: int, seconds: float = 60
    ) -> table_money_pb2.ReserveRequest:
        return table_money_pb2.ReserveRequest(
            reservation_id=reservation_id,
            table_id=table_id,
            player_id=player,
            amount_minor=amount,
            currency="EUR",
            expires_at_ms=soon_ms(seconds),
            owner_epoch=1,
        )

    async def seat(self, table_id: str, *players: str, amount: int = 1_000) -> None:
        """Open a table and seat players, as the table service does."""
        await self.store(table_id, opened())
        await self.register(table_id)
        for player in players:
            reservation_id = f"{table_id}/buyin/{player}"
            await self.table.Reserve(self.reservation(reservation_id, table_id, player, amount))
            await self.store(table_id, taken(player, amount, reservation_id))

    async def progress(self, table_id: str) -> wallet_pb2.GetTableProgressResponse:
        return await self.table.GetTableProgress(
            wallet_pb2.GetTableProgressRequest(table_id=table_id), wait_for_ready=True
        )

    async def settled(self, table_id: str, timeout_s: float = 20) -> None:
        """Wait until the whole log of a table is taken in."""
        await until(lambda: self._is_settled(table_id), timeout_s)

    async def _is_settled(self, table_id: str) -> bool:
        answer = await self.progress(table_id)
        assert answer.stopped_reason == ""
        return answer.table_seq == self.logs[table_id].table_seq

    async def balance(self, player: str) -> wallet_pb2.GetBalanceResponse:
        return await self.auditor.GetBalance(
            wallet_pb2.GetBalanceRequest(player_id=player, currency="EUR")
        )

    async def trial_balance(self) -> dict[str, int]:
        """The sums by kind, after checking that the book is in balance."""
        found = await self.auditor.GetTrialBalance(
            wallet_pb2.GetTrialBalanceRequest(currency="EUR"), timeout=30
        )
        assert (found.total_minor, found.unbalanced_entries) == (0, 0)
        return {
            wallet_pb2.AccountKind.Name(kind.kind).removeprefix("ACCOUNT_KIND_"): kind.amount_minor
            for kind in found.kinds
            if kind.amount_minor
        }

    async def facts(self) -> list[events_pb2.LedgerEvent]:
        """What lies in FLOOR_LEDGER now."""
        return [
            events_pb2.LedgerEvent.FromString(message.data)
            async for message in self.nats.read_from("FLOOR_LEDGER", "floor.ledger.>")
        ]


async def until(true: Callable[[], object], timeout_s: float = 20) -> None:
    """Wait until an awaited question is true."""
    deadline = time.monotonic() + timeout_s
    while not await true():  # type: ignore[misc]  # an async function
        assert time.monotonic() < deadline, "it takes too long"
        await asyncio.sleep(0.02)


@asynccontextmanager
async def wallet_floor(folder: Path, **settings: object) -> AsyncIterator[WalletFloor]:
    """A broker, the wallet's process and clients, while the block runs."""
    identities = dev_identities(folder / "keys")
    with nats_server(folder / "nats") as broker:
        env = service_env("wallet", folder, identities, broker.url, **settings)
        wallet = ServiceProcess("floor_wallet", env, folder / "wallet.log")
        nats = await FloorNats.connect(broker.url, name="test")
        await nats.ensure_stream(StreamSpec(**TABLE_LOG._asdict()))
        floor = WalletFloor(broker, nats, wallet, identities)
        try:
            async with wallet:
                yield floor
        finally:
            for channel in floor.channels:
                await channel.close()
            await nats.close()
