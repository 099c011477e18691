"""A table at one moment: what its stored steps make of it, copied for each next one."""

import json
from hashlib import sha256
from typing import Final

from floor_table.domain.any_hand import chips_in, dealt_in, holds_carried_pot, stack_of
from floor_table.domain.command_memory import CommandMemory, Taken
from floor_table.domain.parts import (
    CarriedPot,
    ClosedDeck,
    Departed,
    Draw,
    HandRecord,
    LastHand,
    Matches,
    Mix,
    PlacementRecord,
    Readiness,
    Seat,
    TurnClock,
)
from floor_table.domain.settings.rules import TableRules, table_rules
from pokerfloor.api.common.v1.cards_pb2 import RevealedCard
from pokerfloor.api.events.v1.hand_events_pb2 import HandEnded
from pokerfloor.api.history.v1.step_pb2 import Step
from pokerfloor.api.settings.v1.settings_pb2 import TableSettings
from pokerfloor.tablelog import AnyHand, LogError

_MOST_CLOSED_DECKS: Final = 8
_MOST_VOIDED: Final = 16


class Table:
    """All that is known of a table. Only events change it, and only a copy that is not stored yet.

    To everybody else a table is a value: read it, and go on with the one that follows.

    seats: by number, empty seats left out
    hand, record: the hand in play, or one just over whose winner may still show (then `hand_over`)
    chips_in, chips_out, raked: chips bought in, cashed out and raked, ever
    carried: a pot that nobody qualified for; while a hand plays for it, it lies there
    split_until_ms: until when players may say whether to split a pot, 0 while none is asked
    bomb_votes: seats that agree to a bomb pot, in ascending order (BMB-2)
    clocks: of the turns that are open, by seat; one at most in betting games
    mix: which game is next at a table of several (MIX)
    placing, matches: of OFC and Scoop; readiness: who is asked before play begins (TBL-6)
    revealed_cards: faces revealed in the hand, with proofs; `revealed_chain` is a hash over them
    voided: reservations that came to nothing, with the reason
    """

    __slots__ = (
        "_owns_hand",
        "_rules",
        "_settings",
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
        "matches",
        "memory",
        "mix",
        "next_hand_at_ms",
        "owner_epoch",
        "paused",
        "placing",
        "raked",
        "readiness",
        "record",
        "revealed_cards",
        "revealed_chain",
        "seats",
        "settings_digest",
        "show_until_ms",
        "split_until_ms",
        "table_id",
        "table_seq",
        "unsettled",
        "voided",
    )

    _settings: TableSettings | None
    _rules: TableRules | None
    hand: AnyHand | None
    record: HandRecord | None
    draw: Draw | None
    last_result: HandEnded | None

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        self.table_seq = 0
        self.owner_epoch = 0
        self.at_ms = 0
        self._settings = None
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
        self.placing = PlacementRecord()
        self.matches = Matches()
        self.readiness = Readiness()
        self.mix = Mix()
        self.revealed_cards: tuple[RevealedCard, ...] = ()
        self.revealed_chain = ""
        self.last_result = None
        self.last_result_digest = ""
        self.closed_decks: tuple[ClosedDeck, ...] = ()
        self.voided: tuple[tuple[str, str], ...] = ()
        self.chips_in = 0
        self.chips_out = 0
        self.raked = 0
        self._owns_hand = True

    def copy(self) -> "Table":
        """Return an independent copy; the hand is copied when it first changes."""
        twin = object.__new__(Table)
        for name in _SHARED:
            setattr(twin, name, getattr(self, name))
        twin.seats = self.seats.copy()
        twin.memory = self.memory.copy()
        twin._owns_hand = False
        return twin

    # --- the table

    @property
    def exists(self) -> bool:
        """Whether the table has been opened."""
        return self._settings is not None

    @property
    def settings(self) -> TableSettings:
        """The settings with the defaults filled in, to be read only."""
        assert self._settings is not None, "a table that was not opened"
        return self._settings

    @property
    def rules(self) -> TableRules:
        """The settings as numbers."""
        assert self._rules is not None, "a table that was not opened"
        return self._rules

    def open(self, settings: TableSettings) -> None:
        """Play by these settings, which have been checked and completed."""
        self._settings = settings
        self._rules = table_rules(settings)
        stored = settings.SerializeToString(deterministic=True)
        self.settings_digest = sha256(stored).hexdigest()

    @property
    def choosing(self) -> bool:
        """Whether the next game is being chosen or drawn: nobody leaves meanwhile (MIX-3)."""
        return bool(self.mix.seat) or (self.draw is not None and bool(self.draw.cards))

    @property
    def busy(self) -> bool:
        """Whether a hand, a show of cards, a draw or the choice of a game is under way."""
        return self.playing is not None or self.draw is not None or self.hand_shows or self.choosing

    @property
    def all_ready(self) -> bool:
        """Whether nobody has to be asked, or everybody who sits to play has said yes (TBL-6)."""
        readiness = self.readiness
        if not self.rules.confirm_ready or readiness.agreed:
            return True
        said = {one.seat: one.ready for one in readiness.checks}
        return all(said.get(seat.seat, False) for seat in self.seats.values() if seat.ready)

    def note_play(self) -> None:
        """Note that play has begun: nobody is asked to be ready until it has stopped (TBL-6)."""
        if self.rules.confirm_ready:
            self.readiness = Readiness(agreed=True)

    def note_command(self, step: Step) -> int:
        """Remember the command that became a step; return the seat it was given, 0 for none."""
        reserved = [event for event in step.events if event.WhichOneof("event") == "seat_reserved"]
        seat = reserved[0].seat_reserved.seat if reserved else 0
        if step.command_id:
            taken = Taken(step.command_digest, step.table_seq, seat)
            self.memory.note(step.command_sender, step.command_id, taken)
        return seat

    def note_void(self, reservation_id: str, reason: str) -> None:
        """Note that the wallet may void a reservation."""
        self.voided = (*self.voided, (reservation_id, reason))[-_MOST_VOIDED:]

    # --- the hand

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
    def hand_record(self) -> HandRecord:
        """The record of the hand, which there must be."""
        assert self.record is not None, "a hand without a record"
        return self.record

    @property
    def playing(self) -> AnyHand | None:
        """The hand in play, None between hands."""
        return None if self.hand_over else self.hand

    @property
    def hand_no(self) -> int:
        """The number of the hand in play, 0 between hands."""
        return self.record.began.hand_no if self.record and not self.hand_over else 0

    @property
    def deck_no(self) -> int:
        """The deck of the hand or of the draw in play, 0 for none."""
        if self.draw is not None:
            return self.draw.deck_no
        return self.record.began.deck_no if self.record and not self.hand_over else 0

    @property
    def shuffling(self) -> int:
        """The generation of the deck that is being made in mid-hand, 0 for none.

        Until its root is in the log nobody is asked for anything.
        """
        record = self.record
        return record.shuffling if record is not None and self.playing is not None else 0

    @property
    def hand_shows(self) -> bool:
        """Whether cards that a winner chose to show are still to be revealed (SHW-3)."""
        return self.hand_over and self.hand is not None and bool(self.hand.state.cards.pending)

    @property
    def step_hand_no(self) -> int:
        """The hand that a step now belongs to; also one whose winner shows cards after its end."""
        return self.hand_record.began.hand_no if self.hand_shows else self.hand_no

    def in_hand(self, seat: int) -> bool:
        """Tell whether a seat was dealt into the hand in play."""
        hand = self.playing
        return hand is not None and dealt_in(hand, seat)

    def put_away_hand(self, void_reason: str = "") -> None:
        """End a hand for good, and its deck with the step that is being applied."""
        self.close_deck(self.hand_record.began.deck_no, void_reason)
        self.hand_over = False
        self.show_until_ms = 0
        self.set_hand(None)
        self.record = None

    def close_show(self) -> None:
        """End the time in which a winner may show (SHW-3), if it runs."""
        if self.hand_over:
            self.put_away_hand()

    def close_deck(self, deck_no: int, void_reason: str = "") -> None:
        """Note that a deck has ended with the step that is being applied."""
        closed = ClosedDeck(deck_no, void_reason, self.table_seq)
        self.closed_decks = (*self.closed_decks, closed)[-_MOST_CLOSED_DECKS:]

    # --- clocks

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

    # --- seats

    def seat_of(self, player_id: str) -> Seat | None:
        """Return the seat that a player has or has reserved."""
        for seat in self.seats.values():
            if seat.player_id == player_id:
                return seat
        return None

    def player_at(self, number: int) -> str:
        """Return who has a seat or has reserved it, or ""."""
        seat = self.seats.get(number)
        return seat.player_id if seat else ""

    def seat_at(self, number: int) -> Seat:
        """Return the seat that an event is about. Raises LogError for an empty one."""
        seat = self.seats.get(number)
        if seat is None:
            raise LogError(f"nobody is at seat {number}", "seat")
        return seat

    def by_number(self) -> list[Seat]:
        """Return the seats in the order of their numbers."""
        return [self.seats[number] for number in sorted(self.seats)]

    def bound(self, seat: int) -> bool:
        """Tell whether a seat's requests wait: for the end of its hand, or of its match (OFC-6)."""
        match = self.matches.match
        return self.in_hand(seat) or (match is not None and seat in match.seats)

    def behind(self, seat: Seat) -> int:
        """Return a seat's chips behind: in a hand without what it has put in."""
        hand = self.playing
        if hand is None or not dealt_in(hand, seat.seat):
            return seat.stack
        return stack_of(hand, seat.seat)

    # --- the whole

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
        """Return the whole table as nested tuples of numbers and words.

        Messages stand as their hashes, the memory of commands as its chain.
        """
        return (
            (self.table_id, self.table_seq, self.owner_epoch, self.at_ms),
            (self.settings_digest, self.closing, self.closed, self.paused, self.unsettled),
            self.by_number(),
            self.departed,
            self.memory.chain,
            (self.hands, self.decks, self.last, self.next_hand_at_ms),
            self.draw and self.draw.canonical(),
            self.hand and self.hand.digest().hex(),
            self.record and self.record.canonical(),
            (self.hand_over, self.show_until_ms, self.split_until_ms),
            (self.clocks, self.placing, self.revealed_chain, self.last_result_digest),
            (self.bomb_votes, self.carried, self.matches, self.readiness, self.mix),
            (self.closed_decks, self.voided),
            (self.chips_in, self.chips_out, self.raked),
        )

    def digest(self) -> bytes:
        """Return SHA-256 over the compact JSON text of the canonical table."""
        text = json.dumps(self.canonical(), separators=(",", ":"))
        return sha256(text.encode("ascii")).digest()


_SHARED: Final = tuple(
    name for name in Table.__slots__ if name not in ("seats", "memory", "_owns_hand")
)
