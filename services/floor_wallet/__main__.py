"""The wallet as a process: `python -m floor_wallet`."""

from __future__ import annotations

import asyncio

from floor_wallet.calls.table_money import TableMoneyServicer, TournamentMoneyServicer
from floor_wallet.calls.wallet import WalletServicer
from floor_wallet.follower import Expiry, Follower
from floor_wallet.open_store import open_store
from floor_wallet.outbox import LEDGER_STREAM, OutboxRelay, check_facts
from floor_wallet.settings import WalletSettings
from floor_wallet.store import LedgerStore
from floor_wallet.watch import watch
from pokerfloor.api.internal.tournament.v1alpha1.tournament_money_pb2_grpc import (
    add_TournamentMoneyServiceServicer_to_server,
)
from pokerfloor.api.internal.wallet.v1.table_money_pb2_grpc import (
    add_TableMoneyServiceServicer_to_server,
)
from pokerfloor.api.wallet.v1.wallet_pb2_grpc import add_WalletServiceServicer_to_server
from pokerfloor.servicekit import FloorNats, GrpcServer, Stop, StreamSpec, now_ms, run, serve
from pokerfloor.tablelog import TABLE_LOG


async def main(settings: WalletSettings, stop: Stop) -> None:
    """Open the ledger and the log, and serve until `stop` is set."""
    store = await open_store(settings)
    try:
        async with FloorNats.open(settings) as nats:
            await nats.ensure_stream(StreamSpec(**TABLE_LOG._asdict()))
            await nats.ensure_stream(LEDGER_STREAM)
            await check_facts(nats, store)
            await _serve(settings, store, nats, stop)
    finally:
        await store.close()


async def _serve(settings: WalletSettings, store: LedgerStore, nats: FloorNats, stop: Stop) -> None:
    follower = Follower(nats, store, max_batch_steps=settings.max_batch_steps, now_ms=now_ms)
    expiry = Expiry(
        nats,
        store,
        grace_ms=settings.expiry_grace_ms,
        poll_ms=settings.expiry_poll_ms,
        now_ms=now_ms,
    )
    server = GrpcServer.from_settings(
        settings, ready=lambda: nats.connected and store.healthy and follower.ready
    )
    server.add(
        add_WalletServiceServicer_to_server, WalletServicer(store, days=settings.gaming_days)
    )
    server.add(
        add_TableMoneyServiceServicer_to_server,
        TableMoneyServicer(
            store, max_hold_ms=settings.max_hold_ms, on_registered=follower.try_again
        ),
    )
    server.add(add_TournamentMoneyServiceServicer_to_server, TournamentMoneyServicer(store))
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(follower.run(stop), name="follower")
            tasks.create_task(expiry.run(stop), name="expiry")
            tasks.create_task(OutboxRelay(nats, store).run(stop), name="outbox")
            tasks.create_task(
                watch(
                    store,
                    nats,
                    followed_to=lambda: follower.followed_to,
                    now_ms=now_ms,
                    poll_ms=settings.summary_poll_ms,
                    stop=stop,
                ),
                name="watch",
            )
            await serve(server, settings, stop)
    except BaseExceptionGroup as group:
        raise _first_cause(group) from group


def _first_cause(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the failure that took the others along, so that the log has one clear line."""
    first = group.exceptions[0]
    return _first_cause(first) if isinstance(first, BaseExceptionGroup) else first


if __name__ == "__main__":
    run("wallet", WalletSettings, main)
