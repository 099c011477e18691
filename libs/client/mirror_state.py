"""What a program knows of a table: plain values, changed only by the folds of this package.

Amounts are whole numbers of what the table plays for: minor units at cash tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from libs.cards import Card
from libs.client.mirror_deck import DeckMirror, PlaceKey
from libs.floorapi.floor.common.v1 import money_pb2
from libs.floorapi.floor.settings.v1 import settings_pb2
from libs.floorapi.floor.table.v1 import view_pb2

OWN, BOARD = 1, 2
"""Kinds of places (floor.common.v1.PlaceKind) that a mirror tells apart."""


def amount_of(amount: money_pb2.Amount) -> int:
    """Give the number of an amount, of whatever kind; 0 when none is set."""
    kind = amount.WhichOneof("kind")
    return 0 if kind is None else int(getattr(amount, kind))


@dataclass(slots=True)
class SeatMirror:
    """A seat. `player_id` is empty while nobody sits there; `stack` is what lies behind."""

    seat: int
    player_id: str = ""
    name: str = ""
    stack: int = 0
    sitting_out: bool = False
    leaving: bool = False
    connected: bool = False
    bank_ms: int = 0


@dataclass(slots=True)
class HandSeatMirror:
    """A seat of the hand. `bet` is what lies in front of it on this street."""

    seat: int
    start: int
    bet: int = 0
    folded: bool = False
    all_in: bool = False
    places: list[PlaceKey] = field(default_factory=list)


@dataclass(slots=True)
class HandMirror:
    """The hand in play.

    `middle` is what lies in the pots, `faces` are the cards turned up for everyone, `own` those
    that only this player sees. `won` is by seat, `shown_as` the names of hands shown, by seat.
    """

    hand_no: int
    deck_no: int
    seats: dict[int, HandSeatMirror]
    street: int = 0
    street_name: str = ""
    middle: int = 0
    faces: dict[PlaceKey, Card] = field(default_factory=dict)
    own: dict[PlaceKey, Card] = field(default_factory=dict)
    turn_seat: int = 0
    turn_no: int = 0
    deadline_ms: int = 0
    won: dict[int, int] = field(default_factory=dict)
    shown_as: dict[int, str] = field(default_factory=dict)

    @property
    def pot(self) -> int:
        """All that can be won now: the pots and what lies in front of the seats."""
        return self.middle + sum(seat.bet for seat in self.seats.values())

    def board(self, number: int = 0) -> tuple[Card, ...]:
        """Give the cards of a board in order of slots."""
        slots = sorted(
            (slot, card)
            for (kind, owner, slot), card in self.faces.items()
            if kind == BOARD and owner == number
        )
        return tuple(card for _, card in slots)


@dataclass(frozen=True, slots=True)
class Winner:
    """Who won how much from the pots. `hand_name` is empty when the hand was not shown."""

    seat: int
    player_id: str
    name: str
    amount: int
    hand_name: str


@dataclass(frozen=True, slots=True)
class LastHand:
    """How the last finished hand ended. `nets` is by seat; a void hand has no winners."""

    hand_no: int
    nets: dict[int, int]
    rake: int
    winners: tuple[Winner, ...]
    board: tuple[Card, ...]
    void_reason: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a reservation came to nothing: an ErrorCode of the catalogue, and words for people."""

    code: int
    reason: str


class TopUpStage(Enum):
    """How far a top-up is."""

    ASKED = "asked"
    """The wallet has not answered."""
    HELD = "held"
    """The wallet holds it; it arrives when the hand is over (TBL-3)."""
    ADDED = "added"
    """The chips lie in the stack."""
    REFUSED = "refused"
    """It came to nothing."""


@dataclass(frozen=True, slots=True)
class TopUp:
    """The last own top-up; `refused` says why it came to nothing."""

    reservation_id: str
    amount_minor: int
    stage: TopUpStage
    refused: Refused | None = None


@dataclass(slots=True)
class TableValues:
    """All that a mirror holds of a table.

    `player_id` is whose seat is the own one, empty for spectators. `view_no` numbers the last view
    taken in, 0 before the first snapshot. `deck_no` is the highest
    number of a deck that was seen. `hands` counts the hands opened at the table,
    `own_hands_finished` those that this player was dealt into while the mirror watched.
    `refused_buy_in` says why the last own buy-in came to nothing, None when it did not. It and
    `top_up` are of this player only; a snapshot does not tell them, so they are None after one.
    """

    table_id: str
    player_id: str = ""
    view_no: int = 0
    settings: settings_pb2.TableSettings = field(default_factory=settings_pb2.TableSettings)
    state: int = view_pb2.TABLE_STATE_UNSPECIFIED
    seats: dict[int, SeatMirror] = field(default_factory=dict)
    button: int = 0
    hands: int = 0
    hand: HandMirror | None = None
    deck: DeckMirror | None = None
    deck_no: int = 0
    own_seat: int = 0
    your_turn: view_pb2.YourTurn | None = None
    last_hand: LastHand | None = None
    own_hands_finished: int = 0
    refused_buy_in: Refused | None = None
    top_up: TopUp | None = None
    last_step_at_ms: int = 0

    def take_deck(self, deck_no: int, hand_no: int = 0) -> DeckMirror:
        """Begin a deck that was not seen before. Raises ProofFailed for a number used before."""
        deck = DeckMirror(self.table_id, deck_no, hand_no, live=self.settings.dealing.live)
        if deck_no <= self.deck_no:
            deck.fail("deck", f"deck {self.deck_no} was in use already")
        self.deck, self.deck_no = deck, deck_no
        return deck
