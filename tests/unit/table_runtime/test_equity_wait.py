"""A board card waits for equities a moment at most, and for nothing else."""

import asyncio

from floor_table.domain import EquityEffect, RevealEffect
from floor_table.runtime.equity_wait import EquityWait
from floor_table.runtime.presence import AnyEffect, RegisterEffect
from pokerfloor.api.events.v1 import hand_events_pb2

_BOARD = RevealEffect(7, (), hand_events_pb2.REVEAL_REASON_BOARD, 40)
_EQUITY = EquityEffect(3, 40)
_OTHER = RegisterEffect()


def _never(_due: AnyEffect) -> bool:
    return False


async def test_it_holds_the_board_until_its_time_is_over() -> None:
    over = asyncio.Event()
    wait = EquityWait(30, over.set)
    dues: list[AnyEffect] = [_OTHER, _BOARD, _EQUITY]
    assert wait.without_held(dues, _never) == [_OTHER, _EQUITY]
    assert wait.without_held(dues, _never) == [_OTHER, _EQUITY], "the time is not begun anew"
    await asyncio.wait_for(over.wait(), 5)
    assert wait.without_held(dues, _never) == dues
    assert wait.without_held(dues, _never) == dues, "and it is over for good"
    later: list[AnyEffect] = [_BOARD, EquityEffect(3, 44)]
    assert wait.without_held(later, _never) == later[1:], "other cards, another wait"
    wait.cancel()


async def test_it_holds_nothing_without_equities_or_when_they_are_given_up() -> None:
    over = asyncio.Event()
    wait = EquityWait(20, over.set)
    assert wait.without_held([_BOARD], _never) == [_BOARD]
    assert wait.without_held([_BOARD, _EQUITY], _never) == [_EQUITY]
    given_up = wait.without_held([_BOARD, _EQUITY], lambda due: due == _EQUITY)
    assert given_up == [_BOARD, _EQUITY]
    await asyncio.sleep(0.05)
    assert not over.is_set(), "nobody waits any more"


async def test_without_a_wait_nothing_is_held() -> None:
    wait = EquityWait(0, lambda: None)
    assert wait.without_held([_BOARD, _EQUITY], _never) == [_BOARD, _EQUITY]
