"""What a placement hand begins with. All amounts of such a hand are points ("kushes", OFC-20)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pokerfloor.games.placement.rows import PlacementGame
from pokerfloor.games.setup import SeatStack


class FantasylandHeadsUp(StrEnum):
    """When one of two players is in Fantasyland (OFC-32)."""

    HIDDEN = "hidden"  # both lay out at the same time, hidden
    OPEN_FIRST = "open_first"  # the player without Fantasyland plays in the open first


class FantasylandSeat(NamedTuple):
    """A seat that plays the hand in Fantasyland, and with how many cards (OFC-34)."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class PlacementSetup:
    """Everything that is fixed before the first card of a placement hand.

    `seats` are the seats dealt in, by ascending seat number, with their stacks in points; `button`
    is one of them. `fantasyland` is by ascending seat number. See `check_setup` for what is
    refused.
    """

    hand_no: int
    game: PlacementGame
    seats: tuple[SeatStack, ...]
    button: int
    fantasyland: tuple[FantasylandSeat, ...] = ()
    fantasyland_heads_up: FantasylandHeadsUp = FantasylandHeadsUp.HIDDEN
    burn: bool = True
