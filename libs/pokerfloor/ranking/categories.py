"""The kinds of hands, by stable id, and their order in each system.

A ladder lists kinds from the lowest up. Several systems differ only in their ladders.
"""

from enum import StrEnum
from typing import Final


class Category(StrEnum):
    """A kind of hand. The ranking system decides which of two kinds is higher."""

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
    POKER = "poker"  # five of one rank, with jokers (RNK-3)
    NO_LOW = "no_low"  # fewer than five different ranks of eight or lower (LOW-1)
    LOW = "low"  # five different ranks, no straight or flush where these count
    ONE_CARD_BADUGI = "one_card_badugi"
    TWO_CARD_BADUGI = "two_card_badugi"
    THREE_CARD_BADUGI = "three_card_badugi"
    BADUGI = "badugi"  # four cards of four ranks and four suits


# RNK-1, from the lowest up. The royal flush is the highest straight flush under its own name.
# The three-card top row (RNK-4) and exposed hands (RNK-5) use the same ladder, so that rows of
# different sizes compare by number, and so do exposed hands.
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

# RNK-2: with 36 cards a flush is rarer than a full house.
LADDER_SHORT: Final = (
    Category.HIGH_CARD,
    Category.ONE_PAIR,
    Category.TWO_PAIR,
    Category.THREE_OF_A_KIND,
    Category.STRAIGHT,
    Category.FULL_HOUSE,
    Category.FLUSH,
    Category.FOUR_OF_A_KIND,
    Category.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH,
)

# RNK-2 with trips_beat_straight.
LADDER_SHORT_TRIPS: Final = (
    Category.HIGH_CARD,
    Category.ONE_PAIR,
    Category.TWO_PAIR,
    Category.STRAIGHT,
    Category.THREE_OF_A_KIND,
    Category.FULL_HOUSE,
    Category.FLUSH,
    Category.FOUR_OF_A_KIND,
    Category.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH,
)

# RNK-3: five of a rank on top, and no royal flush by name.
LADDER_JOKER: Final = (*LADDER_52[:-1], Category.POKER)

# Ace-to-five low: pairs spoil a hand, straights and flushes do not.
LADDER_LOW_A5: Final = (
    Category.FOUR_OF_A_KIND,
    Category.FULL_HOUSE,
    Category.THREE_OF_A_KIND,
    Category.TWO_PAIR,
    Category.ONE_PAIR,
    Category.LOW,
)

# Deuce-to-seven low: the ladder of RNK-1 upside down.
LADDER_LOW_27: Final = (*reversed(LADDER_52[1:-1]), Category.LOW)

LADDER_BADUGI: Final = (
    Category.ONE_CARD_BADUGI,
    Category.TWO_CARD_BADUGI,
    Category.THREE_CARD_BADUGI,
    Category.BADUGI,
)
