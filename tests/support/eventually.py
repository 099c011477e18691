from __future__ import annotations

import asyncio
from collections.abc import Callable


async def eventually(condition: Callable[[], bool], seconds: float = 5) -> None:
    """Wait until the condition holds; TimeoutError after `seconds`."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - any condition, also one that sets no event
            await asyncio.sleep(0.005)
