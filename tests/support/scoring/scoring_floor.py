"""The scoring service as a process, and cards as its messages have them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import grpc.aio
import pytest

from pokerfloor.api.common.v1 import cards_pb2
from pokerfloor.cards import parse_cards, to_wire
from pokerfloor.servicekit import connect, error_name, error_of, fixed_token
from tests.support import DevIdentities, ServiceProcess, dev_identities, service_env

SERVICE = "/floor.scoring.v1.ScoringService"


@dataclass
class ScoringFloor:
    process: ServiceProcess
    identities: DevIdentities

    def channel(self, subject: str, role: str) -> grpc.aio.Channel:
        """A channel of somebody with this role."""
        return connect(self.process.address, fixed_token(self.identities.token(subject, role)))


@contextmanager
def scoring_floor(folder: Path) -> Iterator[ScoringFloor]:
    identities = dev_identities(folder / "keys")
    env = service_env("scoring", folder, identities, max_message_bytes=4096)
    process = ServiceProcess("floor_scoring", env, folder / "scoring.log")
    asyncio.run(process.start())
    try:
        yield ScoringFloor(process, identities)
        asyncio.run(process.stop())
        assert "stopped" in process.events()
    finally:
        process.kill9()


def cards(text: str) -> list[cards_pb2.Card]:
    return [cards_pb2.Card(code=to_wire(card)) for card in parse_cards(text)]


async def refusal(call: Awaitable[object]) -> tuple[str, str, str]:
    """The status, code and field that a call is refused with."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    error = error_of(caught.value)
    return caught.value.code().name, error_name(error.code), error.field
