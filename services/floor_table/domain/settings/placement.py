"""What is wrong with the settings of a table that plays OFC or Scoop (OFC-20, OFC-34)."""

from typing import Final

from floor_table.domain.settings.game import MOST_MINOR, Problems
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.limits import MAX_AMOUNT
from pokerfloor.tablelog import placement_game

#: Paths of the settings that only these tables have.
PLACEMENT_PATHS: Final = (
    "stake.points",
    "stake.points.currency",
    "stake.points.currency.code",
    "stake.points.currency.exponent",
    "stake.points.point_price_minor",
    "game.ofc",
    "game.ofc.mode",
    "game.ofc.fantasyland_heads_up",
    "game.ofc.stay_on_middle",
    "game.ofc.trips_cards",
    "game.ofc.joker_base",
    "game.ofc.own_row_copy",
    "game.ofc.five_of_a_kind",
    "game.ofc.closed_circle",
    "game.ofc.slow_player_sits_out",
)
#: Values of those options that there are.
PLACEMENT_VALUES: Final[dict[str, tuple[object, ...]]] = {
    "game.ofc.mode": (
        pb.OFC_MODE_REGULAR,
        pb.OFC_MODE_PROGRESSIVE,
        pb.OFC_MODE_ULTIMATE,
        pb.OFC_MODE_JOKER,
    ),
    "game.ofc.fantasyland_heads_up": (
        pb.FANTASYLAND_HEADS_UP_HIDDEN,
        pb.FANTASYLAND_HEADS_UP_OPEN_FIRST,
    ),
    "game.ofc.stay_on_middle": (
        pb.STAY_ON_MIDDLE_NONE,
        pb.STAY_ON_MIDDLE_FULL_HOUSE,
        pb.STAY_ON_MIDDLE_QUADS,
    ),
    "game.ofc.joker_base": (pb.OFC_MODE_REGULAR, pb.OFC_MODE_PROGRESSIVE, pb.OFC_MODE_ULTIMATE),
}

_OF_GAME: Final = {"ofc": frozenset({"game", "ofc"}), "scoop": frozenset({"game", "no_burn"})}
_ONLY_WITH_JOKERS: Final = ("joker_base", "own_row_copy", "five_of_a_kind")
_FEWEST_TRIPS_CARDS, _MOST_TRIPS_CARDS = 14, 17
_MOST_PRICE_MINOR: Final = 1_000_000_000


def placement_problems(settings: pb.TableSettings) -> Problems:
    """Yield (path, reason) for all that is wrong with the game of completed settings."""
    game = settings.game
    row = placement_game(game)
    for field, _ in game.ListFields():
        if field.name not in _OF_GAME[game.game]:
            yield f"game.{field.name}", f"{row.name} has no such option"
    if settings.HasField("bomb_pot"):
        yield "bomb_pot", f"{row.name} has no pots"
    if settings.HasField("rake") and settings.rake.ListFields():
        yield "rake", "no rake is taken from points"
    if not 2 <= settings.seats <= row.max_seats:
        yield "seats", f"{row.name} is for 2 to {row.max_seats} seats, not {settings.seats}"
    if game.game == "ofc":
        yield from _ofc_problems(game.ofc)


def _ofc_problems(ofc: pb.OfcSettings) -> Problems:
    if not _FEWEST_TRIPS_CARDS <= ofc.trips_cards <= _MOST_TRIPS_CARDS:
        reason = f"{ofc.trips_cards} is not {_FEWEST_TRIPS_CARDS} to {_MOST_TRIPS_CARDS} cards"
        yield "game.ofc.trips_cards", reason
    if ofc.mode != pb.OFC_MODE_JOKER:
        named = {field.name for field, _ in ofc.ListFields()}
        for name in _ONLY_WITH_JOKERS:
            if name in named:
                yield f"game.ofc.{name}", "only the mode with jokers has this"


def point_problems(settings: pb.TableSettings) -> Problems:
    """Yield what is wrong with the price of a point and with what is brought in it (OFC-20)."""
    price = settings.stake.points.point_price_minor
    if not 1 <= price <= _MOST_PRICE_MINOR:
        yield "stake.points.point_price_minor", f"a point is worth 1 to {_MOST_PRICE_MINOR}"
        return
    least, most = settings.buy_in.min_minor, settings.buy_in.max_minor
    if not 1 <= least <= MOST_MINOR or least % price:
        yield "buy_in.min_minor", f"{least} is no whole number of points of {price}"
    if not least <= most <= min(MOST_MINOR, MAX_AMOUNT) or most % price:
        reason = f"{most} is less than the minimum, or no whole number of points of {price}"
        yield "buy_in.max_minor", reason
