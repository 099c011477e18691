"""What a hand waits for: always a value that can be asked, never a callback."""

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
    """All that a seat in turn may do (BET-3). Amounts are 0 where the action is not allowed.

    `call_by` is what a call adds, `call_to` the total after it; both are 0 when nothing is owed.
    `bet_*` and `raise_*` are totals ("to"); an all-in for less than the usual minimum lowers the
    minimum to the stack. `step` is the smallest chip: any multiple of it between minimum and
    maximum is good, and the maximum itself. In fixed-limit minimum and maximum are equal.
    `all_in_as` is what ALL_IN becomes, None when it is not allowed, and `all_in_to` its total.
    `sizes_to`: where it is not empty, a bet or raise makes it one of these totals and no other.
    `swap_slots` are the slots of hole cards that the seat may swap before it acts (SWP-1).
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
    """The faces of these places are due, in this order."""

    places: tuple[Place, ...]
    reason: RevealReason


class WaitAction(NamedTuple):
    """A seat's action is due."""

    seat: int
    turn_no: int
    legal: LegalSet


class WaitDiscard(NamedTuple):
    """A seat's exchange is due: `least` to `most` of the cards at `places`, its own (DRW-4)."""

    seat: int
    turn_no: int
    min_discards: int
    max_discards: int
    places: tuple[Place, ...]


class WaitFacing(NamedTuple):
    """A seat is to say whether the card for `place` comes down; then `revealed` is shown (MAT-3).

    `revealed` is its down card now: a seat has one down card at any time. Up is what it gets
    without an answer.
    """

    seat: int
    turn_no: int
    place: Place
    revealed: Place


class WaitShowdown(NamedTuple):
    """A showdown is to be resolved."""

    request: ShowdownRequest


class WaitSplit(NamedTuple):
    """These seats have not yet said whether to split `pots`, for which no hand qualifies (MAT-6).

    They answer in any order; the first no decides. `agreed` have said yes. Each pot would be split
    equally among its `eligible` seats.
    """

    seats: tuple[int, ...]
    agreed: tuple[int, ...]
    pots: tuple[Pot, ...]


class HandResult(NamedTuple):
    """SHW-4. `pots` are as they were before the rake. `voided` is the reason, or "".

    `carried` are the pots that go on to the next hand, `carried_in` what came in from earlier ones
    (MAT-6). Of a void hand nothing is in `carried`: what came in simply is carried still.
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
    """Nothing more is to come.

    `due` are places whose owner chose to show them after the hand (SHW-3), not yet revealed.
    """

    result: HandResult
    pending: tuple[Place, ...]


Wait: TypeAlias = (
    WaitBegin | WaitCards | WaitAction | WaitDiscard | WaitFacing | WaitShowdown | WaitSplit | Over
)
