"""Strength of hands: a table-driven evaluator for each ranking system.

The batch calls on numpy arrays are in `pokerfloor.ranking.batch`, so that numpy is loaded only
where it is used.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pokerfloor.ranking.arrange import name_of
from pokerfloor.ranking.badugi import BADUGI
from pokerfloor.ranking.card_names import card_name
from pokerfloor.ranking.card_order import card_order
from pokerfloor.ranking.categories import Category
from pokerfloor.ranking.choose import Choice, Use, choose
from pokerfloor.ranking.exposed import EXPOSED, EXPOSED_A5, exposed_strengths
from pokerfloor.ranking.high52 import HIGH52, high7, high_strength
from pokerfloor.ranking.joker_rows import JokerUse, row_values
from pokerfloor.ranking.jokers import JOKER_BUG, JOKER_BUG_NATURAL, JOKER_WILD, JOKER_WILD_NATURAL
from pokerfloor.ranking.low27 import LOW_27
from pokerfloor.ranking.lows import LOW8, LOW_A5
from pokerfloor.ranking.row_hands import RowHand, row_hand, row_strengths
from pokerfloor.ranking.rows import row_order_key
from pokerfloor.ranking.short36 import SHORT36, SHORT36_TRIPS
from pokerfloor.ranking.strength import NO_LOW, category_of, ranks_of
from pokerfloor.ranking.system import (
    CARD_NOT_RANKED,
    CARD_TWICE,
    WRONG_NUMBER_OF_CARDS,
    RankedHand,
    RankingError,
    RankingSystem,
)
from pokerfloor.ranking.top3 import TOP3

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
