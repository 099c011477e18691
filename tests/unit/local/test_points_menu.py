"""Tables for points on one machine: they open, bots fit in, and the books count money."""

from __future__ import annotations

from random import Random

import pytest

from deploy.local.board import last_words
from deploy.local.books import table_differences
from deploy.local.points_life import choose_rows
from deploy.local.points_menu import POINTS_MENU, point_price_minor, points_table_by_name
from deploy.local.tables import bot_plans, table_plans
from floor_table.domain.settings.check import check_settings
from pokerfloor.api.common.v1.money_pb2 import Amount
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.api.table.v1 import table_pb2, view_pb2
from pokerfloor.api.wallet.v1 import wallet_pb2
from pokerfloor.cards import parse_cards
from pokerfloor.client import LastHand, Placement, Winner
from pokerfloor.games.placement import LayoutRow


@pytest.mark.rule("OFC-34", "SCP-1")
def test_all_modes_and_scoop_are_on_the_menu() -> None:
    tables = {table.table_id: table.settings for table in table_plans()}
    modes = {tables[name].game.ofc.mode for name in tables if name.startswith("ofc-")}
    assert modes == {
        pb.OFC_MODE_REGULAR,
        pb.OFC_MODE_PROGRESSIVE,
        pb.OFC_MODE_ULTIMATE,
        pb.OFC_MODE_JOKER,
    }
    seats = {tables[name].seats for name in tables if name.startswith("ofc-")}
    assert seats == {2, 3}
    assert tables["scoop"].seats == 4
    for name, make in POINTS_MENU:
        assert check_settings(make()) is None, name


def test_games_by_name() -> None:
    assert [one.table_id for one in table_plans(2, "OFC_joker")] == ["ofc-joker", "ofc-joker-2"]
    (scoop,) = table_plans(game="scoop")
    assert (scoop.table_id, scoop.bot_seats) == ("scoop", 3)
    assert [one.table_id for one in table_plans(game="ofc")] == ["ofc-progressive"]
    assert points_table_by_name("ofc-snap") is None


def test_bots_buy_whole_points() -> None:
    tables = table_plans(game="ofc-regular")
    for bot in bot_plans(tables, 5):
        assert bot.chip_minor == bot.unit_minor == point_price_minor(tables[0].settings)
        assert bot.min_buy_in_minor % bot.chip_minor == 0


def test_the_books_count_points_at_their_price() -> None:
    settings = points_table_by_name("scoop")
    assert settings is not None
    seat = view_pb2.SeatView(
        seat=1, state=view_pb2.SEAT_STATE_PLAYING, player_id="ann", stack=Amount(points=7)
    )
    view = view_pb2.TableView(table_id="t", settings=settings, seats=[seat])
    snapshot = table_pb2.Snapshot(table=view)
    price = point_price_minor(settings)
    escrow = wallet_pb2.AuditTableResponse(escrow_minor=7 * price)
    escrow.escrow.add(player_id="ann", amount_minor=7 * price)
    assert table_differences("t", snapshot, escrow) == []
    escrow.escrow[0].amount_minor = escrow.escrow_minor = 7
    assert len(table_differences("t", snapshot, escrow)) == 2


def test_points_are_no_money_on_the_board() -> None:
    last = LastHand(1, {1: 5, 2: -5}, 0, (Winner(1, "ann", "Ann", 5, ""),), ())
    assert last_words(last, lambda points: f"{points} points") == "Ann wins 5 points"


def test_a_bot_lays_out_what_it_is_asked() -> None:
    room = {LayoutRow.TOP: 2, LayoutRow.MIDDLE: 2, LayoutRow.BOTTOM: 2}
    cards = parse_cards("AsAdKcKd2h2c9s")
    seven = Placement(0, tuple(range(1, 8)), cards, 6, room, {}, moves=False, hidden=True)
    rows = choose_rows(pb.GameSettings(game="scoop"), seven, parse_cards("Ah3d4s"), Random(1))
    assert rows.count(LayoutRow.DISCARD) == 1
    assert [card for card, row in zip(cards, rows, strict=True) if row is LayoutRow.TOP] == [
        *parse_cards("AsAd")
    ]
    game = pb.GameSettings(game="ofc")
    game.ofc.mode = pb.OFC_MODE_JOKER
    open_room = {LayoutRow.TOP: 3, LayoutRow.MIDDLE: 5, LayoutRow.BOTTOM: 5}
    five = Placement(0, (1, 2, 3, 4, 5), cards[:5], 5, open_room, {}, moves=True, hidden=False)
    assert LayoutRow.DISCARD not in choose_rows(game, five, (), Random(1))
