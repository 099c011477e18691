"""Slow, obvious second implementations, which read the events of a hand and nothing else."""

from collections.abc import Sequence

from libs.games import (
    ActionTaken,
    ActKind,
    BetReturned,
    CardsTurnedUp,
    Event,
    ForcedBetPosted,
    ForcedKind,
    HandSetup,
    HandShown,
    PlaceKind,
    StreetBegan,
)
from libs.ranking import high_strength


class Chips:
    """What each seat put in, in chips, by kind."""

    def __init__(self, setup: HandSetup, events: Sequence[Event]) -> None:
        chip = setup.settings.smallest_chip_minor
        self.antes = {seat: 0 for seat, _ in setup.seats}
        self.live = dict(self.antes)
        self.dead = 0
        self.folded: set[int] = set()
        for event in events:
            if isinstance(event, ForcedBetPosted):
                if event.kind is ForcedKind.ANTE:
                    self.antes[event.seat] += event.amount // chip
                elif event.kind in (ForcedKind.ANTE_FOR_ALL, ForcedKind.DEAD_SMALL):
                    self.dead += event.amount // chip
                else:
                    self.live[event.seat] += event.amount // chip
            elif isinstance(event, ActionTaken):
                self.live[event.seat] += event.by // chip
                if event.kind is ActKind.FOLD:
                    self.folded.add(event.seat)
            elif isinstance(event, BetReturned):
                self.live[event.seat] -= event.amount // chip


def side_pots(chips: Chips) -> list[tuple[int, frozenset[int]]]:
    """POT-1, one chip of height at a time: (chips, who can win them), main pot first."""
    living = frozenset(chips.live) - chips.folded
    pots: dict[frozenset[int], int] = {living: chips.dead} if chips.dead else {}
    for paid in (chips.antes, chips.live):
        below = living
        for height in range(1, max(paid.values()) + 1):
            payers = {seat for seat, amount in paid.items() if amount >= height}
            contenders = frozenset(payers & living) or below
            pots[contenders] = pots.get(contenders, 0) + len(payers)
            below = contenders
    return [(size, seats) for seats, size in sorted(pots.items(), key=lambda pot: -len(pot[0]))]


def payouts(
    setup: HandSetup, events: Sequence[Event], rake_by_pot: Sequence[int]
) -> dict[int, int]:
    """What each seat gets, dealing each pot's chips one by one to its winners (POT-3, ODD-1).

    The faces come from the events: a mucked hand is one that did not win.
    """
    chip = setup.settings.smallest_chip_minor
    numbers = [seat for seat, _ in setup.seats]
    order = [s for s in numbers if s > setup.button] + [s for s in numbers if s <= setup.button]
    strengths = _strengths(events)
    paid = dict.fromkeys(numbers, 0)
    for (size, seats), rake in zip(side_pots(Chips(setup, events)), rake_by_pot, strict=True):
        if len(seats) == 1:
            winners = list(seats)
        else:
            best = max(strengths.get(seat, -1) for seat in seats)
            winners = [seat for seat in order if seat in seats and strengths.get(seat) == best]
        for nth in range(size - rake // chip):
            paid[winners[nth % len(winners)]] += chip
    return paid


def _strengths(events: Sequence[Event]) -> dict[int, int]:
    board = [
        card
        for event in events
        if isinstance(event, CardsTurnedUp)
        for place, card in event.cards
        if place.kind is PlaceKind.BOARD
    ]
    return {
        event.seat: high_strength([*board, *(card for _, card in event.cards)])
        for event in events
        if isinstance(event, HandShown)
    }


def raise_rules(setup: HandSetup, events: Sequence[Event], seat: int) -> tuple[int, bool]:
    """BET-10 to BET-12 for no-limit by increments, read off the history of the street.

    Returns the least that the next full bet or raise makes it, and whether the betting is open to
    the seat.
    """
    level, increment = 0, setup.settings.min_bet_minor
    short_since: dict[int, int] = {}  # seat that has acted since the last full one -> sum of shorts
    front: dict[int, int] = {}
    for event in events:
        if isinstance(event, StreetBegan):
            level, increment, short_since, front = 0, setup.settings.min_bet_minor, {}, {}
        elif isinstance(event, ForcedBetPosted):
            if event.kind in (ForcedKind.ANTE, ForcedKind.ANTE_FOR_ALL, ForcedKind.DEAD_SMALL):
                continue
            front[event.seat] = front.get(event.seat, 0) + event.amount
            full = next(b.amount for b in setup.forced if b[:2] == (event.seat, event.kind))
            if event.kind is ForcedKind.BIG_BLIND:
                level, increment = max(level, full), max(increment, full)
            elif event.kind is ForcedKind.STRADDLE and event.amount == full:
                level, increment = max(level, front[event.seat]), front[event.seat]
            level = max(level, front[event.seat])
        elif isinstance(event, ActionTaken):
            by = event.to - level
            if event.kind in (ActKind.BET, ActKind.RAISE):
                if by >= increment:
                    increment, short_since = by, {}
                else:
                    short_since = {other: total + by for other, total in short_since.items()}
                level = event.to
            short_since[event.seat] = 0
    is_open = seat not in short_since or short_since[seat] >= increment
    return level + increment, is_open
