"""A swap's turn is the one after it, also when the table was killed between answer and view."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio

from pokerfloor.api.table.v1 import table_pb2
from pokerfloor.client import NoAnswer, session
from pokerfloor.client.link import TableLink

_HAND, _TURN, _STORED = 4, 2, 7


@pytest_asyncio.fixture
async def swapping(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """A session whose table has stored the swap as step 7, while the views end with step 6."""

    async def hang(_link: object) -> None:
        await asyncio.Event().wait()

    async def answered(*_: object) -> table_pb2.CommandResult:
        return table_pb2.CommandResult(table_seq=_STORED)

    monkeypatch.setattr(TableLink, "run", hang)
    monkeypatch.setattr(session, "_OWN_CARDS_MS", 20)
    monkeypatch.setattr(session, "_ANSWER_MS", 300)
    attach = table_pb2.AttachCommand(table_id="t1")
    made: Any = session.TableSession(
        SimpleNamespace(),  # type: ignore[arg-type]  # nothing is sent
        attach,
        player_id="ann",
        keys=None,
        give_up_after_ms=1_000,
        on_step=None,
    )
    yours = SimpleNamespace(hand_no=_HAND, turn_no=_TURN)
    made.mirror = SimpleNamespace(view_no=_STORED - 1, own_cards_complete=True, your_turn=yours)
    made.command = answered
    made._turn = lambda: made.mirror.view_no
    yield made
    await made.close()


async def test_it_waits_for_its_view_longer_than_for_cards(swapping: Any) -> None:
    asked = asyncio.create_task(swapping.swap(_HAND, _TURN, [1]))
    await asyncio.sleep(0.1)
    assert not asked.done()
    swapping.mirror.view_no = _STORED
    swapping._changed.set()
    assert await asked == _STORED


async def test_a_swap_that_is_not_seen_gives_no_turn_of_before(swapping: Any) -> None:
    with pytest.raises(NoAnswer):
        await swapping.swap(_HAND, _TURN, [1])
