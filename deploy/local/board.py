"""The live board: a picture in a terminal, a plain line every few seconds elsewhere."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Mapping

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from deploy.local.processes import Child
from deploy.local.watch import Watch, WatchedTable
from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.cards import Card, cards_text
from pokerfloor.client import LastHand, TableMirror

_FRAMES_A_SECOND = 4
_LINE_EVERY_S = 3.0
_STATES: Mapping[int, str] = {
    view_pb2.TABLE_STATE_WAITING: "waiting",
    view_pb2.TABLE_STATE_PLAYING: "playing",
    view_pb2.TABLE_STATE_PAUSED: "paused",
    view_pb2.TABLE_STATE_CLOSING: "closing",
    view_pb2.TABLE_STATE_CLOSED: "closed",
}
_STYLES = {"up": "green", "starting": "yellow", "restarting": "yellow", "failed": "bold red"}


def money(amount_minor: int) -> str:
    """Write an amount of play money in units of 100."""
    return f"{amount_minor / 100:,.2f}"


def _points(amount: int) -> str:
    return f"{amount} points" if amount != 1 else "1 point"


class Board:
    """Where the floor speaks to the person at the terminal."""

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._live: Live | None = None

    def say(self, line: str) -> None:
        """Print a line, above the picture when there is one."""
        if sys.stdout.isatty():
            self._console.print(Text(line))
        else:
            print(line, flush=True)

    async def show(self, watch: Watch, children: Mapping[str, Child], hands_wanted: int) -> None:
        """Show the floor until cancelled."""
        started_s = time.monotonic()
        if not sys.stdout.isatty():
            while True:
                await asyncio.sleep(_LINE_EVERY_S)
                print(plain_line(watch, hands_wanted, time.monotonic() - started_s), flush=True)
        with Live(console=self._console, auto_refresh=False, transient=True) as live:
            while True:
                seconds = time.monotonic() - started_s
                live.update(picture(watch, children, hands_wanted, seconds), refresh=True)
                await asyncio.sleep(1 / _FRAMES_A_SECOND)


def plain_line(watch: Watch, hands_wanted: int, seconds: float) -> str:
    """Say in one line how the floor is doing."""
    tables = ", ".join(f"{table.table_id} {table.finished}" for table in watch.tables)
    ended = [table for table in watch.tables if table.mirror.last_hand is not None]
    last = max(ended, key=lambda table: table.mirror.last_step_at_ms, default=None)
    words = f"; last at {last.table_id}: {_last_words(last.mirror)}" if last else ""
    wanted = f" of {hands_wanted}" if hands_wanted else ""
    return (
        f"{seconds:4.0f} s  {watch.finished}{wanted} hands ({tables}), "
        f"{watch.steps_a_second():.0f} steps/s, books {watch.books}{words}"
    )


def picture(
    watch: Watch, children: Mapping[str, Child], hands_wanted: int, seconds: float
) -> Group:
    """Draw the floor."""
    grid = Table(expand=True, title="the floor", title_style="bold")
    for name in ("table", "state", "hands", "players", "street", "board", "pot", "last hand"):
        grid.add_column(name, justify="right" if name in ("hands", "pot") else "left")
    for table in watch.tables:
        grid.add_row(*_row(table))
    services = Text()
    for name, child in children.items():
        services.append(f"{name} ", style="dim")
        services.append(f"{child.state}   ", style=_STYLES.get(child.state, ""))
    wanted = f" of {hands_wanted}" if hands_wanted else ""
    total = Text(
        f"{watch.finished}{wanted} hands   {watch.steps_a_second():.0f} steps a second   "
        f"rake {money(watch.rake_minor)}   {seconds:.0f} s   Ctrl-C stops"
    )
    balanced = watch.books.startswith("in balance")
    books = Text.assemble("books ", (watch.books, "green" if balanced else "bold red"))
    return Group(grid, total, books, services)


def _row(table: WatchedTable) -> tuple[str, ...]:
    mirror = table.mirror
    hand = mirror.hand
    players = sum(bool(seat.player_id) for seat in mirror.seats.values())
    return (
        mirror.settings.name,
        _STATES.get(mirror.state, "?"),
        str(table.finished),
        f"{players}/{len(mirror.seats)}",
        hand.street_name if hand is not None else "",
        _open_cards(mirror),
        money(mirror.pot) if hand is not None else "",
        _last_words(mirror),
    )


def _last_words(mirror: TableMirror) -> str:
    points = mirror.settings.stake.WhichOneof("kind") == "points"
    return last_words(mirror.last_hand, _points if points else money)


def _open_cards(mirror: TableMirror) -> str:
    """Write the boards, one after the other, and what lies in the middle."""
    hand = mirror.hand
    if hand is None:
        return ""
    boards = [_cards(hand.board(number)) for number in range(max(1, hand.boards))]
    return " | ".join(filter(None, [*boards, _cards(hand.middle_cards())]))


def last_words(last: LastHand | None, amount: Callable[[int], str] = money) -> str:
    """Say how a hand ended: who won how much, written by `amount`, with what."""
    if last is None:
        return ""
    if last.void_reason:
        return f"hand {last.hand_no} void: {last.void_reason}"
    if not last.winners:
        return f"hand {last.hand_no}"
    words = [
        f"{winner.name or winner.player_id} wins {amount(winner.amount)}"
        + (f" with {winner.hand_name}" if winner.hand_name else "")
        for winner in last.winners
    ]
    return ", ".join(words)


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(cards_text((card,)) for card in cards)
