"""The bonus of a row (OFC-12). It is the hand's own, whatever the comparison."""

from typing import Final

from libs.cards import RANKS, rank_of
from libs.ranking import Category, RankedHand
from libs.scoring.layout import Row
from libs.scoring.reason import Points, Reason

_BONUS: Final = {
    Row.BOTTOM: {
        Category.STRAIGHT: 2,
        Category.FLUSH: 4,
        Category.FULL_HOUSE: 6,
        Category.FOUR_OF_A_KIND: 10,
        Category.STRAIGHT_FLUSH: 15,
        Category.ROYAL_FLUSH: 25,
    },
    Row.MIDDLE: {
        Category.THREE_OF_A_KIND: 2,
        Category.STRAIGHT: 4,
        Category.FLUSH: 8,
        Category.FULL_HOUSE: 12,
        Category.FOUR_OF_A_KIND: 20,
        Category.STRAIGHT_FLUSH: 30,
        Category.ROYAL_FLUSH: 50,
    },
}
_LOWEST_TOP_PAIR: Final = RANKS.index("6")  # brings 1, each higher rank one more
_LOWEST_TOP_TRIPS: Final = 10  # for 222, each higher rank one more

NO_ROYALTY: Final = "no_royalty"
DEAD_HAND_NO_ROYALTY: Final = "dead_hand_no_royalty"


def royalty(row: Row, hand: RankedHand, *, dead: bool) -> Points:
    """Return the bonus of a row's hand; nothing in a dead layout (OFC-11).

    The reason's code is `royalty_<row>_<category>` where there is a bonus.
    """
    if dead:
        return Points(0, Reason(DEAD_HAND_NO_ROYALTY, "a dead hand earns no bonus"))
    points = _top_bonus(hand) if row is Row.TOP else _BONUS[row].get(hand.category, 0)
    if not points:
        return Points(0, Reason(NO_ROYALTY, f"no bonus for {hand.name} in the {row} row"))
    code = f"royalty_{row}_{hand.category}"
    return Points(points, Reason(code, f"{hand.name} in the {row} row brings {points}"))


def _top_bonus(hand: RankedHand) -> int:
    rank = rank_of(hand.cards[0])
    if hand.category is Category.THREE_OF_A_KIND:
        return _LOWEST_TOP_TRIPS + rank
    if hand.category is Category.ONE_PAIR and rank >= _LOWEST_TOP_PAIR:
        return rank - _LOWEST_TOP_PAIR + 1
    return 0
