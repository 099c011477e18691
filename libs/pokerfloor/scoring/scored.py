"""The score of one layout: its hands, its bonuses, whether it is fouled, and its Fantasyland.

OFC-5, OFC-12, OFC-30 to OFC-35.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from pokerfloor.cards import Card
from pokerfloor.ranking import JokerUse, RankedHand, RowHand, row_hand, row_strengths
from pokerfloor.scoring.fantasyland import Fantasyland, fantasyland_of
from pokerfloor.scoring.layout import Layout, Row, check_layout
from pokerfloor.scoring.reason import Points, Reason
from pokerfloor.scoring.royalties import royalty
from pokerfloor.scoring.rules import REGULAR, OfcRules

TOP_ABOVE_MIDDLE: Final = "top_above_middle"
MIDDLE_ABOVE_BOTTOM: Final = "middle_above_bottom"

_ROWS: Final = tuple(Row)


class StandIn(NamedTuple):
    """A joker and the card that it stands for."""

    joker: Card
    card: Card


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A row, its hand and its bonus.

    `stand_ins` name what each joker of the row stands for, the red joker first.
    """

    row: Row
    hand: RankedHand
    royalty: Points
    stand_ins: tuple[StandIn, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoredLayout:
    """A layout with its score.

    `foul` says why the layout is fouled; None if it is not. `rows` are the top, middle and bottom
    row.
    """

    layout: Layout
    foul: Reason | None
    rows: tuple[ScoredRow, ScoredRow, ScoredRow]
    fantasyland: Fantasyland

    @property
    def royalties(self) -> int:
        """The sum of the bonuses of the three rows."""
        top, middle, bottom = self.rows
        return top.royalty.points + middle.royalty.points + bottom.royalty.points


def score_layout(layout: Layout, rules: OfcRules = REGULAR) -> ScoredLayout:
    """Return the score of a finished layout. Raises LayoutError.

    Jokers stand for the cards that make the strongest valid layout (OFC-35): the bottom row has its
    best hand, the middle its best hand not above the bottom, the top its best hand not above the
    middle. If a row has no such hand, the layout is fouled and the row is shown at its lowest.
    """
    check_layout(layout, rules.deck)
    use = rules.joker_use
    bottom = row_hand(layout.bottom, None, use)
    assert bottom is not None, "without a bound there is always a hand"
    middle = row_hand(layout.middle, bottom.hand.strength, use)
    foul = None
    if middle is None:
        middle = _lowest(layout.middle, use)
        foul = _above(MIDDLE_ABOVE_BOTTOM, (Row.MIDDLE, middle), (Row.BOTTOM, bottom))
    top = row_hand(layout.top, middle.hand.strength, use)
    if top is None:
        top = _lowest(layout.top, use)
        foul = foul or _above(TOP_ABOVE_MIDDLE, (Row.TOP, top), (Row.MIDDLE, middle))
    hands = (top.hand, middle.hand, bottom.hand)
    is_fouled = foul is not None
    fantasyland = fantasyland_of(hands, layout.fantasyland_cards, rules, fouled=is_fouled)
    rows = (
        _scored(Row.TOP, top, fouled=is_fouled),
        _scored(Row.MIDDLE, middle, fouled=is_fouled),
        _scored(Row.BOTTOM, bottom, fouled=is_fouled),
    )
    return ScoredLayout(layout, foul, rows, fantasyland)


def _lowest(cards: tuple[Card, ...], use: JokerUse) -> RowHand:
    found = row_hand(cards, None, use)
    if found and found.stand_ins:
        found = row_hand(cards, row_strengths(cards, use)[0], use)
    assert found is not None, "a row always has a lowest hand"
    return found


def _scored(row: Row, found: RowHand, *, fouled: bool) -> ScoredRow:
    hand, stand_ins = found
    bonus = royalty(row, hand, fouled=fouled)
    if not stand_ins:
        return ScoredRow(row, hand, bonus)
    return ScoredRow(row, hand, bonus, tuple([StandIn(*pair) for pair in stand_ins]))


def _above(code: str, upper: tuple[Row, RowHand], lower: tuple[Row, RowHand]) -> Reason:
    at_best = ", whatever its joker stands for," if upper[1].stand_ins else ""
    text = (
        f"fouled hand: the {upper[0]} row ({upper[1].hand.name}) is{at_best} above the "
        f"{lower[0]} row ({lower[1].hand.name})"
    )
    return Reason(code, text)
