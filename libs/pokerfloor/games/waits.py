"""What a hand waits for, as values; there are no callbacks."""

from typing import NamedTuple, TypeAlias

from pokerfloor.games.events import (
    HandMucked,
    HandShown,
    PotAwarded,
    PotCarried,
    RevealReason,
    SeatResult,
)
from pokerfloor.games.inputs import ActKind
from pokerfloor.games.places import Place
from pokerfloor.games.showdown import Pot, Rake, ShowdownRequest


class LegalSet(NamedTuple):
    """The legal actions of the seat in turn (BET-3). Amounts are 0 if the action is not allowed.

    `call_by` is what a call adds, `call_to` the total after it; both are 0 when nothing is owed.
    `bet_*` and `raise_*` are totals ("to"); a stack below the usual minimum lowers the minimum to
    an all-in. `step` is the smallest chip: every multiple of it between minimum and maximum is
    legal, and the maximum itself. In fixed-limit minimum and maximum are equal. `all_in_as` is what
    ALL_IN becomes, or None if it is not allowed, and `all_in_to` its total. `sizes_to`: if not
    empty, the only legal totals of a bet or raise. `swap_slots` are the slots that the seat may
    swap before it acts (SWP-1).
    """

    can_fold: bool
    can_check: bool
    call_by: int
    call_to: int
    bet_min: int
    bet_max: int
    raise_min: int
    raise_max: int
    step: int
    all_in_as: ActKind | None
    all_in_to: int
    sizes_to: tuple[int, ...]
    swap_slots: tuple[int, ...]


class WaitBegin(NamedTuple):
    """The hand has not begun."""


class WaitCards(NamedTuple):
    """Wait for the faces of these places, in this order."""

    places: tuple[Place, ...]
    reason: RevealReason


class WaitAction(NamedTuple):
    """Wait for a seat's action."""

    seat: int
    turn_no: int
    legal: LegalSet


class WaitDiscard(NamedTuple):
    """Wait for a seat's discards: `min_discards` to `max_discards` of `places` (DRW-4)."""

    seat: int
    turn_no: int
    min_discards: int
    max_discards: int
    places: tuple[Place, ...]


class WaitFacing(NamedTuple):
    """Wait for a seat to choose whether the card for `place` comes down (MAT-3).

    If so, `revealed`, its present down card, is revealed: a seat has one down card at any time.
    Without an answer the card comes up.
    """

    seat: int
    turn_no: int
    place: Place
    revealed: Place


class WaitShowdown(NamedTuple):
    """Wait for the result of a showdown."""

    request: ShowdownRequest


class WaitSplit(NamedTuple):
    """Wait for these seats to answer whether to split `pots` that no hand qualifies for (MAT-6).

    They answer in any order; the first no decides. `agreed` have said yes. Each pot would be split
    equally among its `eligible` seats.
    """

    seats: tuple[int, ...]
    agreed: tuple[int, ...]
    pots: tuple[Pot, ...]


class HandResult(NamedTuple):
    """The result of a hand (SHW-4). `pots` are before the rake. `voided` is the reason, or "".

    `carried` are the pots carried to the next hand, `carried_in` is what came from earlier ones
    (MAT-6). A void hand has no `carried`: what came in stays carried.
    """

    hand_no: int
    pots: tuple[Pot, ...]
    awards: tuple[PotAwarded, ...]
    rake: Rake
    shown: tuple[HandShown, ...]
    mucked: tuple[HandMucked, ...]
    seats: tuple[SeatResult, ...]
    voided: str
    carried_in: int = 0
    carried: tuple[PotCarried, ...] = ()


class Over(NamedTuple):
    """The hand is over.

    `pending` are places that the winner chose to show (SHW-3), not yet revealed.
    """

    result: HandResult
    pending: tuple[Place, ...]


Wait: TypeAlias = (
    WaitBegin | WaitCards | WaitAction | WaitDiscard | WaitFacing | WaitShowdown | WaitSplit | Over
)
