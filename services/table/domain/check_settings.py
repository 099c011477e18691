"""Which settings a table can be opened with: everything else is refused, never ignored."""

import re
from collections.abc import Iterator
from typing import Any, Final

from google.protobuf.message import Message

from libs.floorapi.floor.common.v1 import errors_pb2
from libs.floorapi.floor.settings.v1 import settings_pb2 as pb
from libs.floorlog import LogError, StakeKind, from_amount, with_defaults
from libs.games import GAMES, GameRow
from services.table.domain.outcome import FloorRefusal

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
        "dealing",
    ]
)
# Options of which only these values are there.
_VALUES: Final[dict[str, tuple[object, ...]]] = {
    "game.game": ("holdem",),
    "game.structure": (
        pb.BETTING_STRUCTURE_NO_LIMIT,
        pb.BETTING_STRUCTURE_POT_LIMIT,
        pb.BETTING_STRUCTURE_FIXED_LIMIT,
    ),
    "game.boards": (1,),
    "game.min_raise": (pb.MIN_RAISE_RULE_INCREMENT, pb.MIN_RAISE_RULE_DOUBLE),
    "game.losers": (pb.LOSERS_RULE_SHOW, pb.LOSERS_RULE_MUCK),
    "game.ante.kind": (pb.ANTE_KIND_EVERYONE, pb.ANTE_KIND_BIG_BLIND),
    "seating.button": (pb.BUTTON_RULE_MOVING,),
    "seating.missed_blinds": (
        pb.MISSED_BLINDS_RULE_BIG_ONLY,
        pb.MISSED_BLINDS_RULE_BIG_AND_DEAD_SMALL,
    ),
    "seating.confirm_ready": (False,),
}
_CURRENCY: Final = re.compile("[A-Z]{3}")
_MOST_MINOR: Final = 10**12
_SHORTEST_BASE_MS: Final = 100
_LONGEST_MS: Final = 3_600_000
_MOST_SEATS: Final = 10


def check_settings(settings: pb.TableSettings) -> FloorRefusal | None:
    """Return why a table cannot be opened with these settings, or None.

    NOT_SUPPORTED for what is not there yet, BAD_SETTING for what makes no table; `field` is the
    path in the settings.
    """
    for path, value in _set_fields(settings, ""):
        if path not in _SUPPORTED or value not in _VALUES.get(path, (value,)):
            reason = f"{path} is not supported, or not with this value"
            return FloorRefusal(errors_pb2.ERROR_CODE_NOT_SUPPORTED, reason, path)
    for field, reason in _problems(settings):
        return FloorRefusal(errors_pb2.ERROR_CODE_BAD_SETTING, reason, field)
    return None


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
    if settings.stake.WhichOneof("kind") != "money":
        yield "stake", "what the table plays for is not said"
        return
    currency = settings.stake.money
    if not _CURRENCY.fullmatch(currency.code):
        yield "stake.money.code", "a currency has a code of three capital letters, as in ISO 4217"
    if currency.exponent > 8:
        yield "stake.money.exponent", "a currency has at most 8 decimal digits"
    if not settings.HasField("game"):
        yield "game", "which game is played is not said"
        return
    try:
        full = with_defaults(settings)
        chip = _amount(full, "smallest_chip")
        big_blind = _amount(full, "big_blind")
        yield from _game_problems(full, chip, big_blind)
    except LogError as error:
        yield error.field or "game", error.reason
        return
    yield from _seat_problems(full, GAMES[full.game.game])
    yield from _buy_in_problems(full.buy_in, chip, big_blind)
    yield from _clock_problems(full.clock)
    yield from _rake_problems(full.rake, chip)


def _amount(settings: pb.TableSettings, name: str) -> int:
    return from_amount(getattr(settings.game, name), StakeKind.MONEY, f"game.{name}")


def _game_problems(
    settings: pb.TableSettings, chip: int, big_blind: int
) -> Iterator[tuple[str, str]]:
    game = settings.game
    if not 1 <= chip <= _MOST_MINOR:
        yield "game.smallest_chip", f"no chip is worth {chip}"
        return
    amounts = [("big_blind", 1, _MOST_MINOR), ("small_blind", 0, big_blind)]
    if game.structure == pb.BETTING_STRUCTURE_FIXED_LIMIT:
        amounts += [("small_bet", big_blind, big_blind), ("big_bet", big_blind, _MOST_MINOR)]
    else:
        for name in ("small_bet", "big_bet"):
            if game.HasField(name):
                yield f"game.{name}", "only fixed-limit has bet sizes"
    for name, least, most in amounts:
        value = _amount(settings, name)
        if not least <= value <= most or value % chip:
            yield f"game.{name}", f"{value} is not {least} to {most} in chips of {chip}"
    if game.raise_cap > 100:
        yield "game.raise_cap", "at most 100 raises"
    yield from _ante_problems(game, chip)


def _ante_problems(game: pb.GameSettings, chip: int) -> Iterator[tuple[str, str]]:
    if game.ante.kind:
        ante = from_amount(game.ante.amount, StakeKind.MONEY, "game.ante.amount")
        if not 1 <= ante <= _MOST_MINOR or ante % chip:
            yield "game.ante.amount", f"an ante of {ante} in chips of {chip}"
    elif game.ante.HasField("amount"):
        yield "game.ante.kind", "an ante that nobody posts"


def _seat_problems(settings: pb.TableSettings, game: GameRow) -> Iterator[tuple[str, str]]:
    seats = settings.seats
    if not 2 <= seats <= min(game.max_seats, _MOST_SEATS):
        yield "seats", f"{game.name} is for 2 to {game.max_seats} seats, not {seats}"
    if not 1 <= settings.seating.misses_allowed <= 100:
        yield "seating.misses_allowed", "1 to 100 big blinds"


def _buy_in_problems(
    buy_in: pb.BuyInSettings, chip: int, big_blind: int
) -> Iterator[tuple[str, str]]:
    least, most = buy_in.min_minor, buy_in.max_minor
    if not big_blind <= least <= _MOST_MINOR or least % chip:
        yield "buy_in.min_minor", f"{least} is less than a big blind, or not in chips of {chip}"
    if not least <= most <= _MOST_MINOR or most % chip:
        yield "buy_in.max_minor", f"{most} is less than the minimum, or not in chips of {chip}"
    if buy_in.rat_hole_min > 7 * 24 * 60:
        yield "buy_in.rat_hole_min", "a window of at most a week"


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
    if players != sorted(set(players)) or len(players) > _MOST_SEATS:
        yield "rake.caps.players", "caps ascend by players"
    if any(not 0 <= cap.cap_minor <= _MOST_MINOR or cap.cap_minor % chip for cap in rake.caps):
        yield "rake.caps.cap_minor", f"caps are in chips of {chip}"
