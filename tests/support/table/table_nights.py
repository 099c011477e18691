"""A night at a table: its log as bytes, and what it comes to on paper."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from hypothesis import strategies as st

from pokerfloor.api.events.v1 import table_events_pb2
from tests.support.wallet.table_log import (
    MAX_RAKE,
    Event,
    TableLog,
    added,
    ended,
    left,
    minor,
    noise,
    opened,
    released,
    taken,
    voided,
)

PLAYERS: Final = ("ann", "bob", "cid", "dan")

#: What, who, how much.
Action = tuple[str, str, int]
WHATS: Final = ("sit", "hand", "hand", "hand", "carry", "carry", "take back", "leave", "share out")
RARE: Final = ("void", "level", "noise", "top up", "two in one", "release")
FAULTS: Final = ("rake", "chips", "gap", "unknown reservation", "bytes", "hand twice")

actions = st.lists(
    st.tuples(st.sampled_from(WHATS + RARE), st.sampled_from(PLAYERS), st.integers(1, 3_000)),
    min_size=5,
    max_size=14,
)
first_stacks = st.tuples(*[st.integers(500, 5_000) for _ in PLAYERS])
#: Before which action the log is broken, and how.
faults = st.none() | st.tuples(st.integers(1, 9), st.sampled_from(FAULTS))


@dataclass
class Night:
    """A table's log, written beside a slip of paper that ends where the log is broken."""

    table_id: str
    log: TableLog = field(init=False)
    #: Reservation, player, amount.
    reserved: list[tuple[str, str, int]] = field(default_factory=list)
    stacks: Counter[str] = field(default_factory=Counter)
    #: What the players won at the table, less what they still have there.
    cash: Counter[str] = field(default_factory=Counter)
    held: Counter[str] = field(default_factory=Counter)
    pot: int = 0
    rake: int = 0
    suspense: int = 0
    hands: int = 0
    broken: bool = False

    def __post_init__(self) -> None:
        self.log = TableLog(self.table_id)
        self.log.step(opened())

    @property
    def messages(self) -> list[bytes]:
        return self.log.stored

    def play(self, action: Action) -> None:
        what, player, amount = action
        stack = self.stacks[player]
        match what:
            case "sit" if not stack:
                self._buy_in(player, amount, taken)
            case "top up" if stack:
                self._buy_in(player, amount, added)
            case "release":
                reservation_id = self._reserve(player, amount)
                self._paid(player, amount)
                self.log.step(released(player, reservation_id))
            case "leave" if stack:
                self.log.step(self._leave(player))
            case "two in one" if stack:
                others = [p for p in PLAYERS if self.stacks[p]]
                self.log.step(*[self._leave(p) for p in others])
            case "share out" if self.pot:
                self._share_out(player)
            case "noise":
                self.log.step(noise())
            case "hand" | "carry" | "take back" | "level" | "void":
                self._hand(what, player, amount)

    def break_off(self, how: str) -> None:
        """Write a step that cannot be taken in; what comes after it is as good as not written."""
        self.broken = True
        seats = {p: (self.stacks[p], self.stacks[p]) for p in PLAYERS}
        hand_no = self.hands + 1
        match how:
            case "rake":
                self.log.step(ended(hand_no, seats, rake=MAX_RAKE + 1, carried_in=MAX_RAKE + 1))
            case "chips":
                rich = {p: (stack + 1, stack + 1) for p, (stack, _) in seats.items()}
                self.log.step(ended(hand_no, rich))
            case "gap":
                self.log.table_seq += 1
                self.log.step(noise())
            case "unknown reservation":
                # The first event is fine, and must be undone with the second.
                self.log.step(voided(hand_no), taken("ann", 5, "never-heard-of"))
            case "hand twice":
                self.log.step(voided(hand_no), voided(hand_no))
            case "bytes":
                self.log.table_seq += 1
                self.log.stored.append(b"\xff no step")

    def _reserve(self, player: str, amount: int) -> str:
        reservation_id = f"{self.table_id}/{len(self.reserved)}"
        self.reserved.append((reservation_id, player, amount))
        self.held[player] += amount
        self.cash[player] -= amount
        return reservation_id

    def _paid(self, player: str, amount: int) -> None:
        """What was held goes back, unless the log is broken by then."""
        if not self.broken:
            self.held[player] -= amount
            self.cash[player] += amount

    def _buy_in(self, player: str, amount: int, event: object) -> None:
        assert callable(event)
        reservation_id = self._reserve(player, amount)
        self.log.step(event(player, amount, reservation_id))
        if not self.broken:
            self.held[player] -= amount
            self.stacks[player] += amount

    def _leave(self, player: str) -> Event:
        amount = self.stacks[player]
        if not self.broken:
            self.cash[player] += amount
            self.stacks[player] = 0
        return left(player, amount)

    def _share_out(self, player: str) -> None:
        share = self.pot // 2 if self.stacks[player] else 0
        closed = table_events_pb2.CarriedPotClosed(suspense=minor(self.pot - share))
        if share:
            closed.shares.add(seat=1, player_id=player, amount=minor(share))
        self.log.step(Event(carried_pot_closed=closed))
        if not self.broken:
            self.stacks[player] += share
            self.suspense += self.pot - share
            self.pot = 0

    def _hand(self, what: str, loser: str, amount: int) -> None:
        """A hand in which one loses to the next: raked, or a part of it carried, or neither."""
        seated = [p for p in PLAYERS if self.stacks[p]]
        if not seated:
            return
        hand_no = self.hands + 1
        if what == "void":
            self.log.step(voided(hand_no))
            self.hands += not self.broken
            return
        winner = seated[(PLAYERS.index(loser) + 1) % len(seated)]
        lost = 0 if what in ("level", "take back") or loser == winner else amount
        lost = min(lost, self.stacks[loser])
        rake = min(lost // 20, MAX_RAKE) if what == "hand" else 0
        carried_out = lost // 2 if what == "carry" else 0
        carried_in = self.pot if what == "take back" else 0
        nets = Counter({loser: -lost})
        nets[winner] += lost - rake - carried_out + carried_in
        stacks = {p: (self.stacks[p], self.stacks[p] + nets[p]) for p in {*seated, loser}}
        self.log.step(ended(hand_no, stacks, rake, carried_in, carried_out), hand_no=hand_no)
        if self.broken:
            return
        self.hands += 1
        self.rake += rake
        self.pot += carried_out - carried_in
        self.stacks.update(nets)


@st.composite
def nights(draw: st.DrawFn, tables: tuple[str, ...]) -> list[Night]:
    """A night at each of the tables."""
    found = []
    for table_id in tables:
        night = Night(table_id)
        fault = draw(faults)
        for player, amount in zip(PLAYERS, draw(first_stacks), strict=True):
            night.play(("sit", player, amount))
        for number, action in enumerate(draw(actions), start=1):
            if fault and fault[0] == number:
                night.break_off(fault[1])
            night.play(action)
        found.append(night)
    return found
