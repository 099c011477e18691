"""Deposits through the wallet's process, as a cashier's program sends them."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Final

from pokerfloor.api.common.v1 import money_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.servicekit import connect, fixed_token
from tests.bench.ledger_callers import player
from tests.support.broker import nats_server
from tests.support.identities import DevIdentities
from tests.support.processes import ServiceProcess, service_env
from tests.support.stubs import WalletStub

_ACCOUNTS: Final = 100
_EURO: Final = money_pb2.Currency(code="EUR", exponent=2)


async def through_grpc(
    folder: Path, settings: dict[str, str], callers: dict[int, int]
) -> dict[int, float]:
    """Return deposits a second by number of callers; `callers` says how many entries for each."""
    identities = DevIdentities(folder / "identity")
    rates = {}
    with nats_server(folder / "nats") as server:
        env = service_env("wallet", folder, identities, server.url, log_level="info", **settings)
        async with ServiceProcess("floor_wallet", env, folder / "wallet.log") as wallet:
            channel = connect(wallet.address, fixed_token(identities.token("desk", "cashier")))
            desk = WalletStub(channel)
            for number in range(_ACCOUNTS):
                request = wallet_pb2.OpenAccountRequest(
                    command_id=f"open-{number}", player_id=player(number), currency=_EURO
                )
                await desk.OpenAccount(request, wait_for_ready=True)
            for count, entries in callers.items():
                rates[count] = await _rate(desk, count, entries)
            await channel.close()
    return rates


async def _rate(desk: WalletStub, callers: int, entries: int) -> float:
    each = entries // callers

    async def call(caller: int) -> None:
        for number in range(each):
            await desk.Deposit(
                wallet_pb2.DepositRequest(
                    command_id=f"{callers}-{caller}-{number}",
                    player_id=player((caller + number) % _ACCOUNTS),
                    currency=_EURO.code,
                    amount_minor=100,
                )
            )

    began = time.perf_counter()
    await asyncio.gather(*(call(caller) for caller in range(callers)))
    return each * callers / (time.perf_counter() - began)
