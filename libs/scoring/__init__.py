"""Points of open-face Chinese: a layout by itself, two against each other, a whole hand."""

from libs.scoring.hand import HandScore, PlayerPair, score_hand
from libs.scoring.layout import (
    CARD_NOT_IN_DECK,
    CARD_TWICE,
    JOKER_NOT_ALLOWED,
    ROW_SIZES,
    WRONG_NUMBER_OF_CARDS,
    WRONG_NUMBER_OF_PLAYERS,
    Layout,
    LayoutError,
    Row,
)
from libs.scoring.pair import PairScore, RowScore, compare
from libs.scoring.reason import Points, Reason
from libs.scoring.scored import ScoredLayout, ScoredRow, score_layout

__all__ = [
    "CARD_NOT_IN_DECK",
    "CARD_TWICE",
    "JOKER_NOT_ALLOWED",
    "ROW_SIZES",
    "WRONG_NUMBER_OF_CARDS",
    "WRONG_NUMBER_OF_PLAYERS",
    "HandScore",
    "Layout",
    "LayoutError",
    "PairScore",
    "PlayerPair",
    "Points",
    "Reason",
    "Row",
    "RowScore",
    "ScoredLayout",
    "ScoredRow",
    "compare",
    "score_hand",
    "score_layout",
]
