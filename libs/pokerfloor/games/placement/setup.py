"""What a placement hand begins with. All amounts of such a hand are points ("kushes", OFC-20)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pokerfloor.games.placement.rows import PlacementGame
from pokerfloor.games.setup import SeatStack


class FantasyHeadsUp(StrEnum):
    """When one of two players is in fantasy (OFC-32)."""

    HIDDEN = "hidden"  # both lay out at the same time, hidden
    OPEN_FIRST = "open_first"  # the player without fantasy plays in the open first


class FantasySeat(NamedTuple):
    """A seat that plays the hand in fantasy, and with how many cards (OFC-34)."""

    seat: int
    cards: int


@dataclass(frozen=True, slots=True)
class PlacementSetup:
    """Everything that is fixed before the first card of a placement hand.

    `seats` are the seats dealt in, by ascending seat number, with their stacks in points; `button`
    is one of them. `fantasy` is by ascending seat number. See `check_setup` for what is refused.
    """

    hand_no: int
    game: PlacementGame
    seats: tuple[SeatStack, ...]
    button: int
    fantasy: tuple[FantasySeat, ...] = ()
    fantasy_heads_up: FantasyHeadsUp = FantasyHeadsUp.HIDDEN
    burn: bool = True
