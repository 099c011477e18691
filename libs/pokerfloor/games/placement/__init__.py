"""The rules of open-face Chinese and Scoop: a pure state machine over places."""

from pokerfloor.games.placement.check_setup import check_setup
from pokerfloor.games.placement.events import (
    FantasylandEarned,
    HiddenPlacement,
    LayoutRevealed,
    LayoutScore,
    PairPoints,
    PlacementConfirmed,
    PlacementEvent,
    PlacementMoved,
    PointsScored,
)
from pokerfloor.games.placement.hand import PlacementHand, canonical_setup
from pokerfloor.games.placement.inputs import (
    ConfirmPlacement,
    MovePlacement,
    PlacementInput,
    PlacementTimeUp,
    Scored,
    ScoringResult,
)
from pokerfloor.games.placement.known_deck import (
    Placing,
    Scoring,
    faces_at,
    play_out,
    set_by_time,
)
from pokerfloor.games.placement.layouts import Layout, LayoutRow, Room, SlotRow
from pokerfloor.games.placement.rows import (
    OFC,
    OFC_JOKER,
    PLACEMENT_GAMES,
    SCOOP,
    FantasylandPacket,
    PlacementGame,
    PlacementStreet,
    Shown,
)
from pokerfloor.games.placement.setup import FantasylandHeadsUp, FantasylandSeat, PlacementSetup
from pokerfloor.games.placement.waits import (
    FinishedLayout,
    PlacementTurn,
    PlacementWait,
    ScoringRequest,
    WaitPlacements,
    WaitScoring,
)

__all__ = [
    "OFC",
    "OFC_JOKER",
    "PLACEMENT_GAMES",
    "SCOOP",
    "ConfirmPlacement",
    "FantasylandEarned",
    "FantasylandHeadsUp",
    "FantasylandPacket",
    "FantasylandSeat",
    "FinishedLayout",
    "HiddenPlacement",
    "Layout",
    "LayoutRevealed",
    "LayoutRow",
    "LayoutScore",
    "MovePlacement",
    "PairPoints",
    "PlacementConfirmed",
    "PlacementEvent",
    "PlacementGame",
    "PlacementHand",
    "PlacementInput",
    "PlacementMoved",
    "PlacementSetup",
    "PlacementStreet",
    "PlacementTimeUp",
    "PlacementTurn",
    "PlacementWait",
    "Placing",
    "PointsScored",
    "Room",
    "Scored",
    "Scoring",
    "ScoringRequest",
    "ScoringResult",
    "Shown",
    "SlotRow",
    "WaitPlacements",
    "WaitScoring",
    "canonical_setup",
    "check_setup",
    "faces_at",
    "play_out",
    "set_by_time",
]
