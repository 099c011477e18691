"""The tables and who sits there."""

from collections import Counter

import pytest

from deploy.local.menu import UnknownGameError, bot_plans, table_plans
from deploy.local.menu.betting import game_settings_table
from deploy.local.menu.points import ofc_table, scoop_table
from floor_table.domain.settings.check import check_settings
from pokerfloor.games import GAMES
from pokerfloor.games.placement import PLACEMENT_GAMES
from pokerfloor.tablelog import GAME_OPTIONS, game_row, placement_game, with_defaults


def test_one_table_of_each_on_the_menu_and_then_again_with_numbers() -> None:
    menu = table_plans()
    ids = [table.table_id for table in menu]
    assert ids[:3] == ["main-1", "big-1", "duel-1"]
    assert len(set(ids)) == len(ids)
    assert menu[1].settings.rake.rate_bp == 500
    assert menu[2].settings.seats == 2
    assert menu[2].settings.game.ante.amount.minor == 100
    more = table_plans(len(menu) + 2)
    assert [table.table_id for table in more[len(menu) :]] == ["main-1-2", "big-1-2"]
    assert more[len(menu)].settings.name == "Main 1/2 #2"


def test_every_table_on_the_menu_can_be_opened() -> None:
    families = {table.settings.game.game for table in table_plans()}
    assert families >= {"holdem", "omaha4", "short_deck", "swap_holdem", "stud7", "draw5", "badugi"}
    for table in table_plans():
        assert check_settings(table.settings) is None, table.table_id
        assert 2 <= table.bot_seats <= table.settings.seats


@pytest.mark.parametrize("row_id", GAMES)
def test_every_game_of_the_catalogue_opens_at_a_table_by_its_id(row_id: str) -> None:
    settings = game_settings_table(row_id)
    row = game_row(settings.game)
    for option, _ in GAME_OPTIONS.values():
        settings.game.ClearField(option)  # type: ignore[arg-type]  # options are named in a table
    settings.game.game = row_id
    assert check_settings(settings) is None
    assert game_row(with_defaults(settings).game) is row


@pytest.mark.parametrize("row_id", PLACEMENT_GAMES)
def test_every_placement_game_opens_at_a_table_by_its_id(row_id: str) -> None:
    settings = scoop_table() if row_id == "scoop" else ofc_table("regular")
    settings.game.ofc.ClearField("mode")
    settings.game.game = row_id
    if row_id == "scoop":
        settings.game.ClearField("ofc")
    assert check_settings(settings) is None
    assert placement_game(with_defaults(settings).game).id == row_id


@pytest.mark.rule("CLK-1", "OFC-40", "SCP-6")
def test_every_table_has_a_clock_for_people() -> None:
    seconds = {"ofc": 90, "scoop": 40}
    for table in table_plans():
        clock = with_defaults(table.settings).clock
        base_s = seconds.get(table.settings.game.game, 20)
        assert (clock.base_ms, clock.bank_ms) == (base_s * 1_000, 30_000), table.table_id


def test_one_game_by_its_name() -> None:
    (table,) = table_plans(game="plo6-double-board")
    assert (table.table_id, table.settings.game.boards) == ("omaha6-double", 2)
    assert [one.table_id for one in table_plans(2, "stud")] == ["stud7", "stud7-2"]
    with pytest.raises(UnknownGameError):
        table_plans(game="snap")


def test_tables_of_several_games() -> None:
    menu = {table.table_id: table.settings for table in table_plans()}
    assert {"mixed", "mixed-random"} <= menu.keys()
    (table,) = table_plans(game="mixed-sequence")
    assert (table.table_id, table.settings.mixed.mode) == ("mixed-sequence", 3)
    (bot,) = bot_plans([table], 1)
    assert bot.chip_minor == 100


def test_buy_ins_are_30_to_100_big_blinds() -> None:
    for table in table_plans(3):
        big_minor = table.settings.game.big_blind.minor
        assert table.settings.buy_in.min_minor == 30 * big_minor
        assert table.settings.buy_in.max_minor == 100 * big_minor


def test_bots_are_spread_and_never_more_than_there_is_room_for() -> None:
    tables = table_plans(3)
    assert Counter(bot.table_id for bot in bot_plans(tables, 6)) == {
        "main-1": 2,
        "big-1": 2,
        "duel-1": 2,
    }
    assert Counter(bot.table_id for bot in bot_plans(tables, 3)) == {"main-1": 2, "big-1": 1}
    all_of_them = bot_plans(tables, 500)
    assert len(all_of_them) == sum(table.bot_seats for table in tables)
    assert len({bot.player_id for bot in all_of_them}) == len(all_of_them)
