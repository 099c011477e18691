"""A table of every game there is: for money, mixed games, OFC in all its modes, Scoop."""

from collections.abc import Callable, Mapping
from typing import Final

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from tests.support.floor import holdem_settings
from tests.support.game_tables import GAME_TABLES
from tests.support.mixed_tables import MIXED_TABLES
from tests.support.points_players import points_table


def ofc_table(mode: pb.OfcMode.ValueType, seats: int = 2) -> pb.TableSettings:
    """Return a table of open-face Chinese; a point is one euro."""
    settings = points_table("ofc", seats=seats)
    settings.game.ofc.mode = mode
    return settings


POINTS_TABLES: Final[Mapping[str, Callable[[], pb.TableSettings]]] = {
    "ofc_regular": lambda: ofc_table(pb.OFC_MODE_REGULAR),
    "ofc_progressive": lambda: ofc_table(pb.OFC_MODE_PROGRESSIVE),
    "ofc_ultimate": lambda: ofc_table(pb.OFC_MODE_ULTIMATE),
    "ofc_joker": lambda: ofc_table(pb.OFC_MODE_JOKER),
    "three_joker": lambda: ofc_table(pb.OFC_MODE_JOKER, seats=3),
    "scoop": lambda: points_table("scoop", seats=4),
}

#: Makers of settings by name; two to nine seats, and two for those that begin with "ofc".
EVERY_TABLE: Final[Mapping[str, Callable[[], pb.TableSettings]]] = {
    "holdem": lambda: holdem_settings(big_blind=4),
    **GAME_TABLES,
    **MIXED_TABLES,
    **POINTS_TABLES,
}
