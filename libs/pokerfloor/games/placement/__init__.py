"""The rules of placement hands, open-face Chinese and Scoop: a pure state machine over places."""

from pokerfloor.games.placement.check_setup import check_setup
from pokerfloor.games.placement.events import (
    FantasyEarned,
    HiddenPlacement,
    LayoutOpened,
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
    LayOut,
    MovePlacement,
    PlacementInput,
    Scored,
    ScoringResult,
)
from pokerfloor.games.placement.known_deck import (
    Placing,
    Scoring,
    faces_at,
    lay_out_first,
    play_out,
)
from pokerfloor.games.placement.layouts import Layout, LayoutRow, Room, SlotRow
from pokerfloor.games.placement.rows import (
    OFC,
    OFC_JOKER,
    PLACEMENT_GAMES,
    SCOOP,
    FantasyPacket,
    PlacementGame,
    PlacementStreet,
    Shown,
)
from pokerfloor.games.placement.setup import FantasyHeadsUp, FantasySeat, PlacementSetup
from pokerfloor.games.placement.waits import (
    LaidOut,
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
    "FantasyEarned",
    "FantasyHeadsUp",
    "FantasyPacket",
    "FantasySeat",
    "HiddenPlacement",
    "LaidOut",
    "LayOut",
    "Layout",
    "LayoutOpened",
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
    "lay_out_first",
    "play_out",
]
