from __future__ import annotations

import asyncio

from floor_table.runtime.alarm import Alarm
from floor_table.runtime.mailbox import Mailbox


async def test_what_comes_from_outside_is_bounded_and_own_inputs_always_fit() -> None:
    box: Mailbox[str] = Mailbox(2)
    assert box.offer("a")
    assert box.offer("b")
    assert not box.offer("c")
    box.push("own")
    assert [await box.take() for _ in range(3)] == ["a", "b", "own"]
    assert box.offer("d")
    assert box.empty() == ["d"]
    assert box.offer("e")
    assert box.offer("f")
    assert not box.offer("g")


async def test_taking_waits_for_the_next() -> None:
    box: Mailbox[int] = Mailbox(1)
    taking = asyncio.create_task(box.take())
    await asyncio.sleep(0)
    assert not taking.done()
    box.push(7)
    assert await taking == 7


class Wall:
    """A wall clock that the test moves."""

    def __init__(self) -> None:
        self.now_ms = 1_000
        self.rang_at: list[int] = []

    def read(self) -> int:
        return self.now_ms

    def ring(self) -> None:
        self.rang_at.append(self.now_ms)


async def test_an_alarm_never_rings_before_the_wall_clock_says_so() -> None:
    wall = Wall()
    alarm = Alarm(wall.read, wall.ring)
    alarm.set(1_010)
    await asyncio.sleep(0.05)  # the loop's clock is past it, the wall clock stands still
    assert wall.rang_at == []
    wall.now_ms = 1_010
    await asyncio.sleep(0.05)
    assert wall.rang_at == [1_010]
    alarm.set(1_010)  # over already: at once, and once
    await asyncio.sleep(0.02)
    assert wall.rang_at == [1_010, 1_010]


async def test_an_alarm_moves_and_is_cancelled() -> None:
    wall = Wall()
    alarm = Alarm(wall.read, wall.ring)
    alarm.set(1_000)
    alarm.set(2_000)
    await asyncio.sleep(0.02)
    assert wall.rang_at == []
    alarm.set(500)
    alarm.set(None)
    await asyncio.sleep(0.02)
    assert wall.rang_at == []
