"""The state of a table: the fold of its stored steps, copied for each next one."""

import json
from hashlib import sha256
from typing import Final, NamedTuple

from libs.floorapi.floor.common.v1.cards_pb2 import OpenedCard
from libs.floorapi.floor.events.v1.hand_events_pb2 import HandEnded
from libs.floorapi.floor.events.v1.table_events_pb2 import HandOpened
from libs.floorapi.floor.settings.v1.settings_pb2 import TableSettings
from libs.floorlog import HandContext
from libs.games import Hand
from services.table.domain.command_memory import CommandMemory
from services.table.domain.rules import TableRules
from services.table.domain.seating import LastHand
from services.table.domain.seats import Departed, Seat

RULES_VERSION: Final = 1


class HandRecord(NamedTuple):
    """What the table knows of a hand besides the hand itself.

    The `*_seq` are numbers of steps, 0 for none yet: the one that opened the hand, those that dealt
    own cards, and the last one with an opening or a showdown that is due. `digest` is of `opened`.
    """

    opened: HandOpened
    context: HandContext
    digest: str
    opened_seq: int
    root: bytes = b""
    dealt_seqs: tuple[int, ...] = ()
    opening_seq: int = 0


class Draw(NamedTuple):
    """A draw for the first button under way (TBL-10)."""

    deck_no: int
    seats: tuple[int, ...]
    began_seq: int
    root: bytes = b""


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
    opened_cards: faces turned up in the hand, with proofs; `opened_chain` is a hash over them
    """

    __slots__ = (
        "_owns_hand",
        "_rules",
        "at_ms",
        "chips_in",
        "chips_out",
        "clock",
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
        "memory",
        "next_hand_at_ms",
        "opened_cards",
        "opened_chain",
        "owner_epoch",
        "paused",
        "raked",
        "record",
        "seats",
        "settings",
        "settings_digest",
        "show_until_ms",
        "table_id",
        "table_seq",
        "unsettled",
        "voided",
    )

    settings: TableSettings | None
    hand: Hand | None
    record: HandRecord | None
    clock: TurnClock | None
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
        self.hand = None
        self.record = None
        self.hand_over = False
        self.show_until_ms = 0
        self.clock = None
        self.opened_cards: tuple[OpenedCard, ...] = ()
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

    def own_hand(self) -> Hand:
        """Return the hand, to be changed."""
        assert self.hand is not None, "no hand"
        if not self._owns_hand:
            self.hand = self.hand.copy()
            self._owns_hand = True
        return self.hand

    def set_hand(self, hand: Hand | None) -> None:
        """Put a new hand in, or take the old one away."""
        self.hand = hand
        self._owns_hand = True

    @property
    def playing(self) -> Hand | None:
        """The hand in play, None between hands."""
        return None if self.hand_over else self.hand

    @property
    def hand_no(self) -> int:
        """The number of the hand in play, 0 between hands."""
        return self.record.opened.hand_no if self.record and not self.hand_over else 0

    @property
    def hand_shows(self) -> bool:
        """Whether cards that a winner chose to show are still to be turned up (SHW-3)."""
        return self.hand_over and self.hand is not None and bool(self.hand.state.cards.due)

    def in_hand(self, seat: int) -> bool:
        """Tell whether a seat was dealt into the hand in play."""
        hand = self.playing
        return hand is not None and seat in hand.state.position_of

    def behind(self, seat: Seat) -> int:
        """Return a seat's chips behind: in a hand without what it has put in."""
        hand = self.playing
        if hand is None or seat.seat not in hand.state.position_of:
            return seat.stack
        return hand.state.stacks[hand.state.position_of[seat.seat]]

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
        chips = 0
        if hand is not None:
            state = hand.state
            # Rake is taken in the step that ends the hand, so none is outside of these here.
            chips = sum(state.stacks) + sum(state.bets) + state.middle
        for seat in self.seats.values():
            if hand is None or seat.seat not in hand.state.position_of:
                chips += seat.stack
            assert seat.stack >= 0, f"seat {seat.seat} has {seat.stack}"
        expected = self.chips_in - self.chips_out - self.raked
        assert chips == expected, f"{chips} chips at the table, {expected} were brought"

    def canonical(self) -> tuple[object, ...]:
        """Return the whole state as nested tuples of numbers and words.

        Messages stand as their hashes, the memory of commands as its chain.
        """
        hand, record, draw = self.hand, self.record, self.draw
        return (
            (self.table_id, self.table_seq, self.owner_epoch, self.at_ms),
            (self.settings_digest, self.closing, self.closed, self.paused, self.unsettled),
            self.by_number(),
            self.departed,
            self.memory.chain,
            (self.hands, self.decks, self.last, self.next_hand_at_ms),
            (*draw[:3], draw.root.hex()) if draw else (),
            hand.digest().hex() if hand else "",
            (record.digest, record.opened_seq, record.root.hex(), *record[5:]) if record else (),
            (self.hand_over, self.show_until_ms, self.clock, self.opened_chain),
            self.last_result_digest,
            (self.closed_decks, self.voided),
            (self.chips_in, self.chips_out, self.raked),
        )

    def digest(self) -> bytes:
        """Return SHA-256 over the compact JSON text of the canonical state."""
        text = json.dumps(self.canonical(), separators=(",", ":"))
        return sha256(text.encode("ascii")).digest()


_SHARED: Final = tuple(
    name for name in TableState.__slots__ if name not in ("seats", "memory", "_owns_hand")
)
