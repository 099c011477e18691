"""What a placement hand can be told. Each input may be refused, and then changes nothing."""

from typing import NamedTuple, TypeAlias

from pokerfloor.games.inputs import Begin, Reveal, Void
from pokerfloor.games.placement.events import FantasylandEarned, LayoutScore, PairPoints
from pokerfloor.games.placement.layouts import LayoutRow, SlotRow


class MovePlacement(NamedTuple):
    """Lay a card of the first street in a row, for all to see and not for good (OFC-3, OFC-4).

    `row` is None to take it back.
    """

    seat: int
    turn_no: int
    slot: int
    row: LayoutRow | None


class ConfirmPlacement(NamedTuple):
    """Lay out the cards of the turn for good ("ready"); every one of them is named (OFC-4)."""

    seat: int
    turn_no: int
    placements: tuple[SlotRow, ...]


class PlacementTimeUp(NamedTuple):
    """The time of a turn has run out: its cards are laid out by OFC-42 or SCP-6."""

    seat: int
    turn_no: int


class ScoringResult(NamedTuple):
    """What the layouts are worth; see `PointsScored` for the order of pairs and layouts."""

    pairs: tuple[PairPoints, ...]
    layouts: tuple[LayoutScore, ...]
    fantasyland: tuple[FantasylandEarned, ...] = ()


class Scored(NamedTuple):
    """The answer to a `WaitScoring`."""

    result: ScoringResult


PlacementInput: TypeAlias = (
    Begin | MovePlacement | ConfirmPlacement | PlacementTimeUp | Reveal | Scored | Void
)
