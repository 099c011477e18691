"""The enumerations of the engine and of the wire, side by side."""

from collections.abc import Mapping
from typing import Final, TypeVar

from pokerfloor.api.common.v1.cards_pb2 import (
    DECK_COMPOSITION_JOKER_53,
    DECK_COMPOSITION_JOKER_54,
    DECK_COMPOSITION_SHORT_36,
    DECK_COMPOSITION_STANDARD_52,
    DeckComposition,
)
from pokerfloor.api.events.v1 import hand_events_pb2 as pb
from pokerfloor.api.settings.v1 import settings_pb2
from pokerfloor.games import (
    ActKind,
    FirstTie,
    ForcedKind,
    GameRow,
    Half,
    Losers,
    MinRaise,
    RevealReason,
    SecondRoundFirst,
    Shortage,
    Structure,
)
from pokerfloor.games.placement import LayoutRow, PlacementGame
from pokerfloor.ranking import RANKINGS, Category
from pokerfloor.tablelog.errors import LogError

_K = TypeVar("_K")
_V = TypeVar("_V")


def turned(table: Mapping[_K, _V]) -> dict[_V, _K]:
    """Return a table read from right to left."""
    back = {value: key for key, value in table.items()}
    assert len(back) == len(table), "two words for one"
    return back


def look_up(table: Mapping[_K, _V], key: _K, field: str) -> _V:
    """Return what a table says of a word of the wire. Raises LogError for one it does not have."""
    value = table.get(key)
    if value is None:
        raise LogError(f"{key} has no meaning here", field)
    return value


FORCED_CODE: Final = {
    ForcedKind.ANTE: pb.FORCED_BET_KIND_ANTE,
    ForcedKind.ANTE_FOR_ALL: pb.FORCED_BET_KIND_ANTE_FOR_ALL,
    ForcedKind.SMALL_BLIND: pb.FORCED_BET_KIND_SMALL_BLIND,
    ForcedKind.BIG_BLIND: pb.FORCED_BET_KIND_BIG_BLIND,
    ForcedKind.STRADDLE: pb.FORCED_BET_KIND_STRADDLE,
    ForcedKind.POST: pb.FORCED_BET_KIND_POST,
    ForcedKind.DEAD_SMALL: pb.FORCED_BET_KIND_DEAD_SMALL,
    ForcedKind.BRING_IN: pb.FORCED_BET_KIND_BRING_IN,
    ForcedKind.BOMB: pb.FORCED_BET_KIND_BOMB,
}
FORCED_KIND: Final = turned(FORCED_CODE)

ACT_CODE: Final = {
    ActKind.FOLD: pb.ACTION_KIND_FOLD,
    ActKind.CHECK: pb.ACTION_KIND_CHECK,
    ActKind.CALL: pb.ACTION_KIND_CALL,
    ActKind.BET: pb.ACTION_KIND_BET,
    ActKind.RAISE: pb.ACTION_KIND_RAISE,
    ActKind.ALL_IN: pb.ACTION_KIND_ALL_IN,
}
ACT_KIND: Final = turned(ACT_CODE)

REASON_CODE: Final = {
    RevealReason.BOARD: pb.REVEAL_REASON_BOARD,
    RevealReason.ALL_IN: pb.REVEAL_REASON_ALL_IN,
    RevealReason.UP_CARD: pb.REVEAL_REASON_UP_CARD,
    RevealReason.SHOWDOWN: pb.REVEAL_REASON_SHOWDOWN,
    RevealReason.CHOSEN: pb.REVEAL_REASON_OWNER_SHOWS,
    RevealReason.PLACEMENT: pb.REVEAL_REASON_PLACEMENT,
}

SYSTEM_CODE: Final = {
    name: pb.RankingSystem.Value(f"RANKING_SYSTEM_{name.upper()}") for name in RANKINGS
}
SYSTEM: Final = turned(SYSTEM_CODE)

CATEGORY_CODE: Final = {
    category: pb.HandCategory.Value(f"HAND_CATEGORY_{category.name}") for category in Category
}
CATEGORY: Final = turned(CATEGORY_CODE)

# Half.WHOLE has no code of its own: it is the high half with `uncontested`.
HALF_CODE: Final = {Half.HIGH: pb.POT_HALF_HIGH, Half.LOW: pb.POT_HALF_LOW}
HALF: Final = turned(HALF_CODE)

LAYOUT_ROW_CODE: Final = {
    LayoutRow.TOP: pb.LAYOUT_ROW_TOP,
    LayoutRow.MIDDLE: pb.LAYOUT_ROW_MIDDLE,
    LayoutRow.BOTTOM: pb.LAYOUT_ROW_BOTTOM,
    LayoutRow.DISCARD: pb.LAYOUT_ROW_DISCARD,
}
LAYOUT_ROW: Final = turned(LAYOUT_ROW_CODE)

STRUCTURE: Final = {
    settings_pb2.BETTING_STRUCTURE_NO_LIMIT: Structure.NO_LIMIT,
    settings_pb2.BETTING_STRUCTURE_POT_LIMIT: Structure.POT_LIMIT,
    settings_pb2.BETTING_STRUCTURE_FIXED_LIMIT: Structure.FIXED_LIMIT,
}
MIN_RAISE: Final = {
    settings_pb2.MIN_RAISE_RULE_UNSPECIFIED: MinRaise.INCREMENT,
    settings_pb2.MIN_RAISE_RULE_INCREMENT: MinRaise.INCREMENT,
    settings_pb2.MIN_RAISE_RULE_DOUBLE: MinRaise.DOUBLE,
}
LOSERS: Final = {
    settings_pb2.LOSERS_RULE_UNSPECIFIED: Losers.SHOW,
    settings_pb2.LOSERS_RULE_SHOW: Losers.SHOW,
    settings_pb2.LOSERS_RULE_MUCK: Losers.MUCK,
}
SECOND_ROUND_FIRST: Final = {
    settings_pb2.SECOND_ROUND_FIRST_UNSPECIFIED: SecondRoundFirst.AS_FIRST,
    settings_pb2.SECOND_ROUND_FIRST_AS_FIRST: SecondRoundFirst.AS_FIRST,
    settings_pb2.SECOND_ROUND_FIRST_LEFT_OF_BUTTON: SecondRoundFirst.LEFT_OF_BUTTON,
}
FIRST_TIE: Final = {
    settings_pb2.FIRST_TIE_UNSPECIFIED: FirstTie.RIGHT_OF_BUTTON,
    settings_pb2.FIRST_TIE_RIGHT_OF_BUTTON: FirstTie.RIGHT_OF_BUTTON,
    settings_pb2.FIRST_TIE_LEFT_OF_BUTTON: FirstTie.LEFT_OF_BUTTON,
}
SHORTAGE: Final = {
    settings_pb2.SEVENTH_SHORTAGE_UNSPECIFIED: Shortage.COMMUNITY,
    settings_pb2.SEVENTH_SHORTAGE_COMMUNITY: Shortage.COMMUNITY,
    settings_pb2.SEVENTH_SHORTAGE_RESHUFFLE_BURNS: Shortage.RESHUFFLE_BURNS,
}

_COMPOSITION: Final = {
    "standard52": DECK_COMPOSITION_STANDARD_52,
    "short36": DECK_COMPOSITION_SHORT_36,
    "joker53": DECK_COMPOSITION_JOKER_53,
    "joker54": DECK_COMPOSITION_JOKER_54,
}


def deck_composition(game: GameRow | PlacementGame) -> DeckComposition.ValueType:
    """Return which deck a game is played with."""
    return _COMPOSITION[game.deck]
