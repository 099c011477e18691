"""kill -9 of each service in turn, at each street, and of nats-server: play goes on, the books
balance, nobody loses a card or a chip."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pokerfloor.client import Turn
from tests.support.floor import SERVICES, whole_floor
from tests.support.players import Players

STREETS = ("pre-flop", "flop", "turn", "river")


@pytest.mark.integration
@pytest.mark.timeout(240)
async def test_every_service_is_killed_at_every_street(tmp_path: Path) -> None:
    async with whole_floor(tmp_path) as floor:
        await floor.open_table("t-1")
        players = await Players.seated(floor, "t-1", ["ann", "bob", "cyd"])
        plan = [(service, street) for street in STREETS for service in (*SERVICES, "nats")]
        killed: list[tuple[str, str]] = []
        lock = asyncio.Lock()
        last_hand = 0

        async def kill(turn: Turn) -> None:
            """One kill in a hand, at the first turn on the planned street."""
            nonlocal last_hand
            async with lock:
                if not plan or turn.hand_no == last_hand or turn.street_name != plan[0][1]:
                    return
                last_hand = turn.hand_no
                name, street = plan.pop(0)
                if name == "nats":
                    floor.nats.kill9()
                    await asyncio.sleep(0.2)
                    floor.nats.restart()
                else:
                    await floor.services[name].restart()
                killed.append((name, street))

        await players.play(hands=len(plan) + 2, hook=kill)
        assert len(killed) == len(STREETS) * (len(SERVICES) + 1)
        await players.finish(floor)
        view = await floor.view("t-1")
        assert sum(seat.stack.minor for seat in view.seats) == 30_000
        await floor.assert_books(["t-1"])


@pytest.mark.integration
@pytest.mark.timeout(120)
async def test_everything_is_killed_at_once_and_the_hand_goes_on(tmp_path: Path) -> None:
    async with whole_floor(tmp_path) as floor:
        await floor.open_table("t-1")
        players = await Players.seated(floor, "t-1", ["ann", "bob"])
        done = asyncio.Event()

        async def kill_all(turn: Turn) -> None:
            if turn.street_name == "flop" and not done.is_set():
                done.set()
                for process in floor.services.values():
                    process.kill9()
                floor.nats.kill9()
                floor.nats.restart()
                for process in floor.services.values():
                    process.spawn()
                for process in floor.services.values():
                    await process.until_serving()

        await players.play(hands=3, hook=kill_all)
        assert done.is_set()
        await players.finish(floor)
        await floor.assert_books(["t-1"])
