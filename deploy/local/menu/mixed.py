"""Tables of several games on one machine (MIX)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deploy.local.menu.betting import Maker, game_settings_table
from pokerfloor.api.settings.v1 import settings_pb2 as pb

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


#: Table ids and makers.
MIXED_MENU: Final[Sequence[tuple[str, Maker]]] = (
    ("mixed", lambda: mixed_table("choice")),
    ("mixed-random", lambda: mixed_table("random")),
)
