"""A table of each game that tables play, with as many of its options as fit together."""

import json
from collections.abc import Callable, Mapping
from typing import Final

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.games import GAMES, row_to_json
from tests.support.evening import minor, table_settings

_SMALL, _BIG = 2, 4


def game_table(game: str, *, seats: int = 6, **options: object) -> pb.TableSettings:
    """Return a table with blinds; amounts among the options are numbers."""
    settings = table_settings(seats=seats)
    settings.game.game = game
    for name, value in options.items():
        field = getattr(settings.game, name)
        if hasattr(field, "minor"):
            field.minor = value
        else:
            setattr(settings.game, name, value)
    return settings


def antes_table(game: str, *, seats: int = 6, ante: int = 1, **options: object) -> pb.TableSettings:
    """Return a table where everybody posts an ante and nobody a blind."""
    settings = game_table(game, seats=seats, **options)
    settings.game.ClearField("small_blind")
    settings.game.ClearField("big_blind")
    settings.game.ante.kind = pb.ANTE_KIND_EVERYONE
    settings.game.ante.amount.CopyFrom(minor(ante))
    return settings


def stud_table(game: str, **options: object) -> pb.TableSettings:
    """Return a stud table, $2/$4."""
    given = {"seats": 8, "small_bet": _SMALL, "big_bet": _BIG, **options}
    return antes_table(game, **given)  # type: ignore[arg-type]  # a number of seats among options


def short_deck_table(**options: object) -> pb.TableSettings:
    """Return a short deck table: antes of a big blind, and one by the button."""
    settings = game_table("short_deck", seats=9, **options)
    settings.game.ClearField("small_blind")
    return settings


def fixed_table(game: str) -> pb.TableSettings:
    """Return a fixed-limit table with blinds, $2/$4."""
    return game_table(game, structure=pb.BETTING_STRUCTURE_FIXED_LIMIT, big_bet=_BIG)


def custom_table() -> pb.TableSettings:
    """Return pineapple: three own cards, one of which is thrown away before the flop."""
    row = json.loads(row_to_json(GAMES["holdem"]))
    row.update(id="pineapple", name="pineapple", bomb_pots=False)
    row["streets"][0]["deals"][0]["count"] = 3
    row["streets"][1]["draw"] = {"min_discards": 1, "max_discards": 1, "replaced": False}
    settings = game_table("pineapple")
    settings.game.custom_row_json = json.dumps(row)
    return settings


def bomb_table(
    mode: pb.BombPotMode.ValueType, game: str = "omaha4", *, boards: int = 1, every_n: int = 0
) -> pb.TableSettings:
    """Return a table with bomb pots of 8."""
    settings = game_table(game)
    settings.bomb_pot.mode, settings.bomb_pot.boards = mode, boards
    settings.bomb_pot.amount.CopyFrom(minor(8))
    settings.bomb_pot.every_n = every_n
    return settings


_NO_LIMIT: Final = pb.BETTING_STRUCTURE_NO_LIMIT
_LEFT: Final = pb.SECOND_ROUND_FIRST_LEFT_OF_BUTTON

GAME_TABLES: Final[Mapping[str, Callable[[], pb.TableSettings]]] = {
    "holdem_double": lambda: game_table("holdem", boards=2),
    "omaha4": lambda: game_table("omaha4"),
    "omaha4_hilo": lambda: fixed_table("omaha4_hilo"),
    "omaha5": lambda: game_table("omaha5"),
    "omaha5_hilo_double": lambda: game_table("omaha5_hilo", boards=2),
    "omaha6": lambda: game_table("omaha6", seats=7, structure=_NO_LIMIT),
    "omaha6_double": lambda: game_table("omaha6", boards=2),
    "short_deck": short_deck_table,
    "short_deck_antes": lambda: short_deck_table(antes_only=True, trips_beat_straight=True),
    "swap_holdem": lambda: game_table("swap_holdem"),
    "swap_holdem_river_double": lambda: game_table("swap_holdem", boards=2, swap_on_river=True),
    "stud7": lambda: stud_table("stud7", bring_in=1),
    "stud7_hilo": lambda: stud_table(
        "stud7_hilo",
        open_pair_rule=False,
        seventh_shortage=pb.SEVENTH_SHORTAGE_RESHUFFLE_BURNS,
    ),
    "razz": lambda: stud_table("razz"),
    "draw5": lambda: game_table("draw5"),
    "draw5_antes": lambda: antes_table("draw5", min_bet=2, redeal_when_checked=True),
    "draw5_options": lambda: game_table(
        "draw5",
        jokers=1,
        joker=pb.JOKER_RULE_BUG,
        natural_wins_ties=True,
        max_draw=4,
        second_round_first=_LEFT,
    ),
    "draw27_single": lambda: game_table("draw27_single"),
    "draw27_triple": lambda: fixed_table("draw27_triple"),
    "badugi": lambda: fixed_table("badugi"),
    "mata_ases": lambda: antes_table("mata_ases", seats=8, ante=2),
    "mata_ases_same": lambda: antes_table(
        "mata_ases",
        ante=2,
        carry_for=pb.CARRY_FOR_SAME_PLAYERS,
        first_tie=pb.FIRST_TIE_LEFT_OF_BUTTON,
    ),
    "pineapple": custom_table,
    "bomb_every_hand": lambda: bomb_table(pb.BOMB_POT_MODE_EVERY_HAND, "holdem", boards=2),
    "bomb_every_n": lambda: bomb_table(pb.BOMB_POT_MODE_EVERY_N_HANDS, every_n=3),
    "bomb_circle": lambda: bomb_table(pb.BOMB_POT_MODE_ONCE_A_CIRCLE, "omaha4_hilo", boards=2),
    "bomb_vote": lambda: bomb_table(pb.BOMB_POT_MODE_WHEN_ALL_AGREE, "holdem"),
}
