"""The score of two layouts against each other (OFC-10 to OFC-12)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pokerfloor.scoring.layout import Row, check_apart
from pokerfloor.scoring.reason import Points, Reason
from pokerfloor.scoring.scored import ScoredLayout, ScoredRow

SCOOP_POINTS: Final = 3

ROW_WON: Final = "row_won"
ROW_LOST: Final = "row_lost"
ROW_TIED: Final = "row_tied"
ROW_WON_FROM_FOULED: Final = "row_won_from_fouled"
ROW_LOST_FOULED: Final = "row_lost_fouled"
ROW_BOTH_FOULED: Final = "row_both_fouled"
SCOOP_WON: Final = "scoop_won"
SCOOP_LOST: Final = "scoop_lost"
NO_SCOOP: Final = "no_scoop"
ROYALTIES_DIFFERENCE: Final = "royalties_difference"


@dataclass(frozen=True, slots=True)
class RowScore:
    """The score of a row: 1, 0 or -1."""

    row: Row
    score: Points


@dataclass(frozen=True, slots=True)
class PairScore:
    """What the first of two players wins from the second; negative for a loss.

    `rows` are the top, middle and bottom row, `scoop` is 3, 0 or -3, `royalties` is the difference
    of the bonuses.
    """

    rows: tuple[RowScore, RowScore, RowScore]
    scoop: Points
    royalties: Points

    @property
    def total(self) -> int:
        """All points of the pair, as seen by the first player."""
        return (
            sum([row.score.points for row in self.rows]) + self.scoop.points + self.royalties.points
        )


def compare(a: ScoredLayout, b: ScoredLayout) -> PairScore:
    """Return what `a` wins from `b`. Raises LayoutError if they have a card in common."""
    check_apart({"a": a.layout, "b": b.layout})
    return compare_checked(a, b)


def compare_checked(a: ScoredLayout, b: ScoredLayout) -> PairScore:
    """Return the result of `compare`; the caller has checked that they have no card in common."""
    if a.foul or b.foul:
        rows = _FOULED_ROWS[bool(a.foul), bool(b.foul)]
    else:
        top, middle, bottom = map(_live_row, a.rows, b.rows)
        rows = (top, middle, bottom)
    won = rows[0].score.points + rows[1].score.points + rows[2].score.points
    return PairScore(rows, _SCOOP.get(won, _NO_SCOOP), _difference(a.royalties, b.royalties))


def _fouled_rows(code: str, points: int, text: str) -> tuple[RowScore, RowScore, RowScore]:
    top, middle, bottom = (
        RowScore(row, Points(points, Reason(code, f"{row}: {text}"))) for row in Row
    )
    return top, middle, bottom


# By (first hand fouled, second hand fouled), see OFC-11.
_FOULED_ROWS: Final = {
    (True, True): _fouled_rows(ROW_BOTH_FOULED, 0, "both hands are fouled"),
    (True, False): _fouled_rows(ROW_LOST_FOULED, -1, "lost by a fouled hand"),
    (False, True): _fouled_rows(ROW_WON_FROM_FOULED, 1, "won from a fouled hand"),
}
_SCOOP: Final = {
    len(Row): Points(SCOOP_POINTS, Reason(SCOOP_WON, "all three rows won")),
    -len(Row): Points(-SCOOP_POINTS, Reason(SCOOP_LOST, "all three rows lost")),
}
_NO_SCOOP: Final = Points(0, Reason(NO_SCOOP, "nobody won all three rows"))


def _live_row(a: ScoredRow, b: ScoredRow) -> RowScore:
    first, second = a.hand.strength, b.hand.strength
    return _row(a.row, (first > second) - (first < second), a.hand.name, b.hand.name)


@lru_cache(maxsize=8192)
def _row(row: Row, points: int, a: str, b: str) -> RowScore:
    if points > 0:
        reason = Reason(ROW_WON, f"{row}: {a} beats {b}")
    elif points < 0:
        reason = Reason(ROW_LOST, f"{row}: {a} loses to {b}")
    else:
        reason = Reason(ROW_TIED, f"{row}: {a} on both sides")
    return RowScore(row, Points(points, reason))


@lru_cache(maxsize=16_384)  # no layout has more than 97 points of bonuses
def _difference(a: int, b: int) -> Points:
    return Points(a - b, Reason(ROYALTIES_DIFFERENCE, f"bonuses of {a} against {b}"))
