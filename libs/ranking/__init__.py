"""Strength of hands: one table-driven evaluator for each ranking system."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from libs.ranking.categories import Category
from libs.ranking.high52 import HIGH52, high7, high_strength
from libs.ranking.rows import row_order_key
from libs.ranking.strength import category_of
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
    {system.name: system for system in (HIGH52, TOP3)}
)

__all__ = [
    "CARD_NOT_RANKED",
    "CARD_TWICE",
    "HIGH52",
    "RANKINGS",
    "TOP3",
    "WRONG_NUMBER_OF_CARDS",
    "Category",
    "RankedHand",
    "RankingError",
    "RankingSystem",
    "category_of",
    "high7",
    "high_strength",
    "row_order_key",
]
