"""Placement games in settings and in a hand's beginning: OFC and Scoop."""

from typing import Final

from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.games import SeatStack
from pokerfloor.games.placement import (
    OFC,
    SCOOP,
    FantasylandHeadsUp,
    FantasylandSeat,
    PlacementSetup,
)
from pokerfloor.tablelog.amounts import StakeKind, from_amount
from pokerfloor.tablelog.enum_codes import look_up
from pokerfloor.tablelog.errors import LogError
from pokerfloor.tablelog.game_rows import placement_game

_BASE_MS: Final = {OFC.id: 90_000, SCOOP.id: 40_000}  # OFC-40, SCP-6
_TRIPS_CARDS: Final = 16
_TRIPS_CARDS_WITH_JOKERS: Final = 17
_HEADS_UP: Final = {
    pb.FANTASYLAND_HEADS_UP_UNSPECIFIED: FantasylandHeadsUp.HIDDEN,
    pb.FANTASYLAND_HEADS_UP_HIDDEN: FantasylandHeadsUp.HIDDEN,
    pb.FANTASYLAND_HEADS_UP_OPEN_FIRST: FantasylandHeadsUp.OPEN_FIRST,
}


def placement_setup(opened: HandBegan) -> PlacementSetup:
    """Return what a placement hand begins with. Raises LogError; the engine checks the rest."""
    game = placement_game(opened.game)
    if opened.forced_bets or opened.bomb_pot or opened.HasField("carried"):
        raise LogError("bets in a game that has none", "forced_bets")
    if opened.rake.rate_bp:
        raise LogError("rake from points", "rake.rate_bp")
    points = StakeKind.POINTS
    return PlacementSetup(
        hand_no=opened.hand_no,
        game=game,
        seats=tuple(
            [
                SeatStack(seat.seat, from_amount(seat.stack, points, "seats.stack"))
                for seat in opened.seats
            ]
        ),
        button=opened.button,
        fantasyland=tuple([FantasylandSeat(one.seat, one.cards) for one in opened.fantasyland]),
        fantasyland_heads_up=look_up(
            _HEADS_UP, opened.game.ofc.fantasyland_heads_up, "game.ofc.fantasyland_heads_up"
        ),
        burn=not opened.game.no_burn,
    )


def fill_placement_settings(settings: pb.TableSettings) -> None:
    """Fill in the defaults of a placement table that are not those of every table."""
    game = settings.game
    if game.game == OFC.id:
        _fill_ofc(game.ofc)
    settings.clock.base_ms = settings.clock.base_ms or _BASE_MS[game.game]
    if not settings.seating.HasField("confirm_ready"):  # TBL-6
        settings.seating.confirm_ready = True


def _fill_ofc(ofc: pb.OfcSettings) -> None:
    ofc.mode = ofc.mode or pb.OFC_MODE_REGULAR
    ofc.fantasyland_heads_up = ofc.fantasyland_heads_up or pb.FANTASYLAND_HEADS_UP_HIDDEN
    ofc.stay_on_middle = ofc.stay_on_middle or pb.STAY_ON_MIDDLE_NONE
    with_jokers = ofc.mode == pb.OFC_MODE_JOKER
    usual = _TRIPS_CARDS_WITH_JOKERS if with_jokers else _TRIPS_CARDS
    ofc.trips_cards = ofc.trips_cards or usual
    if with_jokers:
        ofc.joker_base = ofc.joker_base or pb.OFC_MODE_ULTIMATE
