"""The tables to open, and which bots sit where."""

from __future__ import annotations

from dataclasses import dataclass

from deploy.local.menu.betting import BETTING_MENU, CURRENCY, Maker, game_settings_table
from deploy.local.menu.mixed import MIXED_MENU, mixed_table_by_name
from deploy.local.menu.points import POINTS_MENU, id_of_points_table, points_table_by_name
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.bots import BotPlan
from pokerfloor.operations import unit_price_minor
from pokerfloor.tablelog import game_row

# A game takes at most this much of a table's id; a number may follow.
_LONGEST_ID = 28

_NAMES = (
    *("Ada", "Bela", "Cleo", "Dana", "Emil", "Fay", "Gil", "Hana", "Ivo", "Juno", "Kai", "Lena"),
    *("Milo", "Nora", "Otis", "Pia", "Quin", "Rosa", "Sam", "Tess", "Uma", "Vito", "Wren", "Zoe"),
)


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table: its id, its settings, and how many bots may sit there."""

    table_id: str
    settings: settings_pb2.TableSettings
    bot_seats: int


def table_plans(count: int = 0, game: str = "") -> list[TablePlan]:
    """Return `count` tables; 0 is one of each on the menu, or one of `game` when it is named.

    Numbered from the second of a kind on. Raises UnknownGameError.
    """
    menu = (*BETTING_MENU, *MIXED_MENU, *POINTS_MENU)
    points = points_table_by_name(game)
    if points is not None:
        menu = ((id_of_points_table(points), lambda: _points(game)),)
    elif mixed_table_by_name(game) is not None:
        menu = ((_id_of_row(game.lower()), lambda: _mixed(game)),)
    elif game:
        settings = game_settings_table(game)
        menu = ((_id_of_row(game_row(settings.game).id), lambda: game_settings_table(game)),)
    return [_plan(*menu[at % len(menu)], at // len(menu) + 1) for at in range(count or len(menu))]


def _points(name: str) -> settings_pb2.TableSettings:
    settings = points_table_by_name(name)
    assert settings is not None, f"no table for points is called {name}"
    return settings


def _mixed(name: str) -> settings_pb2.TableSettings:
    settings = mixed_table_by_name(name)
    assert settings is not None, f"no table of several games is called {name}"
    return settings


def _plan(table_id: str, make: Maker, number: int) -> TablePlan:
    settings = make()
    # A seat is left for people, but at a duel.
    bots = settings.seats - 1 if settings.seats > 2 else 2
    if number > 1:
        table_id, settings.name = f"{table_id}-{number}", f"{settings.name} #{number}"
    return TablePlan(table_id, settings, bots)


def _id_of_row(row_id: str) -> str:
    return row_id.replace("_", "-")[:_LONGEST_ID]


def bot_plans(tables: list[TablePlan], count: int) -> list[BotPlan]:
    """Spread bots over the tables, two at each before any has a third, while there are seats."""
    places = [
        (number // 2, index, number)
        for index, table in enumerate(tables)
        for number in range(table.bot_seats)
    ]
    return [_bot(bot, tables[index]) for bot, (_, index, _) in enumerate(sorted(places)[:count])]


def _chip_minor(settings: settings_pb2.TableSettings) -> int:
    return settings.game.smallest_chip.minor or settings.mixed.smallest_chip.minor


def _bot(index: int, table: TablePlan) -> BotPlan:
    number = index // len(_NAMES)
    name = _NAMES[index % len(_NAMES)] + (f" {number + 1}" if number else "")
    buy_in = table.settings.buy_in
    unit_minor = unit_price_minor(table.settings)
    return BotPlan(
        player_id=f"bot-{index + 1:03d}",
        name=name,
        table_id=table.table_id,
        currency=CURRENCY.code,
        chip_minor=_chip_minor(table.settings) or unit_minor,
        unit_minor=unit_minor,
        min_buy_in_minor=buy_in.min_minor,
        max_buy_in_minor=buy_in.max_minor,
    )
