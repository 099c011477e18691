"""A floor as lines and as a picture: pure, from what a watch knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rich.console import Group
from rich.table import Table
from rich.text import Text

from pokerfloor.api.table.v1 import view_pb2
from pokerfloor.board.watch import Watch, WatchedTable
from pokerfloor.cards import Card, cards_text
from pokerfloor.client import LastHand, TableMirror

_STATES: Final[Mapping[int, str]] = {
    view_pb2.TABLE_STATE_WAITING: "waiting",
    view_pb2.TABLE_STATE_PLAYING: "playing",
    view_pb2.TABLE_STATE_PAUSED: "paused",
    view_pb2.TABLE_STATE_CLOSING: "closing",
    view_pb2.TABLE_STATE_CLOSED: "closed",
}
_STYLES: Final = {"up": "green", "starting": "yellow", "restarting": "yellow", "failed": "bold red"}


def money(amount_minor: int) -> str:
    """Return an amount in minor units as text, in units of 100."""
    return f"{amount_minor / 100:,.2f}"


def _points(amount: int) -> str:
    return f"{amount} points" if amount != 1 else "1 point"


def plain_line(watch: Watch, hands_wanted: int, seconds: float) -> str:
    """Return in one line how the floor is doing."""
    tables = ", ".join(f"{table.table_id} {table.finished}" for table in watch.tables)
    ended = [table for table in watch.tables if table.mirror.last_hand is not None]
    last = max(ended, key=lambda table: table.mirror.last_step_at_ms, default=None)
    words = f"; last at {last.table_id}: {_last_hand_of(last.mirror)}" if last else ""
    wanted = f" of {hands_wanted}" if hands_wanted else ""
    return (
        f"{seconds:4.0f} s  {watch.finished}{wanted} hands ({tables}), "
        f"{watch.steps_a_second():.0f} steps/s, books {watch.books}{words}"
    )


def picture(watch: Watch, services: Mapping[str, str], hands_wanted: int, seconds: float) -> Group:
    """Draw the floor; `services` has the state of each by name, such as "up"."""
    grid = Table(expand=True, title="the floor", title_style="bold")
    for name in ("table", "state", "hands", "players", "street", "board", "pot", "last hand"):
        grid.add_column(name, justify="right" if name in ("hands", "pot") else "left")
    for table in watch.tables:
        grid.add_row(*_row(table))
    states = Text()
    for name, state in services.items():
        states.append(f"{name} ", style="dim")
        states.append(f"{state}   ", style=_STYLES.get(state, ""))
    wanted = f" of {hands_wanted}" if hands_wanted else ""
    total = Text(
        f"{watch.finished}{wanted} hands   {watch.steps_a_second():.0f} steps a second   "
        f"rake {money(watch.rake_minor)}   {seconds:.0f} s   Ctrl-C stops"
    )
    balanced = watch.books.startswith("in balance")
    books = Text.assemble("books ", (watch.books, "green" if balanced else "bold red"))
    return Group(grid, total, books, states)


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
        _revealed_cards(mirror),
        money(mirror.pot) if hand is not None else "",
        _last_hand_of(mirror),
    )


def _last_hand_of(mirror: TableMirror) -> str:
    points = mirror.settings.stake.WhichOneof("kind") == "points"
    return last_hand_text(mirror.last_hand, _points if points else money)


def _revealed_cards(mirror: TableMirror) -> str:
    """Return the boards, one after the other, and the community cards beside them."""
    hand = mirror.hand
    if hand is None:
        return ""
    boards = [_cards(hand.board(number)) for number in range(max(1, hand.boards))]
    return " | ".join(filter(None, [*boards, _cards(hand.community_cards())]))


def last_hand_text(last: LastHand | None, amount: Callable[[int], str] = money) -> str:
    """Return how a hand ended: who won how much, written by `amount`, with what."""
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
