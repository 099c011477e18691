"""The tables and who sits there."""

from collections import Counter

from deploy.local.tables import bot_plans, table_plans


def test_three_kinds_of_tables_with_ids_that_differ() -> None:
    tables = table_plans(7)
    assert [table.table_id for table in tables[:4]] == [
        "main-1-2",
        "big-5-10",
        "duel-2-4",
        "main-1-2-2",
    ]
    assert len({table.table_id for table in tables}) == 7
    assert tables[1].settings.rake.rate_bp == 500
    assert tables[2].settings.seats == 2
    assert tables[2].settings.game.ante.amount.minor == 100


def test_buy_ins_are_30_to_100_big_blinds() -> None:
    for table in table_plans(3):
        big_minor = table.settings.game.big_blind.minor
        assert table.settings.buy_in.min_minor == 30 * big_minor
        assert table.settings.buy_in.max_minor == 100 * big_minor


def test_bots_are_spread_and_never_more_than_there_is_room_for() -> None:
    tables = table_plans(3)
    assert Counter(bot.table_id for bot in bot_plans(tables, 6)) == {
        "main-1-2": 2,
        "big-5-10": 2,
        "duel-2-4": 2,
    }
    assert Counter(bot.table_id for bot in bot_plans(tables, 3)) == {"main-1-2": 2, "big-5-10": 1}
    all_of_them = bot_plans(tables, 500)
    assert len(all_of_them) == sum(table.bot_seats for table in tables)
    assert len({bot.player_id for bot in all_of_them}) == len(all_of_them)
