"""A table's settings as the numbers that are needed at every step."""

from dataclasses import dataclass, replace
from functools import lru_cache

from pokerfloor.api.settings.v1 import settings_pb2 as pb
from pokerfloor.games import ForcedKind
from pokerfloor.tablelog import (
    Posting,
    StakeKind,
    from_amount,
    game_row,
    is_placement_game,
    mixed_game_names,
    one_of_mix,
    posting_of,
    stake_kind,
)


@dataclass(frozen=True, slots=True)
class TableRules:
    """What a table is played by; amounts in minor units, times in milliseconds.

    The blinds are 0 in games without. `bomb_every` and `bomb_amount` are 0 without bomb pots.
    price_minor: what one of the units that stacks are counted in is worth: 1, or a point's price
    confirm_ready: a hand begins when everybody has said to be ready (TBL-6)
    matches: hands are played in matches (OFC-6); `closed_circle`: nobody joins within a circle
    base_for_hand: the base time is one for all turns of a hand, and the bank runs while the player
        is away (OFC-40, OFC-41)
    slow_sits_out: a player who is there and whose time has run out sits out afterwards
    games: the names of the games of a mix, and `games_mode` how the next one is found (MIX-2);
        `games_by_circle`: a sequence moves on with the circle. The blinds of a mix are those of its
        first game that has blinds.
    """

    kind: StakeKind
    posting: Posting
    seats: int
    chip: int
    small_blind: int
    big_blind: int
    ante_kind: ForcedKind | None
    ante: int
    least_buy_in: int
    most_buy_in: int
    rat_hole_ms: int
    base_ms: int
    bank_ms: int
    bank_cap_ms: int
    bank_refill_ms: int
    bank_refill_hands: int
    between_hands_ms: int
    dead_small: bool
    misses_allowed: int
    bomb_mode: pb.BombPotMode.ValueType
    bomb_amount: int
    bomb_every: int
    price_minor: int
    confirm_ready: bool
    matches: bool
    closed_circle: bool
    base_for_hand: bool
    slow_sits_out: bool
    games: tuple[str, ...] = ()
    games_mode: pb.MixedMode.ValueType = pb.MIXED_MODE_UNSPECIFIED
    games_by_circle: bool = False


_ANTES = {
    pb.ANTE_KIND_UNSPECIFIED: None,
    pb.ANTE_KIND_EVERYONE: ForcedKind.ANTE,
    pb.ANTE_KIND_BIG_BLIND: ForcedKind.ANTE_FOR_ALL,
}


def table_rules(settings: pb.TableSettings) -> TableRules:
    """Return the rules in settings that have been checked and completed."""
    return _rules(settings.SerializeToString(deterministic=True))


@lru_cache(maxsize=1024)
def _rules(stored: bytes) -> TableRules:
    settings = pb.TableSettings.FromString(stored)
    if settings.HasField("mixed"):
        return _rules_of_mix(settings)
    kind = stake_kind(settings.stake)
    game, clock = settings.game, settings.clock
    ante_kind = _ANTES[game.ante.kind]
    placement = is_placement_game(game)
    ofc = game.game == "ofc"
    # Nobody posts anything in games without bets; hands follow each other as with antes.
    posting = Posting.ANTES if placement else posting_of(game, game_row(game))
    price_minor = settings.stake.points.point_price_minor if placement else 1
    bomb, bomb_mode = settings.bomb_pot, pb.BOMB_POT_MODE_NEVER
    if settings.HasField("bomb_pot"):
        bomb_mode = bomb.mode or pb.BOMB_POT_MODE_WHEN_ALL_AGREE
    bombs = bomb_mode != pb.BOMB_POT_MODE_NEVER
    return TableRules(
        kind=kind,
        posting=posting,
        seats=settings.seats,
        chip=price_minor if placement else from_amount(game.smallest_chip, kind),
        small_blind=(from_amount(game.small_blind, kind) if posting is Posting.BLINDS else 0),
        big_blind=(from_amount(game.big_blind, kind) if posting is not Posting.ANTES else 0),
        ante_kind=ante_kind,
        ante=from_amount(game.ante.amount, kind) if ante_kind else 0,
        least_buy_in=settings.buy_in.min_minor,
        most_buy_in=settings.buy_in.max_minor,
        rat_hole_ms=settings.buy_in.rat_hole_min * 60_000,
        base_ms=clock.base_ms,
        bank_ms=clock.bank_ms,
        bank_cap_ms=clock.bank_cap_ms,
        bank_refill_ms=clock.bank_refill_ms,
        bank_refill_hands=clock.bank_refill_hands,
        between_hands_ms=clock.between_hands_ms,
        dead_small=settings.seating.missed_blinds == pb.MISSED_BLINDS_RULE_BIG_AND_DEAD_SMALL,
        misses_allowed=settings.seating.misses_allowed,
        bomb_mode=bomb_mode,
        bomb_amount=from_amount(bomb.amount, kind) if bombs else 0,
        bomb_every=bomb.every_n,
        price_minor=price_minor,
        confirm_ready=settings.seating.confirm_ready,
        matches=ofc,
        closed_circle=ofc and game.ofc.closed_circle,
        base_for_hand=ofc,
        slow_sits_out=game.ofc.slow_player_sits_out or not ofc,
    )


def _rules_of_mix(settings: pb.TableSettings) -> TableRules:
    mixed = settings.mixed
    each = [table_rules(one_of_mix(settings, game)) for game in mixed.games]
    with_blinds = [rules for rules in each if rules.posting is Posting.BLINDS]
    return replace(
        (with_blinds or each)[0],
        games=mixed_game_names(mixed),
        games_mode=mixed.mode,
        games_by_circle=mixed.rotate == pb.ROTATE_CIRCLE,
    )
