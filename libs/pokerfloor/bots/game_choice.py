"""How a bot chooses the next game where the button chooses (MIX)."""

from __future__ import annotations

import asyncio
import contextlib
from random import Random
from typing import Final

from pokerfloor.client import CommandRefused, NoAnswer, TableSession

# How often a bot leaves the choice to the draw; the table then waits its seven seconds.
_KEEPS_SILENT: Final = 0.05
# A refused answer is not sent again at once.
_REFUSED_S: Final = 1.0


async def choose_game_when_asked(session: TableSession, random: Random) -> None:
    """Choose the next game when asked, until cancelled. Raises what ends the session."""
    while True:
        await session.wait_for(lambda mirror: mirror.asks_game, None)
        choice = session.mirror.game_choice
        if choice is not None and random.random() >= _KEEPS_SILENT:
            with contextlib.suppress(CommandRefused, NoAnswer):
                await session.choose_game(random.choice(choice.games))
                await session.wait_for(lambda mirror: not mirror.asks_game, 1_000)
                continue
            await asyncio.sleep(_REFUSED_S)
            continue
        with contextlib.suppress(NoAnswer):
            await session.wait_for(lambda mirror: not mirror.asks_game, 10_000)
