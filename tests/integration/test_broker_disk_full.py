"""The broker's disk is full: nothing that was stored is lost, and a restart goes on from there.

nats-server does not take a stream up again that it could not write, also when there is room. Its
health check says so, and the probe of the Kubernetes base has it started again.
"""

from __future__ import annotations

import asyncio
import contextlib
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from pokerfloor.servicekit import FloorNats, LogUnavailable, StreamSpec
from tests.support import NatsServer, free_port
from tests.support.small_disk import SmallDisk, small_disk

pytestmark = pytest.mark.integration

_MANIFEST: Final = Path(__file__).resolve().parents[2] / "deploy" / "k8s" / "base" / "nats.yaml"
_DISK_MB: Final = 64
_MOST_APPENDS: Final = 20
#: Larger than what a file system keeps back for a file that grows.
_STEP: Final = bytes(200_000)

SUBJECT = "log.table.t1"
SPEC = StreamSpec(name="LOG", subjects=("log.table.*",))


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", _DISK_MB) as made:
        yield made


class Probed:
    """A broker with its monitor, asked as the manifest's probes ask."""

    def __init__(self, folder: Path, jetstream: str = "") -> None:
        monitor = f"127.0.0.1:{free_port()}"
        self.broker = NatsServer(folder, f'http: "{monitor}"', jetstream)
        self._monitor = monitor
        container = self._container()
        self._path = {
            name: container[f"{name}Probe"]["httpGet"]["path"]
            for name in ("startup", "readiness", "liveness")
        }

    async def passes(self, probe: str) -> bool:
        return await asyncio.to_thread(self._passes, f"http://{self._monitor}{self._path[probe]}")

    def _passes(self, url: str) -> bool:
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return bool(answer.status == 200)
        except urllib.error.HTTPError as refused:
            if refused.code != 503:
                raise
            return False

    def _container(self) -> dict[str, Any]:
        manifests = yaml.safe_load_all(_MANIFEST.read_text(encoding="utf-8"))
        (stateful,) = [one for one in manifests if one["kind"] == "StatefulSet"]
        (container,) = stateful["spec"]["template"]["spec"]["containers"]
        return dict(container)


async def append(log: FloorNats, number: int) -> int:
    return await log.append(
        SUBJECT, _STEP, expected_last_seq=number - 1, msg_id=f"m{number}", timeout_ms=500
    )


async def append_until_full(log: FloorNats, stored: int) -> int:
    """Return how many messages are stored then."""
    with contextlib.suppress(LogUnavailable):
        while stored < _MOST_APPENDS:
            stored = await append(log, stored + 1)
    assert stored < _MOST_APPENDS, "the disk is full"
    return stored


async def test_it_stands_still_and_goes_on_after_a_restart(disk: SmallDisk) -> None:
    probed = Probed(disk.folder / "nats")
    broker = probed.broker
    broker.start()
    log = await FloorNats.connect(broker.url, name="test", wait_ms=5_000)
    try:
        await log.ensure_stream(SPEC)
        stored = 0
        for _ in range(3):
            stored = await append(log, stored + 1)
        assert [await probed.passes(name) for name in ("startup", "liveness")] == [True, True]
        disk.fill()
        stored = await append_until_full(log, stored)
        disk.make_room()
        assert not await probed.passes("liveness"), "the broker is started again"
        broker.stop()
        broker.restart()
        # The very same step, as the table does it: nobody knew whether it was stored.
        assert await append(log, stored + 1) == stored + 1
        assert await append(log, stored + 2) == stored + 2
        kept = [message.seq async for message in log.read_from(SPEC.name, SUBJECT, 1)]
        assert kept == list(range(1, stored + 3))
        assert [await probed.passes(name) for name in ("readiness", "liveness")] == [True, True]
    finally:
        await log.close()
        broker.kill9()


async def test_at_its_own_bound_it_refuses_and_is_not_started_again(tmp_path: Path) -> None:
    """The bound of the manifest is less than its volume, so that this comes first."""
    probed = Probed(tmp_path / "nats", "max_file_store: 1MB")
    probed.broker.start()
    log = await FloorNats.connect(probed.broker.url, name="test", wait_ms=5_000)
    try:
        await log.ensure_stream(SPEC)
        stored = await append_until_full(log, 0)
        assert stored > 1
        assert await probed.passes("liveness")
        kept = [message.seq async for message in log.read_from(SPEC.name, SUBJECT, 1)]
        assert kept == list(range(1, stored + 1))
    finally:
        await log.close()
        probed.broker.kill9()
