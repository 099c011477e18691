"""A whole floor for a test: a real nats-server and the five services, each its own process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.api.table.v1 import table_pb2, table_pb2_grpc, view_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.client import FloorClient, PlayerKeys
from pokerfloor.servicekit import connect, fixed_token, new_id
from tests.support.broker import NatsServer
from tests.support.identities import DevIdentities
from tests.support.processes import ServiceProcess, service_env
from tests.support.stubs import WalletStub
from tests.support.waiting import until

SERVICES: Final = ("shuffler", "wallet", "showdown", "scoring", "table")
CURRENCY: Final = "EUR"
EURO: Final = money_pb2.Currency(code=CURRENCY, exponent=2)
_SETTLE_S: Final = 20.0


def minor(amount: int) -> money_pb2.Amount:
    return money_pb2.Amount(minor=amount)


def holdem_settings(
    *, seats: int = 6, big_blind: int = 100, base_ms: int = 20_000, **changes: object
) -> settings_pb2.TableSettings:
    """A no-limit hold'em table; 20 to 200 big blinds to sit down, no pause between hands."""
    settings = settings_pb2.TableSettings(
        name="Test",
        room_id="test-room",
        stake=money_pb2.Stake(money=EURO),
        seats=seats,
        game=settings_pb2.GameSettings(
            game="holdem",
            smallest_chip=minor(1),
            small_blind=minor(big_blind // 2),
            big_blind=minor(big_blind),
        ),
        buy_in=settings_pb2.BuyInSettings(min_minor=20 * big_blind, max_minor=200 * big_blind),
        clock=settings_pb2.ClockSettings(base_ms=base_ms),
    )
    settings.MergeFrom(settings_pb2.TableSettings(**changes))  # type: ignore[arg-type]  # field names are the caller's
    return settings


class Floor:
    """The processes, and what operations and cashier need of them. Made by `whole_floor`."""

    def __init__(self, folder: Path, shuffler: str = "floor_shuffler") -> None:
        self.folder = folder
        self.identities = DevIdentities(folder / "identity")
        self.nats = NatsServer(folder / "nats")
        self.services: dict[str, ServiceProcess] = {}
        addresses: dict[str, str] = {}
        for name in SERVICES:
            wanted = {
                "showdown": ("shuffler",),
                "table": ("shuffler", "showdown", "scoring", "wallet"),
            }.get(name, ())
            settings = {f"{other}_address": addresses[other] for other in wanted}
            env = service_env(name, folder, self.identities, self.nats.url, **settings)
            module = shuffler if name == "shuffler" else f"floor_{name}"
            process = ServiceProcess(module, env, folder / f"{name}.log")
            self.services[name] = process
            addresses[name] = process.address
        self._clients: list[FloorClient] = []
        operator = self.identities.token(
            "operator", "operations", "cashier", "supervisor", "auditor"
        )
        self._channels = {
            name: connect(address, fixed_token(operator)) for name, address in addresses.items()
        }
        self.tables = table_pb2_grpc.TableServiceStub(self._channels["table"])
        self.wallet = WalletStub(self._channels["wallet"])

    async def start(self) -> None:
        self.nats.start()
        for process in self.services.values():
            process.spawn()
        for process in self.services.values():
            await process.until_serving()

    async def stop(self) -> None:
        for client in self._clients:
            await client.close()
        for channel in self._channels.values():
            await channel.close()
        for process in self.services.values():
            process.kill9()
        self.nats.kill9()

    async def open_table(
        self, table_id: str, settings: settings_pb2.TableSettings | None = None
    ) -> None:
        request = table_pb2.OpenTableRequest(
            command_id=f"open-{table_id}", table_id=table_id, settings=settings or holdem_settings()
        )
        await self.tables.OpenTable(request, wait_for_ready=True)

    async def player(self, name: str, cash_minor: int = 1_000_000) -> FloorClient:
        """A funded player with keys and a token of its own."""
        await self.wallet.OpenAccount(
            wallet_pb2.OpenAccountRequest(command_id=f"open-{name}", player_id=name, currency=EURO),
            wait_for_ready=True,
        )
        if cash_minor:
            await self.wallet.Deposit(
                wallet_pb2.DepositRequest(
                    command_id=f"fund-{name}",
                    player_id=name,
                    currency=CURRENCY,
                    amount_minor=cash_minor,
                )
            )
        return self.client(name)

    def client(self, name: str) -> FloorClient:
        keys = PlayerKeys.create()
        token = self.identities.token(name, "player", seal_key=keys.public_key)
        addresses = self.services["table"].address, self.services["wallet"].address
        client = FloorClient(*addresses, token, keys)
        self._clients.append(client)
        return client

    async def view(self, table_id: str) -> view_pb2.TableView:
        answer = await self.tables.GetTable(
            table_pb2.GetTableRequest(table_id=table_id), wait_for_ready=True
        )
        return answer.snapshot.table

    async def pause(self, table_id: str) -> None:
        """No new hand; returns when the one in play is over."""
        await self.tables.PauseTable(
            table_pb2.PauseTableRequest(command_id=new_id(), table_id=table_id, reason="test"),
            wait_for_ready=True,
        )

        async def idle() -> bool:
            return not (await self.view(table_id)).HasField("hand")

        await until(idle, "the hand in play ends", 60)

    async def assert_books(self, table_ids: Iterable[str]) -> None:
        """Everything settled, escrow equal to the stacks, all accounts summing to zero.

        The tables must be between hands.
        """
        for table_id in table_ids:
            view = await self.view(table_id)
            price = view.settings.stake.points.point_price_minor
            worth = {seat.player_id: _worth(seat.stack, price) for seat in view.seats}
            stacks = {player: minor for player, minor in worth.items() if minor}

            async def settled(table_id: str = table_id, stacks: dict[str, int] = stacks) -> bool:
                request = wallet_pb2.AuditTableRequest(table_id=table_id)
                audit = await self.wallet.AuditTable(request, wait_for_ready=True)
                return {e.player_id: e.amount_minor for e in audit.escrow} == stacks

            await until(settled, f"{table_id}: escrow equals the stacks {stacks}", _SETTLE_S)
            progress = await self.wallet.GetTableProgress(
                wallet_pb2.GetTableProgressRequest(table_id=table_id)
            )
            assert progress.stopped_reason == ""
            found = await self.wallet.ListSettledHands(
                wallet_pb2.ListSettledHandsRequest(
                    table_id=table_id, from_hand_no=1, page_size=1000
                )
            )
            assert [hand.hand_no for hand in found.hands] == list(range(1, view.hands + 1))
        book = await self.wallet.GetTrialBalance(
            wallet_pb2.GetTrialBalanceRequest(currency=CURRENCY)
        )
        assert (book.total_minor, book.unbalanced_entries) == (0, 0)


def _worth(stack: money_pb2.Amount, price_minor: int) -> int:
    return stack.minor + stack.points * price_minor


@asynccontextmanager
async def whole_floor(folder: Path, shuffler: str = "floor_shuffler") -> AsyncIterator[Floor]:
    """A floor that runs while the block does; `shuffler` is the module of that service."""
    floor = Floor(folder, shuffler)
    try:
        await floor.start()
        yield floor
    finally:
        await floor.stop()
