"""The bets of one street, told again from its events: a slow second reading of the betting rules.

Nothing of the engine's own bookkeeping is used. Every question walks the street from its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pokerfloor.games import (
    ActionTaken,
    ActKind,
    BetTier,
    Event,
    ForcedBetPosted,
    ForcedKind,
    HandSetup,
    MinRaise,
    Structure,
)

LIVE = (
    ForcedKind.SMALL_BLIND,
    ForcedKind.BIG_BLIND,
    ForcedKind.STRADDLE,
    ForcedKind.POST,
    ForcedKind.BRING_IN,
)


def full_forced(setup: HandSetup, seat: int, kind: ForcedKind) -> int:
    """What was to be posted, whatever the stack allowed."""
    if kind is ForcedKind.BRING_IN:
        return setup.settings.bring_in_minor or setup.settings.min_bet_minor
    return next(bet.amount for bet in setup.forced if (bet.seat, bet.kind) == (seat, kind))


@dataclass
class Story:
    """What the street has come to.

    level: the most that anyone has in front or that a big blind or a bring-in stands for
    full_level: the level of the last full bet or raise
    increment: the largest full bet or raise
    bets: how many full bets and raises there were, those of blinds and straddles too (BET-31)
    size, upper: the size of the next bet; a second one that an open pair allows, or 0
    acted: the seats that have acted since the last full bet or raise, each with what the short
        all-ins after its action have come to
    level_at: the level at which each seat last acted on the street
    bring_in: a bring-in below a full bet, until somebody completes it
    only_brought_in: the seats that had met no more than the bring-in when it was completed
    """

    setup: HandSetup
    size: int
    upper: int
    level: int = 0
    full_level: int = 0
    increment: int = 0
    bets: int = 0
    acted: dict[int, int] = field(default_factory=dict)
    level_at: dict[int, int] = field(default_factory=dict)
    bring_in: int = 0
    only_brought_in: set[int] = field(default_factory=set)

    @property
    def fixed(self) -> bool:
        return self.setup.structure is Structure.FIXED_LIMIT

    @property
    def double(self) -> bool:
        return self.setup.settings.min_raise is MinRaise.DOUBLE and not self.fixed

    def least_to(self) -> int:
        """BET-10, BET-11, BET-30, BET-33: the total that the next full bet or raise comes to."""
        if self.double:
            return max(2 * self.level, self.level + self.size)
        if not self.fixed:
            return self.level + self.increment
        return self._limit(self.size)

    def upper_to(self) -> int:
        return self._limit(self.upper)

    def _limit(self, size: int) -> int:
        totals = range(self.full_level + size, self.level + 2 * size + 1, size)
        return next(total for total in totals if total > self.level)

    def open_to(self, seat: int) -> bool:
        """BET-12, BET-33: whether what happened since the seat acted lets it raise again."""
        if self.fixed:
            faces = self.level - self.level_at.get(seat, -self.size)
            return 2 * faces >= self.size or seat in self.only_brought_in
        if seat not in self.acted:
            return True
        shorts = self.acted[seat]
        if self.double:
            before = self.level_at[seat]
            return before + shorts >= max(2 * before, before + self.size)
        return shorts >= self.increment

    def post(self, event: ForcedBetPosted, front: int) -> None:
        full = full_forced(self.setup, event.seat, event.kind)
        if event.kind is ForcedKind.BRING_IN:  # STD-2
            self.level = full
            self.acted, self.level_at = {event.seat: 0}, {event.seat: full}
            if full >= self.size:
                self.bets, self.full_level = self.bets + 1, full
            else:
                self.bring_in = full
            return
        self.level = max(self.level, front)
        if event.kind is ForcedKind.STRADDLE and event.amount == full:
            full = front
        elif event.kind is not ForcedKind.BIG_BLIND:
            return
        if full >= self.level:
            self.level = self.full_level = full
            self.increment = max(self.size, full)
            self.bets += 1

    def act(self, event: ActionTaken) -> None:
        if event.kind in (ActKind.BET, ActKind.RAISE):
            by = event.to - self.level
            half = self.fixed and 2 * by >= self.size
            if event.to >= self.least_to() or half:
                self._full(event.to, by)
            else:
                self.acted = {seat: shorts + by for seat, shorts in self.acted.items()}
            self.level = event.to
        self.acted[event.seat] = 0
        self.level_at[event.seat] = self.level
        self.only_brought_in.discard(event.seat)

    def _full(self, to: int, by: int) -> None:
        if self.upper and to - self.full_level >= self.upper:
            self.size, self.upper = self.upper, 0
        self.increment = max(self.increment, by)
        self.full_level = to
        self.bets += 1
        self.acted = {}
        if self.bring_in:
            met = [seat for seat, level in self.level_at.items() if level == self.bring_in]
            self.only_brought_in, self.bring_in = set(met), 0


def tell(setup: HandSetup, street_no: int, events: Sequence[Event], upper: int) -> Story:
    """The story of a street from its events; `upper` is the second size at its first turn, or 0."""
    settings = setup.settings
    big = setup.game.streets[street_no].tier is BetTier.BIG
    fixed = setup.structure is Structure.FIXED_LIMIT
    size = settings.big_bet_minor if fixed and big else settings.min_bet_minor
    story = Story(setup, size, upper, increment=size)
    front: dict[int, int] = {}
    for event in events:
        if isinstance(event, ForcedBetPosted) and event.kind in LIVE:
            front[event.seat] = front.get(event.seat, 0) + event.amount
            story.post(event, front[event.seat])
        elif isinstance(event, ActionTaken):
            story.act(event)
    return story
