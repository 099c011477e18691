"""Tables of several games on one machine, and how bots choose the next one (MIX)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from random import Random
from typing import Final

from deploy.local.table_menu import Maker, game_settings_table
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.client import CommandRefused, NoAnswer, TableSession

_MODES: Final = {
    "choice": pb.MIXED_MODE_DEALERS_CHOICE,
    "random": pb.MIXED_MODE_RANDOM,
    "sequence": pb.MIXED_MODE_SEQUENCE,
}
_TITLES: Final = {
    "choice": "Mixed, dealer's choice",
    "random": "Mixed, at random",
    "sequence": "Mixed, in sequence",
}
# How often a bot leaves the choice to the draw; then the table waits its seven seconds.
_KEEPS_SILENT: Final = 0.05
# A refused answer is not sent again at once.
_REFUSED_S: Final = 1.0


def mixed_table(mode: str) -> pb.TableSettings:
    """Return a table of the four usual games in a mode: choice, random, sequence."""
    settings = game_settings_table("holdem", _TITLES[mode])
    chip, big_blind = settings.game.smallest_chip, settings.game.big_blind
    mixed = pb.MixedSettings(mode=_MODES[mode], smallest_chip=chip, big_blind=big_blind)
    settings.mixed.CopyFrom(mixed)
    return settings


def mixed_table_by_name(name: str) -> pb.TableSettings | None:
    """Return the table of a name such as `mixed` or `mixed-random`; None for any other."""
    words = name.strip().lower().replace("_", "-").split("-")
    match words:
        case ["mixed"]:
            return mixed_table("choice")
        case ["mixed", mode] if mode in _MODES:
            return mixed_table(mode)
        case _:
            return None


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


#: Table ids and makers.
MIXED_MENU: Final[Sequence[tuple[str, Maker]]] = (
    ("mixed", lambda: mixed_table("choice")),
    ("mixed-random", lambda: mixed_table("random")),
)
