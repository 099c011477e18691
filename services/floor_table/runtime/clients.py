"""The services that a table needs, as stubs over channels of this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from floor_table.settings import TableServiceSettings
from pokerfloor.api.internal.showdown.v1 import resolution_pb2_grpc
from pokerfloor.api.internal.shuffler.v1 import dealing_pb2_grpc
from pokerfloor.api.internal.wallet.v1 import table_money_pb2_grpc
from pokerfloor.api.scoring.v1 import scoring_pb2_grpc
from pokerfloor.api.showdown.v1 import showdown_pb2_grpc
from pokerfloor.api.wallet.v1 import wallet_pb2_grpc
from pokerfloor.servicekit import connect


@dataclass(frozen=True, slots=True)
class Clients:
    """Who is asked. Every call has `timeout_s` as its deadline."""

    shuffler: dealing_pb2_grpc.DealingServiceAsyncStub
    resolution: resolution_pb2_grpc.ResolutionServiceAsyncStub
    showdown: showdown_pb2_grpc.ShowdownServiceAsyncStub
    scoring: scoring_pb2_grpc.ScoringServiceAsyncStub
    money: table_money_pb2_grpc.TableMoneyServiceAsyncStub
    wallet: wallet_pb2_grpc.WalletServiceAsyncStub


@asynccontextmanager
async def open_clients(settings: TableServiceSettings) -> AsyncIterator[Clients]:
    """Open the channels and close them at the end. A service need not be there yet."""
    tokens = settings.token_source()
    timeout_ms = settings.effect_timeout_ms
    async with (
        connect(
            settings.shuffler_address, tokens, tls=settings.tls, timeout_ms=timeout_ms
        ) as shuffler,
        connect(
            settings.showdown_address, tokens, tls=settings.tls, timeout_ms=timeout_ms
        ) as showdown,
        connect(
            settings.scoring_address, tokens, tls=settings.tls, timeout_ms=timeout_ms
        ) as scoring,
        connect(settings.wallet_address, tokens, tls=settings.tls, timeout_ms=timeout_ms) as wallet,
    ):
        yield Clients(
            dealing_pb2_grpc.DealingServiceStub(shuffler),
            resolution_pb2_grpc.ResolutionServiceStub(showdown),
            showdown_pb2_grpc.ShowdownServiceStub(showdown),
            scoring_pb2_grpc.ScoringServiceStub(scoring),
            table_money_pb2_grpc.TableMoneyServiceStub(wallet),
            wallet_pb2_grpc.WalletServiceStub(wallet),
        )
