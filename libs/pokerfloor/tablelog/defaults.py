"""The rulebook's defaults, filled in where a table's settings leave them open."""

from typing import Final

from pokerfloor.api.common.v1.money_pb2 import Amount
from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.games import GameRow, Opener
from pokerfloor.tablelog.amounts import StakeKind, from_amount, stake_kind, to_amount
from pokerfloor.tablelog.enum_codes import STRUCTURE, turned
from pokerfloor.tablelog.game_rows import (
    Posting,
    game_row,
    is_placement_game,
    posting_of,
    with_base_game,
)
from pokerfloor.tablelog.mixed_games import give_common_amounts
from pokerfloor.tablelog.placement_setups import fill_placement_settings

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

    A game that is named by the id of its row is named by its base game and options instead. What
    has no default (the big blind, the buy-ins, ...) stays as it is. Raises LogError for a
    stake that is not set or an amount of another kind.
    """
    full = pb.TableSettings()
    full.CopyFrom(settings)
    for game in (full.game,) if full.HasField("game") else full.mixed.games:
        game.CopyFrom(with_base_game(game))
    if full.HasField("game") and is_placement_game(full.game):
        fill_placement_settings(full)
    elif full.HasField("game"):
        _fill_game(full.game, stake_kind(full.stake))
    elif full.HasField("mixed"):
        _fill_mixed(full.mixed, stake_kind(full.stake))
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
    row = game_row(game)
    game.structure = game.structure or _STRUCTURE_CODE[row.structures[0]]
    if not game.HasField("smallest_chip"):
        game.smallest_chip.CopyFrom(to_amount(1, kind))
    posting = posting_of(game, row)
    if posting is Posting.BLINDS:
        _fill_blinds(game, kind)
    else:
        _fill_antes(game, row, kind)
    _fill_options(game, row)
    game.boards = game.boards or row.boards
    game.min_raise = game.min_raise or pb.MIN_RAISE_RULE_INCREMENT
    game.losers = game.losers or pb.LOSERS_RULE_SHOW
    game.raise_cap = game.raise_cap or RAISE_CAP
    if not game.HasField("heads_up_uncapped"):  # BET-31: stud
        game.heads_up_uncapped = row.streets[0].opener is Opener.BRING_IN


def _fill_mixed(mixed: pb.MixedSettings, kind: StakeKind) -> None:
    give_common_amounts(mixed)
    for game in mixed.games:
        _fill_game(game, kind)
        for name in ("smallest_chip", "small_blind", "big_blind"):
            if game.HasField(name) and not mixed.HasField(name):
                getattr(mixed, name).CopyFrom(getattr(game, name))
    mixed.mode = mixed.mode or pb.MIXED_MODE_DEALERS_CHOICE
    if mixed.mode == pb.MIXED_MODE_SEQUENCE:
        mixed.rotate = mixed.rotate or pb.ROTATE_HAND


def _fill_blinds(game: pb.GameSettings, kind: StakeKind) -> None:
    fixed = game.structure == pb.BETTING_STRUCTURE_FIXED_LIMIT
    if fixed and game.HasField("small_bet"):  # BET-32
        _fill(game, "big_blind", from_amount(game.small_bet, kind, "game.small_bet"), kind)
    if game.HasField("big_blind"):
        chip = from_amount(game.smallest_chip, kind, "game.smallest_chip")
        big_blind = from_amount(game.big_blind, kind, "game.big_blind")
        if fixed:
            _fill(game, "small_bet", big_blind, kind)
        half = big_blind // 2
        _fill(game, "small_blind", half - half % chip if chip > 0 else half, kind)


def _fill_antes(game: pb.GameSettings, row: GameRow, kind: StakeKind) -> None:
    """Fill in what follows in a game with antes: short deck's ante is its big blind (SHD-2)."""
    fixed = game.structure == pb.BETTING_STRUCTURE_FIXED_LIMIT
    if row.streets[0].opener is Opener.LEFT_OF_BUTTON and game.HasField("big_blind"):
        big_blind = from_amount(game.big_blind, kind, "game.big_blind")
        game.ante.kind = game.ante.kind or pb.ANTE_KIND_EVERYONE
        if not game.ante.HasField("amount"):
            game.ante.amount.CopyFrom(to_amount(big_blind, kind))
        if fixed:
            _fill(game, "small_bet", big_blind, kind)
    if row.streets[0].opener is Opener.HIGHEST_UP and game.ante.HasField("amount"):  # MAT-2
        game.ante.kind = game.ante.kind or pb.ANTE_KIND_EVERYONE
        _fill(game, "min_bet", from_amount(game.ante.amount, kind, "game.ante.amount"), kind)
    if row.carries() and game.ante.HasField("amount") and not game.HasField("min_bet"):
        game.min_bet.CopyFrom(game.ante.amount)  # MAT-2
    if fixed and game.HasField("min_bet"):
        _fill(game, "small_bet", from_amount(game.min_bet, kind, "game.min_bet"), kind)


def _fill_options(game: pb.GameSettings, row: GameRow) -> None:
    """Fill in the options that only some games have."""
    if any(street.open_pair for street in row.streets) and not game.HasField("open_pair_rule"):
        game.open_pair_rule = True
    if row.streets[0].opener is Opener.HIGHEST_UP:
        game.first_tie = game.first_tie or pb.FIRST_TIE_RIGHT_OF_BUTTON
        game.carry_for = game.carry_for or pb.CARRY_FOR_NEXT_DEAL
    if row.carries():
        game.first_tie = game.first_tie or pb.FIRST_TIE_RIGHT_OF_BUTTON
        game.carry_for = game.carry_for or pb.CARRY_FOR_NEXT_DEAL
    if row.community_last:
        game.seventh_shortage = game.seventh_shortage or pb.SEVENTH_SHORTAGE_COMMUNITY
    if game.game == "draw5":
        if not game.HasField("jokers"):
            game.jokers = 2
        game.joker = game.joker or pb.JOKER_RULE_WILD
        game.second_round_first = game.second_round_first or pb.SECOND_ROUND_FIRST_AS_FIRST
    if not game.custom_row_json and not game.max_draw and row.draws_from(0):
        game.max_draw = most_discards(row)


def most_discards(row: GameRow) -> int:
    """Return how many cards may be discarded at a time in a draw game at most (DRW-4)."""
    return max([street.draw.max_discards for street in row.streets if street.draw is not None])


_STRUCTURE_CODE: Final = turned(STRUCTURE)


def _fill(game: pb.GameSettings, name: str, value: int, kind: StakeKind) -> None:
    if not game.HasField(name):  # type: ignore[arg-type]  # one of the amounts named above
        field: Amount = getattr(game, name)
        field.CopyFrom(to_amount(value, kind))
