"""The disk under the whole floor is full, logs and all: play stands still, then goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.floor import SERVICES, whole_floor
from tests.support.kill_tables import finish, sit_down, until_hands
from tests.support.small_disk import SmallDisk, small_disk

_DISK_MB: Final = 256
_GAMES: Final = ("holdem", "stud7_hilo", "draw27_triple", "ofc_progressive")
_FULL_S: Final = 1.5
_HANDS_BETWEEN: Final = 2


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "disk", _DISK_MB) as made:
        yield made


@pytest.mark.integration
@pytest.mark.timeout(180)
@pytest.mark.rule("POT-5")
async def test_the_floor_stands_still_and_goes_on(disk: SmallDisk) -> None:
    async with whole_floor(disk.folder, "tests.support.fantasyland_shuffler") as floor:
        tables = await sit_down(floor, _GAMES)
        for _ in range(2):
            disk.fill()
            await asyncio.sleep(_FULL_S)
            before = [table.hands for table in tables]
            await asyncio.sleep(0.2)
            assert [table.hands for table in tables] == before, "nothing can be stored"
            disk.make_room()
            # As its liveness probe does (test_broker_disk_full).
            floor.nats.stop()
            floor.nats.restart()
            wanted = [hands + _HANDS_BETWEEN for hands in before]
            await until_hands(tables, wanted, timeout_s=60)
        await finish(floor, tables, least_hands=3 + 2 * _HANDS_BETWEEN)
        for name in SERVICES:
            await floor.services[name].stop(expect=0)
