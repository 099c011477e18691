"""Tables of several games in each mode (MIX-2)."""

from collections.abc import Callable, Mapping
from typing import Final

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from tests.support.evening import minor, table_settings


def mixed_table(
    mode: pb.MixedMode.ValueType, *games: str, seats: int = 6, by_circle: bool = False
) -> pb.TableSettings:
    """Return a table of these games, blinds 1/2; without games, of the four by default."""
    settings = table_settings(seats=seats)
    settings.mixed.mode = mode
    settings.mixed.big_blind.CopyFrom(minor(2))
    if by_circle:
        settings.mixed.rotate = pb.ROTATE_CIRCLE
    for game in games:
        settings.mixed.games.add(game=game.removesuffix("_double"))
        if game.endswith("_double"):
            settings.mixed.games[-1].boards = 2
    return settings


def _with_bombs(settings: pb.TableSettings) -> pb.TableSettings:
    settings.bomb_pot.mode = pb.BOMB_POT_MODE_EVERY_N_HANDS
    settings.bomb_pot.every_n, settings.bomb_pot.boards = 3, 2
    settings.bomb_pot.amount.CopyFrom(minor(8))
    return settings


CHOICE: Final = pb.MIXED_MODE_DEALERS_CHOICE
RANDOM: Final = pb.MIXED_MODE_RANDOM
SEQUENCE: Final = pb.MIXED_MODE_SEQUENCE

MIXED_TABLES: Final[Mapping[str, Callable[[], pb.TableSettings]]] = {
    "mixed_choice": lambda: mixed_table(CHOICE, seats=7),
    "mixed_random": lambda: mixed_table(RANDOM, "holdem", "omaha4_hilo", "short_deck"),
    "mixed_hands": lambda: mixed_table(
        SEQUENCE, "holdem_double", "short_deck", "swap_holdem", "omaha5"
    ),
    "mixed_circle": lambda: _with_bombs(mixed_table(SEQUENCE, "holdem", "omaha4", by_circle=True)),
}
