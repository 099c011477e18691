"""The table service's process: what it is made of, and how it stops."""

from __future__ import annotations

import asyncio
import contextlib

from floor_table.runtime.clients import open_clients
from floor_table.runtime.context import Context
from floor_table.runtime.directory import LEASE_BUCKET, Directory
from floor_table.runtime.publisher import Publisher
from floor_table.runtime.settlement import follow_settlements
from floor_table.runtime.wire import add_table_service
from floor_table.servicer import TableServicer
from floor_table.settings import TableServiceSettings
from pokerfloor.games import COMPILED
from pokerfloor.servicekit import FloorNats, GrpcServer, Stop, StreamSpec, get_logger, now_ms, serve
from pokerfloor.tablelog import PUBLIC_EVENTS, TABLE_LOG, StreamNames

_log = get_logger("table.main")


async def main(settings: TableServiceSettings, stop: Stop) -> None:
    """Serve tables until `stop`, then drain.

    Raises CannotStart. The order at the end: stop accepting input, store the steps in flight, say
    goodbye to the streams, give the leases back, stop serving.
    """
    _log.info("rules_loaded", rules="compiled" if COMPILED else "plain")
    async with FloorNats.open(settings) as nats, open_clients(settings) as clients:
        await nats.ensure_stream(_spec(TABLE_LOG))
        publisher = Publisher(nats, _spec(PUBLIC_EVENTS))
        await publisher.keep_stream()
        leases = await nats.leases(
            LEASE_BUCKET, holder=settings.instance, ttl_ms=settings.lease_ttl_ms
        )
        context = Context(clients, publisher, settings, now_ms)
        directory = Directory(nats, leases, context)
        server = GrpcServer.from_settings(
            settings, ready=lambda: directory.ready and nats.connected
        )
        server.add(add_table_service, TableServicer(directory, settings, now_ms))
        # Serving ends after the tables have drained, so it has a stop of its own.
        drained = Stop(settings.drain_budget_ms // 2)
        follow = follow_settlements(
            nats, stop, settled=directory.settled, began=directory.ask_progress
        )
        work = [
            asyncio.create_task(_own_tables(directory, drained)),
            asyncio.create_task(follow),
            asyncio.create_task(_drain(directory, stop, drained)),
        ]
        try:
            stop.mark_started()
            await serve(server, settings, drained)
        finally:
            for task in work:
                task.cancel()
            results = await asyncio.gather(*work, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result


async def _own_tables(directory: Directory, drained: Stop) -> None:
    try:
        await directory.start()
        await directory.work()
    except Exception:
        drained.request("owning tables failed")  # the process ends, and is started again
        raise


async def _drain(directory: Directory, stop: Stop, drained: Stop) -> None:
    await stop.wait()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(stop.remaining_ms() / 2000):
            await directory.drain(stop.remaining_ms() // 2)
    drained.request(stop.reason)


def _spec(names: StreamNames) -> StreamSpec:
    return StreamSpec(
        name=names.name,
        subjects=names.subjects,
        storage="memory" if names.storage == "memory" else "file",
        max_bytes=names.max_bytes,
        max_age_s=names.max_age_s,
    )
