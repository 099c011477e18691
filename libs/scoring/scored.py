"""One player's layout by itself: its hands, its bonuses, and whether it is dead (OFC-5, OFC-12)."""

from dataclasses import dataclass
from typing import Final

from libs.ranking import HIGH52, TOP3, RankedHand, row_order_key
from libs.scoring.layout import Layout, Row, check_layout
from libs.scoring.reason import Points, Reason
from libs.scoring.royalties import royalty

_RANKING: Final = {Row.TOP: TOP3, Row.MIDDLE: HIGH52, Row.BOTTOM: HIGH52}

TOP_ABOVE_MIDDLE: Final = "top_above_middle"
MIDDLE_ABOVE_BOTTOM: Final = "middle_above_bottom"


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A row, the hand it makes and the bonus that brings."""

    row: Row
    hand: RankedHand
    royalty: Points


@dataclass(frozen=True, slots=True)
class ScoredLayout:
    """A layout with all that it is worth by itself.

    `dead` says why the layout is dead, and is None for one that is not. `rows` are the top, middle
    and bottom row.
    """

    layout: Layout
    dead: Reason | None
    rows: tuple[ScoredRow, ScoredRow, ScoredRow]

    @property
    def royalties(self) -> int:
        """The bonuses of the three rows together."""
        return sum(row.royalty.points for row in self.rows)


def score_layout(layout: Layout) -> ScoredLayout:
    """Return what a finished layout is worth by itself. Raises LayoutError."""
    check_layout(layout)
    hands = {row: _RANKING[row].describe(layout.row(row)) for row in Row}
    dead = _why_dead(layout, hands)

    def scored(row: Row) -> ScoredRow:
        return ScoredRow(row, hands[row], royalty(row, hands[row], dead=dead is not None))

    return ScoredLayout(layout, dead, (scored(Row.TOP), scored(Row.MIDDLE), scored(Row.BOTTOM)))


def _why_dead(layout: Layout, hands: dict[Row, RankedHand]) -> Reason | None:
    """Return why the rows are out of order, or None; equal rows are in order (OFC-5)."""
    top, middle, bottom = (row_order_key(layout.row(row)) for row in Row)
    if middle > bottom:
        return _above(MIDDLE_ABOVE_BOTTOM, Row.MIDDLE, Row.BOTTOM, hands)
    if top > middle:
        return _above(TOP_ABOVE_MIDDLE, Row.TOP, Row.MIDDLE, hands)
    return None


def _above(code: str, upper: Row, lower: Row, hands: dict[Row, RankedHand]) -> Reason:
    text = f"{upper} row ({hands[upper].name}) is above the {lower} row ({hands[lower].name})"
    return Reason(code, f"dead hand: the {text}")
