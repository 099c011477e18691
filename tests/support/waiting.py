"""Waiting for what other processes do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable


async def until(
    condition: Callable[[], Awaitable[bool]], what: str, within_s: float = 20.0
) -> None:
    """Ask again and again until the condition holds; after `within_s` fail, naming `what`."""
    deadline = time.monotonic() + within_s
    while not await condition():
        assert time.monotonic() < deadline, f"not within {within_s} s: {what}"
        await asyncio.sleep(0.05)
