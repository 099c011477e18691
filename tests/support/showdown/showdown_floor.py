"""A showdown service as a process with a broker that has the log; the shuffler is a stub."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest

from pokerfloor.servicekit import FloorNats, connect, error_name, error_of, fixed_token
from pokerfloor.tablelog import table_subject
from tests.support import (
    DevIdentities,
    NatsServer,
    ServiceProcess,
    dev_identities,
    free_port,
    service_env,
)
from tests.support.showdown.played_hands import Played, played
from tests.support.showdown.stub_shuffler import StubShuffler, serving
from tests.support.stubs import ShowdownStub

ATTEMPT_MS = 400

# Aces are first and win, kings muck, the odd third hand is shown by its owner's wish.
three_way = partial(played, {2: "AsAd", 5: "KsKd", 7: "5h5c"}, always_show=[7], rake_bp=500)


class ShowdownFloor:
    """One showdown service for the module, its broker, and the port of its shuffler."""

    def __init__(self, folder: Path) -> None:
        self.identities: DevIdentities = dev_identities(folder / "keys")
        self.nats = NatsServer(folder / "nats")
        self.nats.start()
        self.shuffler_port = free_port()
        self._tables = itertools.count(1)
        env = service_env(
            "showdown",
            folder,
            self.identities,
            self.nats.url,
            shuffler_address=f"127.0.0.1:{self.shuffler_port}",
            reveal_attempt_ms=ATTEMPT_MS,
            reveal_timeout_ms=6000,
            max_message_bytes=16_384,
        )
        self.process = ServiceProcess("floor_showdown", env, folder / "showdown.log")

    async def log(self, hand: Callable[..., Played]) -> Played:
        """Play a hand at a table of its own, and store it."""
        made = hand(table_id=f"main-{next(self._tables)}")
        request = made.request
        nats = await FloorNats.connect(self.nats.url, name="test", wait_ms=5000)
        try:
            last = 0
            for step in made.steps:
                last = await nats.append(
                    table_subject(step.table_id),
                    step.SerializeToString(),
                    expected_last_seq=last,
                    msg_id=f"{step.table_id}/{step.owner_epoch}/{step.table_seq}",
                )
                for ref in (request.began_step, request.cause):
                    if ref.table_seq == step.table_seq:
                        ref.stream_seq = last
        finally:
            await nats.close()
        return made

    def shuffler(self, stub: StubShuffler) -> Any:
        return serving(stub, self.identities, self.shuffler_port)

    @asynccontextmanager
    async def client(self, *roles: str) -> AsyncIterator[ShowdownStub]:
        token = self.identities.token("somebody", *roles)
        async with connect(self.process.address, fixed_token(token), timeout_ms=10_000) as channel:
            yield ShowdownStub(channel)


@contextmanager
def running_floor(folder: Path) -> Iterator[ShowdownFloor]:
    floor = ShowdownFloor(folder)
    try:
        asyncio.run(floor.process.start())
        yield floor
        asyncio.run(floor.process.stop())
        assert "stopped" in floor.process.events()
    finally:
        floor.process.kill9()
        floor.nats.kill9()


async def refusal(call: Awaitable[object]) -> tuple[str, str, str]:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    error = error_of(caught.value)
    return caught.value.code().name, error_name(error.code), error.field
