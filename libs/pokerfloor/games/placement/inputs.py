"""The inputs of a placement hand. A refused input changes nothing."""

from typing import NamedTuple, TypeAlias

from pokerfloor.games.inputs import Begin, Reveal, Void
from pokerfloor.games.placement.events import FantasylandEarned, LayoutScore, PairPoints
from pokerfloor.games.placement.layouts import LayoutRow, SlotRow


class MovePlacement(NamedTuple):
    """Move a card of the first street to a row, publicly and not for good (OFC-3, OFC-4).

    `row` is None to take it back.
    """

    seat: int
    turn_no: int
    slot: int
    row: LayoutRow | None


class ConfirmPlacement(NamedTuple):
    """Set the cards of the turn for good ("ready"); all of them must be named (OFC-4)."""

    seat: int
    turn_no: int
    placements: tuple[SlotRow, ...]


class PlacementTimeUp(NamedTuple):
    """The time of a turn has run out: its cards are set by OFC-42 or SCP-6."""

    seat: int
    turn_no: int


class ScoringResult(NamedTuple):
    """The score of a hand; see `PointsScored` for the order of pairs and layouts."""

    pairs: tuple[PairPoints, ...]
    layouts: tuple[LayoutScore, ...]
    fantasyland: tuple[FantasylandEarned, ...] = ()


class Scored(NamedTuple):
    """The answer to a `WaitScoring`."""

    result: ScoringResult


PlacementInput: TypeAlias = (
    Begin | MovePlacement | ConfirmPlacement | PlacementTimeUp | Reveal | Scored | Void
)
