"""From scored to paid points: the order of settlement and its caps (OFC-21, OFC-22).

Scoop settles in the same way (SCP-5); for three players both rules give the same order.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Final, NamedTuple

from pokerfloor.limits import MAX_AMOUNT
from pokerfloor.scoring.reason import Reason

MOST_POINTS: Final = MAX_AMOUNT  # in a stack, or between two players
MOST_SETTLED: Final = 4  # SCP-1

PAID_IN_FULL: Final = "paid_in_full"
NOTHING_TO_PAY: Final = "nothing_to_pay"
CAPPED_BY_PAYER: Final = "capped_by_payer"
CAPPED_BY_WINNER: Final = "capped_by_winner"

WRONG_SEATS: Final = "wrong_seats"
PAIR_MISSING: Final = "pair_missing"
PAIR_TWICE: Final = "pair_twice"
UNKNOWN_SEAT: Final = "unknown_seat"
AMOUNT_OUT_OF_RANGE: Final = "amount_out_of_range"


class SettlementError(ValueError):
    """Stacks or pairs that cannot be settled.

    `code` is one of the constants of this module, `reason` is for people, `field` is at fault:
    `stacks`, `stacks[3]` (of seat 3), `pairs`, `pairs[0]`.
    """

    def __init__(self, code: str, reason: str, field: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.code = code
        self.reason = reason
        self.field = field


class PairScored(NamedTuple):
    """The scored points that seat `a` won from seat `b`; negative for a loss."""

    a: int
    b: int
    points: int


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment between two seats, in points as seen by `a`.

    `paid` has the sign of `scored` and is at most the smaller of the two stacks before it.
    """

    a: int
    b: int
    scored: int
    paid: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Settlement:
    """The payments in order, and the stacks after them by seat."""

    payments: tuple[Payment, ...]
    stacks: Mapping[int, int]


def settlement_order(button: int, seats: Collection[int]) -> tuple[tuple[int, int], ...]:
    """Return the pairs of seats in the order they settle (OFC-21, SCP-5).

    Seats go clockwise. The first seat left of the button settles with the second, then with the
    third, and so on; then the second with the third. The button is the last seat.
    """
    left_of_button = sorted(seats, key=lambda seat: (seat <= button, seat))
    return tuple(combinations(left_of_button, 2))


def settle(button: int, stacks: Mapping[int, int], scored: Collection[PairScored]) -> Settlement:
    """Return the payments for the scored points of a hand (OFC-22).

    `stacks` are the points in play of two to four seats. `scored` has each pair of seats once,
    either way round and in any order. Raises SettlementError.
    """
    _check_stacks(stacks)
    points = _by_pair(stacks, scored)
    after = dict(stacks)
    payments: list[Payment] = []
    for a, b in settlement_order(button, stacks):
        payment = _payment(a, b, points[a, b], after)
        after[a] += payment.paid
        after[b] -= payment.paid
        payments.append(payment)
    assert sum(after.values()) == sum(stacks.values()), "no point is made or lost"
    assert min(after.values()) >= 0, "no seat pays more than it has"
    return Settlement(tuple(payments), MappingProxyType(after))


def _payment(a: int, b: int, scored: int, stacks: Mapping[int, int]) -> Payment:
    winner, payer = (a, b) if scored > 0 else (b, a)
    paid = min(abs(scored), stacks[winner], stacks[payer])
    if not scored:
        reason = Reason(NOTHING_TO_PAY, f"seats {a} and {b} are even")
    elif paid == abs(scored):
        reason = Reason(PAID_IN_FULL, f"seat {payer} pays seat {winner} {paid}")
    else:
        code, who = CAPPED_BY_PAYER, payer
        if stacks[winner] < stacks[payer]:
            code, who = CAPPED_BY_WINNER, winner
        text = f"seat {payer} pays seat {winner} {paid} of {abs(scored)}: seat {who} has no more"
        reason = Reason(code, text)
    return Payment(a, b, scored, paid if scored > 0 else -paid, reason)


def _check_stacks(stacks: Mapping[int, int]) -> None:
    if not 2 <= len(stacks) <= MOST_SETTLED:
        reason = f"2 to {MOST_SETTLED} seats settle, not {len(stacks)}"
        raise SettlementError(WRONG_SEATS, reason, "stacks")
    for seat, stack in stacks.items():
        if not 0 <= stack <= MOST_POINTS:
            reason = f"seat {seat} cannot have {stack} points"
            raise SettlementError(AMOUNT_OUT_OF_RANGE, reason, f"stacks[{seat}]")


def _by_pair(
    stacks: Mapping[int, int], scored: Collection[PairScored]
) -> dict[tuple[int, int], int]:
    """Return the points by pair, both ways round."""
    points: dict[tuple[int, int], int] = {}
    for index, (a, b, won) in enumerate(scored):
        field = f"pairs[{index}]"
        for seat in (a, b):
            if seat not in stacks:
                raise SettlementError(UNKNOWN_SEAT, f"seat {seat} has no stack", field)
        if a == b or (a, b) in points:
            reason = f"seats {a} and {b} have been named already"
            raise SettlementError(PAIR_TWICE, reason, field)
        if abs(won) > MOST_POINTS:
            raise SettlementError(AMOUNT_OUT_OF_RANGE, f"{won} points are too many", field)
        points[a, b], points[b, a] = won, -won
    for a, b in combinations(stacks, 2):
        if (a, b) not in points:
            reason = f"seats {a} and {b} are not compared"
            raise SettlementError(PAIR_MISSING, reason, "pairs")
    return points
