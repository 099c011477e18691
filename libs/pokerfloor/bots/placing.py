"""What bots do only in OFC and Scoop: say that they are ready, and lay out their cards."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Final

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.bots.layouts import choose_layout
from pokerfloor.bots.scoop import choose_scoop
from pokerfloor.client import CommandRefused, NoAnswer, Placement, TableSession, Turn
from pokerfloor.games.placement import LayoutRow
from pokerfloor.scoring import Mode, OfcRules

_MODES: Final = {
    pb.OFC_MODE_UNSPECIFIED: Mode.REGULAR,
    pb.OFC_MODE_REGULAR: Mode.REGULAR,
    pb.OFC_MODE_PROGRESSIVE: Mode.PROGRESSIVE,
    pb.OFC_MODE_ULTIMATE: Mode.ULTIMATE,
    pb.OFC_MODE_JOKER: Mode.JOKER,
}
# How often a bot moves its cards in the open before it confirms.
_MOVES: Final = 0.3
# A refused answer is not sent again at once.
_REFUSED_S: Final = 1.0


async def say_ready_when_asked(session: TableSession) -> None:
    """Say ready whenever the table asks, until cancelled. Raises what ends the session."""
    while True:
        await session.wait_for(lambda mirror: mirror.asks_ready, None)
        with contextlib.suppress(CommandRefused, NoAnswer):
            await session.say_ready()
            await session.wait_for(lambda mirror: not mirror.asks_ready, 1_000)
            continue
        await asyncio.sleep(_REFUSED_S)


async def lay_out(turn: Turn, random: Random) -> None:
    """Lay out the cards of a turn; in the order received when not all are known."""
    placement = turn.placement
    assert placement is not None, "a turn to lay out"
    if len(placement.cards) != len(placement.slots):
        await turn.check_or_fold()
        return
    rows = choose_rows(turn.game, placement, turn.boards[0], random)
    if placement.moves and random.random() < _MOVES:
        for slot, row in zip(placement.slots, rows, strict=True):
            await turn.move(slot, row)
    await turn.lay_out(rows)


def choose_rows(
    game: pb.GameSettings, placement: Placement, board: tuple[int, ...], random: Random
) -> tuple[LayoutRow, ...]:
    """Return a row for each card of a turn."""
    if game.game == "scoop":
        return choose_scoop(placement.cards, board)
    laid: Mapping[LayoutRow, tuple[int, ...]] = placement.laid
    rules = _rules(game.ofc.mode)
    return choose_layout(laid, placement.cards, placement.to_place, rules, random)


@lru_cache(maxsize=8)
def _rules(mode: pb.OfcMode.ValueType) -> OfcRules:
    return OfcRules(mode=_MODES[mode])
