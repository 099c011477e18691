"""The tables that the floor on one machine opens, and which bots sit where."""

from __future__ import annotations

from dataclasses import dataclass

from deploy.local.bot_life import BotPlan
from libs.floorapi.floor.common.v1 import money_pb2
from libs.floorapi.floor.settings.v1 import settings_pb2

CURRENCY = money_pb2.Currency(code="XPM", exponent=2)
_ROOM = "main-room"
# Quick enough for bots and long enough for people to see how a hand ended.
_BETWEEN_HANDS_MS = 250
_BASE_MS = 5_000
_BANK_MS = 5_000

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


def table_plans(count: int) -> list[TablePlan]:
    """Give `count` tables: a main, a big and a duel table in turn, numbered from the second on."""
    makers = (_main_table, _big_table, _duel_table)
    return [makers[index % len(makers)](index // len(makers) + 1) for index in range(count)]


def bot_plans(tables: list[TablePlan], count: int) -> list[BotPlan]:
    """Spread bots over the tables, two each before any has a third, as far as there is room."""
    places = [
        (number // 2, index, number)
        for index, table in enumerate(tables)
        for number in range(table.bot_seats)
    ]
    return [_bot(bot, tables[index]) for bot, (_, index, _) in enumerate(sorted(places)[:count])]


def _bot(index: int, table: TablePlan) -> BotPlan:
    number = index // len(_NAMES)
    name = _NAMES[index % len(_NAMES)] + (f" {number + 1}" if number else "")
    buy_in = table.settings.buy_in
    return BotPlan(
        player_id=f"bot-{index + 1:03d}",
        name=name,
        table_id=table.table_id,
        currency=CURRENCY.code,
        chip_minor=table.settings.game.smallest_chip.minor,
        min_buy_in_minor=buy_in.min_minor,
        max_buy_in_minor=buy_in.max_minor,
    )


def _main_table(number: int) -> TablePlan:
    settings = _holdem("Main 1/2", number, seats=6, small_minor=100, big_minor=200)
    return TablePlan(_id("main-1-2", number), settings, bot_seats=5)


def _big_table(number: int) -> TablePlan:
    settings = _holdem("Big 5/10", number, seats=6, small_minor=500, big_minor=1_000)
    settings.rake.rate_bp = 500
    settings.rake.caps.add(players=2, cap_minor=1_000)
    settings.rake.caps.add(players=4, cap_minor=3_000)
    return TablePlan(_id("big-5-10", number), settings, bot_seats=5)


def _duel_table(number: int) -> TablePlan:
    settings = _holdem("Duel 2/4", number, seats=2, small_minor=200, big_minor=400)
    settings.game.ante.kind = settings_pb2.ANTE_KIND_EVERYONE
    settings.game.ante.amount.minor = 100
    return TablePlan(_id("duel-2-4", number), settings, bot_seats=2)


def _holdem(
    name: str, number: int, *, seats: int, small_minor: int, big_minor: int
) -> settings_pb2.TableSettings:
    settings = settings_pb2.TableSettings(
        name=name if number == 1 else f"{name} #{number}", room_id=_ROOM, seats=seats
    )
    settings.stake.money.CopyFrom(CURRENCY)
    settings.game.game = "holdem"
    settings.game.smallest_chip.minor = 100
    settings.game.small_blind.minor = small_minor
    settings.game.big_blind.minor = big_minor
    settings.buy_in.min_minor = 30 * big_minor
    settings.buy_in.max_minor = 100 * big_minor
    # Bots come and go as they please; among people the rulebook's hour is the default.
    settings.buy_in.rat_hole_min = 0
    settings.clock.base_ms = _BASE_MS
    settings.clock.bank_ms = _BANK_MS
    settings.clock.between_hands_ms = _BETWEEN_HANDS_MS
    return settings


def _id(base: str, number: int) -> str:
    return base if number == 1 else f"{base}-{number}"
