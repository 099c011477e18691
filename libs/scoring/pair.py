"""Two players' layouts against each other (OFC-10 to OFC-12)."""

from dataclasses import dataclass
from typing import Final

from libs.scoring.layout import Row, check_apart
from libs.scoring.reason import Points, Reason
from libs.scoring.scored import ScoredLayout, ScoredRow

SCOOP_POINTS: Final = 3

ROW_WON: Final = "row_won"
ROW_LOST: Final = "row_lost"
ROW_TIED: Final = "row_tied"
ROW_WON_FROM_DEAD: Final = "row_won_from_dead"
ROW_LOST_DEAD: Final = "row_lost_dead"
ROW_BOTH_DEAD: Final = "row_both_dead"
SCOOP_WON: Final = "scoop_won"
SCOOP_LOST: Final = "scoop_lost"
NO_SCOOP: Final = "no_scoop"
ROYALTIES_DIFFERENCE: Final = "royalties_difference"


@dataclass(frozen=True, slots=True)
class RowScore:
    """What a row brings: 1, 0 or -1."""

    row: Row
    score: Points


@dataclass(frozen=True, slots=True)
class PairScore:
    """What the first of two players wins from the second; negative for a loss.

    `rows` are the top, middle and bottom row, `scoop` is 3, 0 or -3, `royalties` the difference of
    the two players' bonuses.
    """

    rows: tuple[RowScore, RowScore, RowScore]
    scoop: Points
    royalties: Points

    @property
    def total(self) -> int:
        """All points of the pair, from the first player's view."""
        return (
            sum(row.score.points for row in self.rows) + self.scoop.points + self.royalties.points
        )


def compare(a: ScoredLayout, b: ScoredLayout) -> PairScore:
    """Return what `a` wins from `b`. Raises LayoutError if a card lies in both layouts."""
    check_apart({"a": a.layout, "b": b.layout})
    top, middle, bottom = (_row_score(a, b, index) for index in range(len(a.rows)))
    won = top.score.points + middle.score.points + bottom.score.points
    text = f"bonuses of {a.royalties} against {b.royalties}"
    royalties = Points(a.royalties - b.royalties, Reason(ROYALTIES_DIFFERENCE, text))
    return PairScore((top, middle, bottom), _scoop(won), royalties)


def _row_score(a: ScoredLayout, b: ScoredLayout, index: int) -> RowScore:
    row = a.rows[index].row
    if a.dead or b.dead:
        return RowScore(row, _dead_row(row, a, b))
    return RowScore(row, _live_row(a.rows[index], b.rows[index]))


def _dead_row(row: Row, a: ScoredLayout, b: ScoredLayout) -> Points:
    if a.dead and b.dead:
        return Points(0, Reason(ROW_BOTH_DEAD, f"{row}: both hands are dead"))
    if a.dead:
        return Points(-1, Reason(ROW_LOST_DEAD, f"{row}: lost by a dead hand"))
    return Points(1, Reason(ROW_WON_FROM_DEAD, f"{row}: won from a dead hand"))


def _live_row(a: ScoredRow, b: ScoredRow) -> Points:
    if a.hand.strength > b.hand.strength:
        return Points(1, Reason(ROW_WON, f"{a.row}: {a.hand.name} beats {b.hand.name}"))
    if a.hand.strength < b.hand.strength:
        return Points(-1, Reason(ROW_LOST, f"{a.row}: {a.hand.name} loses to {b.hand.name}"))
    return Points(0, Reason(ROW_TIED, f"{a.row}: {a.hand.name} on both sides"))


def _scoop(won: int) -> Points:
    if won == len(Row):
        return Points(SCOOP_POINTS, Reason(SCOOP_WON, "all three rows won"))
    if won == -len(Row):
        return Points(-SCOOP_POINTS, Reason(SCOOP_LOST, "all three rows lost"))
    return Points(0, Reason(NO_SCOOP, "nobody won all three rows"))
