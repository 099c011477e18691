"""kill -9 of each service, and of two at once, while tables of every game are in mid-hand.

At each kill half of the tables stand still at a point of their hands, and the others have just been
let go. `make kill-matrix` does it at every point of every game, for each service and each pair.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.support.every_table import EVERY_TABLE
from tests.support.floor import SERVICES, Floor, whole_floor
from tests.support.kill_tables import KillTable, finish, sit_down

# "all", or the games with commas between them.
_LONG: Final = os.environ.get("FLOOR_KILL_MATRIX", "")
_ALL: Final = ("nats", *SERVICES)
_DEAD_S: Final = 0.2
_TABLES_A_FLOOR: Final = 8

#: One of each family: what is asked for, dealt, opened, scored and settled differs between them.
FAMILIES: Final = (
    *("holdem", "omaha5_hilo_double", "short_deck", "swap_holdem_river_double", "stud7_hilo"),
    *("draw5_options", "draw27_triple", "mata_ases", "bomb_every_hand", "mixed_choice"),
    *("ofc_progressive", "ofc_joker", "scoop"),
)


async def kill(floor: Floor, names: Sequence[str]) -> None:
    """Kill these at once, and start them again."""
    for name in names:
        (floor.nats if name == "nats" else floor.services[name]).kill9()
    await asyncio.sleep(_DEAD_S)
    if "nats" in names:
        floor.nats.restart()
    services = [floor.services[name] for name in names if name != "nats"]
    for process in services:
        process.spawn()
    for process in services:
        await process.until_serving()


async def one_kill(
    floor: Floor, tables: Sequence[KillTable], names: Sequence[str], at: int, moving: int
) -> None:
    """Bring every table to its point number `at`, let go those of `moving` parity, and kill."""
    for table in tables:
        table.hold(at)
    await asyncio.gather(*[table.until_held() for table in tables])
    still = [table for number, table in enumerate(tables) if number % 2 != moving]
    for table in tables:
        if table not in still:
            table.release()
    await asyncio.sleep(Random(f"{names}/{at}").random() * 0.05)
    await kill(floor, names)
    await asyncio.gather(*[table.assert_same_cards() for table in still])
    for table in still:
        table.release()


@pytest.mark.integration
@pytest.mark.timeout(240)
@pytest.mark.rule("OFC-32", "DLR-10", "POT-5")
async def test_each_is_killed_and_two_at_once_while_every_kind_of_game_is_played(
    tmp_path: Path,
) -> None:
    plan = [(name,) for name in _ALL] + [("table", "shuffler"), ("wallet", "nats")]
    async with whole_floor(tmp_path, "tests.support.fantasyland_shuffler") as floor:
        tables = await sit_down(floor, FAMILIES)
        for at, names in enumerate(plan):
            await one_kill(floor, tables, names, at, at % 2)
        await finish(floor, tables, least_hands=4)


def groups() -> list[list[str]]:
    """Return the games of the long form, as many as a floor can read the logs of soon."""
    names = [*EVERY_TABLE] if _LONG == "all" else _LONG.split(",") if _LONG else []
    count = -(-len(names) // _TABLES_A_FLOOR)
    return [names[at::count] for at in range(count)]


@pytest.mark.integration
@pytest.mark.slow
@pytest.mark.skipif(not _LONG, reason="make kill-matrix")
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("names", groups(), ids=" ".join)
async def test_each_point_of_every_game(tmp_path: Path, names: Sequence[str]) -> None:
    plan = [(name,) for name in _ALL] + [*combinations(_ALL, 2)]
    async with whole_floor(tmp_path, "tests.support.fantasyland_shuffler") as floor:
        tables = await sit_down(floor, names)
        at = 0
        while at < max(len(table.points) for table in tables):
            for number, killed in enumerate(plan):
                # Each half of the tables stands still once; for pairs, at every other point.
                for moving in (0, 1) if len(killed) == 1 else ((at + number) % 2,):
                    await one_kill(floor, tables, killed, at, moving)
            at += 1
        await finish(floor, tables, least_hands=20)
