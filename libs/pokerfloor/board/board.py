"""The live board: a picture in a terminal, a plain line every few seconds elsewhere."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from typing import Final

from rich.console import Console
from rich.live import Live
from rich.text import Text

from pokerfloor.board.picture import picture, plain_line
from pokerfloor.board.watch import Watch

_FRAMES_A_SECOND: Final = 4
_LINE_EVERY_S: Final = 3.0


class Board:
    """What the person at the terminal sees: lines, and the floor below them."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)

    def say(self, line: str) -> None:
        """Print a line, above the picture when there is one."""
        if sys.stdout.isatty():
            self._console.print(Text(line))
        else:
            print(line, flush=True)

    async def show(
        self, watch: Watch, services: Callable[[], Mapping[str, str]], hands_wanted: int
    ) -> None:
        """Show the floor until cancelled. `services` returns the state of each, by name."""
        started_s = time.monotonic()
        if not sys.stdout.isatty():
            while True:
                await asyncio.sleep(_LINE_EVERY_S)
                print(plain_line(watch, hands_wanted, time.monotonic() - started_s), flush=True)
        with Live(console=self._console, auto_refresh=False, transient=True) as live:
            while True:
                seconds = time.monotonic() - started_s
                live.update(picture(watch, services(), hands_wanted, seconds), refresh=True)
                await asyncio.sleep(1 / _FRAMES_A_SECOND)
