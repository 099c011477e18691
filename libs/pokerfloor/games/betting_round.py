"""The betting of one street: what has been bet, who has acted, and what a raise must be.

Seats are given by seat index: seats dealt in, in seat order, from 0. Amounts are totals in front of
a seat on this street, in minor units.
"""

from typing import Final

from pokerfloor.games.rows import Structure
from pokerfloor.games.setup import HandSetup, MinRaise

NOT_YET: Final = -1
NO_CAP: Final = 1_000_000  # more raises than any street can have


_PARTS: Final = (
    "acted_full",
    "acted_level",
    "aggressor",
    "begun",
    "brought_in",
    "double",
    "fixed",
    "full_level",
    "full_no",
    "increment",
    "level",
    "most_raises",
    "raise_cap",
    "raises",
    "setup",
    "size",
    "upper",
)


class BettingRound:
    """The bets and raises of one street. Forced bets belong to the first street.

    level: the largest amount in front of anyone, or owed by everyone (the big blind at full value)
    size: the least full bet; in fixed-limit every bet and raise
    increment: the largest full bet or raise so far (BET-11)
    full_level: the level that the last full bet or raise made (BET-33)
    full_no: how many full bets and raises there have been
    raises, most_raises: how many of them count towards the cap, and the cap (BET-31)
    acted_full, acted_level: by seat index, `full_no` and `level` when it last acted,
        or NOT_YET
    aggressor: the index of the last seat to bet or raise, or NOT_YET
    begun: whether a seat has had its turn
    brought_in: the level of a bring-in below a full bet (STD-2), or NOT_YET
    upper: a second, larger bet size that is also allowed (STD-4), or 0
    """

    __slots__ = _PARTS

    def __init__(self, setup: HandSetup) -> None:
        self.setup = setup
        self.fixed = setup.structure is Structure.FIXED_LIMIT
        self.double = setup.settings.min_raise is MinRaise.DOUBLE and not self.fixed
        # One bet and `raise_cap` raises.
        self.raise_cap = 1 + setup.settings.raise_cap if self.fixed else NO_CAP
        count = len(setup.seats)
        self.acted_full = [NOT_YET] * count
        self.start(setup.settings.min_bet_minor)

    def start(self, size: int) -> None:
        """Begin a street with no bets."""
        self.size = size
        self.increment = size
        self.level = 0
        self.full_level = 0
        self.full_no = 0
        self.raises = 0
        self.aggressor = NOT_YET
        self.most_raises = self.raise_cap
        self.begun = False
        self.brought_in = NOT_YET
        self.upper = 0
        count = len(self.acted_full)
        self.acted_full = [NOT_YET] * count
        self.acted_level = [NOT_YET] * count

    def copy(self) -> "BettingRound":
        """Return an independent copy."""
        twin = BettingRound(self.setup)
        for name in _PARTS:
            setattr(twin, name, getattr(self, name))
        twin.acted_full = self.acted_full.copy()
        twin.acted_level = self.acted_level.copy()
        return twin

    def begin(self, *, uncapped: bool, upper: int) -> None:
        """Record that the first turn begins. `upper` is the second bet size, or 0."""
        self.begun = True
        self.upper = upper
        if uncapped:
            self.most_raises = NO_CAP

    def minimum_to(self) -> int:
        """Return the least that the next full bet or raise must make it (BET-10, -11, -30, -33)."""
        if self.fixed:
            full, size = self.full_level, self.size
            return full + ((self.level - full) // size + 1) * size
        if self.double:
            return max(2 * self.level, self.level + self.size)
        return self.level + self.increment

    def upper_to(self) -> int:
        """Return the total of a bet or raise by the second size (STD-4)."""
        full, size = self.full_level, self.upper
        return full + ((self.level - full) // size + 1) * size

    def is_full(self, to: int) -> bool:
        """Return whether a bet or raise to `to` is full, not a short all-in."""
        if to >= self.minimum_to():
            return True
        return self.fixed and 2 * (to - self.level) >= self.size

    def may_raise(self, index: int) -> bool:
        """Return whether a seat may bet or raise (BET-12, BET-31, BET-33).

        Nobody may raise above the cap. A seat that has acted may raise again only if what it faces,
        beyond the level at which it acted, is a full raise. In fixed-limit half a raise is enough.
        """
        if self.raises >= self.most_raises:
            return False
        since = self.acted_level[index]
        if since == NOT_YET:
            return True
        if self.fixed:
            return 2 * (self.level - since) >= self.size or self._completed_since(index)
        if self.double:
            return self.level >= max(2 * since, since + self.size)
        return self.level - since >= self.increment

    def _completed_since(self, index: int) -> bool:
        """Return whether a seat has only met a bring-in that was completed to a bet since (STD-2).

        The completion is the street's first bet, however near to it the bring-in was.
        """
        return self.acted_level[index] == self.brought_in and self.full_no > 0

    def post(self, front: int) -> None:
        """Record a live forced bet below a full bet; `front` is the total in front of its seat."""
        self.level = max(self.level, front)

    def post_bet(self, front: int, full_amount: int) -> None:
        """Record a big blind or a straddle, which counts as a bet of its full amount (BET-11)."""
        self.post(front)
        if full_amount >= self.level:
            self.level = full_amount
            self.increment = max(self.size, full_amount)
            self.full_level = full_amount
            self.raises += 1

    def bring_in(self, index: int, full_amount: int) -> None:
        """Record stud's bring-in (STD-2). Below full size it can be raised to a full bet.

        It is owed in full even if it was posted short. Its seat has acted and has no option if the
        others only call.
        """
        self.level = full_amount
        if full_amount >= self.size:
            self.full_level = full_amount
            self.full_no += 1
            self.raises += 1
        else:
            self.brought_in = full_amount
        self.acted(index)

    def acted(self, index: int) -> None:
        """Record a check or a call."""
        self.acted_full[index] = self.full_no
        self.acted_level[index] = self.level

    def raised(self, index: int, to: int) -> None:
        """Record a bet or raise, full or short. The second size, once used, is the only one."""
        if self.is_full(to):
            if self.upper and to - self.full_level >= self.upper:
                self.size, self.upper = self.upper, 0
            self.increment = max(self.increment, to - self.level)
            self.full_level = to
            self.full_no += 1
            self.raises += 1
        self.level = to
        self.aggressor = index
        self.acted_full[index] = self.full_no
        self.acted_level[index] = to

    def canonical(self) -> tuple[object, ...]:
        """Return everything that can change, as plain values."""
        return (
            self.size,
            self.increment,
            self.level,
            self.full_level,
            self.full_no,
            self.raises,
            self.aggressor,
            self.most_raises,
            int(self.begun),
            tuple(self.acted_full),
            tuple(self.acted_level),
            *((self.upper,) if self.upper else ()),
            *((self.brought_in,) if self.brought_in != NOT_YET else ()),
        )
