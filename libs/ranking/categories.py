"""The kinds of hands that the ranking systems know, by stable id."""

from enum import StrEnum
from typing import Final


class Category(StrEnum):
    """A kind of hand. Which of two kinds is higher is for the ranking system to say."""

    HIGH_CARD = "high_card"
    ONE_PAIR = "one_pair"
    TWO_PAIR = "two_pair"
    THREE_OF_A_KIND = "three_of_a_kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    FOUR_OF_A_KIND = "four_of_a_kind"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_FLUSH = "royal_flush"


# RNK-1, from the lowest up. The royal flush is the highest straight flush under its own name.
# The three-card top row (RNK-4) stands on the same ladder, so that rows compare by number.
LADDER_52: Final = (
    Category.HIGH_CARD,
    Category.ONE_PAIR,
    Category.TWO_PAIR,
    Category.THREE_OF_A_KIND,
    Category.STRAIGHT,
    Category.FLUSH,
    Category.FULL_HOUSE,
    Category.FOUR_OF_A_KIND,
    Category.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH,
)
