"""Tables of open-face Chinese and Scoop on one machine: stakes in points, one of each mode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from deploy.local.menu.betting import BETWEEN_HANDS_MS, CURRENCY, ROOM, Maker
from pokerfloor.api.settings.v1 import settings_pb2 as pb

_PRICE_MINOR: Final = 100
_LEAST_POINTS, _MOST_POINTS = 50, 200

_MODES: Final = {
    "regular": pb.OFC_MODE_REGULAR,
    "progressive": pb.OFC_MODE_PROGRESSIVE,
    "ultimate": pb.OFC_MODE_ULTIMATE,
    "joker": pb.OFC_MODE_JOKER,
}


def ofc_table(mode: str, *, seats: int = 3) -> pb.TableSettings:
    """Return a table of open-face Chinese in one of its modes."""
    settings = _points_table(f"OFC {mode}", seats)
    settings.game.game = "ofc"
    settings.game.ofc.mode = _MODES[mode]
    return settings


def scoop_table(*, seats: int = 4) -> pb.TableSettings:
    """Return a table of Scoop Hold'em."""
    settings = _points_table("Scoop", seats)
    settings.game.game = "scoop"
    return settings


def _points_table(name: str, seats: int) -> pb.TableSettings:
    settings = pb.TableSettings(name=name, room_id=ROOM, seats=seats)
    settings.stake.points.currency.CopyFrom(CURRENCY)
    settings.stake.points.point_price_minor = _PRICE_MINOR
    settings.buy_in.min_minor = _LEAST_POINTS * _PRICE_MINOR
    settings.buy_in.max_minor = _MOST_POINTS * _PRICE_MINOR
    # Bots come and go as they please; among people the rulebook's hour is the default.
    settings.buy_in.rat_hole_min = 0
    # The base time and the time bank are the rulebook's, as at every table.
    settings.clock.between_hands_ms = BETWEEN_HANDS_MS
    return settings


def points_table_by_name(name: str) -> pb.TableSettings | None:
    """Return the table of a name such as `ofc-joker`, `ofc` or `scoop`; None for any other."""
    words = name.strip().lower().replace("_", "-").split("-")
    match words:
        case ["scoop"]:
            return scoop_table()
        case ["ofc"]:
            return ofc_table("progressive")
        case ["ofc", mode] if mode in _MODES:
            return ofc_table(mode)
        case _:
            return None


def id_of_points_table(settings: pb.TableSettings) -> str:
    """Return what the ids of such tables begin with."""
    game = settings.game
    mode = next((word for word, code in _MODES.items() if code == game.ofc.mode), "")
    return "-".join(word for word in (game.game, mode) if word)


#: Table ids and makers: the four modes, at tables of three and of two, and Scoop.
POINTS_MENU: Final[Sequence[tuple[str, Maker]]] = (
    ("ofc-regular", lambda: ofc_table("regular")),
    ("ofc-progressive", lambda: ofc_table("progressive", seats=2)),
    ("ofc-ultimate", lambda: ofc_table("ultimate")),
    ("ofc-joker", lambda: ofc_table("joker", seats=2)),
    ("scoop", scoop_table),
)
