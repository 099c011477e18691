"""The setup of a placement hand. All its amounts are points ("kushes", OFC-20)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pokerfloor.games.placement.rows import PlacementGame
from pokerfloor.games.setup import SeatStack


class FantasylandHeadsUp(StrEnum):
    """How a hand is played if one of two players is in Fantasyland (OFC-32)."""

    HIDDEN = "hidden"  # both set at the same time, hidden
    OPEN_FIRST = "open_first"  # the other player plays in the open first


class FantasylandSeat(NamedTuple):
    """A seat in Fantasyland with its number of cards (OFC-34)."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class PlacementSetup:
    """Everything fixed before the first card of a placement hand.

    `seats` are the seats dealt in, by ascending seat number, with their stacks in points; `button`
    is one of them. `fantasyland` is by ascending seat number. `check_setup` says what is
    refused.
    """

    hand_no: int
    game: PlacementGame
    seats: tuple[SeatStack, ...]
    button: int
    fantasyland: tuple[FantasylandSeat, ...] = ()
    fantasyland_heads_up: FantasylandHeadsUp = FantasylandHeadsUp.HIDDEN
    burn: bool = True
