"""Every chip of a hand, counted beside the engine from its events alone."""

from __future__ import annotations

from collections.abc import Sequence

from pokerfloor.games import (
    ActionTaken,
    ActKind,
    BetReturned,
    BetsCollected,
    CarriedPotAdded,
    Event,
    ForcedBetPosted,
    ForcedKind,
    HandEnded,
    HandSetup,
    HandVoided,
    PotAwarded,
    PotCarried,
    RakeTaken,
    ShowdownBegan,
    StreetBegan,
)
from tests.support.street_story import LIVE, full_forced


class ChipBook:
    """Stacks, bets in front, the middle and the house; their sum never changes (POT-5).

    A pot carried in or out is counted in or out with what was brought (MAT-6).
    """

    def __init__(self, setup: HandSetup) -> None:
        self.setup = setup
        self.chip = setup.settings.smallest_chip_minor
        self.stack = dict(setup.seats)
        self.brought = sum(self.stack.values())
        self.front = dict.fromkeys(self.stack, 0)
        self.pot_total = 0
        self.house = 0
        self.paid = dict.fromkeys(self.stack, 0)  # what each put in and was not given back
        self.in_hand = set(self.stack)
        self.street_no = -1
        self.pots: list[int] = []
        self.rake: RakeTaken | None = None
        self.carried_in = self.carried_out = 0
        self.unpaid: set[int] = set()
        self.ended = False

    def see(self, event: Event) -> None:
        assert not self.ended or type(event).__name__ in ("RevealOrdered", "CardsRevealed"), event
        if isinstance(event, StreetBegan):
            self.street_no = event.street_no
        elif isinstance(event, ForcedBetPosted):
            self._posted(event)
        elif isinstance(event, ActionTaken):
            self._acted(event)
        elif isinstance(event, BetReturned):
            self._returned(event)
        elif isinstance(event, BetsCollected | ShowdownBegan):
            self._collected(event)
        else:
            self._paid_out(event)
        self._count()

    def _count(self) -> None:
        lying = [*self.stack.values(), *self.front.values(), self.pot_total, self.house]
        assert sum(lying) == self.brought
        assert min(lying) >= 0
        assert all(amount % self.chip == 0 for amount in lying)

    def _posted(self, event: ForcedBetPosted) -> None:
        seat, kind, amount, all_in = event
        full = full_forced(self.setup, seat, kind)
        assert amount == min(full, self.stack[seat]), "TBL-14: what there is"
        assert amount or kind is ForcedKind.BIG_BLIND
        self.stack[seat] -= amount
        self.paid[seat] += amount
        assert all_in == (self.stack[seat] == 0)
        if kind in LIVE:
            self.front[seat] += amount
        else:
            self.pot_total += amount

    def _acted(self, event: ActionTaken) -> None:
        seat = event.seat
        assert seat in self.in_hand
        assert self.stack[seat] > 0, "a seat that is all-in is passed over"
        self.stack[seat] -= event.by
        self.front[seat] += event.by
        self.paid[seat] += event.by
        assert event.to == self.front[seat]
        assert event.all_in == (self.stack[seat] == 0)
        assert (event.by > 0) == (event.kind in (ActKind.CALL, ActKind.BET, ActKind.RAISE))
        if event.kind is ActKind.FOLD:
            self.in_hand.remove(seat)

    def _returned(self, event: BetReturned) -> None:
        """POT-2: no more and no less than what nobody else has put in front."""
        others = [bet for seat, bet in self.front.items() if seat != event.seat]
        assert event.seat in self.in_hand
        assert event.amount == self.front[event.seat] - max(others) > 0
        self.front[event.seat] -= event.amount
        self.stack[event.seat] += event.amount
        self.paid[event.seat] -= event.amount

    def _collected(self, event: BetsCollected | ShowdownBegan) -> None:
        if isinstance(event, BetsCollected):
            tops = sorted(self.front.items(), key=lambda entry: entry[1])[-2:]
            assert tops[0][1] == tops[1][1] or tops[1][0] not in self.in_hand, "POT-2: not returned"
            self.pot_total += sum(self.front.values())
            self.front = dict.fromkeys(self.front, 0)
            self.pots = [pot.amount for pot in event.pots]
        for no, pot in enumerate(event.pots):
            assert pot.no == no
            assert pot.amount > 0
            assert pot.eligible == tuple(sorted(pot.eligible))
            assert set(pot.eligible) <= self.in_hand
        assert sum(pot.amount for pot in event.pots) == self.pot_total
        if event.pots:  # none where a lone blind was given back
            assert set(event.pots[0].eligible) == self.in_hand, "the main pot is everybody's"

    def _paid_out(self, event: Event) -> None:
        if isinstance(event, RakeTaken):
            assert self.rake is None
            self.rake = event
            self.pot_total -= event.total
            self.house = event.total
        elif isinstance(event, CarriedPotAdded):
            assert event.amount == self.setup.carried.amount
            self.carried_in = event.amount
            self.pot_total += event.amount
            self.brought += event.amount
        elif isinstance(event, PotCarried):
            assert event.amount == self.pots[event.pot_no]
            self.unpaid.add(event.pot_no)
            self.pot_total -= event.amount
            self.brought -= event.amount
            self.carried_out += event.amount
        elif isinstance(event, PotAwarded):
            assert event.amount > 0
            assert event.seat in self.in_hand
            self.pot_total -= event.amount
            self.stack[event.seat] += event.amount
        elif isinstance(event, HandVoided):
            self.stack = dict(self.setup.seats)
            self.front = dict.fromkeys(self.stack, 0)
            self.pot_total = self.house = 0
            self.brought = sum(self.stack.values())
            self.ended = True
        elif isinstance(event, HandEnded):
            self._closed(event)

    def _closed(self, event: HandEnded) -> None:
        assert self.pot_total == 0, "ODD-4"
        assert not any(self.front.values())
        for seat, start, end, net, _ in event.seats:
            assert start == dict(self.setup.seats)[seat]
            assert end == self.stack[seat]
            assert net == end - start
        assert (event.carried_in, event.carried_out) == (self.carried_in, self.carried_out)
        nets = sum(result.net for result in event.seats)
        assert nets + event.rake + self.carried_out == self.carried_in
        assert sum(result.rake for result in event.seats) == event.rake
        self._check_rake(event)
        self.ended = True

    def _check_rake(self, event: HandEnded) -> None:
        """POT-10, POT-11; a carried pot is raked when it is won (MAT-7)."""
        paid = [0 if no in self.unpaid else amount for no, amount in enumerate(self.pots)]
        assert event.rake == self.house == self.rake_due(sum(paid))
        if self.rake is None:
            return
        assert self.rake.total > 0
        assert sum(self.rake.by_pot) == self.rake.total
        assert [share for share in self.rake.by_pot if share % self.chip] == []
        _check_shares(self.rake.by_pot, paid, self.chip)
        assert self.rake.by_seat == tuple([(result.seat, result.rake) for result in event.seats])
        assert [seat for seat, _ in self.rake.by_seat] == list(self.paid)
        put_in = list(self.paid.values())
        if not sum(put_in):  # a carried pot alone
            put_in = [1 for _ in put_in]
        _check_shares([share for _, share in self.rake.by_seat], put_in, 1)

    def rake_due(self, pots: int) -> int:
        """POT-10, in one sum."""
        rule = self.setup.settings.rake
        if rule.no_flop_no_drop and self.street_no < self.setup.game.rake_from_street:
            return 0
        due = rule.rate_bp * pots // 10_000
        players = len(self.setup.seats)
        caps = [cap.cap_minor for cap in rule.caps if cap.players <= players]
        return min([due, *caps[-1:]]) // self.chip * self.chip


def _check_shares(shares: Sequence[int], weights: Sequence[int], unit: int) -> None:
    """POT-10: in proportion by largest remainder, ties to the first."""
    total, whole = sum(shares) // unit, sum(weights)
    left = total - sum(total * weight // whole for weight in weights)
    by_remainder = sorted(range(len(weights)), key=lambda k: -(total * weights[k] % whole))
    lucky = by_remainder[:left]  # sorted is stable: ties to the first
    for k, (share, weight) in enumerate(zip(shares, weights, strict=True)):
        assert share // unit == total * weight // whole + (k in lucky)
