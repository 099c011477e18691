"""Tables for points on one machine: they open, and bots fit in."""

from __future__ import annotations

import pytest

from deploy.local.menu import bot_plans, table_plans
from deploy.local.menu.points import POINTS_MENU, points_table_by_name
from floor_table.domain.settings.check import check_settings
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.operations import unit_price_minor


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
        assert bot.chip_minor == bot.unit_minor == unit_price_minor(tables[0].settings)
        assert bot.min_buy_in_minor % bot.chip_minor == 0
