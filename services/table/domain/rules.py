"""A table's settings as the numbers that are needed at every step."""

from dataclasses import dataclass
from functools import lru_cache

from libs.floorapi.floor.settings.v1 import settings_pb2 as pb
from libs.floorlog import StakeKind, from_amount, stake_kind
from libs.games import GAMES, ForcedKind, GameRow


@dataclass(frozen=True, slots=True)
class TableRules:
    """What a table is played by; amounts in minor units, times in milliseconds."""

    kind: StakeKind
    game: GameRow
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
    kind = stake_kind(settings.stake)
    game, clock = settings.game, settings.clock
    ante_kind = _ANTES[game.ante.kind]
    return TableRules(
        kind=kind,
        game=GAMES[game.game],
        seats=settings.seats,
        chip=from_amount(game.smallest_chip, kind),
        small_blind=from_amount(game.small_blind, kind),
        big_blind=from_amount(game.big_blind, kind),
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
    )
