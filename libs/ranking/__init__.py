"""Strength of hands: one table-driven evaluator for each ranking system.

The batch calls on numpy arrays have a face of their own, `libs.ranking.batch`, so that numpy is
loaded only where it is used.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from libs.ranking.arrange import name_of
from libs.ranking.badugi import BADUGI
from libs.ranking.card_names import card_name
from libs.ranking.card_order import card_order
from libs.ranking.categories import Category
from libs.ranking.choose import Choice, Use, choose
from libs.ranking.exposed import EXPOSED, EXPOSED_A5, exposed_strengths
from libs.ranking.high52 import HIGH52, high7, high_strength
from libs.ranking.joker_rows import JokerUse, row_values
from libs.ranking.jokers import JOKER_BUG, JOKER_BUG_NATURAL, JOKER_WILD, JOKER_WILD_NATURAL
from libs.ranking.low27 import LOW_27
from libs.ranking.lows import LOW8, LOW_A5
from libs.ranking.row_hands import RowHand, row_hand, row_strengths
from libs.ranking.rows import row_order_key
from libs.ranking.short36 import SHORT36, SHORT36_TRIPS
from libs.ranking.strength import NO_LOW, category_of, ranks_of
from libs.ranking.system import (
    CARD_NOT_RANKED,
    CARD_TWICE,
    WRONG_NUMBER_OF_CARDS,
    RankedHand,
    RankingError,
    RankingSystem,
)
from libs.ranking.top3 import TOP3

RANKINGS: Final[Mapping[str, RankingSystem]] = MappingProxyType(
    {
        system.name: system
        for system in (
            HIGH52,
            TOP3,
            SHORT36,
            SHORT36_TRIPS,
            JOKER_WILD,
            JOKER_WILD_NATURAL,
            JOKER_BUG,
            JOKER_BUG_NATURAL,
            LOW8,
            LOW_A5,
            LOW_27,
            BADUGI,
            EXPOSED,
            EXPOSED_A5,
        )
    }
)

__all__ = [
    "BADUGI",
    "CARD_NOT_RANKED",
    "CARD_TWICE",
    "EXPOSED",
    "EXPOSED_A5",
    "HIGH52",
    "JOKER_BUG",
    "JOKER_BUG_NATURAL",
    "JOKER_WILD",
    "JOKER_WILD_NATURAL",
    "LOW8",
    "LOW_27",
    "LOW_A5",
    "NO_LOW",
    "RANKINGS",
    "SHORT36",
    "SHORT36_TRIPS",
    "TOP3",
    "WRONG_NUMBER_OF_CARDS",
    "Category",
    "Choice",
    "JokerUse",
    "RankedHand",
    "RankingError",
    "RankingSystem",
    "RowHand",
    "Use",
    "card_name",
    "card_order",
    "category_of",
    "choose",
    "exposed_strengths",
    "high7",
    "high_strength",
    "name_of",
    "ranks_of",
    "row_hand",
    "row_order_key",
    "row_strengths",
    "row_values",
]
