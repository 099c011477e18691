from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from pokerfloor.servicekit import FloorNats
from tests.support import NatsServer, nats_server


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[NatsServer]:
    with nats_server(tmp_path / "nats") as server:
        yield server


@pytest.fixture
async def nats(broker: NatsServer) -> AsyncIterator[FloorNats]:
    connection = await FloorNats.connect(broker.url, name="test", wait_ms=5000)
    yield connection
    await connection.close()
