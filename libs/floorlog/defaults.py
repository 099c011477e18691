"""The rulebook's defaults, filled in where a table's settings leave them open."""

from typing import Final

from libs.floorapi.floor.common.v1.money_pb2 import Amount
from libs.floorapi.floor.settings.v1 import settings_pb2 as pb
from libs.floorlog.amounts import StakeKind, from_amount, stake_kind, to_amount

BASE_MS: Final = 20_000
BANK_MS: Final = 30_000
BANK_CAP_MS: Final = 60_000
BANK_REFILL_MS: Final = 5_000
BANK_REFILL_HANDS: Final = 10
RAT_HOLE_MIN: Final = 60
MISSES_ALLOWED: Final = 3
RAISE_CAP: Final = 3


def with_defaults(settings: pb.TableSettings) -> pb.TableSettings:
    """Return a copy in which every option of a betting table stands as it will be played by.

    What has no default (the big blind, the buy-ins, ...) stays as it is. Raises LogError for a
    stake that is not set or an amount of another kind.
    """
    full = pb.TableSettings()
    full.CopyFrom(settings)
    if full.HasField("game"):
        _fill_game(full.game, stake_kind(full.stake))
    if not full.buy_in.HasField("rat_hole_min"):
        full.buy_in.rat_hole_min = RAT_HOLE_MIN
    _fill_clock(full.clock)
    seating = full.seating
    seating.button = seating.button or pb.BUTTON_RULE_MOVING
    seating.missed_blinds = seating.missed_blinds or pb.MISSED_BLINDS_RULE_BIG_ONLY
    seating.misses_allowed = seating.misses_allowed or MISSES_ALLOWED
    if not seating.HasField("confirm_ready"):
        seating.confirm_ready = False
    return full


def _fill_clock(clock: pb.ClockSettings) -> None:
    clock.base_ms = clock.base_ms or BASE_MS
    clock.bank_refill_hands = clock.bank_refill_hands or BANK_REFILL_HANDS
    if not clock.HasField("bank_ms"):
        clock.bank_ms = BANK_MS
    if not clock.HasField("bank_cap_ms"):
        clock.bank_cap_ms = BANK_CAP_MS
    if not clock.HasField("bank_refill_ms"):
        clock.bank_refill_ms = BANK_REFILL_MS


def _fill_game(game: pb.GameSettings, kind: StakeKind) -> None:
    game.structure = game.structure or pb.BETTING_STRUCTURE_NO_LIMIT
    fixed = game.structure == pb.BETTING_STRUCTURE_FIXED_LIMIT
    if not game.HasField("smallest_chip"):
        game.smallest_chip.CopyFrom(to_amount(1, kind))
    if fixed and game.HasField("small_bet"):  # BET-32
        _fill(game, "big_blind", from_amount(game.small_bet, kind, "game.small_bet"), kind)
    if game.HasField("big_blind"):
        chip = from_amount(game.smallest_chip, kind, "game.smallest_chip")
        big_blind = from_amount(game.big_blind, kind, "game.big_blind")
        if fixed:
            _fill(game, "small_bet", big_blind, kind)
        half = big_blind // 2
        _fill(game, "small_blind", half - half % chip if chip > 0 else half, kind)
    game.boards = game.boards or 1
    game.min_raise = game.min_raise or pb.MIN_RAISE_RULE_INCREMENT
    game.losers = game.losers or pb.LOSERS_RULE_SHOW
    game.raise_cap = game.raise_cap or RAISE_CAP
    if not game.HasField("heads_up_uncapped"):
        game.heads_up_uncapped = False


def _fill(game: pb.GameSettings, name: str, value: int, kind: StakeKind) -> None:
    if not game.HasField(name):  # type: ignore[arg-type]  # one of the amounts named above
        field: Amount = getattr(game, name)
        field.CopyFrom(to_amount(value, kind))
