"""The state of a table: the fold of its stored steps, copied for each next one."""

import json
from hashlib import sha256
from typing import Final, NamedTuple

from floor_table.domain.any_hand import chips_in, dealt_in, holds_carried_pot, stack_of
from floor_table.domain.command_memory import CommandMemory
from floor_table.domain.mix_state import Mix
from floor_table.domain.placement_state import Laying, Matches, Readiness
from floor_table.domain.rules import TableRules
from floor_table.domain.seating import LastHand
from floor_table.domain.seats import Departed, Seat
from pokerfloor.api.common.v1.cards_pb2 import RevealedCard
from pokerfloor.api.events.v1.hand_events_pb2 import EquityShown, HandEnded
from pokerfloor.api.events.v1.table_events_pb2 import HandBegan
from pokerfloor.api.settings.v1.settings_pb2 import TableSettings
from pokerfloor.tablelog import AnyHand, HandContext

RULES_VERSION: Final = 1


class HandRecord(NamedTuple):
    """What the table knows of a hand besides the hand itself.

    The `*_seq` are numbers of steps, 0 for none yet: the one that opened the hand, those that dealt
    own cards, the last one with an opening or a showdown that is due, those that reshuffled the
    deck, and the last one that turned cards up. `later_roots` are of the generations after the
    first. `digest` is of `opened`. `equity` is the newest told at an all-in showdown.
    """

    opened: HandBegan
    context: HandContext
    digest: str
    opened_seq: int
    root: bytes = b""
    dealt_seqs: tuple[int, ...] = ()
    opening_seq: int = 0
    reshuffled_seqs: tuple[int, ...] = ()
    later_roots: tuple[bytes, ...] = ()
    turned_up_seq: int = 0
    equity: EquityShown | None = None
    equity_digest: str = ""

    @property
    def shuffling(self) -> int:
        """The generation whose root is not known yet, 0 for none (DRW-5)."""
        known = len(self.later_roots)
        return known + 1 if known < len(self.reshuffled_seqs) else 0

    def canonical(self) -> tuple[object, ...]:
        """Return all but the messages, which stand as their digests.

        Reshuffles and equities stand here where there are any.
        """
        roots = [root.hex() for root in self.later_roots]
        return (
            *(self.digest, self.opened_seq, self.root.hex(), self.dealt_seqs, self.opening_seq),
            *((self.reshuffled_seqs, roots) if self.reshuffled_seqs else ()),
            *((("equity", self.equity_digest),) if self.equity_digest else ()),
        )


class Draw(NamedTuple):
    """A draw under way: for the first button by `seats` (TBL-10), or for the next game (MIX-3).

    `cards` is how many cards a draw for a game turns up, 0 for the button.
    """

    deck_no: int
    seats: tuple[int, ...]
    began_seq: int
    root: bytes = b""
    cards: int = 0


class TurnClock(NamedTuple):
    """The clock of the turn: base time to `deadline_ms`, then `bank_ms` more; CLK-1."""

    seat: int
    turn_no: int
    deadline_ms: int
    bank_ms: int
    bank_running: bool = False

    @property
    def ends_ms(self) -> int:
        """The last moment at which an action arrives in time."""
        return self.deadline_ms + self.bank_ms


class CarriedPot(NamedTuple):
    """A pot that the last hand left (MAT-6).

    `claims` are the seats with their players whose it is where only the same players have a claim,
    `showdown` those of the last showdown from the left of the button; `since_ms` when it ended.
    """

    amount: int
    claims: tuple[tuple[int, str], ...]
    showdown: tuple[tuple[int, str], ...]
    since_ms: int


class ClosedDeck(NamedTuple):
    """A deck that has ended; `void_reason` is empty when it is settled."""

    deck_no: int
    void_reason: str
    cause_seq: int


class TableState:
    """All that is known of a table. Only folds change it, and only a copy that is not stored yet.

    seats: by number, empty seats left out
    hand, record: the hand in play, or one just over whose winner may still show (then `hand_over`)
    chips_in, chips_out, raked: chips bought in, cashed out and raked, ever
    carried: a pot that nobody qualified for; while a hand plays for it, it lies there
    split_until_ms: until when players may say whether to split a pot, 0 while none is asked
    bomb_votes: seats that agree to a bomb pot, in ascending order (BMB-2)
    clocks: of the turns that are open, by seat; one at most in betting games
    mix: which game is next at a table of several (MIX)
    laying, matches, readiness: OFC, Scoop and TBL-6; see `placement_state`
    opened_cards: faces turned up in the hand, with proofs; `opened_chain` is a hash over them
    """

    __slots__ = (
        "_owns_hand",
        "_rules",
        "at_ms",
        "bomb_votes",
        "carried",
        "chips_in",
        "chips_out",
        "clocks",
        "closed",
        "closed_decks",
        "closing",
        "decks",
        "departed",
        "draw",
        "hand",
        "hand_over",
        "hands",
        "last",
        "last_result",
        "last_result_digest",
        "laying",
        "matches",
        "memory",
        "mix",
        "next_hand_at_ms",
        "opened_cards",
        "opened_chain",
        "owner_epoch",
        "paused",
        "raked",
        "readiness",
        "record",
        "seats",
        "settings",
        "settings_digest",
        "show_until_ms",
        "split_until_ms",
        "table_id",
        "table_seq",
        "unsettled",
        "voided",
    )

    settings: TableSettings | None
    hand: AnyHand | None
    record: HandRecord | None
    draw: Draw | None
    last_result: HandEnded | None
    _rules: TableRules | None

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        self.table_seq = 0
        self.owner_epoch = 0
        self.at_ms = 0
        self.settings = None
        self._rules = None
        self.settings_digest = ""
        self.closing = False
        self.closed = False
        self.paused = False
        self.unsettled = False
        self.seats: dict[int, Seat] = {}
        self.departed: tuple[Departed, ...] = ()
        self.memory = CommandMemory()
        self.hands = 0
        self.decks = 0
        self.last = LastHand()
        self.next_hand_at_ms = 0
        self.draw = None
        self.bomb_votes: tuple[int, ...] = ()
        self.carried: CarriedPot | None = None
        self.split_until_ms = 0
        self.hand = None
        self.record = None
        self.hand_over = False
        self.show_until_ms = 0
        self.clocks: tuple[TurnClock, ...] = ()
        self.laying = Laying()
        self.matches = Matches()
        self.readiness = Readiness()
        self.mix = Mix()
        self.opened_cards: tuple[RevealedCard, ...] = ()
        self.opened_chain = ""
        self.last_result = None
        self.last_result_digest = ""
        self.closed_decks: tuple[ClosedDeck, ...] = ()
        self.voided: tuple[tuple[str, str], ...] = ()
        self.chips_in = 0
        self.chips_out = 0
        self.raked = 0
        self._owns_hand = True

    def copy(self) -> "TableState":
        """Return an independent copy; the hand is copied when it first changes."""
        twin = object.__new__(TableState)
        for name in _SHARED:
            setattr(twin, name, getattr(self, name))
        twin.seats = self.seats.copy()
        twin.memory = self.memory.copy()
        twin._owns_hand = False
        return twin

    @property
    def rules(self) -> TableRules:
        """The settings as numbers; only a table that was opened has them."""
        assert self._rules is not None, "a table that was not opened"
        return self._rules

    def set_rules(self, rules: TableRules) -> None:
        """Play by these rules from now on."""
        self._rules = rules

    def own_hand(self) -> AnyHand:
        """Return the hand, to be changed."""
        assert self.hand is not None, "no hand"
        if not self._owns_hand:
            self.hand = self.hand.copy()
            self._owns_hand = True
        return self.hand

    def set_hand(self, hand: AnyHand | None) -> None:
        """Put a new hand in, or take the old one away."""
        self.hand = hand
        self._owns_hand = True

    @property
    def playing(self) -> AnyHand | None:
        """The hand in play, None between hands."""
        return None if self.hand_over else self.hand

    @property
    def hand_no(self) -> int:
        """The number of the hand in play, 0 between hands."""
        return self.record.opened.hand_no if self.record and not self.hand_over else 0

    @property
    def shuffling(self) -> int:
        """The generation of the deck that is being made in mid-hand, 0 for none.

        Until its root is in the log nobody is asked for anything.
        """
        record = self.record
        return record.shuffling if record is not None and self.playing is not None else 0

    @property
    def hand_shows(self) -> bool:
        """Whether cards that a winner chose to show are still to be turned up (SHW-3)."""
        return self.hand_over and self.hand is not None and bool(self.hand.state.cards.pending)

    def in_hand(self, seat: int) -> bool:
        """Tell whether a seat was dealt into the hand in play."""
        hand = self.playing
        return hand is not None and dealt_in(hand, seat)

    @property
    def choosing(self) -> bool:
        """Whether the next game is being chosen or drawn: nobody leaves meanwhile (MIX-3)."""
        return bool(self.mix.seat) or (self.draw is not None and bool(self.draw.cards))

    def bound(self, seat: int) -> bool:
        """Tell whether a seat's requests wait: for the end of its hand, or of its match (OFC-6)."""
        match = self.matches.match
        return self.in_hand(seat) or (match is not None and seat in match.seats)

    @property
    def clock(self) -> TurnClock | None:
        """The clock of the turn, where one seat at a time is asked."""
        return self.clocks[0] if self.clocks else None

    def clock_of(self, seat: int) -> TurnClock | None:
        """Return the clock of a seat's turn, None when it has none."""
        return next((clock for clock in self.clocks if clock.seat == seat), None)

    def start_clock(self, clock: TurnClock) -> None:
        """Let a clock run; another of the same seat stops."""
        others = [one for one in self.clocks if one.seat != clock.seat]
        self.clocks = tuple(sorted([*others, clock]))

    def stop_clock(self, seat: int) -> None:
        """Stop a seat's clock, if it has one."""
        self.clocks = tuple([one for one in self.clocks if one.seat != seat])

    def behind(self, seat: Seat) -> int:
        """Return a seat's chips behind: in a hand without what it has put in."""
        hand = self.playing
        if hand is None or not dealt_in(hand, seat.seat):
            return seat.stack
        return stack_of(hand, seat.seat)

    def seat_of(self, player_id: str) -> Seat | None:
        """Return the seat that a player has or has reserved."""
        for seat in self.seats.values():
            if seat.player_id == player_id:
                return seat
        return None

    def by_number(self) -> list[Seat]:
        """Return the seats in the order of their numbers."""
        return [self.seats[number] for number in sorted(self.seats)]

    def check_chips(self) -> None:
        """Assert that no chip was lost or made (POT-5)."""
        hand = self.playing
        # Rake is taken in the step that ends the hand, so none is outside of these here.
        chips = 0 if hand is None else chips_in(hand)
        if self.carried is not None and not (hand is not None and holds_carried_pot(hand)):
            chips += self.carried.amount
        for seat in self.seats.values():
            if hand is None or not dealt_in(hand, seat.seat):
                chips += seat.stack
            assert seat.stack >= 0, f"seat {seat.seat} has {seat.stack}"
        expected = self.chips_in - self.chips_out - self.raked
        assert chips == expected, f"{chips} chips at the table, {expected} were brought"

    def canonical(self) -> tuple[object, ...]:
        """Return the whole state as nested tuples of numbers and words.

        Messages stand as their hashes, the memory of commands as its chain.
        """
        hand, record = self.hand, self.record
        return (
            (self.table_id, self.table_seq, self.owner_epoch, self.at_ms),
            (self.settings_digest, self.closing, self.closed, self.paused, self.unsettled),
            self.by_number(),
            self.departed,
            self.memory.chain,
            (self.hands, self.decks, self.last, self.next_hand_at_ms),
            self._canonical_draw(),
            hand.digest().hex() if hand else "",
            record.canonical() if record else (),
            (self.hand_over, self.show_until_ms, self._canonical_clocks(), self.opened_chain),
            self.last_result_digest,
            (self.closed_decks, self.voided),
            (self.chips_in, self.chips_out, self.raked),
            # What came later stands here only where there is any, so that old logs keep their
            # digests.
            *((("bomb_votes", *self.bomb_votes),) if self.bomb_votes else ()),
            *((("carried", *self.carried),) if self.carried else ()),
            *((("split_until_ms", self.split_until_ms),) if self.split_until_ms else ()),
            *[
                (name, value)
                for name, value, default in (
                    ("laying", self.laying, Laying()),
                    ("matches", self.matches, Matches()),
                    ("readiness", self.readiness, Readiness()),
                    ("mix", self.mix, Mix()),
                )
                if value != default
            ],
        )

    def _canonical_draw(self) -> tuple[object, ...]:
        draw = self.draw
        if draw is None:
            return ()
        return (*draw[:3], draw.root.hex(), *((draw.cards,) if draw.cards else ()))

    def _canonical_clocks(self) -> tuple[object, ...] | None:
        """Return no clock as None and one as itself, as it was when there was never another."""
        return self.clocks if len(self.clocks) > 1 else self.clock

    def digest(self) -> bytes:
        """Return SHA-256 over the compact JSON text of the canonical state."""
        text = json.dumps(self.canonical(), separators=(",", ":"))
        return sha256(text.encode("ascii")).digest()


_SHARED: Final = tuple(
    name for name in TableState.__slots__ if name not in ("seats", "memory", "_owns_hand")
)
