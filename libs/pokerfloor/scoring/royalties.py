"""The bonus of a row (OFC-12). It does not depend on the comparison."""

from functools import lru_cache
from typing import Final

from pokerfloor.cards import RANKS
from pokerfloor.ranking import Category, RankedHand, ranks_of
from pokerfloor.scoring.layout import Row
from pokerfloor.scoring.reason import Points, Reason

_BONUS: Final = {
    Row.BOTTOM: {
        Category.STRAIGHT: 2,
        Category.FLUSH: 4,
        Category.FULL_HOUSE: 6,
        Category.FOUR_OF_A_KIND: 10,
        Category.STRAIGHT_FLUSH: 15,
        Category.ROYAL_FLUSH: 25,
        # Five of a kind, an option of OFC-35, ranks above the royal flush. The rules give it no
        # bonus; less than the royal flush would make the best hand not the most valuable one.
        Category.POKER: 25,
    },
    Row.MIDDLE: {
        Category.THREE_OF_A_KIND: 2,
        Category.STRAIGHT: 4,
        Category.FLUSH: 8,
        Category.FULL_HOUSE: 12,
        Category.FOUR_OF_A_KIND: 20,
        Category.STRAIGHT_FLUSH: 30,
        Category.ROYAL_FLUSH: 50,
        Category.POKER: 50,
    },
}
_LOWEST_TOP_PAIR: Final = RANKS.index("6") + 2  # 1 point, each higher rank one more
_LOWEST_TOP_TRIPS: Final = 10  # for 222, each higher rank one more

NO_ROYALTY: Final = "no_royalty"
FOULED_NO_ROYALTY: Final = "fouled_no_royalty"

_FOULED: Final = Points(0, Reason(FOULED_NO_ROYALTY, "a fouled hand earns no bonus"))


def royalty(row: Row, hand: RankedHand, *, fouled: bool = False) -> Points:
    """Return the bonus of the hand in a row; 0 in a fouled layout (OFC-11).

    The code of the reason is `royalty_<row>_<category>` if there is a bonus.
    """
    return _FOULED if fouled else _royalty(row, hand.strength, hand.category, hand.name)


@lru_cache(maxsize=16_384)  # about 15,500 strengths of rows
def _royalty(row: Row, strength: int, category: Category, name: str) -> Points:
    points = _top_bonus(strength, category) if row is Row.TOP else _BONUS[row].get(category, 0)
    if not points:
        return Points(0, Reason(NO_ROYALTY, f"no bonus for {name} in the {row} row"))
    return Points(
        points, Reason(f"royalty_{row}_{category}", f"{name} in the {row} row brings {points}")
    )


def _top_bonus(strength: int, category: Category) -> int:
    rank = ranks_of(strength)[0]
    if category is Category.THREE_OF_A_KIND:
        return _LOWEST_TOP_TRIPS + rank - 2
    if category is Category.ONE_PAIR and rank >= _LOWEST_TOP_PAIR:
        return rank - _LOWEST_TOP_PAIR + 1
    return 0
