"""Which settings a table can be opened with: everything else is refused, never ignored."""

import re
from collections.abc import Iterator
from typing import Any, Final

from google.protobuf.message import Message

from floor_table.domain.settings.game import (
    MOST_MINOR,
    MOST_SEATS,
    bomb_pot_problems,
    game_problems,
    least_bet,
)
from floor_table.domain.settings.mixed import MIXED_PATHS, MIXED_VALUES, in_mix, mixed_problems
from floor_table.domain.settings.placement import (
    PLACEMENT_PATHS,
    PLACEMENT_VALUES,
    placement_problems,
    point_problems,
)
from pokerfloor.api.common.v1 import errors_pb2
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.games import GAMES
from pokerfloor.games.placement import PLACEMENT_GAMES
from pokerfloor.refusal import Refusal
from pokerfloor.tablelog import (
    LogError,
    StakeKind,
    from_amount,
    is_placement_game,
    one_of_mix,
    with_defaults,
)

# Every path of the settings that means something here. What is not named is not supported yet, so
# that a new option is refused until somebody has read this list.
_SUPPORTED: Final = frozenset(
    [
        "name",
        "room_id",
        "seats",
        "stake",
        "stake.money",
        "stake.money.code",
        "stake.money.exponent",
        "game",
        "game.game",
        "game.structure",
        "game.boards",
        "game.min_raise",
        "game.losers",
        "game.raise_cap",
        "game.heads_up_uncapped",
        "game.no_burn",
        "game.smallest_chip",
        "game.smallest_chip.minor",
        "game.small_blind",
        "game.small_blind.minor",
        "game.big_blind",
        "game.big_blind.minor",
        "game.small_bet",
        "game.small_bet.minor",
        "game.big_bet",
        "game.big_bet.minor",
        "game.ante",
        "game.ante.kind",
        "game.ante.amount",
        "game.ante.amount.minor",
        "game.min_bet",
        "game.min_bet.minor",
        "game.short_blind_counts_full",
        "game.trips_beat_straight",
        "game.antes_only",
        "game.swap_on_river",
        "game.bring_in",
        "game.bring_in.minor",
        "game.open_pair_rule",
        "game.seventh_shortage",
        "game.jokers",
        "game.joker",
        "game.natural_wins_ties",
        "game.second_round_first",
        "game.redeal_when_checked",
        "game.max_draw",
        "game.first_tie",
        "game.carry_for",
        "game.custom_row_json",
        "bomb_pot",
        "bomb_pot.mode",
        "bomb_pot.amount",
        "bomb_pot.amount.minor",
        "bomb_pot.boards",
        "bomb_pot.every_n",
        "buy_in",
        "buy_in.min_minor",
        "buy_in.max_minor",
        "buy_in.rat_hole_min",
        "clock",
        "clock.base_ms",
        "clock.bank_ms",
        "clock.bank_cap_ms",
        "clock.bank_refill_ms",
        "clock.bank_refill_hands",
        "clock.between_hands_ms",
        "rake",
        "rake.rate_bp",
        "rake.caps",
        "rake.caps.players",
        "rake.caps.cap_minor",
        "rake.also_without_flop",
        "seating",
        "seating.button",
        "seating.missed_blinds",
        "seating.confirm_ready",
        "seating.misses_allowed",
        *MIXED_PATHS,
        *PLACEMENT_PATHS,
    ]
)
# Options of which only these values are there.
_VALUES: Final[dict[str, tuple[object, ...]]] = {
    "game.structure": (
        pb.BETTING_STRUCTURE_NO_LIMIT,
        pb.BETTING_STRUCTURE_POT_LIMIT,
        pb.BETTING_STRUCTURE_FIXED_LIMIT,
    ),
    "game.boards": (1, 2),
    "game.min_raise": (pb.MIN_RAISE_RULE_INCREMENT, pb.MIN_RAISE_RULE_DOUBLE),
    "game.losers": (pb.LOSERS_RULE_SHOW, pb.LOSERS_RULE_MUCK),
    "game.ante.kind": (pb.ANTE_KIND_EVERYONE, pb.ANTE_KIND_BIG_BLIND),
    "game.seventh_shortage": (
        pb.SEVENTH_SHORTAGE_COMMUNITY,
        pb.SEVENTH_SHORTAGE_RESHUFFLE_BURNS,
    ),
    "game.joker": (pb.JOKER_RULE_WILD, pb.JOKER_RULE_BUG),
    "game.second_round_first": (
        pb.SECOND_ROUND_FIRST_AS_FIRST,
        pb.SECOND_ROUND_FIRST_LEFT_OF_BUTTON,
    ),
    "game.first_tie": (pb.FIRST_TIE_RIGHT_OF_BUTTON, pb.FIRST_TIE_LEFT_OF_BUTTON),
    "game.carry_for": (pb.CARRY_FOR_NEXT_DEAL, pb.CARRY_FOR_SAME_PLAYERS),
    "bomb_pot.boards": (1, 2),
    "bomb_pot.mode": (
        pb.BOMB_POT_MODE_WHEN_ALL_AGREE,
        pb.BOMB_POT_MODE_EVERY_HAND,
        pb.BOMB_POT_MODE_EVERY_N_HANDS,
        pb.BOMB_POT_MODE_ONCE_A_CIRCLE,
        pb.BOMB_POT_MODE_NEVER,
    ),
    "seating.button": (pb.BUTTON_RULE_MOVING,),
    "seating.missed_blinds": (
        pb.MISSED_BLINDS_RULE_BIG_ONLY,
        pb.MISSED_BLINDS_RULE_BIG_AND_DEAD_SMALL,
    ),
    "seating.confirm_ready": (False, True),
    **MIXED_VALUES,
    **PLACEMENT_VALUES,
}
_CURRENCY: Final = re.compile("[A-Z]{3}")
_SHORTEST_BASE_MS: Final = 100
_LONGEST_MS: Final = 3_600_000


def check_settings(settings: pb.TableSettings) -> Refusal | None:
    """Return why a table cannot be opened with these settings, or None.

    NOT_SUPPORTED for what is not there yet, BAD_SETTING for what makes no table; `field` is the
    path in the settings.
    """
    for path, value in _set_fields(settings, ""):
        if path not in _SUPPORTED or value not in _values(path, value):
            reason = f"{path} is not supported, or not with this value"
            return Refusal(errors_pb2.ERROR_CODE_NOT_SUPPORTED, reason, path)
    game = settings.game
    known = {*GAMES, *PLACEMENT_GAMES}
    if game.game and not game.custom_row_json and game.game not in known:
        reason = f"the games are {', '.join(sorted(known))}"
        return Refusal(errors_pb2.ERROR_CODE_NOT_SUPPORTED, reason, "game.game")
    for field, reason in _problems(settings):
        return Refusal(errors_pb2.ERROR_CODE_BAD_SETTING, reason, field)
    return None


def _values(path: str, value: object) -> tuple[object, ...]:
    """Return which values a path may have; games of a mix have those of any game."""
    of_game = path.replace("mixed.games.", "game.", 1)
    return _VALUES.get(path, _VALUES.get(of_game, (value,)))


def _set_fields(message: Message, prefix: str) -> Iterator[tuple[str, Any]]:
    """Yield the path and the value of each field that is set; messages stand as their path."""
    for field, value in message.ListFields():
        path = prefix + field.name
        if field.message_type is None:
            yield path, value
            continue
        yield path, path
        for part in value if field.is_repeated else (value,):
            yield from _set_fields(part, f"{path}.")


def _problems(settings: pb.TableSettings) -> Iterator[tuple[str, str]]:
    if not 1 <= len(settings.name) <= 64 or not settings.name.isprintable():
        yield "name", "a name has 1 to 64 printable characters"
    if len(settings.room_id) > 64:
        yield "room_id", "a room's id has at most 64 characters"
    kind = settings.stake.WhichOneof("kind")
    points = is_placement_game(settings.game)
    if kind != ("points" if points else "money"):
        reason = "OFC and Scoop play for points, betting games for money"
        yield "stake", reason if kind else "what the table plays for is not said"
        return
    path = "stake.points.currency" if points else "stake.money"
    currency = settings.stake.points.currency if points else settings.stake.money
    if not _CURRENCY.fullmatch(currency.code):
        yield f"{path}.code", "a currency has a code of three capital letters, as in ISO 4217"
    if currency.exponent > 8:
        yield f"{path}.exponent", "a currency has at most 8 decimal digits"
    if settings.WhichOneof("play") is None:
        yield "game", "which game is played is not said"
        return
    yield from _points_table_problems(settings) if points else _playing_problems(settings)


def _points_table_problems(settings: pb.TableSettings) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a table of OFC or Scoop."""
    try:
        full = with_defaults(settings)
    except LogError as error:
        yield error.field or "game", error.reason
        return
    yield from placement_problems(full)
    yield from point_problems(full)
    yield from _common_problems(full)


def _playing_problems(settings: pb.TableSettings) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the game or games, and then with what is reckoned in their bets."""
    mixed = settings.HasField("mixed")
    try:
        full = with_defaults(settings)
        found = list(mixed_problems(full, StakeKind.MONEY) if mixed else _one_game(full))
        one = one_of_mix(full, full.mixed.games[0]) if mixed else full
        chip = from_amount(one.game.smallest_chip, StakeKind.MONEY, "game.smallest_chip")
        least = 0 if found else least_bet(one, StakeKind.MONEY)
    except LogError as error:
        field = error.field or "game"
        yield in_mix(field) if mixed else field, error.reason
        return
    if found:
        yield found[0]
        return
    yield from _buy_in_problems(full.buy_in, chip, least)
    yield from _common_problems(full)
    yield from _rake_problems(full.rake, chip)


def _one_game(full: pb.TableSettings) -> Iterator[tuple[str, str]]:
    found = list(game_problems(full, StakeKind.MONEY))
    yield from found
    if not found and full.HasField("bomb_pot"):
        yield from bomb_pot_problems(full, StakeKind.MONEY)


def _common_problems(full: pb.TableSettings) -> Iterator[tuple[str, str]]:
    """Yield what can be wrong with a table of any game."""
    if not 1 <= full.seating.misses_allowed <= 100:
        yield "seating.misses_allowed", "1 to 100 big blinds"
    if full.buy_in.rat_hole_min > 7 * 24 * 60:
        yield "buy_in.rat_hole_min", "a window of at most a week"
    yield from _clock_problems(full.clock)


def _buy_in_problems(
    buy_in: pb.BuyInSettings, chip: int, least_bet_minor: int
) -> Iterator[tuple[str, str]]:
    least, most = buy_in.min_minor, buy_in.max_minor
    if not least_bet_minor <= least <= MOST_MINOR or least % chip:
        reason = f"{least} is less than a bet of {least_bet_minor}, or not in chips of {chip}"
        yield "buy_in.min_minor", reason
    if not least <= most <= MOST_MINOR or most % chip:
        yield "buy_in.max_minor", f"{most} is less than the minimum, or not in chips of {chip}"


def _clock_problems(clock: pb.ClockSettings) -> Iterator[tuple[str, str]]:
    for name in ("base_ms", "bank_ms", "bank_cap_ms", "bank_refill_ms", "between_hands_ms"):
        value: int = getattr(clock, name)
        if value > _LONGEST_MS:
            yield f"clock.{name}", f"{value} ms is more than an hour"
    if clock.base_ms < _SHORTEST_BASE_MS:
        yield "clock.base_ms", f"a decision has at least {_SHORTEST_BASE_MS} ms"
    if clock.bank_cap_ms < clock.bank_ms:
        yield "clock.bank_cap_ms", "less than the time bank begins with"
    if clock.bank_refill_hands > 10_000:
        yield "clock.bank_refill_hands", "at most 10,000 hands"


def _rake_problems(rake: pb.RakeSettings, chip: int) -> Iterator[tuple[str, str]]:
    if rake.rate_bp > 2_000:
        yield "rake.rate_bp", "at most 2,000 basis points"
    players = [cap.players for cap in rake.caps]
    if players != sorted(set(players)) or len(players) > MOST_SEATS:
        yield "rake.caps.players", "caps ascend by players"
    if any(not 0 <= cap.cap_minor <= MOST_MINOR or cap.cap_minor % chip for cap in rake.caps):
        yield "rake.caps.cap_minor", f"caps are in chips of {chip}"
